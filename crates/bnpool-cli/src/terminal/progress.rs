//! Progress on standard error: bars on a terminal, sparse plain lines elsewhere, nothing
//! when quiet.

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Time before the first plain line.
const PATIENCE: Duration = Duration::from_secs(2);

/// Time between plain lines.
const INTERVAL: Duration = Duration::from_secs(5);

/// Time between two looks of a clock.
const TICK: Duration = Duration::from_millis(200);

/// A bar, with others below it if there are some. It goes when it is dropped.
pub struct Bar {
    /// None without a terminal.
    shown: Option<(MultiProgress, ProgressBar)>,
    quiet: bool,
    next: Mutex<Instant>,
}

impl Bar {
    /// A bar of so many steps. A template with a clock moves by itself.
    pub fn new(steps: usize, template: &str, quiet: bool) -> Self {
        let terminal = !quiet && std::io::stderr().is_terminal();
        Self::of(terminal.then(MultiProgress::new), steps, template, quiet)
    }

    /// A further bar below.
    pub fn below(&self, steps: usize, template: &str) -> Self {
        let all = self.shown.as_ref().map(|(all, _)| all.clone());
        Self::of(all, steps, template, self.quiet)
    }

    fn of(all: Option<MultiProgress>, steps: usize, template: &str, quiet: bool) -> Self {
        let shown = all.map(|all| {
            let style = ProgressStyle::with_template(template);
            let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
            let bar = all.add(ProgressBar::new(steps as u64).with_style(style));
            if template.contains("{elapsed}") {
                bar.enable_steady_tick(TICK);
            }
            (all, bar)
        });
        Self {
            shown,
            quiet,
            next: Mutex::new(Instant::now() + PATIENCE),
        }
    }

    /// Shows how many steps are done, and a line about it. Without a terminal the line
    /// appears every few seconds.
    pub fn show(&self, done: usize, line: impl FnOnce() -> String) {
        if let Some((_, bar)) = &self.shown {
            bar.set_position(done as u64);
            bar.set_message(line());
            return;
        }
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.quiet && Instant::now() >= *next {
            tell!("{}", line());
            *next = Instant::now() + INTERVAL;
        }
    }

    /// Shows a line beside the bar, on a terminal only.
    pub fn message(&self, line: String) {
        if let Some((_, bar)) = &self.shown {
            bar.set_message(line);
        }
    }

    /// One step more is done.
    pub fn step(&self) {
        if let Some((_, bar)) = &self.shown {
            bar.inc(1);
        }
    }

    /// Shows a line that stays.
    pub fn keep(&self, line: &str) {
        if self.quiet {
            return;
        }
        match &self.shown {
            Some((all, _)) => all.suspend(|| tell!("{line}")),
            None => tell!("{line}"),
        }
    }

    /// Whether lines replace each other.
    pub fn is_shown(&self) -> bool {
        self.shown.is_some()
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Some((_, bar)) = &self.shown {
            bar.finish_and_clear();
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
