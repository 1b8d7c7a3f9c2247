//! The command as a user meets it.

#![allow(dead_code)] // Every test binary uses some of it.

use std::path::PathBuf;
use std::process::{Command, Output};

/// Runs the command in a folder of its own, so that runs do not meet.
pub fn bnpool(arguments: &[&str]) -> Output {
    bnpool_in(&PathBuf::from(env!("CARGO_TARGET_TMPDIR")), arguments)
}

/// Runs the command in a folder.
pub fn bnpool_in(folder: &std::path::Path, arguments: &[&str]) -> Output {
    command(folder, arguments)
        .output()
        .expect("the command runs")
}

/// The command in a folder, not started yet.
pub fn command(folder: &std::path::Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bnpool"));
    command.args(arguments).current_dir(folder);
    command
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A folder of its own for a test, empty at the start.
pub fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder");
    path
}

/// Fails with code 2 and a message that has all the parts.
pub fn refuses(arguments: &[&str], parts: &[&str]) {
    let out = bnpool(arguments);
    let message = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{arguments:?}: {message}");
    for part in parts {
        assert!(
            message.contains(part),
            "{arguments:?}: `{part}` is missing in: {message}"
        );
    }
    assert!(out.stdout.is_empty(), "{arguments:?} printed a result");
}
