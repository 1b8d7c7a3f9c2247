//! Ctrl-C and termination signals.
//!
//! During training, the first signal requests a stop: the current epoch is
//! completed, and a checkpoint and the current results are written. At any
//! other time, and at the second signal, the process exits immediately. Files
//! are written atomically, so this loses nothing. [`is_asked`] must also be
//! checked after the training, because a signal may arrive after the last
//! epoch. A signal that the process was started to ignore, as with `nohup`, is
//! still ignored.

use crate::terminal::message::Failure;
use bnpool_io::format::remove_own_unfinished;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// If the epoch takes longer than this after a signal, a message is printed.
const PATIENCE: Duration = Duration::from_millis(1500);

/// Whether the user requested a stop.
static ASKED: AtomicBool = AtomicBool::new(false);
/// Number of running trainings.
static TRAININGS: AtomicUsize = AtomicUsize::new(0);
/// Last message if the process exits immediately.
static PARTING: Mutex<String> = Mutex::new(String::new());

/// Installs the signal handlers.
pub fn listen() -> Result<(), Failure> {
    system::listen().map_err(|e| Failure::running(format!("signals cannot be listened for: {e}")))
}

/// Returns whether the user requested a stop.
pub fn is_asked() -> bool {
    ASKED.load(Ordering::SeqCst)
}

/// Sets the last message if the process exits immediately.
pub fn say_at_end(words: String) {
    if let Ok(mut parting) = PARTING.lock() {
        *parting = words;
    }
}

/// Prints that results are written before the process ends, which may take a
/// while for a large graph.
pub fn tell_results_follow() {
    tell!(
        "interrupted: writing what was found so far; another signal ends at once, without results"
    );
}

/// Returns an interruption at the end of a complete run, if the user requested a
/// stop after the training.
pub fn at_the_end(directory: &Path) -> Result<(), Failure> {
    if is_asked() {
        return Err(Failure::interrupted(format!(
            "interrupted after the last epoch; the run is complete, and everything is in {}",
            directory.display()
        )));
    }
    Ok(())
}

/// Guard of a training: while it exists, the first signal takes effect at the
/// end of the epoch.
pub struct Training(());

impl Training {
    /// Starts a training.
    pub fn begin() -> Self {
        TRAININGS.fetch_add(1, Ordering::SeqCst);
        Self(())
    }
}

impl Drop for Training {
    fn drop(&mut self) {
        TRAININGS.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Prints that the process waits for the end of the epoch, if the training
/// still runs after a while.
fn tell_of_waiting() {
    std::thread::sleep(PATIENCE);
    if TRAININGS.load(Ordering::SeqCst) > 0 {
        tell!("interrupted: waiting for the end of the epoch; another signal ends at once");
    }
}

/// Handles a signal.
fn heard() {
    // The order matters: if the training ends in between, it must find the
    // request.
    let first = !ASKED.swap(true, Ordering::SeqCst);
    if first && TRAININGS.load(Ordering::SeqCst) > 0 {
        // On a separate thread, so that further signals are handled. If it
        // cannot be started, nothing is printed.
        let name = std::thread::Builder::new().name("waiting".into());
        let _ = name.spawn(tell_of_waiting);
        return;
    }
    remove_own_unfinished();
    match PARTING.lock() {
        Ok(words) if !words.is_empty() => tell!("{words}"),
        _ => tell!("interrupted"),
    }
    std::process::exit(130);
}

#[cfg(unix)]
mod system {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    pub fn listen() -> std::io::Result<()> {
        let ignored = ignored();
        let wanted = [SIGINT, SIGTERM, SIGHUP]
            .into_iter()
            .filter(|signal| ignored & (1 << (signal - 1)) == 0);
        let mut signals = Signals::new(wanted)?;
        std::thread::Builder::new()
            .name("signals".into())
            .spawn(move || {
                for _ in signals.forever() {
                    super::heard();
                }
            })?;
        Ok(())
    }

    /// Returns the bit set of the signals that this process was started to
    /// ignore; empty if unknown.
    fn ignored() -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        line.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
            .unwrap_or(0)
    }
}

#[cfg(not(unix))]
mod system {
    pub fn listen() -> std::io::Result<()> {
        ctrlc::set_handler(super::heard).map_err(std::io::Error::other)
    }
}
