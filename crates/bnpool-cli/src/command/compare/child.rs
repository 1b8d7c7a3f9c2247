//! The poolers, one after another, each in a process of its own.

use super::job::{Job, Left};
use super::progress::Progress;
use crate::Program;
use crate::child::{self, Ended, Heard};
use crate::interrupt;
use crate::message::Failure;

/// Runs all that is left, one after another. Stops at the first failure, or when
/// the user asks for it; what is finished stays.
pub fn run_all(
    program: &Program,
    jobs: &[Job],
    progress: &Progress,
    resume: &str,
) -> Result<(), Failure> {
    // Signals wait for the process under way.
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
