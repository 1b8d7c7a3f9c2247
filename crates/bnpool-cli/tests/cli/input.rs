//! Tests of unusual inputs: pipes, devices, folders that contain runs, small
//! files and flags that require gigabytes.

use crate::support::{bnpool_in, command, folder, refuses, text};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::spawn;
use std::time::{Duration, Instant};

/// Returns two rings with an edge between them.
fn edges() -> String {
    let mut edges = String::new();
    for ring in [0, 6] {
        for u in 0..6 {
            edges += &format!("{},{}\n", ring + u, ring + (u + 1) % 6);
        }
    }
    edges + "0,6\n"
}

/// Reads the checksum in the `run.toml` of a run.
fn checksum(run: &Path) -> String {
    let plan = fs::read_to_string(run.join("run.toml")).expect("a plan");
    let plan: toml::Table = plan.parse().expect("TOML");
    fn find(table: &toml::Table) -> Option<String> {
        table.iter().find_map(|(key, value)| match value {
            toml::Value::String(sum) if key == "sha256" => Some(sum.clone()),
            toml::Value::Table(inner) => find(inner),
            _ => None,
        })
    }
    find(&plan).expect("a checksum")
}

/// Returns whether a process succeeds within half a minute. A pipe that is
/// opened twice would block forever.
fn ends_well(mut child: Child) -> bool {
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(30) {
        if let Some(status) = child.try_wait().expect("a state") {
            return status.success();
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().expect("killed");
    child.wait().expect("the end");
    false
}

#[test]
fn a_pipe_is_read_once_and_hashed_like_a_file() {
    let folder = folder("input-pipe");
    fs::write(folder.join("file.csv"), edges()).expect("a file");
    let settings = ["--epochs", "3"];
    let run = |arguments: &[&str], name: &str| {
        let all = [&["cluster"][..], arguments, &settings, &["--out", name]].concat();
        let out = bnpool_in(&folder, &all);
        assert!(out.status.success(), "{all:?}: {}", text(&out.stderr));
        checksum(&folder.join(name))
    };
    let expected = run(&["file.csv"], "of-file");
    assert_eq!(expected.len(), 64);

    let pipe = folder.join("pipe.csv");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo").success());
    let writer = spawn(move || {
        let mut pipe = OpenOptions::new().write(true).open(pipe).expect("a pipe");
        pipe.write_all(edges().as_bytes()).expect("a reader");
    });
    let all = [
        &["cluster", "pipe.csv"][..],
        &settings,
        &["--out", "of-pipe"],
    ]
    .concat();
    let child = command(&folder, &all)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    assert!(ends_well(child.expect("the command runs")));
    assert_eq!(checksum(&folder.join("of-pipe")), expected);
    writer.join().expect("it was read once");

    for (path, name) in [("-", "of-dash"), ("/dev/stdin", "of-device")] {
        let all = [&["cluster", path][..], &settings, &["--out", name]].concat();
        let mut child = command(&folder, &all)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .expect("the command runs");
        let mut input = child.stdin.take().expect("a pipe");
        input.write_all(edges().as_bytes()).expect("a reader");
        drop(input);
        assert!(child.wait().expect("an end").success(), "{path}");
        assert_eq!(checksum(&folder.join(name)), expected, "{path}");
    }
}

#[test]
fn a_folder_may_hold_its_own_runs_and_worse() {
    let folder = folder("input-folder");
    let mut table = String::from("file,target\n");
    for i in 0..12 {
        let name = format!("g{i}.csv");
        let path: String = (1..4 + i % 3).map(|u| format!("{},{u}\n", u - 1)).collect();
        fs::write(folder.join(&name), path).expect("a graph");
        table += &format!("{name},{}\n", i % 2);
    }
    fs::write(folder.join("graphs.csv"), table).expect("a table");
    let train = |name: &str| {
        let arguments = [
            &["train", "--data", ".", "--epochs", "1", "--out", name][..],
            &["--max-clusters", "4", "--set", "model.hidden=4"],
            &["--set", "data.folds=3", "--folds", "1"],
        ]
        .concat();
        let out = bnpool_in(&folder, &arguments);
        assert!(out.status.success(), "{}", text(&out.stderr));
        checksum(&folder.join(name))
    };
    let first = train("runs/first");
    symlink("/dev/zero", folder.join("zero.csv")).expect("a link");
    symlink(".", folder.join("cycle")).expect("a link");
    let made = Command::new("mkfifo").arg(folder.join("pipe")).status();
    assert!(made.expect("mkfifo").success());
    assert_eq!(
        train("runs/second"),
        first,
        "nothing that is read has changed"
    );
}

#[test]
fn a_device_without_end_is_refused_at_once() {
    let folder = folder("input-device");
    symlink("/dev/zero", folder.join("zero.csv")).expect("a link");
    let start = Instant::now();
    let path = folder.join("zero.csv");
    refuses(
        &["cluster", path.to_str().expect("UTF-8")],
        &["zero.csv", "not a text"],
    );
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn labels_that_lie_far_apart_take_no_gigabytes() {
    let folder = folder("input-labels");
    let nodes = 20_000;
    let half = nodes / 2;
    let part = |name: &str, text: String| {
        fs::write(folder.join(format!("T_{name}.txt")), text).expect("a file");
    };
    part("A", "1, 2\n2, 1\n".to_owned());
    part("graph_indicator", "1\n".repeat(half) + &"2\n".repeat(half));
    part("graph_labels", "0\n1\n".to_owned());
    part("node_labels", "0\n".repeat(nodes - 1) + "65535\n");
    refuses(
        &["train", "--data", folder.to_str().expect("UTF-8")],
        &["T_node_labels.txt", "65536 columns", "cells"],
    );
}

/// Forty graphs of 250 nodes have widely spaced labels. A dense batch of them
/// needs two gigabytes.
#[test]
fn labels_that_lie_far_apart_are_learned_from_in_little_memory() {
    let folder = folder("input-wide");
    let (graphs, nodes) = (40, 250);
    let part = |name: &str, text: String| {
        fs::write(folder.join(format!("T_{name}.txt")), text).expect("a file");
    };
    let lines = |line: &dyn Fn(usize, usize) -> String| -> String {
        let all = (0..graphs).flat_map(|g| (0..nodes).map(move |u| (g, u)));
        all.map(|(g, u)| line(g, u)).collect()
    };
    // Rings and stars.
    let edges = lines(&|g, u| {
        let (own, first) = (g * nodes + u + 1, g * nodes + 1);
        let other = match (g % 2, u) {
            (_, 0) => return String::new(),
            (0, _) => own - 1,
            _ => first,
        };
        format!("{own}, {other}\n{other}, {own}\n")
    });
    part("A", edges);
    part("graph_indicator", lines(&|g, _| format!("{}\n", g + 1)));
    part(
        "graph_labels",
        (0..graphs).map(|g| format!("{}\n", g % 2)).collect(),
    );
    let far = |g, u| (g * nodes + u) * 7919 % 65_536;
    part("node_labels", lines(&|g, u| format!("{}\n", far(g, u))));
    let limited = |flags: &[&str]| {
        let out = Command::new("sh")
            .args([
                "-c",
                "ulimit -v 3000000; exec \"$0\" \"$@\"",
                env!("CARGO_BIN_EXE_bnpool"),
            ])
            .args([
                "train",
                "--data",
                ".",
                "--epochs",
                "1",
                "--folds",
                "0",
                "--overwrite",
            ])
            .args(["--out", "../input-wide-run"])
            .args(flags)
            .current_dir(&folder)
            .output()
            .expect("the command runs");
        (out.status.code(), text(&out.stderr))
    };
    let (code, message) = limited(&[]);
    assert_eq!(code, Some(0), "{message}");
    // Here the pooler uses the features directly.
    let (code, message) = limited(&["--set", "model.before=0"]);
    assert_eq!(code, Some(2), "{message}");
    assert!(message.contains("--set training.batch_size="), "{message}");
}

#[test]
fn sizes_beyond_the_memory_are_refused() {
    let folder = folder("input-sizes");
    let out = folder.join("x.safetensors");
    let out = out.to_str().expect("UTF-8");
    let generate = |kind: &str, flags: &[&str], parts: &[&str]| {
        let all = [&["data", "generate", kind, "--out", out][..], flags].concat();
        refuses(&all, parts);
    };
    generate("sbm", &["--nodes", "1000000000000"], &["too many"]);
    generate(
        "sbm",
        &["--nodes", "4000000000", "--blocks", "2000000000"],
        &["2000000000 blocks", "of memory"],
    );
    generate(
        "sbm",
        &["--nodes", "4000000", "--p-in", "1"],
        &["block model of 4000000 nodes", "of memory"],
    );
    generate(
        "community",
        &["--nodes", "4000000000"],
        &["4000000000 nodes in 5 communities", "of memory"],
    );
    assert!(!Path::new(out).exists());
}

/// A file with an announced but missing graph is read if there is enough
/// memory, and rejected otherwise, without aborting.
#[test]
fn announced_nodes_are_checked_against_the_memory() {
    let folder = folder("input-announced");
    let header = "%%MatrixMarket matrix coordinate pattern general\n";
    let text_file = format!("{header}4000000 4000000 1\n1 2\n");
    fs::write(folder.join("a.mtx"), text_file).expect("a file");
    let limited = |kilobytes: u32| {
        let script = format!("ulimit -v {kilobytes}; exec \"$0\" \"$@\"");
        Command::new("sh")
            .args(["-c", &script, env!("CARGO_BIN_EXE_bnpool")])
            .args(["data", "convert", "a.mtx", "a.safetensors"])
            .current_dir(&folder)
            .output()
            .expect("the command runs")
    };
    let out = limited(LIMIT);
    let message = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{message}");
    assert!(message.contains("of memory"), "{message}");
}

/// Limit of the address space in kilobytes, sufficient for the start of the
/// command but not for four million nodes.
const LIMIT: u32 = 1_300_000;
