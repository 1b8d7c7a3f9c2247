//! Stages of the work that show nothing by themselves.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// A stage that ends sooner is not mentioned.
const PATIENCE: Duration = Duration::from_millis(700);
/// Time between later signs of life.
const INTERVAL: Duration = Duration::from_secs(10);

/// A stage under way. If it takes its time, standard error says so: within a
/// second at first, then every ten.
pub struct Stage {
    _end: Option<Sender<()>>,
}

impl Stage {
    /// A stage with a name such as `reading edges.csv`.
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
        // Without a thread there are no signs of life, and nothing else is lost.
        Self {
            _end: watch.is_ok().then_some(end),
        }
    }
}

/// A time for people: `12 s`, `about 3 min`, `about 2 h`.
pub fn about(seconds: f64) -> String {
    match seconds {
        s if s < 90.0 => format!("{} s", s.ceil()),
        s if s < 5400.0 => format!("about {:.0} min", s / 60.0),
        s => format!("about {:.0} h", s / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::about;

    #[test]
    fn times_are_short() {
        assert_eq!(about(0.2), "1 s");
        assert_eq!(about(89.0), "89 s");
        assert_eq!(about(125.0), "about 2 min");
        assert_eq!(about(7300.0), "about 2 h");
    }
}
