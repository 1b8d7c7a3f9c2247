//! The engine at work, and Python watching it.
//!
//! The engine runs in a pool of threads without the interpreter lock. The calling
//! thread looks every 50 ms whether the user wants the end and how far the work is.
//! When Ctrl-C comes the call returns at once; the engine ends at its next step.

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

/// Time between two looks.
const LOOK: Duration = Duration::from_millis(50);

/// How far the work is: a stage, steps done, steps in all, and words about it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sign {
    pub stage: String,
    pub done: usize,
    pub total: usize,
    pub words: String,
}

/// What the engine and its watcher share.
#[derive(Default)]
pub struct Watch {
    stopped: AtomicBool,
    sign: Mutex<Sign>,
}

impl Watch {
    /// Tells how far the work is, and hears whether it should go on.
    pub fn tell(&self, sign: Sign) -> ControlFlow<()> {
        *self.sign.lock().unwrap_or_else(PoisonError::into_inner) = sign;
        self.go_on()
    }

    /// Whether the work should go on.
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

/// Runs a job of the engine. `show` is called with every new sign.
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
        // Before the result is sent, so that the next call finds the pool.
        threads::give_back(at_work);
        // Nobody waits for it any more if the user has ended the call.
        let _ = sender.send(result);
    });
    drop(pool);
    let mut last = Sign::default();
    loop {
        // It goes with the thread that waits, and comes back.
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
