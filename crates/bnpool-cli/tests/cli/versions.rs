//! Tests of new versions of a graph: continued communities, labels of new
//! nodes.

use crate::support::{bnpool_in, folder, json_of, text};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Writes a ring of cliques, each given by prefix and size.
fn cliques_file(path: &Path, cliques: &[(&str, usize)]) {
    let mut edges = String::new();
    for (i, (name, size)) in cliques.iter().enumerate() {
        for u in 0..*size {
            for v in u + 1..*size {
                edges += &format!("{name}{u},{name}{v}\n");
            }
        }
        edges += &format!("{name}0,{}1\n", cliques[(i + 1) % cliques.len()].0);
    }
    fs::write(path, edges).expect("edges");
}

#[test]
fn a_new_version_of_a_graph_starts_from_a_run() {
    let folder = folder("versions-from");
    let before = [("a", 9), ("b", 8), ("c", 7), ("d", 6)];
    cliques_file(&folder.join("old.csv"), &before);
    json_of(&folder, &["cluster", "old.csv", "--out", "old", "--json"]);
    // d died, e is born, and c is now the largest.
    let after = [("a", 9), ("b", 8), ("c", 12), ("e", 7)];
    cliques_file(&folder.join("new.csv"), &after);
    let from = [
        "cluster", "new.csv", "--from", "old", "--out", "new", "--json",
    ];
    let found = json_of(&folder, &from);
    let changes = &found["changes"];
    assert_eq!(changes["shared_nodes"], 24);
    assert_eq!(
        (&changes["new_nodes"], &changes["gone_nodes"]),
        (&12.into(), &6.into())
    );
    assert_eq!(
        changes["born"],
        serde_json::json!([{"community": 3, "size": 7}])
    );
    assert_eq!(
        changes["died"],
        serde_json::json!([{"community": 3, "size": 6}])
    );
    let kept: Vec<(u64, u64)> = changes["continued"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|c| {
            (
                c["community"].as_u64().unwrap(),
                c["previous"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(kept, [(0, 2), (1, 0), (2, 1)]);
    let labels = fs::read_to_string(folder.join("new/labels.csv")).expect("labels");
    let line = |id: &str| {
        let start = format!("{id},");
        labels
            .lines()
            .find(|l| l.starts_with(&start))
            .expect("a line")
    };
    assert!(labels.starts_with("node,cluster,confidence,entropy,level_1,previous\n"));
    assert!(line("c11").ends_with(",2") && line("a0").ends_with(",0"));
    assert!(line("e0").ends_with(','));
    // The report is created from the run's own copy.
    fs::rename(folder.join("old"), folder.join("moved")).expect("moved");
    let out = bnpool_in(&folder, &["report", "new"]);
    assert!(out.status.success(), "{}", text(&out.stderr));
}

#[test]
fn what_cannot_be_a_start_is_refused_in_a_line() {
    let folder = folder("versions-from-odd");
    cliques_file(&folder.join("old.csv"), &[("a", 6), ("b", 6)]);
    cliques_file(&folder.join("other.csv"), &[("x", 6), ("y", 6)]);
    json_of(&folder, &["cluster", "old.csv", "--out", "old", "--json"]);
    let refused = |arguments: &[&str], words: &str| {
        let out = bnpool_in(&folder, arguments);
        let said = text(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(words), "{said}");
        assert_eq!(said.matches("error:").count(), 1, "{said}");
    };
    refused(&["cluster", "other.csv", "--from", "old"], "shares no node");
    refused(
        &["cluster", "old.csv", "--from", "none"],
        "name the directory of a run",
    );
    refused(
        &["cluster", "old.csv", "--from", "old", "--pooler", "leiden"],
        "the pooler leiden",
    );
    refused(&["predict", "--run", "old", "other.csv"], "shares no node");
    refused(
        &["predict", "--run", "old", "old.csv", "--fold", "1"],
        "--fold is for runs",
    );
    let leiden = [
        "cluster", "old.csv", "--pooler", "leiden", "--out", "leiden", "--json",
    ];
    json_of(&folder, &leiden);
    refused(
        &["predict", "--run", "leiden", "old.csv"],
        "cannot label new ones",
    );
    assert!(!folder.join("runs").exists());
}

#[test]
fn new_nodes_are_labelled_without_training() {
    let folder = folder("versions-predict");
    cliques_file(&folder.join("old.csv"), &[("a", 9), ("b", 8), ("c", 7)]);
    json_of(&folder, &["cluster", "old.csv", "--out", "old", "--json"]);
    cliques_file(&folder.join("new.csv"), &[("a", 10), ("b", 8), ("c", 9)]);
    // Two nodes that are not connected to known ones.
    let edges = fs::read_to_string(folder.join("new.csv")).expect("edges") + "x,y\n";
    fs::write(folder.join("new.csv"), edges).expect("edges");
    let rows = json_of(&folder, &["predict", "--run", "old", "new.csv", "--json"]);
    let rows = rows.as_array().expect("a list");
    assert_eq!(rows.len(), 29);
    for row in rows {
        let cluster = match &row["node"].as_str().expect("an id")[..1] {
            "a" => Value::from(0),
            "b" => Value::from(1),
            "c" => Value::from(2),
            _ => Value::Null,
        };
        assert_eq!(row["cluster"], cluster, "{row}");
        let confidence = row["confidence"].as_f64().expect("a number");
        assert!(cluster.is_null() || confidence > 0.5, "{row}");
    }
    let out = bnpool_in(
        &folder,
        &["predict", "--run", "old", "new.csv", "--out", "said.csv"],
    );
    assert!(out.status.success() && out.stdout.is_empty());
    assert!(text(&out.stderr).contains("no path connects 2 new nodes"));
    let csv = fs::read_to_string(folder.join("said.csv")).expect("labels");
    assert!(csv.starts_with("node,cluster,confidence\n") && csv.contains("\nx,,0.000000\n"));
}
