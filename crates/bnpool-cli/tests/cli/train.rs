//! Tests of `bnpool train` and `bnpool predict`.

use crate::support::{SMALL, bnpool_in, command, folder, refuses, shapes, text};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::time::Duration;

fn train(folder: &Path, arguments: &[&str]) -> String {
    let all = [&["train"][..], arguments].concat();
    let out = bnpool_in(folder, &all);
    assert!(out.status.success(), "{all:?}: {}", text(&out.stderr));
    text(&out.stdout)
}

fn metrics(run: &Path) -> Value {
    let file = fs::read_to_string(run.join("metrics.json")).expect("metrics");
    serde_json::from_str(&file).expect("JSON")
}

/// Compares the files that must not depend on the history of a run.
fn same_results(one: &Path, two: &Path) {
    for name in [
        "history.jsonl",
        "model.safetensors",
        "model.fold-0.safetensors",
    ] {
        let read = |folder: &Path| fs::read(folder.join(name)).expect("a file");
        assert!(read(one) == read(two), "{name} differs");
    }
}

#[test]
fn a_run_is_trained_evaluated_saved_and_used_again() {
    let folder = folder("train-whole");
    let data = shapes(&folder, 24);
    let settings = [
        &[
            "--data",
            &data,
            "--epochs",
            "6",
            "--tensorboard",
            "--plots",
            "pictures",
        ][..],
        &SMALL,
    ]
    .concat();
    let printed = train(&folder, &settings);
    assert!(printed.contains("accuracy on test graphs"), "{printed}");
    let run = folder.join("runs/train-shapes-bn-0");
    let m = metrics(&run);
    assert_eq!(m["preset"], "default");
    for key in [
        "task",
        "dataset",
        "pooler",
        "preset",
        "seed",
        "metric",
        "folds",
        "test_mean",
        "test_std",
        "clusters_mean",
        "clusters_std",
        "parameters",
        "seconds",
        "peak_rss_mb",
        "threads",
    ] {
        assert!(!m[key].is_null(), "{key} is missing");
    }
    assert_eq!(m["folds"].as_array().map(Vec::len), Some(4));
    for key in [
        "fold",
        "train_graphs",
        "val_graphs",
        "test_graphs",
        "val",
        "test",
        "epochs",
        "best_epoch",
        "seconds_per_epoch",
        "clusters_mean",
        "clusters_std",
    ] {
        assert!(!m["folds"][1][key].is_null(), "{key} of a fold is missing");
    }
    let history = fs::read_to_string(run.join("history.jsonl")).expect("history");
    assert_eq!(history.lines().count(), 24);
    let page = fs::read_to_string(run.join("report.html")).expect("a report");
    assert!(page.contains("</html>") && page.contains("star"));
    assert!(run.join("tensorboard/fold-3").exists());
    assert!(folder.join("pictures/confusion.png").exists());

    // `predict` only needs two files.
    let only = folder.join("only");
    fs::create_dir_all(&only).expect("a folder");
    for name in ["run.toml", "model.safetensors"] {
        fs::copy(run.join(name), only.join(name)).expect("a copy");
    }
    let arguments = [
        "predict", "--run", "only", &data, "--out", "said.csv", "--pooled", "pooled",
    ];
    let out = bnpool_in(&folder, &arguments);
    assert!(out.status.success(), "{}", text(&out.stderr));
    let said = fs::read_to_string(folder.join("said.csv")).expect("predictions");
    let header = "graph,prediction,probability_ring,probability_star,supernodes\n";
    assert!(said.starts_with(header), "{said}");
    assert_eq!(said.lines().count(), 25);
    assert!(folder.join("pooled/shapes-g23.assignments.npy").exists());
    // Graphs with equal names are distinguished by their paths.
    let twins = folder.join("twins");
    fs::create_dir_all(&twins).expect("a folder");
    for name in ["g.csv", "g.tsv"] {
        fs::write(twins.join(name), "0,1\n1,2\n").expect("a graph");
    }
    fs::write(twins.join("graphs.csv"), "file\ng.csv\ng.tsv\n").expect("a table");
    let arguments = ["predict", "--run", "only", "twins", "--pooled", "pooled"];
    let out = bnpool_in(&folder, &arguments);
    assert!(
        text(&out.stdout).contains("twins/1"),
        "{}",
        text(&out.stderr)
    );
    for i in 0..2 {
        assert!(
            folder
                .join(format!("pooled/twins-{i}.features.npy"))
                .exists()
        );
    }
    // The prediction for a single graph equals that as the first of many, and
    // is repeatable.
    let one = format!("{data}/g0.csv");
    let alone = bnpool_in(&folder, &["predict", "--run", "only", &one]);
    let alone = text(&alone.stdout);
    let first = said.lines().nth(1).expect("a line");
    let tail = |line: &str| line.split_once(',').map(|p| p.1.to_owned());
    assert_eq!(alone.lines().nth(1).and_then(tail), tail(first));
    let json = bnpool_in(
        &folder,
        &["predict", "--run", "only", &one, "--json", "--eval-mean"],
    );
    let json: Value = serde_json::from_str(&text(&json.stdout)).expect("JSON");
    assert_eq!(json[0]["graph"], "g0");

    // The report can be written again, and the default folder is used again.
    let before = fs::read(run.join("report.html")).expect("a report");
    let out = bnpool_in(&folder, &["report", "runs/train-shapes-bn-0"]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    assert!(before == fs::read(run.join("report.html")).expect("a report"));
}

#[test]
fn threads_and_jobs_do_not_change_a_byte() {
    let folder = folder("train-threads");
    let data = shapes(&folder, 24);
    for (out, threads, jobs) in [("one", "1", "1"), ("two", "2", "1"), ("jobs", "2", "3")] {
        let settings = [
            &["--data", &data, "--epochs", "4", "--quiet", "--out", out][..],
            &["--threads", threads, "--jobs", jobs],
            &SMALL,
        ]
        .concat();
        train(&folder, &settings);
    }
    same_results(&folder.join("one"), &folder.join("two"));
    same_results(&folder.join("one"), &folder.join("jobs"));
}

#[cfg(unix)]
#[test]
fn ended_runs_go_on_to_the_same_bytes() {
    for (name, signal, code) in [
        ("train-int", "INT", Some(130)),
        ("train-kill", "KILL", None),
    ] {
        let folder = folder(name);
        let data = shapes(&folder, 24);
        let settings = [
            &[
                "--data", &data, "--epochs", "600", "--quiet", "--folds", "0,2",
            ][..],
            &["--set", "training.patience=600"],
            &SMALL,
        ]
        .concat();
        let arguments = [&["train", "--out", "cut"][..], &settings].concat();
        let mut child = command(&folder, &arguments).spawn().expect("a run");
        let checkpoint = folder.join("cut/checkpoint.fold-0.safetensors");
        let history = folder.join("cut/history.fold-0.jsonl");
        let ready = || match signal {
            "KILL" => checkpoint.exists(),
            _ => history.exists(),
        };
        let mut patience = 600;
        while !ready() && patience > 0 {
            std::thread::sleep(Duration::from_millis(50));
            patience -= 1;
        }
        std::thread::sleep(Duration::from_millis(200));
        let killed = std::process::Command::new("kill")
            .args(["-s", signal, &child.id().to_string()])
            .status();
        assert!(killed.expect("kill").success());
        assert_eq!(child.wait().expect("the end").code(), code);
        let finished = folder.join("cut/metrics.json").exists();
        assert!(!finished || metrics(&folder.join("cut"))["unfinished"] == true);
        let out = bnpool_in(&folder, &["report", "cut"]);
        assert!(out.status.success(), "{}", text(&out.stderr));
        let page = fs::read_to_string(folder.join("cut/report.html")).expect("a report");
        assert!(page.contains("stopped before its end"));
        // The folds are stored in the run.
        train(&folder, &["--resume", "--out", "cut", "--quiet"]);
        train(&folder, &[&["--out", "whole"][..], &settings].concat());
        same_results(&folder.join("cut"), &folder.join("whole"));
    }
}

#[cfg(unix)]
#[test]
fn a_full_disk_loses_nothing() {
    let folder = folder("train-full");
    let data = shapes(&folder, 24);
    let settings = [
        &["--data", &data, "--out", "full", "--epochs", "3"][..],
        &SMALL,
    ]
    .concat();
    let program = env!("CARGO_BIN_EXE_bnpool");
    // Files are limited to a few kilobytes, as on a full disk.
    let script = format!(
        "trap '' XFSZ; ulimit -f 4; exec '{program}' train {}",
        settings.join(" ")
    );
    let out = std::process::Command::new("bash")
        .args(["-c", &script])
        .current_dir(&folder)
        .output()
        .expect("a shell");
    let message = text(&out.stderr);
    assert_eq!(out.status.code(), Some(1), "{message}");
    assert!(message.contains("checkpoint.fold-0"), "{message}");
    assert!(!folder.join("full/metrics.json").exists());
    // With enough space the run is continued.
    train(&folder, &["--resume", "--out", "full", "--quiet"]);
    assert_eq!(metrics(&folder.join("full"))["folds"][0]["epochs"], 3);
}

#[test]
fn rivals_are_trained_by_name() {
    let folder = folder("train-rivals");
    let data = shapes(&folder, 16);
    for pooler in ["mincut", "topk", "none"] {
        let settings = [
            &[
                "--data", &data, "--pooler", pooler, "--epochs", "2", "--json",
            ][..],
            &["--folds", "1"],
            &SMALL,
        ]
        .concat();
        let m: Value = serde_json::from_str(&train(&folder, &settings)).expect("JSON alone");
        assert_eq!(m["pooler"], pooler);
        assert_eq!(m["folds"][0]["fold"], 1);
        assert_eq!(m["clusters_mean"].is_null(), pooler != "mincut");
    }
}

#[test]
fn numbers_are_regressed_on() {
    let folder = folder("train-numbers");
    let data = shapes(&folder, 20);
    let table = fs::read_to_string(format!("{data}/graphs.csv")).expect("the table");
    let table = table.replace("ring", "0.25").replace("star", "1.5");
    fs::write(format!("{data}/graphs.csv"), table).expect("the table");
    let settings = [&["--data", &data, "--epochs", "3", "--json"][..], &SMALL].concat();
    let m: Value = serde_json::from_str(&train(&folder, &settings)).expect("JSON");
    assert_eq!(m["metric"], "mae");
    assert!(m["test_mean"].as_f64().is_some());
    let run = "runs/train-shapes-bn-0";
    let out = bnpool_in(
        &folder,
        &["predict", "--run", run, &format!("{data}/g3.csv")],
    );
    assert!(text(&out.stdout).starts_with("graph,prediction,supernodes\n"));
}

#[test]
fn labels_mean_the_same_to_a_trained_model() {
    let folder = folder("train-labels");
    // Chains and rings of nodes with labels from 3, as a TU set.
    let write = |name: &str, graphs: u32, label: &dyn Fn(u32) -> u32| {
        let data = folder.join(name);
        fs::create_dir_all(&data).expect("a folder");
        let [mut edges, mut owner, mut labels, mut classes] = [const { String::new() }; 4];
        for g in 0..graphs {
            let first = 5 * g + 1;
            for u in 0..5 {
                owner += &format!("{}\n", g + 1);
                labels += &format!("{}\n", label(u));
                let next = first + (u + 1) % 5;
                if u < 4 || g % 2 == 0 {
                    edges += &format!("{}, {next}\n{next}, {}\n", first + u, first + u);
                }
            }
            classes += &format!("{}\n", g % 2);
        }
        for (part, text) in [
            ("A", edges),
            ("graph_indicator", owner),
            ("node_labels", labels),
            ("graph_labels", classes),
        ] {
            fs::write(data.join(format!("T_{part}.txt")), text).expect("a file");
        }
    };
    write("known", 24, &|u| 3 + u);
    write("fewer", 2, &|u| 4 + u % 2);
    write("other", 2, &|u| 8 + u);
    let settings = [
        &[
            "--data", "known", "--epochs", "2", "--quiet", "--out", "run",
        ][..],
        &SMALL,
    ];
    train(&folder, &settings.concat());
    let predict = |data: &str| bnpool_in(&folder, &["predict", "--run", "run", data]);
    let fewer = predict("fewer");
    assert!(fewer.status.success(), "{}", text(&fewer.stderr));
    assert_eq!(text(&fewer.stdout).lines().count(), 3);
    // The number of columns matches the model, but not their meaning.
    let other = predict("other");
    assert_eq!(other.status.code(), Some(2));
    let message = text(&other.stderr);
    assert!(
        message.contains("T_node_labels.txt, line 1: the label 8 is unknown"),
        "{message}"
    );
}

#[test]
fn what_cannot_be_is_refused_in_words() {
    let folder = folder("train-refused");
    let data = shapes(&folder, 12);
    refuses(&["train"], &["--dataset NAME", "--data PATH"]);
    refuses(&["train", "--dataset", "cora"], &["one graph", "`cluster`"]);
    refuses(&["train", "--dataset", "nothing"], &["nothing"]);
    refuses(
        &["train", "--data", &format!("{data}/g0.csv")],
        &["g0.csv is one graph", "`cluster`"],
    );
    refuses(
        &["train", "--data", "nowhere"],
        &["nowhere", "check the path"],
    );
    refuses(
        &["train", "--data", &data, "--folds", "12"],
        &["no fold 12"],
    );
    refuses(&["train", "--data", &data, "--folds", "x"], &["0,1,2"]);
    refuses(&["train", "--data", &data, "--jobs", "0"], &["--jobs 0"]);
    refuses(
        &["train", "--data", &data, "--pooler", "best"],
        &["mincut", "topk"],
    );
    refuses(
        &["train", "--data", &data, "--set", "model.dropout=1.5"],
        &["model.dropout = 1.5", "below 1"],
    );
    refuses(
        &["train", "--data", &data, "--set", "data.split=official"],
        &["no split of their own"],
    );
    refuses(
        &["train", "--resume", "--out", "nowhere"],
        &["holds no run"],
    );
    refuses(
        &["train", "--data", &data, "--out", "/proc/nowhere"],
        &["--out"],
    );
    refuses(&["predict", "--run", "nowhere", &data], &["run.toml"]);
    let few = folder.join("few");
    fs::create_dir_all(&few).expect("a folder");
    fs::write(few.join("g.csv"), "0,1\n").expect("a graph");
    fs::write(few.join("graphs.csv"), "file,target\ng.csv,1\ng.csv,2\n").expect("a table");
    let few = few.to_string_lossy().into_owned();
    refuses(
        &["train", "--data", &few],
        &["2 graphs cannot fill 10 folds", "--set data.folds"],
    );
    fs::write(format!("{few}/graphs.csv"), "file,target\n").expect("a table");
    refuses(&["train", "--data", &few], &["graphs.csv"]);

    // A model is not applied to graphs with other features.
    let out = bnpool_in(
        &folder,
        &[
            &[
                "train", "--data", &data, "--epochs", "1", "--quiet", "--out", "run",
            ][..],
            &SMALL,
        ]
        .concat(),
    );
    assert!(out.status.success(), "{}", text(&out.stderr));
    fs::write(folder.join("x.csv"), "1,2\n3,4\n5,6\n7,8\n9,1\n").expect("features");
    let run = folder.join("run").to_string_lossy().into_owned();
    let features = folder.join("x.csv").to_string_lossy().into_owned();
    let one = format!("{data}/g0.csv");
    refuses(
        &["predict", "--run", &run, &one, "--features", &features],
        &["g0", "2 node features", "trained on 1"],
    );
    refuses(
        &["predict", "--run", &run, &one, "--fold", "9"],
        &["fold-9"],
    );
    let plan = fs::read_to_string(folder.join("run/run.toml")).expect("the plan");
    let newer = plan.replace("version = \"0.", "version = \"99.");
    assert_ne!(plan, newer);
    fs::write(folder.join("run/run.toml"), newer).expect("the plan");
    refuses(&["predict", "--run", &run, &one], &["bnpool 99.", "newer"]);
}

#[test]
fn help_stays_as_it_is() {
    for command in ["train", "predict"] {
        let out = bnpool_in(&folder("train-help"), &[command, "--help"]);
        insta::assert_snapshot!(format!("help of {command}"), text(&out.stdout));
    }
}

#[test]
fn every_graph_has_a_prediction_under_its_own_name() {
    let folder = folder("train-predictions");
    let data = shapes(&folder, 12);
    let settings = ["--data", &data, "--epochs", "3", "--out", "run", "--quiet"];
    train(&folder, &[&settings[..], &SMALL].concat());
    let table = fs::read_to_string(folder.join("run/predictions.csv")).expect("a table");
    let mut lines = table.lines();
    assert_eq!(
        lines.next(),
        Some("graph,fold,target,prediction,probability_ring,probability_star")
    );
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    let names: Vec<&str> = rows.iter().map(|row| row[0]).collect();
    let expected: Vec<String> = (0..12).map(|i| format!("g{i}")).collect();
    assert_eq!(names, expected);
    for (i, row) in rows.iter().enumerate() {
        assert_eq!(row[2], if i % 2 == 0 { "ring" } else { "star" });
        let ring: f64 = row[4].parse().expect("a number");
        assert_eq!(row[3] == "ring", ring > 0.5, "{row:?}");
    }
    // The fractions of correct predictions match the metrics.
    let right = rows.iter().filter(|row| row[2] == row[3]).count();
    let m = metrics(&folder.join("run"));
    let of_folds: f64 = m["folds"]
        .as_array()
        .expect("folds")
        .iter()
        .map(|fold| {
            let graphs = fold["test_graphs"].as_f64().expect("a count");
            fold["test"].as_f64().expect("a share") * graphs
        })
        .sum();
    assert!((of_folds - right as f64).abs() < 1e-6, "{of_folds} {right}");
    let page = fs::read_to_string(folder.join("run/report.html")).expect("a page");
    assert!(page.contains("graph g"), "samples have no names");
}

#[test]
fn texts_of_nodes_are_coded_alike_in_training_and_prediction() {
    let folder = folder("train-text");
    let data = folder.join("molecules");
    fs::create_dir_all(&data).expect("a folder");
    let mut table = String::from("features,filename,class\n");
    for i in 0..8 {
        fs::write(data.join(format!("m{i}.csv")), "0,1\n1,2\n").expect("a graph");
        let atoms = if i % 2 == 0 { "C,C,O" } else { "C,N,O" };
        let atoms: Vec<&str> = atoms.split(',').collect();
        let rows: Vec<String> = atoms
            .iter()
            .enumerate()
            .map(|(n, a)| format!("{n},{a}\n"))
            .collect();
        fs::write(
            data.join(format!("m{i}-atoms.csv")),
            format!("node,element\n{}", rows.concat()),
        )
        .expect("atoms");
        table += &format!(
            "m{i}-atoms.csv,m{i}.csv,{}\n",
            if i % 2 == 0 { "a" } else { "b" }
        );
    }
    fs::write(data.join("graphs.csv"), table).expect("a table");
    let data = data.to_string_lossy().into_owned();
    let settings = ["--data", &data, "--epochs", "2", "--out", "run", "--quiet"];
    train(&folder, &[&settings[..], &SMALL].concat());
    let predict = |features: &str| {
        let features = format!("molecules/{features}");
        let graph = [
            "predict",
            "--run",
            "run",
            "molecules/m0.csv",
            "--features",
            &features,
        ];
        bnpool_in(&folder, &graph)
    };
    // A pattern also matches the features, which are not graphs.
    let all: Vec<String> = fs::read_dir(folder.join("molecules"))
        .expect("files")
        .map(|entry| format!("molecules/{}", entry.expect("a file").file_name().display()))
        .collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let out = bnpool_in(&folder, &[&["predict", "--run", "run"][..], &all].concat());
    let told = text(&out.stderr);
    assert!(told.contains("m0-atoms.csv holds node features"), "{told}");
    assert!(!told.contains("m0.csv holds"), "{told}");
    assert!(told.contains("the model of fold"), "{told}");
    // Only two of the three elements occur, but the columns are the same.
    let out = predict("m0-atoms.csv");
    assert!(out.status.success(), "{}", text(&out.stderr));
    fs::write(
        folder.join("molecules/odd.csv"),
        "node,element\n0,C\n1,Xe\n2,O\n",
    )
    .expect("atoms");
    let out = predict("odd.csv");
    assert_eq!(out.status.code(), Some(2));
    assert!(
        text(&out.stderr).contains("was in no training graph"),
        "{}",
        text(&out.stderr)
    );
}
