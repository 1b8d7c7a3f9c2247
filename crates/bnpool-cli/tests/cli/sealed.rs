//! Tests of run files that affect later results: a changed byte is rejected
//! with advice that works, and runs of older versions are read.

use crate::damage::flip;
use crate::run_directory::{QUICK, read, refused, run};
use crate::support::{bnpool_in, folder, json_of, text, two_cliques};
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
    let again = "bnpool cluster --resume --out run";
    let parts = ["run/labels.csv", CHANGED, again];
    refused(&folder, &predict, &parts);
    let from = ["cluster", &edges, "--from", "run", "--out", "next"];
    refused(&folder, &from, &parts);
    assert!(!folder.join("next").exists());
    // Following the advice works.
    run(&folder, &["cluster", "--resume", "--out", "run", "--quiet"]);
    assert_eq!(run(&folder, &predict).0, truth);
    // Older runs have no checksum for them.
    fs::remove_file(folder.join("run/result.safetensors")).expect("removed");
    assert_eq!(run(&folder, &predict).0, truth);
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
    // Older runs have no checksum for them.
    let mut metrics: Value = serde_json::from_slice(&read(&path)).expect("JSON");
    let sum = metrics
        .as_object_mut()
        .and_then(|keys| keys.remove("checksum"));
    assert!(sum.is_some_and(|sum| sum.is_string()));
    fs::write(&path, metrics.to_string()).expect("an older file");
    assert_eq!(numbers(&json_of(&folder, &compare)), truth);
}
