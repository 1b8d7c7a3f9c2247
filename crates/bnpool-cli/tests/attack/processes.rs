//! Runs two processes at once in one directory.

use super::Attack;
use super::support::{bnpool_in, command, folder, text, two_cliques};
use std::fs;
use std::process::Stdio;
use std::time::Duration;

#[test]
fn of_two_processes_one_wins_and_its_files_are_whole() {
    let mut attack = Attack::new("two processes", 0.1);
    let folder = folder("attack-processes");
    let edges = two_cliques(&folder);
    let run = |out: &str, seed: &str| {
        let seeded = ["cluster", &edges, "--out", out, "--seed", seed];
        [&seeded[..], &["--epochs", "30", "--quiet"]]
            .concat()
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    for seed in ["1", "2"] {
        let arguments = run(&format!("alone-{seed}"), seed);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let out = bnpool_in(&folder, &arguments);
        assert!(out.status.success(), "{}", text(&out.stderr));
    }
    while attack.goes_on() {
        let _ = fs::remove_dir_all(folder.join("shared"));
        let children = ["1", "2"].map(|seed| {
            let arguments = run("shared", seed);
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let child = command(&folder, &arguments)
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .expect("a run");
            std::thread::sleep(Duration::from_millis(attack.below(30) as u64));
            child
        });
        let mut winner = None;
        for (child, seed) in children.into_iter().zip(["1", "2"]) {
            let out = child.wait_with_output().expect("the end");
            match out.status.code() {
                Some(0) => {
                    assert!(winner.is_none(), "both say that they are done");
                    winner = Some(seed);
                }
                Some(2) => {
                    let told = text(&out.stderr);
                    let known = told.contains("another bnpool") || told.contains("finished run");
                    assert!(known, "{told}");
                }
                code => panic!("{code:?}: {}", text(&out.stderr)),
            }
        }
        let winner = winner.expect("one of them wins");
        for name in ["labels.csv", "model.safetensors", "history.jsonl"] {
            let read = |run: &str| fs::read(folder.join(run).join(name)).expect("a file");
            assert!(read("shared") == read(&format!("alone-{winner}")), "{name}");
        }
    }
}
