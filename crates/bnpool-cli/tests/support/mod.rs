//! Helpers for running the command in tests.

#![allow(dead_code)] // Each test binary uses only a part.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs the command in a separate folder, so that runs do not interfere.
pub fn bnpool(arguments: &[&str]) -> Output {
    bnpool_in(&PathBuf::from(env!("CARGO_TARGET_TMPDIR")), arguments)
}

/// Runs the command in a folder.
pub fn bnpool_in(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments)
        .output()
        .expect("the command runs")
}

/// Returns the command in a folder, not yet started. It handles SIGINT even if the
/// tests run in the background of a script, which ignores it.
pub fn command(folder: &Path, arguments: &[&str]) -> Command {
    let bnpool = env!("CARGO_BIN_EXE_bnpool");
    let mut command = if ignores_interrupts() {
        Command::new("env")
    } else {
        Command::new(bnpool)
    };
    if ignores_interrupts() {
        command.args(["--default-signal=INT", bnpool]);
    }
    command.args(arguments).current_dir(folder);
    command
}

/// Returns whether this process was started with SIGINT ignored, which its children
/// inherit.
fn ignores_interrupts() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask & 0b10 != 0)
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Creates an empty folder for a test.
pub fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder");
    path
}

/// Checks that the command exits with code 2 and a message that contains all
/// parts.
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

/// Writes two cliques of five nodes with one edge between them.
pub fn two_cliques(folder: &Path) -> String {
    let mut edges = String::from("from,to\n");
    for side in ["a", "b"] {
        for u in 0..5 {
            for v in u + 1..5 {
                edges += &format!("{side}{u},{side}{v}\n");
            }
        }
    }
    edges += "a0,b0\n";
    fs::write(folder.join("edges.csv"), edges).expect("a file");
    "edges.csv".into()
}

/// Writes rings and stars as edge lists with a table of targets.
pub fn shapes(folder: &Path, count: usize) -> String {
    let data = folder.join("shapes");
    fs::create_dir_all(&data).expect("a folder");
    let mut table = String::from("file,target\n");
    for i in 0..count {
        let nodes = 5 + i % 5;
        let mut edges = String::new();
        for u in 1..nodes {
            let to = if i % 2 == 0 { u - 1 } else { 0 };
            edges += &format!("{u},{to}\n");
        }
        if i % 2 == 0 {
            edges += &format!("0,{}\n", nodes - 1);
        }
        fs::write(data.join(format!("g{i}.csv")), edges).expect("a graph");
        let class = if i % 2 == 0 { "ring" } else { "star" };
        table += &format!("g{i}.csv,{class}\n");
    }
    fs::write(data.join("graphs.csv"), table).expect("a table");
    data.to_string_lossy().into_owned()
}

/// Settings of a network that trains very fast.
pub const SMALL: [&str; 8] = [
    "--max-clusters",
    "6",
    "--set",
    "model.hidden=8",
    "--set",
    "training.batch_size=8",
    "--set",
    "data.folds=4",
];

/// Writes files into a new folder.
pub fn files(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = folder(name);
    for (name, content) in files {
        fs::write(folder.join(name), content).expect("a file");
    }
    folder
}

/// Runs the command; returns exit code and all output.
pub fn said(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let out = bnpool_in(folder, arguments);
    (out.status.code(), text(&out.stderr) + &text(&out.stdout))
}

/// Runs the command, which must succeed; returns the printed JSON.
pub fn json_of(folder: &Path, arguments: &[&str]) -> Value {
    let out = bnpool_in(folder, arguments);
    assert!(out.status.success(), "{arguments:?}: {}", text(&out.stderr));
    serde_json::from_slice(&out.stdout).expect("JSON")
}

/// A small graph with attributes, including text, and a negative weight.
pub const CLUB: &str = "graph [ directed 0
  node [ id 0 label \"a\" value 1 age 3.5 club \"x\" ]
  node [ id 1 label \"b\" value 1 age 4.5 club \"y\" ]
  node [ id 2 label \"c\" value 2 age 5.5 club \"x\" ]
  edge [ source 0 target 1 ] edge [ source 1 target 2 value -3 ] ]";
