//! Thread pools that outlive a call.
//!
//! Each call has its own pool, so that calls from several threads do not wait for
//! each other. An unused pool is reused by the next call of equal size.

use crate::error::wrong;
use pyo3::PyResult;
use rayon::ThreadPool;
use std::sync::{Arc, Mutex, PoisonError};

/// Largest number of threads, more than the cores of any machine.
const MOST: usize = 1024;

/// Unused pools, and their process.
struct Rest {
    process: u32,
    pools: Vec<Arc<ThreadPool>>,
}

static REST: Mutex<Rest> = Mutex::new(Rest {
    process: 0,
    pools: Vec::new(),
});

/// Returns a pool with this number of threads, or with one per core.
pub fn take(threads: Option<usize>) -> PyResult<Arc<ThreadPool>> {
    let wanted = match threads {
        Some(0) => return Err(wrong("n_threads=0: at least one thread is needed")),
        Some(threads) if threads > MOST => {
            return Err(wrong(format!(
                "n_threads={threads}: at most {MOST} can be used"
            )));
        }
        Some(threads) => threads,
        None => std::thread::available_parallelism().map_or(1, usize::from),
    };
    let found = with_rest(|pools| {
        let place = pools.iter().position(|p| p.current_num_threads() == wanted);
        place.map(|place| pools.swap_remove(place))
    });
    if let Some(pool) = found {
        return Ok(pool);
    }
    let built = rayon::ThreadPoolBuilder::new()
        .num_threads(wanted)
        .thread_name(|i| format!("bnpool-{i}"))
        .build();
    match built {
        Ok(pool) => Ok(Arc::new(pool)),
        Err(e) => Err(wrong(format!(
            "threads could not be started: {e}; use fewer with n_threads=N"
        ))),
    }
}

/// Returns a pool to the unused ones.
pub fn give_back(pool: Arc<ThreadPool>) {
    with_rest(|pools| pools.push(pool));
}

fn with_rest<R>(f: impl FnOnce(&mut Vec<Arc<ThreadPool>>) -> R) -> R {
    let mut rest = REST.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if rest.process != process {
        // Threads do not exist in a forked process, and ending them would block
        // forever.
        std::mem::forget(std::mem::take(&mut rest.pools));
        rest.process = process;
    }
    f(&mut rest.pools)
}
