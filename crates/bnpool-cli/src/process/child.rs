//! Child processes for parts of the work, which have separate memory and fail
//! separately. A child process does not outlive its parent.

use crate::Program;
use crate::process::interrupt;
use crate::terminal::message::Failure;
use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStderr, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Polling interval.
const LOOK: Duration = Duration::from_millis(50);
/// Time for a process to end by itself. A terminal also sends Ctrl-C to the
/// child, which then writes a checkpoint.
const GRACE: Duration = Duration::from_millis(1000);

/// Reason for the end of a successful process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    Finished,
    Interrupted,
}

/// Message of a running process.
pub enum Heard<'a> {
    /// A note about a decision.
    Note(&'a str),
    /// Progress.
    Progress(&'a str),
}

/// Runs `bnpool` with these arguments. `name` is the prefix of its messages, and
/// `again` is the advice for continuing if it was killed.
pub fn run(
    program: &Program,
    name: &str,
    words: &[OsString],
    again: &str,
    hear: &mut dyn FnMut(Heard<'_>),
) -> Result<Ended, Failure> {
    let cannot = |what: &str, e: std::io::Error| {
        Failure::running(format!("{name}: its process cannot be {what}: {e}"))
    };
    let mut child = program
        .launcher
        .command()
        .map_err(|e| cannot("found", e))?
        .args(words)
        .env(interrupt::PARENT, "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| cannot("started", e))?;
    // Waiting would close it, which signals the end of the parent.
    let _alive = child.stdin.take();
    let lines = child.stderr.take().map(listen);
    let mut said = Said::default();
    let status = wait(&mut child, lines.as_ref(), &mut |line| {
        said.hear(line, hear)
    })
    .map_err(|e| cannot("waited for", e))?;
    if interrupt::is_asked() {
        return Ok(Ended::Interrupted);
    }
    let why = said.why(name, status, again);
    match status.code() {
        Some(0) => Ok(Ended::Finished),
        Some(130) => Ok(Ended::Interrupted),
        Some(2) => Err(Failure::input(why)),
        _ => Err(Failure::running(why)),
    }
}

/// Reads the lines of a process on a separate thread.
fn listen(stderr: ChildStderr) -> Receiver<String> {
    let (lines, received) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stderr).split(b'\n') {
            let Ok(line) = line else { break };
            let line = String::from_utf8_lossy(&line).into_owned();
            if lines.send(line).is_err() {
                break;
            }
        }
    });
    received
}

/// Waits for the end of a process, and ends it if the user requests a stop.
fn wait(
    child: &mut Child,
    lines: Option<&Receiver<String>>,
    hear: &mut dyn FnMut(&str),
) -> std::io::Result<ExitStatus> {
    let mut asked: Option<Instant> = None;
    let status = loop {
        match lines.map(|lines| lines.recv_timeout(LOOK)) {
            Some(Ok(line)) => hear(&line),
            Some(Err(RecvTimeoutError::Timeout)) => {}
            // Its output is closed, so it will end.
            Some(Err(RecvTimeoutError::Disconnected)) | None => std::thread::sleep(LOOK),
        }
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if interrupt::is_asked() {
            let since = *asked.get_or_insert_with(Instant::now);
            if since.elapsed() > GRACE {
                // This is safe, because files are written atomically and the last
                // checkpoint exists.
                child.kill()?;
                break child.wait()?;
            }
        }
    };
    for line in lines.into_iter().flatten() {
        hear(&line);
    }
    Ok(status)
}

/// Messages of a failed process.
#[derive(Default)]
struct Said {
    error: Option<String>,
    last: String,
}

impl Said {
    fn hear(&mut self, line: &str, hear: &mut dyn FnMut(Heard<'_>)) {
        let line = line.trim_end();
        if let Some(message) = line.strip_prefix("error: ") {
            self.error = Some(message.to_owned());
        } else if let Some(note) = line.strip_prefix("note: ") {
            hear(Heard::Note(note));
        } else if line.starts_with("fold ") || line.starts_with("epoch ") {
            hear(Heard::Progress(line));
        }
        if !line.is_empty() {
            self.last = line.to_owned();
        }
    }

    /// Returns the reason of the failure, with the name of the process.
    fn why(self, name: &str, status: ExitStatus, again: &str) -> String {
        match (self.error, status.code()) {
            (Some(message), _) => format!("{name}: {message}"),
            (None, Some(code)) => format!("{name}: it ended with code {code}: {}", self.last),
            (None, None) => format!(
                "{name}: its process was ended from outside ({status}), maybe because memory ran out; {again}"
            ),
        }
    }
}
