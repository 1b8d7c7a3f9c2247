//! Tests of `bnpool cluster`: results, files, interruption, messages.

use crate::support::{bnpool_in, command, folder, refuses, text, two_cliques};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// Runs a clustering in a folder, which must succeed.
fn cluster(folder: &Path, arguments: &[&str]) -> String {
    let arguments = [&["cluster"], arguments].concat();
    let out = bnpool_in(folder, &arguments);
    assert!(out.status.success(), "{arguments:?}: {}", text(&out.stderr));
    text(&out.stdout)
}

fn metrics(run: &Path) -> Value {
    let text = fs::read_to_string(run.join("metrics.json")).expect("metrics");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn the_built_in_graph_fills_a_run_directory() {
    let folder = folder("built-in");
    let settings = ["--set", "search.still=0", "--set", "search.patience=99"];
    let arguments = [&["--epochs", "30", "--seed", "3"][..], &settings].concat();
    let printed = cluster(&folder, &arguments);
    assert!(printed.contains("5 communities"), "{printed}");
    assert!(printed.contains("known classes"), "{printed}");
    let run = folder.join("runs/cluster-community-bn-3");
    for name in [
        "run.toml",
        "history.jsonl",
        "metrics.json",
        "model.safetensors",
        "checkpoint.safetensors",
        "report.html",
        "labels.csv",
        "assignments.npy",
        "block_matrix.npy",
        "result.safetensors",
    ] {
        assert!(run.join(name).exists(), "{name}");
    }
    let m = metrics(&run);
    for key in [
        "task",
        "dataset",
        "pooler",
        "loss",
        "preset",
        "seed",
        "nodes",
        "edges",
        "features",
        "max_clusters",
        "clusters",
        "clusters_interval",
        "acc",
        "cos",
        "nmi",
        "homogeneity",
        "completeness",
        "ari",
        "acc_mean",
        "cos_mean",
        "nmi_mean",
        "homogeneity_mean",
        "completeness_mean",
        "ari_mean",
        "modularity",
        "loss_rec",
        "loss_kl",
        "loss_k",
        "epochs",
        "best_epoch",
        "seconds",
        "stages",
        "seconds_per_epoch",
        "peak_rss_mb",
        "threads",
    ] {
        assert!(!m[key].is_null(), "{key} is missing");
    }
    let stages = m["stages"].as_object().expect("stages");
    let sum: f64 = stages.values().filter_map(|stage| stage.as_f64()).sum();
    assert!((sum - m["seconds"].as_f64().expect("seconds")).abs() < 1e-6);
    assert!(stages.contains_key("reading") && stages.contains_key("report"));
    assert_eq!((&m["nodes"], &m["edges"]), (&400.into(), &5904.into()));
    assert_eq!((&m["seed"], &m["epochs"]), (&3.into(), &30.into()));
    let lines = fs::read_to_string(run.join("history.jsonl")).expect("history");
    assert_eq!(lines.lines().count(), 30);
    let labels = fs::read_to_string(run.join("labels.csv")).expect("labels");
    assert!(labels.starts_with("node,cluster,confidence,entropy,level_1\n"));
    assert_eq!(labels.lines().count(), 401);
    let page = fs::read_to_string(run.join("report.html")).expect("a report");
    assert!(page.contains("<html") && page.contains("</html>"));
}

#[test]
fn threads_do_not_change_a_byte() {
    let folder = folder("threads");
    for (threads, out) in [("1", "one"), ("2", "two")] {
        cluster(
            &folder,
            &[
                "--epochs",
                "12",
                "--threads",
                threads,
                "--out",
                out,
                "--quiet",
            ],
        );
    }
    same_results(&folder.join("one"), &folder.join("two"));
}

/// Compares the files that must not depend on the history of a run.
fn same_results(one: &Path, two: &Path) {
    for name in [
        "history.jsonl",
        "model.safetensors",
        "labels.csv",
        "assignments.npy",
        "block_matrix.npy",
    ] {
        let read = |folder: &Path| fs::read(folder.join(name)).expect("a file");
        assert!(read(one) == read(two), "{name} differs");
    }
}

/// Stops a run by a signal after its first checkpoint, resumes it, and compares
/// the bytes with those of an uninterrupted run.
#[cfg(unix)]
fn interrupted_and_resumed(name: &str, signal: &str, code: Option<i32>) {
    let folder = folder(name);
    // Several times as long as the time until the first checkpoint.
    let settings = [
        "--epochs",
        "120000",
        "--set",
        "search.epochs=120000",
        "--set",
        "search.patience=120000",
        "--set",
        "search.still=0",
        "--quiet",
    ];
    let small = two_cliques(&folder);
    let arguments = [&["cluster", &small, "--out", "cut"][..], &settings].concat();
    let mut child = command(&folder, &arguments).spawn().expect("a run");
    let checkpoint = folder.join("cut/checkpoint.safetensors");
    let history = folder.join("cut/history.jsonl");
    let mut patience = 600;
    // After SIGKILL only the last checkpoint remains; SIGINT writes a
    // checkpoint.
    let ready = || match signal {
        "KILL" => checkpoint.exists(),
        _ => history.exists(),
    };
    while !ready() && patience > 0 {
        std::thread::sleep(Duration::from_millis(50));
        patience -= 1;
    }
    std::thread::sleep(Duration::from_millis(100));
    let killed = std::process::Command::new("kill")
        .args(["-s", signal, &child.id().to_string()])
        .status();
    assert!(killed.expect("kill").success());
    let status = child.wait().expect("the end");
    assert_eq!(status.code(), code);
    let finished = folder.join("cut/metrics.json").exists();
    assert!(!finished || metrics(&folder.join("cut"))["unfinished"] == true);
    let out = bnpool_in(&folder, &["report", "cut"]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    let page = fs::read_to_string(folder.join("cut/report.html")).expect("a report");
    assert!(page.contains("stopped before its end"));
    cluster(&folder, &["--resume", "--out", "cut", "--quiet"]);
    let whole = [&[small.as_str(), "--out", "whole"][..], &settings].concat();
    cluster(&folder, &whole);
    same_results(&folder.join("cut"), &folder.join("whole"));
}

#[cfg(unix)]
#[test]
fn ctrl_c_writes_a_checkpoint_and_resume_goes_on_to_the_same_bytes() {
    interrupted_and_resumed("interrupted", "INT", Some(130));
}

#[cfg(unix)]
#[test]
fn a_killed_run_goes_on_to_the_same_bytes() {
    interrupted_and_resumed("killed", "KILL", None);
}

#[test]
fn a_bare_edge_list_is_clustered_and_keeps_its_names() {
    let folder = folder("bare");
    let edges = two_cliques(&folder);
    let out = bnpool_in(
        &folder,
        &["cluster", &edges, "--epochs", "300", "--max-clusters", "8"],
    );
    assert!(out.status.success(), "{}", text(&out.stderr));
    let run = folder.join("runs/cluster-edges-bn-0");
    let labels = fs::read_to_string(run.join("labels.csv")).expect("labels");
    let of = |name: &str| {
        let line = labels.lines().find(|l| l.starts_with(&format!("{name},")));
        line.expect("the node").split(',').nth(1).map(str::to_owned)
    };
    assert_eq!(of("a1"), of("a4"));
    assert_eq!(of("b1"), of("b4"));
    assert_ne!(of("a1"), of("b1"));
    assert_eq!(metrics(&run)["preset"], "default");
    // The settings file of one run configures the next.
    cluster(
        &folder,
        &[
            &edges,
            "--config",
            "runs/cluster-edges-bn-0/run.toml",
            "--out",
            "again",
            "--json",
        ],
    );
    same_results(&run, &folder.join("again"));
    // Its report can be written again, with plots.
    let out = bnpool_in(&folder, &["report", "again", "--plots", "pictures"]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    for name in ["graph.svg", "graph.png", "block_matrix.png", "losses.svg"] {
        assert!(folder.join("pictures").join(name).exists(), "{name}");
    }
}

#[test]
fn json_is_all_there_is_on_standard_output() {
    let folder = folder("json");
    let printed = cluster(&folder, &["--epochs", "3", "--json", "--loss", "sparse"]);
    let m: Value = serde_json::from_str(&printed).expect("JSON and nothing else");
    assert_eq!(m["loss"], "sparse");
    assert_eq!(m["clusters_interval"].as_array().map(Vec::len), Some(2));
}

#[test]
fn odd_graphs_have_a_result() {
    let folder = folder("odd");
    for (name, edges) in [
        ("disconnected.csv", "0,1\n2,3\n4,5\n"),
        ("star.csv", "0,1\n0,2\n0,3\n0,4\n"),
        ("pair.csv", "x,y\n"),
        ("weighted.csv", "a,b,2.5\nb,c,0.5\nc,a,1\n"),
    ] {
        fs::write(folder.join(name), edges).expect("a file");
        let printed = cluster(&folder, &[name, "--epochs", "5", "--quiet"]);
        assert!(printed.contains("communit"), "{name}: {printed}");
    }
    fs::write(folder.join("loops.csv"), "0,0\n1,1\n2,2\n").expect("a file");
    let loops = folder.join("loops.csv").display().to_string();
    refuses(&["cluster", &loops], &["no edges between different nodes"]);
    // The number of clusters is an upper bound and may exceed the number of
    // nodes.
    cluster(
        &folder,
        &["pair.csv", "--epochs", "5", "--max-clusters", "90"],
    );
    cluster(
        &folder,
        &[
            "disconnected.csv",
            "--epochs",
            "5",
            "--split-disconnected",
            "--min-size",
            "2",
        ],
    );
}

#[test]
fn wrong_settings_are_named() {
    for (arguments, parts) in [
        (
            &["--max-clusters", "1"][..],
            &["pooler.max_clusters = 1", "at least 2", "--max-clusters"][..],
        ),
        (
            &["--alpha-dp", "0"],
            &["pooler.alpha_dp = 0", "positive", "--alpha-dp"],
        ),
        (
            &["--sigma-k=-1"],
            &["pooler.sigma_k = -1", "positive", "--sigma-k"],
        ),
        (
            &["--pooler", "leiden", "--clusters", "2"],
            &["2 clusters", "leiden", "mincut"],
        ),
        (
            &["--preset", "paper", "--clusters", "2"],
            &["bn", "paper", "the preset default"],
        ),
        (&["--epochs", "0"], &["epochs = 0", "at least 1"]),
        (&["--threads", "0"], &["--threads 0"]),
        (&["--threads", "1000000"], &["--threads 1000000", "at most"]),
        (&["--loss", "dence"], &["dence", "dense", "sparse"]),
        (
            &["--set", "pooler.alpha=3"],
            &["no setting `pooler.alpha`", "alpha_dp"],
        ),
        (
            &["--set", "model.delta=2"],
            &["model.delta = 2", "between 0"],
        ),
        (&["--set", "pooler.loss=exact"], &["exact", "dense"]),
        (&["--config", "no-such.toml"], &["no-such.toml"]),
        (&["--preset", "quick"], &["quick", "default"]),
        (&["--dataset", "koora"], &["koora"]),
        (&["--resume", "--out", "nowhere"], &["nowhere", "no run"]),
        (&["--features", "x.csv"], &["<GRAPH>"]),
        (&["no-such-file.csv"], &["no-such-file.csv"]),
    ] {
        refuses(&[&["cluster"], arguments].concat(), parts);
    }
}

#[test]
fn wrong_files_are_named_and_nothing_is_written() {
    let folder = folder("wrong-files");
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).expect("a file");
        path.to_string_lossy().into_owned()
    };
    let edges = write("edges.csv", "0,1\n1,2\n2,0\n");
    let empty = write("empty.csv", "");
    let broken = write("broken.csv", "0,1\n1\n");
    let short = write("short.csv", "1,0\n0,1\n");
    let strange = write("strange.csv", "node,label\n0,a\n1,b\n9,b\n");
    let single = write("single.gml", "graph [ node [ id 0 ] ]");
    let toml = write("bad.toml", "[pooler\n");
    let out = folder.join("run").to_string_lossy().into_owned();
    for (arguments, parts) in [
        (&[empty.as_str()][..], &["empty.csv"][..]),
        (&[&broken], &["broken.csv", "line 2"]),
        (&[&single], &["1 node", "at least 2"]),
        (&[&edges, "--features", &short], &["short.csv"]),
        (&[&edges, "--labels", &strange], &["strange.csv"]),
        (&[&edges, "--config", &toml], &["bad.toml", "TOML"]),
        (
            &[&edges, "--set", "features.source=given"],
            &["no node features"],
        ),
    ] {
        refuses(
            &[&["cluster", "--out", &out][..], arguments].concat(),
            parts,
        );
    }
    assert!(!folder.join("run/metrics.json").exists());
    // An existing run is not lost.
    cluster(&folder, &[&edges, "--epochs", "2", "--out", "kept"]);
    let kept = folder.join("kept").to_string_lossy().into_owned();
    refuses(
        &["cluster", &edges, "--out", &kept],
        &["kept", "finished run", "--overwrite", "--resume"],
    );
    cluster(
        &folder,
        &[&edges, "--epochs", "3", "--out", "kept", "--overwrite"],
    );
    assert_eq!(metrics(&folder.join("kept"))["epochs"], 3);
    // Changed data of a run are detected.
    fs::write(folder.join("edges.csv"), "0,1\n1,2\n").expect("a file");
    refuses(
        &["cluster", "--resume", "--out", &kept],
        &["input files have changed"],
    );
    // A directory that cannot be used.
    let file = write("a-file", "");
    refuses(
        &["cluster", "--epochs", "1", "--out", &format!("{file}/run")],
        &["a-file", "--out"],
    );
}

#[test]
fn a_rival_clusters_and_shows_its_own_losses() {
    let folder = folder("rival");
    let edges = two_cliques(&folder);
    let settings = ["--pooler", "mincut", "--max-clusters", "2"];
    let run = ["--epochs", "60", "--out", "run", "--quiet"];
    cluster(&folder, &[&[&*edges][..], &settings, &run].concat());
    let m = metrics(&folder.join("run"));
    assert_eq!(m["pooler"], "mincut");
    let page = fs::read_to_string(folder.join("run/report.html")).expect("a report");
    for part in ["Losses over the epochs", "cut", "orthogonality"] {
        assert!(page.contains(part), "`{part}` is missing in the report");
    }
    assert!(!page.contains("weight of the divergence"));
}

#[test]
fn help_and_messages_stay_as_they_are() {
    let out = bnpool_in(&folder("help"), &["cluster", "--help"]);
    insta::assert_snapshot!("help of cluster", text(&out.stdout));
}
