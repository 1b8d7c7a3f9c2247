//! Tests of damaged run files and of sizes that exceed any machine. They must
//! cause an error message, never a panic or a silently different result.

use crate::support::{bnpool_in, folder, text};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

/// Writes rings and stars as edge lists with a table of targets.
fn shapes(folder: &Path) {
    let data = folder.join("shapes");
    fs::create_dir_all(&data).expect("a folder");
    let mut table = String::from("file,target\n");
    for i in 0..16 {
        let nodes = 5 + i % 5;
        let mut edges = String::new();
        for u in 1..nodes {
            let to = if i % 2 == 0 { u - 1 } else { 0 };
            edges += &format!("{u},{to}\n");
        }
        fs::write(data.join(format!("g{i}.csv")), edges).expect("a graph");
        table += &format!("g{i}.csv,{}\n", ["path", "star"][i % 2]);
    }
    fs::write(data.join("graphs.csv"), table).expect("a table");
}

/// Trains on shapes in `folder/run`.
fn train(folder: &Path) -> PathBuf {
    shapes(folder);
    let arguments = [
        "train",
        "--data",
        "shapes",
        "--epochs",
        "2",
        "--max-clusters",
        "4",
        "--set",
        "model.hidden=4",
        "--set",
        "data.folds=2",
        "--out",
        "run",
        "--quiet",
        "--threads",
        "1",
    ];
    let out = bnpool_in(folder, &arguments);
    assert!(out.status.success(), "{}", text(&out.stderr));
    folder.join("run")
}

/// Returns the bytes with one bit flipped.
fn flipped(bytes: &[u8], bit: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[bit / 8] ^= 1 << (bit % 8);
    bytes
}

/// Flips bits all over a file, one at a time. Each time, the command must fail
/// with a message or give the original result.
pub fn flip(
    file: &Path,
    flips: usize,
    run: impl Fn() -> Output,
    same: impl Fn(&Output) -> bool,
) -> usize {
    let whole = fs::read(file).expect("a file");
    let mut refused = 0;
    for i in 0..flips {
        // Distributed over the bytes and over the bits of a byte.
        let bit = (i * 8 * whole.len() / flips + 3 * i % 8).min(8 * whole.len() - 1);
        fs::write(file, flipped(&whole, bit)).expect("a damaged file");
        let out = run();
        let message = text(&out.stderr);
        let place = format!("bit {bit} of {}: {message}", file.display());
        match out.status.code() {
            Some(0) => assert!(same(&out), "another answer in silence, {place}"),
            Some(2) => {
                assert!(message.contains("error: "), "{place}");
                refused += 1;
            }
            code => panic!("ended with {code:?}, {place}"),
        }
    }
    fs::write(file, whole).expect("the file as it was");
    refused
}

#[test]
fn a_flipped_bit_of_a_training_run_is_noticed() {
    let folder = folder("damage-train");
    let run = train(&folder);
    let predict = || bnpool_in(&folder, &["predict", "--run", "run", "shapes"]);
    let truth = predict();
    assert!(truth.status.success(), "{}", text(&truth.stderr));
    let same = |out: &Output| out.stdout == truth.stdout;
    let refused = flip(&run.join("model.safetensors"), 120, predict, same);
    assert_eq!(refused, 120, "every bit of a model counts");
    flip(&run.join("run.toml"), 100, predict, same);

    let resume = || {
        let arguments = ["train", "--resume", "--out", "run", "--quiet"];
        bnpool_in(&folder, &arguments)
    };
    let results = || {
        let metrics = fs::read_to_string(run.join("metrics.json")).expect("metrics");
        let metrics: serde_json::Value = serde_json::from_str(&metrics).expect("JSON");
        let model = fs::read(run.join("model.safetensors")).expect("a model");
        (
            metrics["test_mean"].clone(),
            metrics["clusters_mean"].clone(),
            model,
        )
    };
    let truth = results();
    let same = |_: &Output| results() == truth;
    flip(&run.join("fold-0.json"), 60, resume, same);
    flip(&run.join("model.fold-1.safetensors"), 20, resume, same);
    let report = || bnpool_in(&folder, &["report", "run"]);
    let page = || fs::read(run.join("report.html")).expect("a report");
    let out = report();
    assert!(out.status.success(), "{}", text(&out.stderr));
    let truth = page();
    flip(&run.join("fold-1.json"), 40, report, |_| page() == truth);
}

#[test]
fn a_flipped_bit_of_a_clustering_run_is_noticed() {
    let folder = folder("damage-cluster");
    let mut edges = String::new();
    for i in 0..6 {
        for j in 0..i {
            edges += &format!("{i},{j}\n{},{}\n", i + 6, j + 6);
        }
    }
    edges += "0,6\n";
    fs::write(folder.join("edges.csv"), edges).expect("a graph");
    let arguments = [
        "cluster",
        "edges.csv",
        "--epochs",
        "3",
        "--max-clusters",
        "4",
        "--out",
        "run",
        "--quiet",
    ];
    let out = bnpool_in(&folder, &arguments);
    assert!(out.status.success(), "{}", text(&out.stderr));
    let run = folder.join("run");
    let report = || bnpool_in(&folder, &["report", "run"]);
    assert!(report().status.success());
    let page = || fs::read(run.join("report.html")).expect("a report");
    let truth = page();
    let checkpoint = run.join("checkpoint.safetensors");
    let refused = flip(&checkpoint, 80, report, |_| page() == truth);
    assert_eq!(refused, 80, "every bit of a checkpoint counts");
    flip(&run.join("run.toml"), 60, report, |_| page() == truth);
    for (name, flips) in [("result.safetensors", 40), ("assignments.npy", 10)] {
        let refused = flip(&run.join(name), flips, report, |_| page() == truth);
        assert_eq!(refused, flips, "every bit of {name} counts");
    }
    // Without the saved result the search is repeated, with an equal result.
    fs::remove_file(run.join("result.safetensors")).expect("removed");
    fs::remove_file(run.join("assignments.npy")).expect("removed");
    assert!(report().status.success());
    assert!(page() == truth);
}

#[test]
fn damaged_results_of_a_fold_are_named() {
    let folder = folder("damage-fold");
    let run = train(&folder);
    let file = run.join("fold-0.json");
    let whole = fs::read_to_string(&file).expect("a result");
    for (damaged, part) in [
        (
            whole.replace("\"best_epoch\": ", "\"best_epoch\": 1"),
            "checksum",
        ),
        (whole.replace("test_graphs", "text_graphs"), "checksum"),
        (whole[..whole.len() / 2].to_owned(), "fold-0.json"),
        ("{}".to_owned(), "checksum"),
        ("[1]".to_owned(), "checksum"),
    ] {
        fs::write(&file, damaged).expect("a damaged result");
        for arguments in [
            &["report", "run"][..],
            &["train", "--resume", "--out", "run", "--quiet"],
        ] {
            let out = bnpool_in(&folder, arguments);
            let message = text(&out.stderr);
            assert_eq!(out.status.code(), Some(2), "{message}");
            assert!(
                message.contains("fold-0.json") && message.contains(part),
                "{message}"
            );
            assert!(message.contains("remove it"), "{message}");
        }
    }
}

/// Files of one fold under the name of another are valid, but still damage.
#[test]
fn files_of_another_fold_are_refused() {
    let folder = folder("damage-swapped");
    let run = train(&folder);
    let refused = |arguments: &[&str], file: &str| {
        let out = bnpool_in(&folder, arguments);
        let message = text(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{arguments:?}: {message}");
        for part in [file, "it belongs to fold 1 and not to fold 0", "remove it"] {
            assert!(message.contains(part), "{arguments:?}: {message}");
        }
    };
    let resume = ["train", "--resume", "--out", "run", "--quiet"];
    let predict = ["predict", "--run", "run", "shapes", "--fold", "0"];
    let truth = bnpool_in(&folder, &predict).stdout;
    let copy = |from: &str, to: &str| {
        fs::copy(run.join(from), run.join(to)).expect("copied");
    };
    copy("model.fold-1.safetensors", "model.fold-0.safetensors");
    refused(&predict, "model.fold-0.safetensors");
    refused(&["report", "run"], "model.fold-0.safetensors");
    // Following the advice works.
    fs::remove_file(run.join("model.fold-0.safetensors")).expect("removed");
    fs::remove_file(run.join("fold-0.json")).expect("removed");
    let out = bnpool_in(&folder, &resume);
    assert!(out.status.success(), "{}", text(&out.stderr));
    assert_eq!(bnpool_in(&folder, &predict).stdout, truth);

    copy("fold-1.json", "fold-0.json");
    for arguments in [&resume[..], &["report", "run"]] {
        let out = bnpool_in(&folder, arguments);
        let message = text(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{arguments:?}: {message}");
        for part in ["fold-0.json", "its checksum does not match", "remove it"] {
            assert!(message.contains(part), "{arguments:?}: {message}");
        }
    }
    fs::remove_file(run.join("fold-0.json")).expect("removed");
    let (own, other) = (
        "checkpoint.fold-0.safetensors",
        "checkpoint.fold-1.safetensors",
    );
    copy(other, own);
    refused(&resume, own);
    refused(&["report", "run"], own);
    fs::remove_file(run.join(own)).expect("removed");
    let out = bnpool_in(&folder, &resume);
    assert!(out.status.success(), "{}", text(&out.stderr));
    assert_eq!(bnpool_in(&folder, &predict).stdout, truth);
}

#[test]
fn an_edited_run_is_refused_and_still_good_as_settings() {
    let folder = folder("damage-edited");
    let run = train(&folder);
    let plan = fs::read_to_string(run.join("run.toml")).expect("the plan");
    let edited = plan.replace("alpha_dp = 1.0", "alpha_dp = 2.0");
    assert_ne!(plan, edited);
    fs::write(run.join("run.toml"), &edited).expect("the plan");
    let out = bnpool_in(&folder, &["train", "--resume", "--out", "run"]);
    let message = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{message}");
    assert!(
        message.contains("run.toml") && message.contains("--config"),
        "{message}"
    );
    let arguments = [
        "train",
        "--data",
        "shapes",
        "--config",
        "run/run.toml",
        "--epochs",
        "1",
        "--out",
        "other",
        "--quiet",
    ];
    let out = bnpool_in(&folder, &arguments);
    assert!(out.status.success(), "{}", text(&out.stderr));
    let plan = fs::read_to_string(folder.join("other/run.toml")).expect("the plan");
    assert!(plan.contains("alpha_dp = 2.0"), "{plan}");
}

/// These sizes are rejected before memory is allocated.
#[test]
fn sizes_that_no_machine_holds_are_refused() {
    let folder = folder("damage-sizes");
    train(&folder);
    let (huge, most) = ("1000000000000", "18446744073709551615");
    let deep = format!("a{}=1", ".b".repeat(60_000));
    let nested = format!("seed={}", "[".repeat(60_000));
    for sizes in [
        &["--max-clusters", huge][..],
        &["--max-clusters", "200000"],
        &["--max-clusters", most],
        &["--particles", huge],
        &["--particles", "60000", "--max-clusters", "20000"],
        &["--epochs", most],
        &["--threads", "1000000"],
        &["--set", "model.hidden=1000000000000"],
        &["--set", "model.hidden=9223372036854775807"],
        &["--set", "evaluation.samples=9223372036854775807"],
        &["--set", "pooler.alpha_dp=nan"],
        &["--set", &deep],
        &["--set", &nested],
        &["--seed", most],
    ] {
        for start in [
            &["cluster", "shapes/g1.csv", "--out", "no", "--quiet"][..],
            &["train", "--data", "shapes", "--out", "no", "--quiet"],
        ] {
            refused(&folder, &[start, sizes].concat());
        }
    }
    for sizes in [
        &["--set", "features.random=1000000000000"][..],
        &["--set", "features.random=9223372036854775807"],
        &["--set", "training.starts=9223372036854775807"],
    ] {
        let start = ["cluster", "shapes/g1.csv", "--out", "no", "--quiet"];
        refused(&folder, &[&start[..], sizes].concat());
    }
    for sizes in [
        &["--eval-samples", most][..],
        &["--jobs", "1000000"],
        &["--folds", "0,0,18446744073709551615"],
        &["--set", "data.folds=9223372036854775807"],
        &["--set", "model.levels=9223372036854775807"],
        &["--set", "model.before=9223372036854775807"],
        &[
            "--set",
            "model.after=1000",
            "--set",
            "model.levels=1000",
            "--set",
            "model.hidden=100000",
        ],
    ] {
        let start = ["train", "--data", "shapes", "--out", "no", "--quiet"];
        refused(&folder, &[&start[..], sizes].concat());
    }
    for sizes in [
        &["sbm", "--nodes", most, "--blocks", most][..],
        &["sbm", "--nodes", "4000000000", "--blocks", "4000000000"],
        &["sbm", "--nodes", "3000000", "--p-in", "1", "--p-out", "1"],
        &["community", "--nodes", "4000000000"],
        &["community", "--nodes", huge],
    ] {
        let start = ["data", "generate", "--out", "no"];
        refused(&folder, &[&start[..], sizes].concat());
    }
    refused(
        &folder,
        &["predict", "--run", "run", "shapes", "--eval-samples", most],
    );
    refused(
        &folder,
        &["predict", "--run", "run", "shapes", "--fold", most],
    );
}

/// Checks that the command exits with code 2 and a short message, and without a
/// run directory.
fn refused(folder: &Path, arguments: &[&str]) {
    let out = bnpool_in(folder, arguments);
    let message = text(&out.stderr);
    let start: String = format!("{arguments:?}").chars().take(200).collect();
    let shown: String = message.chars().take(500).collect();
    assert_eq!(out.status.code(), Some(2), "{start}: {shown}");
    assert!(message.contains("error: "), "{start}: {shown}");
    assert!(!folder.join("no").exists(), "{start} left a run behind");
}

#[test]
fn a_batch_larger_than_the_data_is_no_size_at_all() {
    let folder = folder("damage-batch");
    shapes(&folder);
    let arguments = [
        "train",
        "--data",
        "shapes",
        "--epochs",
        "1",
        "--max-clusters",
        "4",
        "--out",
        "run",
        "--quiet",
        "--set",
        "training.batch_size=9223372036854775807",
        "--set",
        "data.folds=2",
        "--set",
        "training.patience=9223372036854775807",
    ];
    let out = bnpool_in(&folder, &arguments);
    assert!(out.status.success(), "{}", text(&out.stderr));
}
