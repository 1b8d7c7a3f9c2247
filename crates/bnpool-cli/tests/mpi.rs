//! `mpirun bnpool train` as a user meets it.

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};
use support::{SMALL, bnpool_in, folder, text};

/// The command on some ranks, not started yet.
fn on_ranks(folder: &Path, ranks: usize, arguments: &[&str]) -> Command {
    let mut command = Command::new("mpirun");
    command
        .args(["--allow-run-as-root", "--oversubscribe", "-n"])
        .arg(ranks.to_string())
        .arg(env!("CARGO_BIN_EXE_bnpool"))
        .args(arguments)
        .current_dir(folder);
    command
}

fn output(command: &mut Command) -> Output {
    command.output().expect("mpirun runs")
}

/// Rings and stars with chords, large enough that a batch is divided.
fn large(folder: &Path, count: usize) -> String {
    let data = folder.join("large");
    fs::create_dir_all(&data).expect("a folder");
    let mut table = String::from("file,target\n");
    for i in 0..count {
        let nodes = 300 + 40 * (i % 5);
        let mut edges = String::new();
        for u in 1..nodes {
            let to = if i % 2 == 0 { u - 1 } else { 0 };
            edges += &format!("{u},{to}\n");
            if u > 3 {
                edges += &format!("{u},{}\n", (u * u + i) % (u - 2) + 1);
            }
        }
        fs::write(data.join(format!("g{i}.csv")), edges).expect("a graph");
        let class = if i % 2 == 0 { "ring" } else { "star" };
        table += &format!("g{i}.csv,{class}\n");
    }
    fs::write(data.join("graphs.csv"), table).expect("a table");
    data.to_string_lossy().into_owned()
}

/// The files that must not depend on how a run came about.
fn same_results(one: &Path, two: &Path) {
    for name in [
        "history.jsonl",
        "model.safetensors",
        "model.fold-0.safetensors",
        "predictions.csv",
    ] {
        let read = |folder: &Path| fs::read(folder.join(name)).expect("a file");
        assert!(read(one) == read(two), "{name} differs");
    }
}

fn settings<'a>(data: &'a str, out: &'a str, epochs: &'a str) -> Vec<&'a str> {
    let own = ["train", "--data", data, "--out", out, "--epochs", epochs];
    let folds = ["--folds", "0", "--threads", "1", "--set"];
    [&own[..], &folds, &["training.patience=9999"], &SMALL].concat()
}

#[test]
fn ranks_change_no_byte() {
    let folder = folder("mpi-same");
    let data = large(&folder, 20);
    let alone = bnpool_in(&folder, &settings(&data, "alone", "3"));
    assert!(alone.status.success(), "{}", text(&alone.stderr));
    for ranks in [2, 4, 11] {
        let out = format!("on-{ranks}");
        let got = output(&mut on_ranks(&folder, ranks, &settings(&data, &out, "3")));
        let said = text(&got.stderr);
        assert!(got.status.success(), "{said}");
        assert_eq!(
            said.matches("graphs of").count(),
            1,
            "one rank speaks: {said}"
        );
        assert!(
            said.contains(&format!("{ranks} ranks of 1 threads")),
            "{said}"
        );
        assert_eq!(text(&got.stdout).matches("accuracy on test").count(), 1);
        same_results(&folder.join("alone"), &folder.join(&out));
    }
    // Batches too small to be divided.
    let small = support::shapes(&folder, 24);
    let alone = bnpool_in(&folder, &settings(&small, "small", "3"));
    assert!(alone.status.success(), "{}", text(&alone.stderr));
    let got = output(&mut on_ranks(&folder, 3, &settings(&small, "small-3", "3")));
    assert!(got.status.success(), "{}", text(&got.stderr));
    same_results(&folder.join("small"), &folder.join("small-3"));
}

/// The processes that `mpirun` started, by the names of their commands.
fn children(parent: u32) -> Vec<PathBuf> {
    let processes = fs::read_dir("/proc").expect("processes").flatten();
    let is_child = |path: &PathBuf| {
        let status = fs::read_to_string(path.join("stat")).unwrap_or_default();
        let Some((name, rest)) = status.split_once(") ") else {
            return false;
        };
        let parent_of = rest.split(' ').nth(1).and_then(|p| p.parse().ok());
        name.ends_with("(bnpool") && parent_of == Some(parent)
    };
    processes.map(|p| p.path()).filter(is_child).collect()
}

#[test]
fn a_killed_rank_ends_the_job_and_its_run_goes_on_elsewhere() {
    let folder = folder("mpi-kill");
    let data = large(&folder, 20);
    let all = settings(&data, "cut", "9000");
    let mut job = on_ranks(&folder, 2, &all).spawn().expect("a job");
    let checkpoint = folder.join("cut/checkpoint.fold-0.safetensors");
    let begun = Instant::now();
    while !checkpoint.exists() && begun.elapsed() < Duration::from_secs(120) {
        std::thread::sleep(Duration::from_millis(100));
    }
    assert!(checkpoint.exists(), "no checkpoint");
    let ranks = children(job.id());
    assert_eq!(ranks.len(), 2, "{ranks:?}");
    let second = ranks
        .iter()
        .find(|path| {
            let variables = fs::read(path.join("environ")).unwrap_or_default();
            text(&variables).contains("OMPI_COMM_WORLD_RANK=1")
        })
        .and_then(|path| path.file_name())
        .expect("rank 1");
    let killed = Command::new("kill").arg("-KILL").arg(second).status();
    assert!(killed.expect("kill").success());
    let begun = Instant::now();
    let ended = loop {
        match job.try_wait().expect("a job") {
            Some(status) => break status,
            None if begun.elapsed() > Duration::from_secs(60) => panic!("the job hangs"),
            None => std::thread::sleep(Duration::from_millis(100)),
        }
    };
    assert!(!ended.success());
    // What was learned is there, and goes on with another number of ranks.
    let history = fs::read_to_string(folder.join("cut/history.fold-0.jsonl")).expect("a history");
    let epochs = (history.lines().count() + 2).to_string();
    let resume = ["train", "--resume", "--out", "cut", "--epochs", &epochs];
    let got = output(&mut on_ranks(&folder, 3, &resume));
    assert!(got.status.success(), "{}", text(&got.stderr));
    let alone = bnpool_in(&folder, &settings(&data, "whole", &epochs));
    assert!(alone.status.success(), "{}", text(&alone.stderr));
    same_results(&folder.join("whole"), &folder.join("cut"));
}

/// Runs a script of bash as each of two ranks.
fn script_on_two_ranks(folder: &Path, script: &str) -> Output {
    Command::new("mpirun")
        .args(["--allow-run-as-root", "--oversubscribe", "-n", "2"])
        .args(["bash", "-c", script])
        .current_dir(folder)
        .output()
        .expect("mpirun runs")
}

#[test]
fn a_full_disk_ends_all_ranks_with_one_message() {
    let folder = folder("mpi-full");
    let data = large(&folder, 20);
    let all = settings(&data, "full", "3").join(" ");
    let program = env!("CARGO_BIN_EXE_bnpool");
    // Files of rank 0 may not grow beyond a few kilobytes, as on a full disk.
    let script = format!(
        "if [ \"$OMPI_COMM_WORLD_RANK\" = 0 ]; then trap '' XFSZ; ulimit -f 4; fi; exec '{program}' {all}"
    );
    let got = script_on_two_ranks(&folder, &script);
    let said = text(&got.stderr);
    assert_eq!(got.status.code(), Some(1), "{said}");
    assert_eq!(said.matches("error: ").count(), 1, "{said}");
    assert!(said.contains("checkpoint.fold-0"), "{said}");
    let resume = ["train", "--resume", "--out", "full", "--quiet"];
    let got = output(&mut on_ranks(&folder, 2, &resume));
    assert!(got.status.success(), "{}", text(&got.stderr));
}

#[test]
fn a_rank_that_cannot_take_part_ends_the_job_with_its_message() {
    let folder = folder("mpi-differ");
    let data = large(&folder, 20);
    let all = settings(&data, "differ", "3").join(" ");
    let program = env!("CARGO_BIN_EXE_bnpool");
    // Rank 1 has flags of its own that it cannot follow.
    let script = format!(
        "if [ \"$OMPI_COMM_WORLD_RANK\" = 1 ]; then exec '{program}' train --data-dir /nowhere --data '{data}' --threads 0; fi; exec '{program}' {all}"
    );
    let got = script_on_two_ranks(&folder, &script);
    let said = text(&got.stderr);
    assert_eq!(got.status.code(), Some(2), "{said}");
    assert!(said.contains("rank 1: --threads 0"), "{said}");
    assert!(!folder.join("differ/metrics.json").exists());
}

#[test]
fn what_cannot_be_is_refused_in_words() {
    let folder = folder("mpi-refused");
    let data = large(&folder, 20);
    let both = [&settings(&data, "jobs", "2")[..], &["--jobs", "2"]].concat();
    for (arguments, part) in [
        (&both[..], "--jobs 2: on several ranks"),
        (&["train", "--data", "nowhere"], "nowhere"),
        (&["train", "--no-such-flag"], "--no-such-flag"),
        (
            &["cluster", "edges.csv"],
            "only `bnpool train` runs on several",
        ),
    ] {
        let got = output(&mut on_ranks(&folder, 2, arguments));
        let said = text(&got.stderr);
        assert_eq!(got.status.code(), Some(2), "{arguments:?}: {said}");
        assert_eq!(said.matches(part).count(), 1, "{arguments:?}: {said}");
    }
    assert!(!folder.join("jobs").exists(), "nothing was written");
}
