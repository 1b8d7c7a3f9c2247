//! Tests of `mpirun bnpool train` and `mpirun bnpool cluster`.

mod support;

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output};
use std::time::{Duration, Instant};
use support::{SMALL, bnpool_in, folder, text};

/// Returns the command on several ranks, not yet started.
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

/// Writes rings and stars with chords, large enough that a batch is divided.
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

/// Compares the files that must not depend on the history of a run.
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
    // These batches are too small to be divided.
    let small = support::shapes(&folder, 24);
    let alone = bnpool_in(&folder, &settings(&small, "small", "3"));
    assert!(alone.status.success(), "{}", text(&alone.stderr));
    let got = output(&mut on_ranks(&folder, 3, &settings(&small, "small-3", "3")));
    assert!(got.status.success(), "{}", text(&got.stderr));
    same_results(&folder.join("small"), &folder.join("small-3"));
}

#[test]
fn folds_by_groups_of_ranks_are_the_same_folds() {
    let folder = folder("mpi-groups");
    let data = large(&folder, 20);
    let folds = |out: &str, more: &[&str]| {
        let own = ["train", "--data", &data, "--out", out, "--epochs", "2"];
        // The precomputation of this pooler is distributed and not cached.
        let rest = ["--folds", "0,1,3", "--threads", "1", "--pooler", "graclus"];
        [&own[..], &rest, more, &SMALL].concat().join(" ")
    };
    let run = |ranks: usize, arguments: &str| {
        let arguments: Vec<&str> = arguments.split(' ').collect();
        let got = match ranks {
            1 => bnpool_in(&folder, &arguments),
            _ => output(&mut on_ranks(&folder, ranks, &arguments)),
        };
        assert!(got.status.success(), "{}", text(&got.stderr));
        text(&got.stderr)
    };
    run(1, &folds("alone", &[]));
    for (ranks, jobs) in [(2, "2"), (3, "2"), (5, "4"), (3, "1")] {
        let out = format!("on-{ranks}-{jobs}");
        let said = run(ranks, &folds(&out, &["--jobs", jobs]));
        for fold in [0, 1, 3] {
            let line = format!("fold {fold}: acc ");
            assert_eq!(said.matches(&line).count(), 1, "{said}");
        }
        same_results(&folder.join("alone"), &folder.join(&out));
        for name in ["model.fold-1.safetensors", "model.fold-3.safetensors"] {
            let read = |out: &str| fs::read(folder.join(out).join(name)).expect("a model");
            assert!(read("alone") == read(&out), "{name} differs on {ranks}");
        }
    }
    // More folds and epochs for an existing run, with another number of groups.
    let more = ["--folds", "2", "--epochs", "3"];
    for (out, ranks, jobs) in [("alone", 1, "1"), ("on-3-2", 4, "3")] {
        let own = ["train", "--resume", "--out", out, "--jobs", jobs];
        run(ranks, &[&own[..], &more].concat().join(" "));
    }
    same_results(&folder.join("alone"), &folder.join("on-3-2"));
}

/// Returns the child processes of `mpirun`, by the names of their commands.
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

/// Waits until a file exists.
fn wait_for(file: &Path) {
    let begun = Instant::now();
    while !file.exists() && begun.elapsed() < Duration::from_secs(120) {
        std::thread::sleep(Duration::from_millis(100));
    }
    assert!(file.exists(), "no {}", file.display());
}

/// Kills rank 1 of a job of two.
fn kill_second(job: &Child) {
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
}

/// Waits for the end of a job, and fails if it hangs.
fn ended(job: &mut Child) -> ExitStatus {
    let begun = Instant::now();
    loop {
        match job.try_wait().expect("a job") {
            Some(status) => return status,
            None if begun.elapsed() > Duration::from_secs(60) => panic!("the job hangs"),
            None => std::thread::sleep(Duration::from_millis(100)),
        }
    }
}

#[test]
fn a_killed_rank_ends_the_job_and_its_run_goes_on_elsewhere() {
    let folder = folder("mpi-kill");
    let data = large(&folder, 20);
    let all = settings(&data, "cut", "9000");
    let mut job = on_ranks(&folder, 2, &all).spawn().expect("a job");
    let checkpoint = folder.join("cut/checkpoint.fold-0.safetensors");
    wait_for(&checkpoint);
    kill_second(&job);
    assert!(!ended(&mut job).success());
    // The progress is kept, and the run is continued with another number of
    // ranks.
    let history = fs::read_to_string(folder.join("cut/history.fold-0.jsonl")).expect("a history");
    let epochs = (history.lines().count() + 2).to_string();
    let resume = ["train", "--resume", "--out", "cut", "--epochs", &epochs];
    let got = output(&mut on_ranks(&folder, 3, &resume));
    assert!(got.status.success(), "{}", text(&got.stderr));
    let alone = bnpool_in(&folder, &settings(&data, "whole", &epochs));
    assert!(alone.status.success(), "{}", text(&alone.stderr));
    same_results(&folder.join("whole"), &folder.join("cut"));
}

/// Runs a bash script as each of two ranks.
fn script_on_two_ranks(folder: &Path, script: &str) -> Output {
    Command::new("mpirun")
        .args(["--allow-run-as-root", "--oversubscribe", "-n", "2"])
        .args(["bash", "-c", script])
        .current_dir(folder)
        .output()
        .expect("mpirun runs")
}

/// Returns the single message of a job whose rank 0 has no space for files.
fn on_a_full_disk(folder: &Path, arguments: &str) -> String {
    let program = env!("CARGO_BIN_EXE_bnpool");
    // Files of rank 0 are limited to a few kilobytes, as on a full disk.
    let script = format!(
        "if [ \"$OMPI_COMM_WORLD_RANK\" = 0 ]; then trap '' XFSZ; ulimit -f 4; fi; exec '{program}' {arguments}"
    );
    let got = script_on_two_ranks(folder, &script);
    let said = text(&got.stderr);
    assert_eq!(got.status.code(), Some(1), "{said}");
    assert_eq!(said.matches("error: ").count(), 1, "{said}");
    said
}

#[test]
fn a_full_disk_ends_all_ranks_with_one_message() {
    let folder = folder("mpi-full");
    let data = large(&folder, 20);
    let all = settings(&data, "full", "3").join(" ");
    let said = on_a_full_disk(&folder, &all);
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
    // Rank 1 has separate, invalid flags.
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
    let both = [&settings(&data, "jobs", "2")[..], &["--jobs", "3"]].concat();
    for (arguments, part) in [
        (&both[..], "--jobs 3: 2 ranks train at most 2 folds"),
        (&["train", "--data", "nowhere"], "nowhere"),
        (&["train", "--no-such-flag"], "--no-such-flag"),
        (
            &["compare", "edges.csv"],
            "only `bnpool train` and `bnpool cluster` run on several",
        ),
        (&["cluster", "nowhere.csv"], "nowhere.csv"),
    ] {
        let got = output(&mut on_ranks(&folder, 2, arguments));
        let said = text(&got.stderr);
        assert_eq!(got.status.code(), Some(2), "{arguments:?}: {said}");
        assert_eq!(said.matches(part).count(), 1, "{arguments:?}: {said}");
    }
    assert!(!folder.join("jobs").exists(), "nothing was written");
}

/// Writes a planted graph as an edge list and as a container into the folder.
fn planted(folder: &Path) {
    let nodes = 600_usize;
    let mut state = 12345_u64;
    let mut random = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut edges = String::new();
    // Repeated lines would be counted as weights, and graphs with weights have no parts.
    let mut drawn = HashSet::new();
    for u in 0..nodes {
        for _ in 0..4 {
            let inside = random(10) < 9;
            let v = if inside {
                u / 100 * 100 + random(100)
            } else {
                random(nodes)
            };
            if u != v && drawn.insert((u.min(v), u.max(v))) {
                edges += &format!("n{u},n{v}\n");
            }
        }
    }
    fs::write(folder.join("edges.csv"), edges).expect("a graph");
    let made = bnpool_in(
        folder,
        &["data", "convert", "edges.csv", "graph.safetensors"],
    );
    assert!(made.status.success(), "{}", text(&made.stderr));
}

fn cluster<'a>(graph: &'a str, out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let own = ["cluster", graph, "--out", out, "--threads", "1"];
    let divided = ["--set", "search.divide=1000"];
    [&own[..], &divided, more].concat()
}

/// Checks that the results of two runs on one graph are equal except for times
/// and paths.
fn same_communities(one: &Path, two: &Path) {
    for name in ["history.jsonl", "model.safetensors", "labels.csv"] {
        let read = |folder: &Path| fs::read(folder.join(name)).expect("a file");
        assert!(read(one) == read(two), "{name} differs");
    }
    let metrics = |folder: &Path| {
        let text = fs::read_to_string(folder.join("metrics.json")).expect("metrics");
        let mut metrics: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(&text).expect("an object");
        metrics.retain(|key, _| {
            let own = [
                "output",
                "dataset",
                "understood",
                "seconds",
                "stages",
                "peak_rss",
                "threads",
                "bytes",
            ];
            !own.iter().any(|part| key.contains(part))
        });
        metrics
    };
    assert_eq!(metrics(one), metrics(two));
}

#[test]
fn communities_are_the_same_on_any_number_of_ranks_and_in_any_memory() {
    let folder = folder("mpi-cluster");
    planted(&folder);
    let alone = bnpool_in(&folder, &cluster("edges.csv", "alone", &[]));
    assert!(alone.status.success(), "{}", text(&alone.stderr));
    let file = bnpool_in(&folder, &cluster("graph.safetensors", "file", &[]));
    assert!(file.status.success(), "{}", text(&file.stderr));
    assert!(text(&file.stderr).contains("read in parts"));
    same_communities(&folder.join("alone"), &folder.join("file"));
    let little = ["--memory", "330KB"];
    for (ranks, more) in [(1, &little[..]), (2, &[]), (4, &little), (11, &[])] {
        let out = format!("on-{ranks}");
        let all = cluster("graph.safetensors", &out, more);
        let got = output(&mut on_ranks(&folder, ranks, &all));
        let said = text(&got.stderr);
        assert!(got.status.success(), "{said}");
        assert_eq!(
            said.matches("read in parts").count(),
            1,
            "one rank speaks: {said}"
        );
        same_communities(&folder.join("alone"), &folder.join(&out));
    }
    // An edge list is read by every rank; a small graph is processed by one
    // rank.
    let got = output(&mut on_ranks(
        &folder,
        2,
        &cluster("edges.csv", "list", &[]),
    ));
    assert!(got.status.success(), "{}", text(&got.stderr));
    same_communities(&folder.join("alone"), &folder.join("list"));
    let whole = [
        "cluster",
        "edges.csv",
        "--out",
        "whole",
        "--threads",
        "1",
        "--epochs",
        "3",
    ];
    let got = output(&mut on_ranks(&folder, 2, &whole));
    assert!(got.status.success(), "{}", text(&got.stderr));
    let unhelped = bnpool_in(
        &folder,
        &[
            "cluster",
            "graph.safetensors",
            "--out",
            "tiny",
            "--set",
            "search.divide=1000",
            "--memory",
            "2KB",
        ],
    );
    assert_eq!(unhelped.status.code(), Some(2));
    assert!(
        text(&unhelped.stderr).contains("a larger --memory"),
        "{}",
        text(&unhelped.stderr)
    );
}

#[test]
fn a_killed_rank_ends_a_clustering_and_its_run_goes_on_elsewhere() {
    let folder = folder("mpi-cluster-kill");
    planted(&folder);
    let many = [
        "--set",
        "search.epochs=4000",
        "--set",
        "search.still=0",
        "--set",
        "search.patience=9999",
        "--epochs",
        "4000",
    ];
    let all = cluster("graph.safetensors", "cut", &many);
    let mut job = on_ranks(&folder, 2, &all).spawn().expect("a job");
    wait_for(&folder.join("cut/checkpoint.safetensors"));
    kill_second(&job);
    assert!(!ended(&mut job).success());
    let history = fs::read_to_string(folder.join("cut/history.jsonl")).expect("a history");
    let epochs = (history.lines().count() + 2).to_string();
    let resume = ["cluster", "--resume", "--out", "cut", "--epochs", &epochs];
    let got = output(&mut on_ranks(&folder, 3, &resume));
    assert!(got.status.success(), "{}", text(&got.stderr));
    let mut shorter = many.to_vec();
    shorter[7] = &epochs;
    let alone = bnpool_in(&folder, &cluster("graph.safetensors", "whole", &shorter));
    assert!(alone.status.success(), "{}", text(&alone.stderr));
    same_communities(&folder.join("whole"), &folder.join("cut"));
}

#[test]
fn a_clustering_that_cannot_be_ends_all_ranks_with_one_message() {
    let folder = folder("mpi-cluster-refused");
    planted(&folder);
    // A damaged container, with a column beyond the last node.
    let mut bytes = fs::read(folder.join("graph.safetensors")).expect("a container");
    let header = u64::from_le_bytes(bytes[..8].try_into().expect("a length")) as usize;
    let text_of = String::from_utf8_lossy(&bytes[8..8 + header]).into_owned();
    let columns = text_of.split("\"columns\"").nth(1).expect("columns");
    let offsets = columns.split("data_offsets\":[").nth(1).expect("offsets");
    let start: usize = offsets
        .split(',')
        .next()
        .expect("a start")
        .parse()
        .expect("a number");
    let at = 8 + header + start;
    bytes[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    fs::write(folder.join("damaged.safetensors"), bytes).expect("a container");
    for (graph, part) in [
        ("damaged.safetensors", "damaged"),
        ("nowhere.safetensors", "nowhere"),
    ] {
        let got = output(&mut on_ranks(&folder, 2, &cluster(graph, "refused", &[])));
        let said = text(&got.stderr);
        assert_eq!(got.status.code(), Some(2), "{said}");
        assert_eq!(said.matches("error: ").count(), 1, "{said}");
        assert!(said.contains(part), "{said}");
        assert!(!folder.join("refused/metrics.json").exists());
    }
    // Simulates a full disk.
    let all = cluster("graph.safetensors", "full", &[]).join(" ");
    on_a_full_disk(&folder, &all);
}
