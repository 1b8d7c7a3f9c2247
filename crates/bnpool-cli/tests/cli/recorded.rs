//! Results in one file, and the document that is made of them.

use crate::reproduce::{lines, mutag, refuses, run, tiny_set, written};
use crate::support::{folder, text};
use std::fs;
use std::path::{Path, PathBuf};

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

#[test]
fn packs_of_workers_are_one_directory() {
    let folder = folder("reproduce-packs");
    tiny_set(&folder, "MUTAG");
    for (shard, out) in [("1/2", "1"), ("2/2", "2")] {
        run(&folder, &mutag(&["--shard", shard, "--out", out]));
        assert_eq!(written(&folder.join(out)).len(), 3);
    }
    run(&folder, &mutag(&["--merge", "1", "2", "--out", "folders"]));
    let packs = ["--merge", "2/results.jsonl", "1/results.jsonl"];
    run(&folder, &mutag(&[&packs[..], &["--out", "packs"]].concat()));
    for file in ["results.jsonl", "graphs.csv", "graphs.md"] {
        let [a, b] = ["folders", "packs"].map(|place| fs::read(folder.join(place).join(file)));
        assert!(a.expect(file) == b.expect(file), "{file} differs");
    }
    // Presets that are not asked for are named.
    refuses(
        &folder,
        &mutag(&["--merge", "1", "--out", "p", "--preset", "default"]),
        &["no finished results of `graphs`", "those of --preset paper"],
    );
    // A run that was taken from a pack is not made again.
    let out = run(&folder, &mutag(&["--out", "packs"]));
    let said = "graphs: 6 runs (6 of them finished before), to packs";
    assert_eq!(text(&out.stderr).trim(), said);
}

/// Sections of docs/REPRODUCTION.md that are made of the recorded results.
const SECTIONS: [&str; 11] = [
    "datasets",
    "clustering",
    "clustering-search",
    "graphs",
    "graphs-extra",
    "clusters",
    "resources-nodes",
    "resources-graphs",
    "epochs",
    "sensitivity",
    "figure-histograms",
];

#[test]
fn the_document_is_made_of_the_recorded_results() {
    let folder = folder("reproduce-recorded");
    let document = folder.join("REPRODUCTION.md");
    let written = fs::read_to_string(docs().join("REPRODUCTION.md")).expect("the document");
    fs::write(&document, &written).expect("a copy");
    let pack = docs().join("records/results.jsonl");
    let common = ["--out", "o", "--document", "REPRODUCTION.md"];
    for item in SECTIONS {
        let merge = [item, "--preset", "default,paper,paper-code", "--merge"];
        let pack = [pack.to_str().expect("a plain path")];
        run(&folder, &[&merge[..], &pack, &common].concat());
    }
    for item in ["figure-dp", "figure-sticks", "figure-urn"] {
        run(&folder, &[&[item][..], &common].concat());
    }
    let made = fs::read_to_string(&document).expect("the copy");
    for (a, b) in made.lines().zip(written.lines()) {
        assert_eq!(a, b, "made by the command, and in docs/REPRODUCTION.md");
    }
    assert_eq!(made.len(), written.len());
    // Every recorded run is of the settings of today, so that none is made again.
    assert!(!made.contains("made with other settings"));
    let merged = lines(&folder.join("o/results.jsonl"));
    assert_eq!(merged, lines(&pack), "every line is the recorded one");
}
