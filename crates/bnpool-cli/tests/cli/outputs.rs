//! Tests that inputs are never replaced by outputs of any flag.

use crate::run_directory::{QUICK, read, refused, run};
use crate::support::{SMALL, folder, shapes, two_cliques};
use std::fs;
use std::path::Path;

/// Expects exit code 2, this message, and an unchanged file.
fn keeps(folder: &Path, file: &str, arguments: &[&str], words: &str) {
    let before = read(folder.join(file));
    refused(folder, arguments, &[file, words]);
    assert!(read(folder.join(file)) == before, "{file} was changed");
}

const INPUT: &str = "also an input";
const REPLACED: &str = "would replace this input";
const OF_RUN: &str = "belongs to the run";

#[test]
fn files_of_a_run_are_not_replaced_by_other_results() {
    let folder = folder("outputs-run");
    let edges = two_cliques(&folder);
    run(
        &folder,
        &[&["cluster", &edges, "--out", "run"][..], &QUICK].concat(),
    );
    let data = shapes(&folder, 8);
    let train = ["train", "--data", &data, "--out", "trained"];
    run(&folder, &[&train[..], &SMALL, &QUICK].concat());
    for (of, graph, name) in [
        ("run", &*edges, "labels.csv"),
        ("run", &edges, "model.safetensors"),
        ("run", &edges, "run.toml"),
        ("trained", &data, "run.toml"),
        ("trained", &data, "predictions.csv"),
        ("trained", &data, "model.fold-1.safetensors"),
        // Files of another run are not replaced either.
        ("trained", &data, "../run/labels.csv"),
    ] {
        let out = format!("{of}/{name}");
        let predict = ["predict", "--run", of, graph, "--out", &out];
        keeps(&folder, &out, &predict, OF_RUN);
    }
    let model = "trained/model.fold-0.safetensors";
    let predict = ["predict", "--run", model, &data, "--out"];
    keeps(
        &folder,
        "trained/run.toml",
        &[&predict[..], &["trained/run.toml"]].concat(),
        OF_RUN,
    );
    keeps(
        &folder,
        "run/result.safetensors",
        &["data", "convert", &edges, "run/result.safetensors"],
        OF_RUN,
    );
    // A file that the run has not written yet would be replaced later.
    let later = "run/graph.safetensors";
    refused(&folder, &["data", "convert", &edges, later], &[OF_RUN]);
    assert!(!folder.join(later).exists());
    // A copy without hidden files is also a run.
    fs::create_dir(folder.join("copy")).expect("a folder");
    for name in [
        "run.toml",
        "labels.csv",
        "metrics.json",
        "model.safetensors",
    ] {
        fs::copy(
            folder.join("run").join(name),
            folder.join("copy").join(name),
        )
        .expect("copied");
    }
    let out = "copy/labels.csv";
    let predict = ["predict", "--run", "copy", &edges, "--out", out];
    keeps(&folder, out, &predict, OF_RUN);
    // Other names are allowed.
    for own in ["run/said.csv", "run/said.csv"] {
        run(&folder, &["predict", "--run", "run", &edges, "--out", own]);
    }
}

#[test]
fn a_comparison_does_not_replace_its_inputs() {
    let folder = folder("outputs-compare");
    let edges = two_cliques(&folder);
    let compare = ["compare", &edges, "--poolers", "leiden", "--out", "cmp"];
    run(&folder, &[&compare[..], &["--quiet"]].concat());
    for (flag, input) in [
        ("--config", "cmp/run.toml"),
        ("--config", "cmp/leiden/run.toml"),
        ("--labels", "cmp/leiden/labels.csv"),
    ] {
        let again = [&compare[..], &["--overwrite", flag, input]].concat();
        keeps(&folder, input, &again, REPLACED);
    }
    // Continuing with its own settings replaces nothing.
    let again = ["--config", "cmp/run.toml", "--quiet"];
    run(&folder, &[&compare[..], &again].concat());
}

#[test]
fn the_run_that_another_starts_from_is_kept() {
    let folder = folder("outputs-from");
    let edges = two_cliques(&folder);
    let cluster = ["cluster", &edges];
    run(&folder, &[&cluster[..], &QUICK].concat());
    let first = "runs/cluster-edges-bn-0";
    let from = [&cluster[..], &["--from", first], &QUICK].concat();
    let labels = read(folder.join(first).join("labels.csv"));
    for more in [&["--overwrite"][..], &["--overwrite", "--out", first]] {
        refused(&folder, &[&from[..], more].concat(), &[first, REPLACED]);
        assert!(read(folder.join(first).join("labels.csv")) == labels);
    }
    // Without --out, another directory is used.
    run(&folder, &from);
    assert!(folder.join(format!("{first}-2/previous.csv")).exists());
}

#[test]
fn a_graph_of_a_folder_is_not_converted_onto_itself() {
    let folder = folder("outputs-convert");
    fs::create_dir(folder.join("one")).expect("a folder");
    fs::write(folder.join("one/graphs.csv"), "file,target\ng0.csv,x\n").expect("a table");
    fs::write(folder.join("one/g0.csv"), "0,1\n1,2\n").expect("a graph");
    for file in ["one/g0.csv", "one/graphs.csv"] {
        keeps(&folder, file, &["data", "convert", "one", file], INPUT);
    }
    run(&folder, &["data", "convert", "one", "one/other.csv"]);
}

#[test]
fn pictures_do_not_replace_an_input() {
    let folder = folder("outputs-plots");
    fs::rename(folder.join(two_cliques(&folder)), folder.join("graph.svg")).expect("renamed");
    let read_so = ["cluster", "graph.svg", "--format", "edge-list", "--out"];
    let cluster = [&read_so[..], &["run", "--plots", "."], &QUICK].concat();
    keeps(&folder, "graph.svg", &cluster, INPUT);
    assert!(!folder.join("run").exists(), "it is said before the work");
    run(&folder, &[&read_so[..], &["run"], &QUICK].concat());
    for again in [
        &["report", "run", "--plots", "."][..],
        &["cluster", "--resume", "--out", "run", "--plots", "."],
    ] {
        keeps(&folder, "graph.svg", again, INPUT);
    }
    run(&folder, &["report", "run", "--plots", "pictures"]);
    // Plots of an older run are not inputs.
    run(&folder, &["report", "run", "--plots", "pictures"]);
}

/// Returns two values per node in NumPy format.
fn npy(nodes: usize) -> Vec<u8> {
    let header = format!(
        "{{'descr': '<f4', 'fortran_order': False, 'shape': ({nodes}, 2), }}{:24}\n",
        ""
    );
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend((0..2 * nodes).flat_map(|i| (i as f32).to_le_bytes()));
    bytes
}

#[test]
fn pooled_graphs_do_not_replace_an_input() {
    let folder = folder("outputs-pooled");
    let data = shapes(&folder, 8);
    let train = ["train", "--data", &data, "--out", "run", "--folds", "0"];
    run(&folder, &[&train[..], &SMALL, &QUICK].concat());
    fs::copy(folder.join("shapes/g1.csv"), folder.join("x.csv")).expect("copied");
    fs::write(folder.join("x.features.npy"), npy(6)).expect("features");
    let predict = ["predict", "--run", "run", "x.csv"];
    let features = ["--features", "x.features.npy", "--pooled", "."];
    let both = [&predict[..], &features].concat();
    keeps(&folder, "x.features.npy", &both, INPUT);
    // It is not an input of this run, so results may be overwritten.
    for _ in 0..2 {
        run(&folder, &[&predict[..], &["--pooled", "pooled"]].concat());
    }
}
