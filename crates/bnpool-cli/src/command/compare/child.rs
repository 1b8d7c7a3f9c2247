//! Runs of the poolers, one after another, each in a separate process.

use super::job::{Job, Left};
use super::progress::Progress;
use crate::Program;
use crate::process::child::{self, Ended, Heard};
use crate::process::interrupt;
use crate::terminal::message::Failure;

/// Runs all remaining jobs one after another. Stops at the first failure or if
/// requested by the user; finished runs are kept.
pub fn run_all(
    program: &Program,
    jobs: &[Job],
    progress: &Progress,
    resume: &str,
) -> Result<(), Failure> {
    // Signals are deferred until the current process ends.
    let running = interrupt::Training::begin();
    let interrupted = |finished: usize| {
        Failure::interrupted(format!(
            "interrupted; {finished} of {} runs are finished and kept; {resume}",
            jobs.len()
        ))
    };
    for (place, job) in jobs.iter().enumerate() {
        let name = job.name.as_str();
        if job.left == Left::Nothing {
            progress.known(place, name);
            continue;
        }
        if interrupt::is_asked() {
            return Err(interrupted(place));
        }
        progress.begin(place, name, job.left == Left::Rest);
        let ended = child::run(
            program,
            name,
            &job.words,
            "--resume goes on",
            &mut |heard| match heard {
                Heard::Note(note) => progress.note(note),
                Heard::Progress(line) => progress.line(line),
            },
        );
        progress.end();
        match ended? {
            Ended::Finished => progress.finished(place, name),
            Ended::Interrupted => return Err(interrupted(place)),
        }
    }
    drop(running);
    if interrupt::is_asked() {
        Err(interrupted(jobs.len()))
    } else {
        Ok(())
    }
}
