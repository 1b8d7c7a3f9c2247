//! Run directories as the command speaks of them.

use crate::message::Failure;
use bnpool_task::run::RunError;

impl From<RunError> for Failure {
    /// The library says what is wrong; the flags that help are the command's.
    fn from(error: RunError) -> Self {
        match &error {
            RunError::Foreign { path } => Self::Input(format!(
                "{}: it has files in it that are not a run of bnpool, and they are left alone; name a new or empty directory with --out",
                path.display()
            )),
            RunError::Occupied { path, finished } => Self::Input(format!(
                "{} holds {} run; --resume goes on with it, --overwrite replaces it, --out names another directory",
                path.display(),
                if *finished {
                    "a finished"
                } else {
                    "an unfinished"
                }
            )),
            RunError::InUse { path, pid } => Self::Input(format!(
                "{}: another bnpool{} works in this directory; wait for its end, or name another directory with --out",
                path.display(),
                pid.map_or(String::new(), |pid| format!(" (process {pid})"))
            )),
            RunError::InputIsOutput { path } => Self::Input(format!(
                "{}: the run would replace this input; name another directory with --out",
                path.display()
            )),
            RunError::Unusable { path, source } => Self::Input(format!(
                "{}: cannot be used as the run directory: {source}; name another one with --out",
                path.display()
            )),
            RunError::Write(_) => Self::Running(error.to_string()),
            _ => Self::Input(error.to_string()),
        }
    }
}

/// A name that can be part of a path: letters, digits, dots and dashes.
pub fn path_part(name: &str) -> String {
    let part: String = name
        .chars()
        .map(|c| {
            if c.is_alphanumeric() || matches!(c, '.' | '-' | '_') {
                c
            } else {
                '-'
            }
        })
        .collect();
    match part.trim_matches(|c| c == '.' || c == '-') {
        "" => "graph".to_owned(),
        trimmed => trimmed.to_owned(),
    }
}

/// The most memory this process has had at once, in megabytes, if the system
/// tells.
pub fn peak_rss_mb() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmHWM:"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_parts_of_paths() {
        assert_eq!(path_part("cora"), "cora");
        assert_eq!(path_part("../my graph"), "my-graph");
        assert_eq!(path_part("//"), "graph");
    }
}
