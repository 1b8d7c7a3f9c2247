//! Kills runs at random moments, and checks that resumed runs are
//! byte-identical.

#![cfg(unix)]

use super::Attack;
use super::support::{SMALL, bnpool_in, command, folder, shapes, text, two_cliques};
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

/// Starts a run repeatedly, kills it within `longest` milliseconds, resumes it,
/// and compares it with an uninterrupted run.
fn kill(
    mut attack: Attack,
    folder: &Path,
    command_name: &str,
    settings: &[&str],
    names: &[&str],
    longest: usize,
) {
    let begin = [&[command_name][..], settings, &["--quiet"]].concat();
    let out = bnpool_in(folder, &[&begin[..], &["--out", "whole"]].concat());
    assert!(out.status.success(), "{}", text(&out.stderr));
    let mut new = true;
    while attack.goes_on() {
        let arguments = if new {
            [&begin[..], &["--out", "cut", "--overwrite"]].concat()
        } else {
            vec![command_name, "--resume", "--out", "cut", "--quiet"]
        };
        let mut child = command(folder, &arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a run");
        std::thread::sleep(Duration::from_millis(attack.below(longest) as u64));
        let signal = ["KILL", "KILL", "INT", "TERM"][attack.below(4)];
        let sent = std::process::Command::new("kill")
            .args(["-s", signal, &child.id().to_string()])
            .stderr(Stdio::null())
            .status();
        let _ = sent.expect("kill");
        let status = child.wait().expect("the end");
        match status.code() {
            Some(0) => {
                for name in names {
                    let read = |run: &str| fs::read(folder.join(run).join(name)).expect("a file");
                    assert!(
                        read("cut") == read("whole"),
                        "{name} differs after {signal}"
                    );
                }
                new = true;
            }
            // The run ended before there was anything to resume.
            None | Some(130) => new = !folder.join("cut/run.toml").exists(),
            code => {
                let mut told = String::new();
                if let Some(mut pipe) = child.stderr.take() {
                    let _ = std::io::Read::read_to_string(&mut pipe, &mut told);
                }
                panic!("{code:?} after {signal}: {told}");
            }
        }
    }
}

#[test]
fn killed_runs_go_on_to_the_same_bytes() {
    let folder = folder("attack-kills");
    let edges = two_cliques(&folder);
    let settings = [
        &*edges,
        "--epochs",
        "400",
        "--set",
        "search.epochs=400",
        "--set",
        "search.patience=400",
        "--set",
        "search.still=0",
    ];
    kill(
        Attack::new("kills", 0.2),
        &folder,
        "cluster",
        &settings,
        &["labels.csv", "history.jsonl", "model.safetensors"],
        700,
    );
}

#[test]
fn killed_trainings_go_on_to_the_same_bytes() {
    let folder = folder("attack-kills-train");
    shapes(&folder, 12);
    let settings = ["--data", "shapes", "--epochs", "25", "--folds", "0,1,2"];
    kill(
        Attack::new("kills of trainings", 0.1),
        &folder,
        "train",
        &[&settings[..], &SMALL].concat(),
        &[
            "history.jsonl",
            "model.safetensors",
            "model.fold-1.safetensors",
            "predictions.csv",
        ],
        500,
    );
}
