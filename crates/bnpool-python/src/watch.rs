//! Running the engine, observed by Python.
//!
//! The engine runs in a thread pool without the interpreter lock. The calling
//! thread checks for interruptions and progress every 50 ms. After Ctrl-C the call
//! returns immediately, and the engine stops at its next step.

use crate::error::raise;
use crate::threads;
use bnpool_task::Failure;
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Polling interval.
const LOOK: Duration = Duration::from_millis(50);

/// Progress of the work: stage, finished steps, total steps, and a description.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sign {
    pub stage: String,
    pub done: usize,
    pub total: usize,
    pub words: String,
}

/// Shared state of the engine and its observer.
#[derive(Default)]
pub struct Watch {
    stopped: AtomicBool,
    sign: Mutex<Sign>,
}

impl Watch {
    /// Reports the progress; returns whether to continue.
    pub fn tell(&self, sign: Sign) -> ControlFlow<()> {
        *self.sign.lock().unwrap_or_else(PoisonError::into_inner) = sign;
        self.go_on()
    }

    /// Returns whether to continue.
    pub fn go_on(&self) -> ControlFlow<()> {
        if self.stopped.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    fn sign(&self) -> Sign {
        let sign = self.sign.lock();
        sign.unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Runs a job of the engine. `show` is called for each progress report.
pub fn run<T: Send + 'static>(
    py: Python<'_>,
    n_threads: Option<usize>,
    show: Option<&Bound<'_, PyAny>>,
    job: impl FnOnce(&Watch) -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    let pool = threads::take(n_threads)?;
    let watch = Arc::new(Watch::default());
    let (sender, mut ended) = mpsc::sync_channel(1);
    let (at_work, own) = (Arc::clone(&pool), Arc::clone(&watch));
    pool.spawn(move || {
        let result = catch_unwind(AssertUnwindSafe(|| job(&own)));
        // Returned before the result is sent, so that the next call finds the
        // pool.
        threads::give_back(at_work);
        // There is no receiver if the user has interrupted the call.
        let _ = sender.send(result);
    });
    drop(pool);
    let mut last = Sign::default();
    loop {
        // The receiver is moved into the closure, and returned.
        let (looked, back) = py.detach(move || (ended.recv_timeout(LOOK), ended));
        ended = back;
        match looked {
            Ok(Ok(result)) => return result.map_err(raise),
            Ok(Err(_)) => return Err(raise(broken())),
            Err(RecvTimeoutError::Disconnected) => return Err(raise(broken())),
            Err(RecvTimeoutError::Timeout) => {}
        }
        let shown = py.check_signals().and_then(|()| {
            let sign = watch.sign();
            match show {
                Some(show) if sign != last => {
                    last = sign;
                    show.call1((&last.stage, last.done, last.total, &last.words))
                        .map(drop)
                }
                _ => Ok(()),
            }
        });
        if let Err(error) = shown {
            watch.stop();
            return Err(error);
        }
    }
}

fn broken() -> Failure {
    Failure::running(
        "bnpool came to a state that should not exist; please report it with the graph and the settings",
    )
}
