//! Results in one file, and the document that is made of them.

use crate::reproduce::{FEW, mutag, refuses, reproduce, results, run, tiny_set};
use crate::support::{folder, text};
use std::fs;
use std::path::{Path, PathBuf};

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

fn lines(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).expect("a pack");
    text.lines().map(str::to_owned).collect()
}

#[test]
fn packs_of_shards_are_one_directory() {
    let folder = folder("reproduce-packs");
    tiny_set(&folder, "MUTAG");
    for (shard, out) in [("1/2", "1"), ("2/2", "2")] {
        let pack = format!("{out}.jsonl");
        run(
            &folder,
            &mutag(&["--shard", shard, "--out", out, "--pack", &pack]),
        );
        assert_eq!(lines(&folder.join(pack)).len(), 3);
    }
    run(&folder, &mutag(&["--merge", "1", "2", "--out", "folders"]));
    run(
        &folder,
        &mutag(&["--merge", "1.jsonl", "2.jsonl", "--out", "packs"]),
    );
    let [a, b] = ["folders", "packs"].map(|name| folder.join(name));
    assert_eq!(results(&a), results(&b));
    for name in results(&a).keys() {
        let [a, b] = [&a, &b].map(|place| fs::read(place.join("results").join(name)));
        assert_eq!(a.expect("a result"), b.expect("a result"), "{name}");
    }
    for file in ["graphs.csv", "graphs.md", "graphs.html"] {
        let [a, b] = [&a, &b].map(|place| fs::read(place.join(file)).expect(file));
        assert!(a == b, "{file} differs");
    }
    // Presets that are not asked for are named.
    refuses(
        &folder,
        &mutag(&["--merge", "1.jsonl", "--out", "p", "--preset", "default"]),
        &["no finished results of `graphs`", "those of --preset paper"],
    );
    // What is in a pack stays in it, and a run stands in it once.
    let tables = mutag(&["--tables", "--out", "2", "--pack", "1.jsonl"]);
    let out = run(&folder, &tables);
    assert!(
        text(&out.stderr).contains("6 results, 3 of them new"),
        "{}",
        text(&out.stderr)
    );
    let all = lines(&folder.join("1.jsonl"));
    run(&folder, &tables);
    assert_eq!(lines(&folder.join("1.jsonl")), all);
    // A run that was taken from a pack is not made again.
    let out = run(&folder, &mutag(&["--out", "packs"]));
    let said = "graphs: 6 runs (6 of them finished before), to packs";
    assert_eq!(text(&out.stderr).trim(), said);
}

#[test]
fn a_damaged_pack_is_refused_by_line() {
    let folder = folder("reproduce-pack-damaged");
    tiny_set(&folder, "MUTAG");
    let few = [&FEW[..], &["--pack", "p.jsonl"]].concat();
    run(&folder, &few);
    let pack = folder.join("p.jsonl");
    let whole = fs::read_to_string(&pack).expect("a pack");
    let second = whole.lines().nth(1).expect("two folds");
    for damage in [
        whole.replace(second, &second.replace("\"seed\":0", "\"seed\":1")),
        whole[..whole.len() - 40].to_owned(),
    ] {
        fs::write(&pack, &damage).expect("a file");
        let words = ["p.jsonl, line 2", "damaged"];
        refuses(
            &folder,
            &[&few[..2], &["--merge", "p.jsonl", "--out", "m"]].concat(),
            &words,
        );
        assert!(!folder.join("m/graphs.csv").exists());
        refuses(&folder, &few, &words);
        assert_eq!(
            fs::read_to_string(&pack).expect("a pack"),
            damage,
            "it is left alone"
        );
    }
    // Before anything runs.
    fs::create_dir(folder.join("folder")).expect("a folder");
    for flag in ["--pack", "--document"] {
        let begin = mutag(&["--out", "never", flag, "folder"]);
        refuses(&folder, &begin, &["folder: cannot read"]);
    }
    let begin = mutag(&["--out", "never", "--pack", "p.jsonl"]);
    refuses(&folder, &begin, &["p.jsonl, line 2", "damaged"]);
    assert!(!folder.join("never").exists());
    refuses(
        &folder,
        &["figure-dp", "--pack", "p.jsonl"],
        &["--pack", "`figure-dp`"],
    );
}

/// Sections of docs/REPRODUCTION.md that are made of the recorded results.
const SECTIONS: [&str; 10] = [
    "datasets",
    "clustering",
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
    let pack = docs().join("experiments/results.jsonl");
    let pack = pack.to_str().expect("a plain path");
    let common = ["--out", "o", "--document", "REPRODUCTION.md"];
    for item in SECTIONS {
        let merge = [item, "--preset", "default,paper", "--merge", pack];
        let arguments = [&merge[..], &common].concat();
        let out = reproduce(&folder, &arguments).output().expect("it runs");
        let said = text(&out.stderr);
        if said.contains("made with other settings") {
            eprintln!("skipped: the settings of `{item}` changed since it was recorded: {said}");
            continue;
        }
        assert!(out.status.success(), "{item}: {said}");
    }
    for item in ["figure-dp", "figure-sticks", "figure-urn"] {
        run(&folder, &[&[item][..], &common].concat());
    }
    let made = fs::read_to_string(&document).expect("the copy");
    for (a, b) in made.lines().zip(written.lines()) {
        assert_eq!(a, b, "made by the command, and in docs/REPRODUCTION.md");
    }
    assert_eq!(made.len(), written.len());
}
