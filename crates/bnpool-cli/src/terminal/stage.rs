//! Messages for stages of the work without other output.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// Shorter stages are not mentioned.
const PATIENCE: Duration = Duration::from_millis(700);
/// Time between later messages.
const INTERVAL: Duration = Duration::from_secs(10);

/// A running stage. If it takes longer, it is shown on standard error within a
/// second, and then every ten seconds.
pub struct Stage {
    _end: Option<Sender<()>>,
}

impl Stage {
    /// Starts a stage with a name such as `reading edges.csv`.
    pub fn begin(name: String, quiet: bool) -> Self {
        if quiet {
            return Self { _end: None };
        }
        let (end, ended) = mpsc::channel::<()>();
        let started = Instant::now();
        let watch = std::thread::Builder::new()
            .name("stage".into())
            .spawn(move || {
                let mut wait = PATIENCE;
                while let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(wait) {
                    if wait == PATIENCE {
                        tell!("{name} …")
                    } else {
                        tell!("{name} … {:.0} s", started.elapsed().as_secs_f64())
                    }
                    wait = INTERVAL;
                }
            });
        // If the thread cannot be started, only these messages are missing.
        Self {
            _end: watch.is_ok().then_some(end),
        }
    }
}
