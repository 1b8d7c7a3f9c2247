//! Keeps threads awake between the small tasks of a step.
//!
//! A training step consists of dozens of kernels of some ten microseconds with
//! serial work between them. An idle thread of the pool falls asleep within
//! this time, and waking it takes as long as a kernel. Therefore, like the
//! block time of OpenMP, idle threads keep polling for a while.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A thread that is idle for this time may sleep.
const PATIENCE: Duration = Duration::from_millis(4);
/// Number of polls before the thread yields the processor.
const LOOKS: usize = 32;

thread_local! {
    /// Whether this thread is already polling.
    static LOOKING: Cell<bool> = const { Cell::new(false) };
}

/// Keeps the other threads of a pool polling for work.
///
/// It computes nothing, so it does not affect results.
#[derive(Debug, Default)]
pub struct Awake {
    keepers: Arc<AtomicUsize>,
}

impl Awake {
    /// Makes all other threads of the current pool poll for work. Does nothing
    /// outside of a pool.
    pub fn stir(&self) {
        let Some(owner) = rayon::current_thread_index() else {
            return;
        };
        let others = rayon::current_num_threads() - 1;
        while self.keepers.load(Ordering::Relaxed) < others {
            self.keepers.fetch_add(1, Ordering::Relaxed);
            let keepers = Arc::clone(&self.keepers);
            rayon::spawn(move || {
                // This task may be run by the training thread while it waits for
                // another, or by a thread that is already polling. Both skip it,
                // and the next step repeats the request.
                if rayon::current_thread_index() != Some(owner) && !LOOKING.replace(true) {
                    look_for_work();
                    LOOKING.set(false);
                }
                keepers.fetch_sub(1, Ordering::Relaxed);
            });
        }
    }
}

/// Runs tasks until there are none for a while.
fn look_for_work() {
    let mut last = Instant::now();
    while last.elapsed() < PATIENCE {
        for _ in 0..LOOKS {
            if rayon::yield_now() == Some(rayon::Yield::Executed) {
                last = Instant::now();
            }
            std::hint::spin_loop();
        }
        std::thread::yield_now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_that_look_for_work_still_work() {
        let awake = Awake::default();
        awake.stir();
        assert_eq!(
            awake.keepers.load(Ordering::Relaxed),
            0,
            "outside of a pool"
        );
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build();
        let sum = pool.expect("threads").install(|| {
            (0..50_u64)
                .map(|step| {
                    awake.stir();
                    let (a, b) = rayon::join(|| step, || 2 * step);
                    a + b
                })
                .sum::<u64>()
        });
        assert_eq!(sum, 3 * 49 * 50 / 2);
    }
}
