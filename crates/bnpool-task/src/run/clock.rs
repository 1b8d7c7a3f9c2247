//! Time of the stages of a run.

use serde::{Serialize, Serializer};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Seconds per stage, in the order in which the stages began.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Times(Vec<(&'static str, f64)>);

impl Times {
    /// Adds time to a stage.
    fn add(&mut self, stage: &'static str, seconds: f64) {
        match self.0.iter_mut().find(|(name, _)| *name == stage) {
            Some((_, sum)) => *sum += seconds,
            None => self.0.push((stage, seconds)),
        }
    }

    /// Returns the seconds of all stages together.
    pub(crate) fn total(&self) -> f64 {
        self.0.iter().map(|(_, seconds)| seconds).sum()
    }

    /// Returns whether no time was measured.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Times {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().copied())
    }
}

/// Assigns the time since its creation to stages. One stage is under way at a time, and
/// any thread may begin the next one.
#[derive(Debug)]
pub(crate) struct Clock(Mutex<State>);

#[derive(Debug)]
struct State {
    stage: &'static str,
    since: Instant,
    times: Times,
}

impl Clock {
    /// Starts the clock with its first stage.
    pub(crate) fn start(stage: &'static str) -> Self {
        Self(Mutex::new(State {
            stage,
            since: Instant::now(),
            times: Times::default(),
        }))
    }

    /// Ends the current stage and begins another one; nothing happens if it is the same.
    pub(crate) fn enter(&self, stage: &'static str) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if state.stage != stage {
            let now = Instant::now();
            let (ended, seconds) = (state.stage, (now - state.since).as_secs_f64());
            state.times.add(ended, seconds);
            state.stage = stage;
            state.since = now;
        }
    }

    /// Returns the times so far, with that of the current stage.
    pub(crate) fn times(&self) -> Times {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut times = state.times.clone();
        times.add(state.stage, state.since.elapsed().as_secs_f64());
        times
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn stages_share_the_whole_time() {
        let begun = Instant::now();
        let clock = Clock::start("reading");
        std::thread::sleep(Duration::from_millis(3));
        for stage in ["search", "search", "network", "search"] {
            clock.enter(stage);
        }
        let times = clock.times();
        let names: Vec<&str> = times.0.iter().map(|entry| entry.0).collect();
        assert_eq!(names, ["reading", "search", "network"]);
        assert!(times.0[0].1 >= 0.003);
        assert!(times.total() > 0.003 && times.total() <= begun.elapsed().as_secs_f64());
    }
}
