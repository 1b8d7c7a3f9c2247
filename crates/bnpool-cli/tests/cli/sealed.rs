//! Tests of run files that affect later results: a changed byte is rejected
//! with advice that works, and runs of older versions are read.

use crate::damage::flip;
use crate::run_directory::{QUICK, read, refused, run};
use crate::support::{bnpool_in, folder, json_of, text, two_cliques};
use bnpool_io::dataset::sha256_bytes;
use serde_json::Value;
use std::fs;
use std::process::Output;

const CHANGED: &str = "its checksum does not match";

#[test]
fn labels_are_those_that_the_run_wrote() {
    let folder = folder("sealed-labels");
    let edges = two_cliques(&folder);
    let cluster = ["cluster", &edges, "--out", "run"];
    run(&folder, &[&cluster[..], &QUICK].concat());
    let predict = ["predict", "--run", "run", &edges];
    let (truth, _) = run(&folder, &predict);
    let labels = folder.join("run/labels.csv");
    let predicted = || bnpool_in(&folder, &predict);
    let same = |out: &Output| text(&out.stdout) == truth;
    let count = flip(&labels, 40, predicted, same);
    assert_eq!(count, 40, "every bit of the labels counts");
    let whole = text(&read(&labels));
    fs::write(&labels, whole.replacen("a0,", "b9,", 1)).expect("changed");
    let parts = ["run/labels.csv", CHANGED, "--resume"];
    refused(&folder, &predict, &parts);
    let from = ["cluster", &edges, "--from", "run", "--out", "next"];
    refused(&folder, &from, &parts);
    assert!(!folder.join("next").exists());
    // Following the advice works.
    run(&folder, &["cluster", "--resume", "--out", "run", "--quiet"]);
    assert_eq!(run(&folder, &predict).0, truth);
    // The labels of another run of the command are rejected as well.
    run(
        &folder,
        &[&cluster[..3], &["other", "--seed", "7"], &QUICK].concat(),
    );
    let foreign = text(&read(folder.join("other/labels.csv"))).replacen("a0,", "a1,", 1);
    fs::write(&labels, foreign).expect("changed");
    refused(&folder, &predict, &parts);
}

#[test]
fn a_finished_run_lists_its_files_as_sha256sum_does() {
    let folder = folder("sealed-list");
    let edges = two_cliques(&folder);
    let cluster = ["cluster", &edges, "--out", "run"];
    run(&folder, &[&cluster[..], &QUICK].concat());
    run(&folder, &["cluster", "--resume", "--out", "run", "--quiet"]);
    let list = text(&read(folder.join("run/checksums.txt")));
    let mut names = Vec::new();
    for line in list.lines() {
        let (sum, name) = line.split_once("  ").expect("a checksum and a name");
        let bytes = read(folder.join("run").join(name));
        assert_eq!(sum, sha256_bytes(&bytes), "{name}");
        names.push(name.to_owned());
    }
    for name in ["labels.csv", "metrics.json", "report.html", "run.toml"] {
        assert_eq!(
            names.iter().filter(|listed| *listed == name).count(),
            1,
            "{list}"
        );
    }
}

#[test]
fn what_a_run_started_from_stays_as_it_was() {
    let folder = folder("sealed-previous");
    let edges = two_cliques(&folder);
    let cluster = ["cluster", &edges, "--out"];
    run(&folder, &[&cluster[..], &["old"], &QUICK].concat());
    let new = [&cluster[..], &["new", "--from", "old"], &QUICK].concat();
    run(&folder, &new);
    let report = ["report", "new"];
    run(&folder, &report);
    let page = || read(folder.join("new/report.html"));
    let truth = page();
    let previous = folder.join("new/previous.csv");
    let reported = || bnpool_in(&folder, &report);
    let count = flip(&previous, 20, reported, |_| page() == truth);
    assert_eq!(count, 20, "every bit counts");
    let resume = ["cluster", "--resume", "--out", "new", "--quiet"];
    let whole = text(&read(&previous));
    fs::write(&previous, whole.replacen("a0,", "b9,", 1)).expect("changed");
    for arguments in [&report[..], &resume] {
        refused(
            &folder,
            arguments,
            &["new/previous.csv", CHANGED, "--overwrite"],
        );
    }
    // Without this file, the run would have another result.
    fs::remove_file(&previous).expect("removed");
    for arguments in [&report[..], &resume] {
        refused(
            &folder,
            arguments,
            &["new/previous.csv", "cannot read", "--overwrite"],
        );
    }
    run(&folder, &[&new[..], &["--overwrite"]].concat());
    run(&folder, &report);
}

#[test]
fn a_table_is_made_of_the_numbers_that_runs_wrote() {
    let folder = folder("sealed-metrics");
    let edges = two_cliques(&folder);
    let compare = ["compare", &edges, "--poolers", "leiden", "--out", "cmp"];
    let compare = [&compare[..], &["--json", "--quiet"]].concat();
    // Times differ if a run is repeated.
    let numbers = |table: &Value| {
        let row = &table["poolers"][0];
        (row["communities"].clone(), row["modularity"].clone())
    };
    let truth = numbers(&json_of(&folder, &compare));
    let path = folder.join("cmp/leiden/metrics.json");
    let compared = || bnpool_in(&folder, &compare);
    flip(&path, 40, compared, |out| {
        numbers(&serde_json::from_slice(&out.stdout).expect("JSON")) == truth
    });
    let mut metrics: Value = serde_json::from_slice(&read(&path)).expect("JSON");
    metrics["modularity"] = 0.75.into();
    fs::write(&path, metrics.to_string()).expect("changed");
    let parts = ["cmp/leiden/metrics.json", CHANGED, "remove it"];
    refused(&folder, &compare, &parts);
    // Following the advice works.
    fs::remove_file(&path).expect("removed");
    assert_eq!(numbers(&json_of(&folder, &compare)), truth);
}
