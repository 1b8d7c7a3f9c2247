//! Kills at random moments: whatever is there goes on to the same bytes.

use super::Attack;
use super::support::{bnpool_in, command, folder, text, two_cliques};
use std::fs;
use std::process::Stdio;
use std::time::Duration;

#[cfg(unix)]
#[test]
fn killed_runs_go_on_to_the_same_bytes() {
    let mut attack = Attack::new("kills", 0.25);
    let folder = folder("attack-kills");
    let edges = two_cliques(&folder);
    let settings = [
        "--epochs",
        "400",
        "--set",
        "training.patience=400",
        "--quiet",
    ];
    let whole = [&["cluster", &edges, "--out", "whole"][..], &settings].concat();
    let out = bnpool_in(&folder, &whole);
    assert!(out.status.success(), "{}", text(&out.stderr));
    let names = ["labels.csv", "history.jsonl", "model.safetensors"];
    let mut new = true;
    while attack.goes_on() {
        let begin = [
            &["cluster", &edges, "--out", "cut", "--overwrite"][..],
            &settings,
        ]
        .concat();
        let resume = ["cluster", "--resume", "--out", "cut", "--quiet"].to_vec();
        let arguments = if new { begin } else { resume };
        let mut child = command(&folder, &arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a run");
        std::thread::sleep(Duration::from_millis(attack.below(700) as u64));
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
            // Ended before there was anything to resume.
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
