//! Ctrl-C and termination signals.
//!
//! While a model is trained, the first signal asks for the end: the epoch comes
//! to its end, a checkpoint and what was found so far are written. At any other
//! time, and at the second signal, the process ends at once; files appear whole
//! or not at all, so nothing is lost by that. Whoever trains asks [`is_asked`]
//! after the training too: a signal may have come behind its last epoch. A
//! signal that the process was told to ignore, as `nohup` does, stays ignored.

use crate::message::Failure;
use bnpool_io::format::remove_own_unfinished;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// An epoch that goes on for longer after a signal is spoken of.
const PATIENCE: Duration = Duration::from_millis(1500);

/// Set when the user asked for the end.
static ASKED: AtomicBool = AtomicBool::new(false);
/// Trainings under way.
static TRAININGS: AtomicUsize = AtomicUsize::new(0);
/// The last words when the process ends at once.
static PARTING: Mutex<String> = Mutex::new(String::new());

/// The variable that says that standard input ends when the process that started this
/// one does.
pub const PARENT: &str = "BNPOOL_PARENT";

/// Listens from now on.
pub fn listen() -> Result<(), Failure> {
    if std::env::var_os(PARENT).is_some() {
        let watch = std::thread::Builder::new().name("parent".into());
        watch.spawn(end_with_parent).map_err(|e| {
            Failure::running(format!(
                "the process that started it cannot be watched: {e}"
            ))
        })?;
    }
    system::listen().map_err(|e| Failure::running(format!("signals cannot be listened for: {e}")))
}

/// Ends the process when the one that started it was killed: the next one would find
/// its directory locked.
fn end_with_parent() {
    // Nothing is ever written there.
    let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
    remove_own_unfinished();
    std::process::exit(130);
}

/// True once the user has asked for the end.
pub fn is_asked() -> bool {
    ASKED.load(Ordering::SeqCst)
}

/// What to say when the process ends at once.
pub fn say_at_end(words: String) {
    if let Ok(mut parting) = PARTING.lock() {
        *parting = words;
    }
}

/// Says that results are written before the process ends, which takes a while for
/// a large graph.
pub fn tell_results_follow() {
    tell!(
        "interrupted: writing what was found so far; another signal ends at once, without results"
    );
}

/// The end of a complete run: an interruption if the user asked for one after the
/// training was over.
pub fn at_the_end(directory: &Path) -> Result<(), Failure> {
    if is_asked() {
        return Err(Failure::interrupted(format!(
            "interrupted after the last epoch; the run is complete, and everything is in {}",
            directory.display()
        )));
    }
    Ok(())
}

/// While it exists, the first signal waits for the end of the epoch.
pub struct Training(());

impl Training {
    /// From now on.
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

/// Says that the end is near, unless it has come by then.
fn tell_of_waiting() {
    std::thread::sleep(PATIENCE);
    if TRAININGS.load(Ordering::SeqCst) > 0 {
        tell!("interrupted: waiting for the end of the epoch; another signal ends at once");
    }
}

/// What a signal does.
fn heard() {
    // In this order: if the training ends in between, it sees that it was asked.
    let first = !ASKED.swap(true, Ordering::SeqCst);
    if first && TRAININGS.load(Ordering::SeqCst) > 0 {
        // Signals are listened for meanwhile. Without a thread nothing is said.
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

    /// The signals that this process was told to ignore, a bit each; none if
    /// the system does not tell.
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
