//! Readers take at most three times the memory of the arrays they make. Reads
//! the peak of the process from Linux; elsewhere there is nothing to read, and
//! the test says so. Every file is read in a process of its own, because memory
//! that was used before and is free again does not show in the peak.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

use bnpool_graph::{Csr, Graph};
use bnpool_io::format::csr_bundle::write_csr_bundle;
use bnpool_io::format::tu::{TuOptions, read_tu};
use bnpool_io::format::{ReadOptions, read_graph};

/// Peak resident memory in bytes since the last [`reset`].
#[cfg(target_os = "linux")]
fn peak() -> Option<usize> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

/// Sets the peak back to what is resident now.
#[cfg(target_os = "linux")]
fn reset() -> bool {
    fs::write("/proc/self/clear_refs", "5").is_ok()
}

#[cfg(not(target_os = "linux"))]
fn peak() -> Option<usize> {
    None
}

#[cfg(not(target_os = "linux"))]
fn reset() -> bool {
    false
}

/// A number below `bound` that looks random.
fn spread(k: u64, bound: u64) -> u64 {
    (k.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20) % bound
}

fn matrix_bytes(matrix: &Csr) -> usize {
    8 * matrix.offsets().len()
        + 4 * matrix.columns().len()
        + 4 * matrix.weights().map_or(0, <[f32]>::len)
}

fn graph_bytes(graph: &Graph) -> usize {
    let names = graph.node_ids().unwrap_or(&[]).iter();
    matrix_bytes(graph.adjacency())
        + names
            .map(|name| size_of::<String>() + name.len())
            .sum::<usize>()
}

/// The file for the other process.
const KIND: &str = "BNPOOL_MEMORY_KIND";
const PATH: &str = "BNPOOL_MEMORY_PATH";

/// Reads in another process, which compares its peak with the arrays.
fn check(kind: &str, path: &Path) {
    let output = Command::new(env::current_exe().unwrap())
        .args(["--exact", "read_alone", "--ignored", "--nocapture"])
        .env(KIND, kind)
        .env(PATH, path)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    println!("{text}");
    assert!(output.status.success(), "{kind}: {text}");
    assert!(text.contains("1 passed"), "{kind}: {text}");
}

#[test]
#[ignore = "started by the other test"]
fn read_alone() {
    let (kind, path) = (env::var(KIND).unwrap(), env::var(PATH).unwrap());
    let path = Path::new(&path);
    let options = ReadOptions {
        directed: kind == "directed",
        ..ReadOptions::default()
    };
    if !reset() {
        println!("skipped: this system does not tell the peak of memory");
        return;
    }
    let before = peak().unwrap();
    let graphs = match &kind[..] {
        "TU" => read_tu(path, &TuOptions::default()).unwrap().graphs,
        _ => vec![read_graph(path, &options).unwrap().0],
    };
    let extra = peak().unwrap() - before;
    let arrays: usize = graphs.iter().map(graph_bytes).sum();
    let ratio = extra as f64 / arrays as f64;
    println!("{kind}: {extra} bytes for arrays of {arrays}, {ratio:.2} times");
    // So large that what the process itself takes does not matter, and all of
    // the arrays among what was counted.
    assert!(arrays > 10_000_000 && ratio >= 1.0, "{kind}: {arrays}");
    assert!(ratio <= 3.0, "{kind}: {ratio:.2} times");
}

fn write_edge_list(path: &Path, name: &str) {
    let nodes = 300_000;
    let mut text = String::new();
    for k in 0..2_000_000 {
        let (u, v) = (spread(k, nodes), spread(k * k, nodes));
        writeln!(text, "{name}{u} {name}{v}").unwrap();
    }
    fs::write(path, text).unwrap();
}

fn write_tu(folder: &Path) {
    let nodes = 300;
    let (mut edges, mut indicator, mut labels) = (String::new(), String::new(), String::new());
    for graph in 1..=2000 {
        let first = (graph - 1) * nodes + 1;
        for k in 0..2 * nodes {
            let (u, v) = (first + k % nodes, first + spread(k * graph, nodes));
            writeln!(edges, "{u}, {v}\n{v}, {u}").unwrap();
        }
        indicator.extend((0..nodes).map(|_| format!("{graph}\n")));
        writeln!(labels, "{}", graph % 2).unwrap();
    }
    for (part, text) in [
        ("A", edges),
        ("graph_indicator", indicator),
        ("graph_labels", labels),
    ] {
        fs::write(folder.join(format!("T_{part}.txt")), text).unwrap();
    }
}

#[test]
fn readers_take_three_times_their_result_at_most() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("edges.txt");
    for name in ["", "user"] {
        write_edge_list(&file, name);
        for kind in ["directed", "symmetric"] {
            check(kind, &file);
        }
    }
    let bundle = folder.path().join("graph.npz");
    let graph = read_graph(&file, &ReadOptions::default()).unwrap().0;
    write_csr_bundle(&bundle, &graph).unwrap();
    check("bundle", &bundle);
    write_tu(folder.path());
    check("TU", folder.path());
}
