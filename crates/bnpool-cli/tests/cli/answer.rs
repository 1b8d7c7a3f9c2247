//! Tests that the result of `bnpool cluster` is consistent in all files, in the
//! terms of its pooler.

use crate::support::{SMALL, bnpool_in, folder, json_of, said, shapes, text, two_cliques};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Writes a ring of cliques of different sizes, with two classes.
fn write_cliques(folder: &Path) {
    let (mut edges, mut labels) = (String::new(), String::from("node,label\n"));
    let sizes = [9, 8, 7, 3];
    for (clique, &size) in sizes.iter().enumerate() {
        for u in 0..size {
            labels += &format!(
                "n{clique}-{u},{}\n",
                if clique < 2 { "even" } else { "odd" }
            );
            for v in u + 1..size {
                edges += &format!("n{clique}-{u},n{clique}-{v}\n");
            }
        }
        edges += &format!("n{clique}-0,n{}-1\n", (clique + 1) % sizes.len());
    }
    fs::write(folder.join("edges.csv"), edges).expect("edges");
    fs::write(folder.join("classes.csv"), labels).expect("labels");
}

/// Clusters the cliques; returns the output.
fn cluster(folder: &Path, arguments: &[&str]) -> String {
    write_cliques(folder);
    let short = ["--epochs", "40"];
    let epochs = if arguments.contains(&"--epochs") {
        &[][..]
    } else {
        &short
    };
    let all = [
        &["cluster", "edges.csv", "--labels", "classes.csv"][..],
        &["--out", "run", "--overwrite"],
        epochs,
        arguments,
    ]
    .concat();
    let out = bnpool_in(folder, &all);
    assert!(out.status.success(), "{all:?}: {}", text(&out.stderr));
    text(&out.stdout)
}

fn metrics(folder: &Path) -> Value {
    let text = fs::read_to_string(folder.join("run/metrics.json")).expect("metrics");
    serde_json::from_str(&text).expect("JSON")
}

/// Reads rows, columns and values of an `f32` matrix in NumPy format.
fn matrix(path: &Path) -> (usize, usize, Vec<f32>) {
    let bytes = fs::read(path).expect("an array");
    let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let header = text(&bytes[10..10 + length]);
    assert!(header.contains("<f4"), "{header}");
    let shape = header.split(['(', ')']).nth(1).expect("a shape");
    let sides: Vec<usize> = shape
        .split(',')
        .filter_map(|side| side.trim().parse().ok())
        .collect();
    let values: Vec<f32> = bytes[10 + length..]
        .chunks_exact(4)
        .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
        .collect();
    assert_eq!(values.len(), sides[0] * sides[1]);
    (sides[0], sides[1], values)
}

/// Reads cluster and confidence of each node.
fn labels(folder: &Path) -> Vec<(usize, f32)> {
    let text = fs::read_to_string(folder.join("run/labels.csv")).expect("labels");
    let line = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        (
            fields[1].parse().expect("a cluster"),
            fields[2].parse().expect("a number"),
        )
    };
    text.lines().skip(1).map(line).collect()
}

#[test]
fn labels_are_the_largest_memberships() {
    let folder = folder("answer-arrays");
    for arguments in [
        &[][..],
        &["--split-disconnected"],
        &["--min-size", "8"],
        &["--split-disconnected", "--min-size", "5", "--epochs", "2"],
        &["--pooler", "mincut", "--max-clusters", "6", "--epochs", "3"],
    ] {
        cluster(&folder, arguments);
        let labels = labels(&folder);
        let (rows, columns, values) = matrix(&folder.join("run/assignments.npy"));
        assert_eq!(rows, labels.len());
        let mut sizes = vec![0_usize; columns];
        for (row, &(label, confidence)) in values.chunks_exact(columns).zip(&labels) {
            let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let first = row.iter().position(|&x| x == most);
            assert_eq!(first, Some(label), "{arguments:?}: {row:?}");
            assert!((0.0..=1.0).contains(&confidence), "{arguments:?}");
            if arguments.contains(&"mincut") {
                // The membership is the only evidence.
                assert!((row[label] - confidence).abs() < 1e-6, "{arguments:?}");
            }
            sizes[label] += 1;
        }
        assert!(sizes.is_sorted_by(|a, b| a >= b), "{sizes:?}");
        let k = matrix(&folder.join("run/block_matrix.npy"));
        assert_eq!((k.0, k.1), (columns, columns));
        let m = metrics(&folder);
        assert_eq!(m["sizes"], serde_json::json!(sizes), "{arguments:?}");
        // The arrays of the model have other names.
        let clusters = m["max_clusters"].as_u64().expect("a number") as usize;
        let raw = matrix(&folder.join("run/assignments_raw.npy"));
        assert_eq!((raw.0, raw.1), (rows, clusters));
        let raw = matrix(&folder.join("run/block_matrix_raw.npy"));
        assert_eq!((raw.0, raw.1), (clusters, clusters));
    }
}

/// The model has more clusters than there are communities, in another order.
#[test]
fn arrays_and_numbers_are_of_communities_and_not_of_clusters() {
    let folder = folder("answer-columns");
    write_cliques(&folder);
    let paper = ["--preset", "paper", "--max-clusters", "8", "--epochs", "60"];
    let rival = [
        "--pooler",
        "mincut",
        "--max-clusters",
        "6",
        "--epochs",
        "60",
    ];
    let mut moved = 0;
    for arguments in [&paper[..], &rival] {
        let start = ["cluster", "edges.csv", "--out", "run", "--overwrite"];
        let out = bnpool_in(&folder, &[&start[..], arguments].concat());
        assert!(out.status.success(), "{}", text(&out.stderr));
        let m = metrics(&folder);
        let n = m["communities"].as_u64().expect("a number") as usize;
        assert!(m["clusters"].as_u64() > Some(n as u64), "{m}");
        let printed = text(&out.stdout);
        assert!(
            printed.starts_with(&format!("{n} communities")),
            "{printed}"
        );
        let (_, columns, s) = matrix(&folder.join("run/assignments.npy"));
        let (_, clusters, raw) = matrix(&folder.join("run/assignments_raw.npy"));
        assert_eq!(columns, n);
        let largest = |row: &[f32]| {
            let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            row.iter().position(|&x| x == most).expect("a number")
        };
        // The cluster of each community.
        let mut own = vec![0; n];
        for (node, &(label, _)) in labels(&folder).iter().enumerate() {
            assert_eq!(largest(&s[node * n..][..n]), label, "{arguments:?}");
            own[label] = largest(&raw[node * clusters..][..clusters]);
        }
        moved += usize::from(!own.is_sorted());
        let (_, _, k) = matrix(&folder.join("run/block_matrix.npy"));
        let (_, _, raw) = matrix(&folder.join("run/block_matrix_raw.npy"));
        for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
            assert_eq!(
                k[i * n + j],
                raw[own[i] * clusters + own[j]],
                "{arguments:?}"
            );
        }
    }
    assert!(moved > 0, "every cluster stands where its community does");
}

#[test]
fn one_number_everywhere() {
    let folder = folder("answer-number");
    for arguments in [
        &["--seed", "0"][..],
        &["--seed", "1", "--epochs", "3"],
        &["--min-size", "8"],
    ] {
        let printed = cluster(&folder, arguments);
        let m = metrics(&folder);
        let n = m["communities"].as_u64().expect("a number");
        let words = if n == 1 {
            "1 community".into()
        } else {
            format!("{n} communities")
        };
        assert!(printed.starts_with(&format!("{words} (")), "{printed}");
        let found: BTreeSet<usize> = labels(&folder).into_iter().map(|l| l.0).collect();
        assert_eq!(found, (0..n as usize).collect());
        let page = fs::read_to_string(folder.join("run/report.html")).expect("a report");
        assert!(
            page.contains(&format!("<strong>{words}</strong>")),
            "{words}"
        );
        let end = |i: usize| m["communities_interval"][i].as_u64().expect("an end");
        let (low, high) = (end(0), end(1));
        assert!((low..=high).contains(&n), "{low} to {high}: {n}");
        let range = if low == high {
            format!("{low}")
        } else {
            format!("{low} to {high}")
        };
        let (said, shown) = (
            format!("(90 % interval: {range})"),
            format!("90 %: {range}"),
        );
        assert!(printed.contains(&said), "{printed}");
        assert!(page.contains(&shown), "{shown}");
    }
}

/// Indistinguishable nodes may be assigned differently for another order of the
/// file. The agreement of searches quantifies this.
#[test]
fn the_agreement_of_searches_is_shown() {
    let folder = folder("answer-starts");
    let printed = cluster(&folder, &[]);
    let agreement = metrics(&folder)["start_agreement"].as_f64();
    let shown = format!("(AMI {:.2})", agreement.expect("several starts"));
    let page = fs::read_to_string(folder.join("run/report.html")).expect("a report");
    for words in ["Searches from other starts", &shown] {
        assert!(printed.contains(words), "{words}: {printed}");
        assert!(page.contains(words), "{words} in the report");
    }
}

#[test]
fn a_rival_is_spoken_of_in_its_own_words() {
    let folder = folder("answer-rival");
    let printed = cluster(&folder, &["--pooler", "mincut"]);
    let m = metrics(&folder);
    assert!(m["loss"].is_null() && m.get("loss").is_some(), "{m}");
    assert_eq!(m["samples"], 0);
    let n = &m["communities"];
    assert_eq!(m["communities_interval"], serde_json::json!([n, n]));
    let page = fs::read_to_string(folder.join("run/report.html")).expect("a report");
    assert!(page.contains("MinCut found"), "the pooler is named");
    assert!(page.contains("MinCut does not learn the number of communities"));
    for foreign in [
        "BN-Pool",
        "posterior sample",
        "samples of the posterior",
        "90 %",
        "was learned from",
        "its prior",
        "their prior",
        "L_rec",
    ] {
        assert!(!printed.contains(foreign), "`{foreign}`: {printed}");
        assert!(!page.contains(foreign), "`{foreign}` in the report");
    }
    let printed = cluster(&folder, &[]);
    assert!(printed.contains("90 % interval"), "{printed}");
    assert_eq!(metrics(&folder)["loss"], "dense");
    let page = fs::read_to_string(folder.join("run/report.html")).expect("a report");
    assert!(page.contains("BN-Pool found"));
}

#[test]
fn accuracy_is_named_after_the_regression_it_belongs_to() {
    let folder = folder("answer-accuracy");
    let printed = cluster(&folder, &[]);
    let line = printed.lines().find(|line| line.contains("ACC"));
    assert!(
        line.expect("ACC").contains("logistic regression"),
        "{printed}"
    );
}

#[test]
fn hidden_characters_of_names_are_spelled_out_in_reports() {
    let folder = folder("answer-hidden");
    let edges = "a\u{202e}b,c\u{7}d\nc\u{7}d,e\ne,a\u{202e}b\n";
    fs::write(folder.join("odd.csv"), edges).expect("edges");
    let arguments = [
        "cluster", "odd.csv", "--epochs", "2", "--out", "run", "--plots", "plots",
    ];
    let out = bnpool_in(&folder, &arguments);
    assert!(out.status.success(), "{}", text(&out.stderr));
    let mut files = vec![folder.join("run/report.html")];
    let plots = fs::read_dir(folder.join("plots")).expect("plots");
    files.extend(plots.map(|entry| entry.expect("a file").path()));
    for file in files
        .iter()
        .filter(|path| path.extension().is_some_and(|e| e != "png"))
    {
        let page = fs::read_to_string(file).expect("text");
        let hidden = page
            .chars()
            .find(|&c| c == '\u{202e}' || c.is_control() && c != '\n' && c != '\t');
        assert_eq!(hidden, None, "{}", file.display());
    }
    let page = fs::read_to_string(&files[0]).expect("text");
    assert!(page.contains(r"a\\u{202e}b") || page.contains(r"a\u{202e}b"));
}

/// Given features replace the structure for data sets of the paper, and
/// complement it for user data.
#[test]
fn given_features_stand_beside_the_structure() {
    let folder = folder("answer-features");
    write_cliques(&folder);
    let edges = fs::read_to_string(folder.join("edges.csv")).expect("edges");
    let nodes: BTreeSet<&str> = edges.lines().flat_map(|line| line.split(',')).collect();
    let mut table = String::from("node,age\n");
    for (place, node) in nodes.iter().enumerate() {
        table += &format!("{node},{}\n", 20 + place * 7919 % 61);
    }
    fs::write(folder.join("age.csv"), table).expect("features");
    let run = ["--epochs", "2", "--out", "run", "--overwrite"];
    let own = ["cluster", "edges.csv", "--features", "age.csv"];
    let out = bnpool_in(&folder, &[&own[..], &run].concat());
    assert!(out.status.success(), "{}", text(&out.stderr));
    let found: Value = serde_json::from_str(
        &fs::read_to_string(folder.join("run/metrics.json")).expect("metrics"),
    )
    .expect("JSON");
    assert_eq!(found["by_features"], false, "age has nothing to do with it");
    let settings = fs::read_to_string(folder.join("run/run.toml")).expect("settings");
    assert!(settings.contains("source = \"both\""), "{settings}");
    let out = bnpool_in(
        &folder,
        &[&["cluster", "--preset", "default"][..], &run].concat(),
    );
    assert!(out.status.success(), "{}", text(&out.stderr));
    let settings = fs::read_to_string(folder.join("run/run.toml")).expect("settings");
    assert!(settings.contains("source = \"auto\""), "{settings}");
}

/// Collects the keys of all objects in a value.
fn keys(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                found.insert(key.clone());
                keys(value, found);
            }
        }
        Value::Array(list) => list.iter().for_each(|value| keys(value, found)),
        _ => {}
    }
}

/// Returns the metrics of a new version of a graph in which one community is split,
/// two are merged, one died and one is born.
fn many_changes(folder: &Path) -> Value {
    let ring = |path: &str, cliques: &[Vec<String>]| {
        let mut edges = String::new();
        for (i, clique) in cliques.iter().enumerate() {
            for (u, one) in clique.iter().enumerate() {
                for other in &clique[..u] {
                    edges += &format!("{one},{other}\n");
                }
            }
            edges += &format!("{},{}\n", clique[0], cliques[(i + 1) % cliques.len()][1]);
        }
        fs::write(folder.join(path), edges).expect("edges");
    };
    let ids = |name: &str, range: std::ops::Range<usize>| -> Vec<String> {
        range.map(|u| format!("{name}{u}")).collect()
    };
    let [a, b, c, d] = [("a", 16), ("b", 8), ("c", 7), ("d", 6)].map(|(n, s)| ids(n, 0..s));
    ring("old.csv", &[a, b.clone(), c.clone(), d]);
    let halves = [ids("a", 0..9), ids("a", 9..16)];
    let [first, second] = halves;
    ring("new.csv", &[first, second, [b, c].concat(), ids("e", 0..6)]);
    json_of(folder, &["cluster", "old.csv", "--out", "old", "--json"]);
    let from = [
        "cluster", "new.csv", "--from", "old", "--out", "new", "--json",
    ];
    let found = json_of(folder, &from);
    let changes = &found["changes"];
    for kind in ["born", "died", "split", "merged"] {
        assert_eq!(
            changes[kind].as_array().expect("a list").len(),
            1,
            "{changes}"
        );
    }
    let words = bnpool_in(folder, &[&from[..6], &["--overwrite"]].concat());
    let words = text(&words.stdout);
    for line in [
        "born: 3 with 6 nodes",
        "died: previous 3 with 6 nodes",
        "split: previous 0 (16 nodes) into 1 (9), 2 (7)",
        "merged: previous 1 (8), 2 (7) into 0 (15 nodes)",
    ] {
        assert!(words.contains(line), "{words}");
    }
    found
}

#[test]
fn every_key_is_documented_and_every_documented_key_is_written() {
    let folder = folder("answer-json");
    let mut written = BTreeSet::new();
    for arguments in [&["--json"][..], &["--json", "--pooler", "mincut"]] {
        let printed: Value = serde_json::from_str(&cluster(&folder, arguments)).expect("JSON");
        assert_eq!(printed, metrics(&folder));
        assert_eq!(
            (&printed["schema"], &printed["output"]),
            (&1.into(), &"run".into())
        );
        let list = |key: &str| printed[key].as_array().expect("a list").len() as u64;
        let n = printed["communities"].as_u64().expect("a number");
        assert_eq!((list("sizes"), list("confidence")), (n, n));
        keys(&printed, &mut written);
    }
    keys(&many_changes(&folder), &mut written);
    let data = shapes(&folder, 8);
    let arguments = [
        "train", "--data", &data, "--out", "trained", "--epochs", "1", "--json",
    ];
    let out = bnpool_in(&folder, &[&arguments[..], &SMALL].concat());
    assert!(out.status.success(), "{}", text(&out.stderr));
    let printed: Value = serde_json::from_str(&text(&out.stdout)).expect("JSON");
    assert_eq!(
        (&printed["schema"], &printed["output"]),
        (&1.into(), &"trained".into())
    );
    keys(&printed, &mut written);
    let poolers = ["--poolers", "bn,mincut", "--epochs", "1", "--json"];
    for (data, out) in [
        (&["edges.csv", "--labels", "classes.csv"][..], "one"),
        (&["--data", &data, "--folds", "0,1"], "many"),
    ] {
        let settings: &[&str] = if out == "many" { &SMALL } else { &[] };
        let arguments = [&["compare"][..], data, &poolers, &["--out", out], settings];
        let out = bnpool_in(&folder, &arguments.concat());
        assert!(out.status.success(), "{}", text(&out.stderr));
        let printed: Value = serde_json::from_str(&text(&out.stdout)).expect("JSON");
        keys(&printed, &mut written);
    }
    // Only written for stopped runs, and if the search has these stages.
    for key in ["unfinished", "blocks", "random_graphs"] {
        written.insert(key.to_owned());
    }

    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/JSON.md");
    let page = fs::read_to_string(page).expect("docs/JSON.md");
    let cells = page.lines().filter_map(|line| line.strip_prefix("| `"));
    let cells = cells.filter_map(|line| line.split(" |").next());
    let documented: BTreeSet<String> = cells
        .flat_map(|cell| cell.split(", "))
        .map(|key| key.trim_matches('`').to_owned())
        .collect();
    assert_eq!(written, documented);
}

#[test]
fn doubts_are_the_same_everywhere() {
    let folder = folder("answer-doubts");
    // A star has no communities, and communities of pairs are disconnected.
    let star: String = (1..12).map(|leaf| format!("hub,leaf{leaf}\n")).collect();
    let pairs: String = (0..24).map(|pair| format!("u{pair},v{pair}\n")).collect();
    for (name, edges, expected) in [
        ("star.csv", star, "in one community"),
        ("pairs.csv", pairs, "--split-disconnected"),
    ] {
        fs::write(folder.join(name), edges).expect("edges");
        let arguments = [
            "cluster",
            name,
            "--epochs",
            "150",
            "--out",
            "run",
            "--overwrite",
        ];
        let out = bnpool_in(&folder, &arguments);
        assert!(out.status.success(), "{}", text(&out.stderr));
        let printed = text(&out.stdout);
        let m = metrics(&folder);
        let page = fs::read_to_string(folder.join("run/report.html")).expect("a report");
        let warnings = m["warnings"].as_array().expect("warnings");
        assert!(m["warnings"].to_string().contains(expected), "{printed}");
        for warning in warnings {
            let words = warning.as_str().expect("words");
            assert!(printed.contains(&format!("warning: {words}")), "{printed}");
            // Sentences on a page begin with capital letters.
            assert!(page.contains(&words[1..]), "{words}");
        }
        assert!(page.contains("<h2>Warnings</h2>"));
        assert!(page.contains(&format!("<h2>Notes on {name}</h2>")));
    }
    assert!(!cluster(&folder, &[]).contains("warning:"));
    assert_eq!(metrics(&folder)["warnings"], serde_json::json!([]));
}

#[test]
fn agreement_is_at_the_top_of_the_report() {
    let folder = folder("answer-agreement");
    cluster(&folder, &[]);
    let m = metrics(&folder);
    let page = fs::read_to_string(folder.join("run/report.html")).expect("a report");
    let top = &page[..page.find("<nav").expect("links")];
    for (name, key) in [("NMI", "nmi_mean"), ("ARI", "ari_mean")] {
        let value = m[key].as_f64().expect("a score");
        assert!(
            top.contains(&format!("<dt>{name}</dt><dd>{value:.3}<")),
            "{key}"
        );
    }
    assert!(top.contains("edges.csv, labels classes.csv"));
    assert!(page.contains(r#"["n0-"#) || page.contains(r#""n0-"#));
}

#[test]
fn nodes_without_a_label_do_not_count_in_the_agreement() {
    let folder = folder("answer-partial");
    let edges = two_cliques(&folder);
    // If nodes without a label were a class, most nodes would be wrong.
    fs::write(folder.join("some.csv"), "node,class\na1,x\na2,x\nb1,y\n").expect("labels");
    let cluster = ["cluster", &edges, "--labels", "some.csv", "--out", "run"];
    let (code, all) = said(&folder, &cluster);
    assert_eq!(code, Some(0), "{all}");
    assert!(all.contains("3 of 10 nodes have a label"), "{all}");
    assert!(all.contains("NMI 1.000, ARI 1.000"), "{all}");
    let page = fs::read_to_string(folder.join("run/report.html")).expect("a page");
    assert!(page.contains("no label"), "the page does not name them");
}
