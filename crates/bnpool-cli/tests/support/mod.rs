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

/// Writes files into a folder of their own.
pub fn files(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = folder(name);
    for (name, content) in files {
        std::fs::write(folder.join(name), content).expect("a file");
    }
    folder
}

/// Exit code, and everything that was said.
pub fn said(folder: &std::path::Path, arguments: &[&str]) -> (Option<i32>, String) {
    let out = bnpool_in(folder, arguments);
    (out.status.code(), text(&out.stderr) + &text(&out.stdout))
}

/// A small graph with attributes, one of them text, and a negative weight.
pub const CLUB: &str = "graph [ directed 0
  node [ id 0 label \"a\" value 1 age 3.5 club \"x\" ]
  node [ id 1 label \"b\" value 1 age 4.5 club \"y\" ]
  node [ id 2 label \"c\" value 2 age 5.5 club \"x\" ]
  edge [ source 0 target 1 ] edge [ source 1 target 2 value -3 ] ]";
