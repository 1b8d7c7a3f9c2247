//! Tests of conventions of the workspace: dependencies point downwards, and
//! versions are defined in one place.

use cargo_metadata::{DependencyKind, MetadataCommand};
use std::collections::BTreeMap;

/// Crates from top to bottom: a crate may depend on later ones.
const ORDER: [&str; 12] = [
    "bnpool-wheel",
    "bnpool-python",
    "bnpool-cli",
    "bnpool-mpi",
    "bnpool-task",
    "bnpool",
    "bnpool-report",
    "bnpool-community",
    "bnpool-io",
    "bnpool-graph",
    "bnpool-math",
    "bnpool-parallel",
];

fn metadata() -> cargo_metadata::Metadata {
    MetadataCommand::new()
        .no_deps()
        .exec()
        .expect("cargo describes the workspace")
}

#[test]
fn dependencies_point_down_only() {
    let metadata = metadata();
    let place: BTreeMap<&str, usize> = ORDER.iter().enumerate().map(|(i, n)| (*n, i)).collect();
    let names: Vec<String> = metadata
        .packages
        .iter()
        .map(|p| p.name.to_string())
        .collect();
    for name in ORDER {
        assert!(names.iter().any(|n| n == name), "{name} is missing");
    }
    for package in &metadata.packages {
        let own = place[package.name.as_str()];
        for dependency in &package.dependencies {
            // Its own tests may ask a crate for a feature.
            if dependency.name == package.name.as_str() {
                continue;
            }
            if let Some(&other) = place.get(dependency.name.as_str()) {
                assert!(
                    own < other,
                    "{} must not depend on {}",
                    package.name,
                    dependency.name
                );
            }
        }
    }
}

/// Only the wheel depends on both front ends.
#[test]
fn front_ends_do_not_depend_on_each_other() {
    let fronts = ["bnpool-cli", "bnpool-python"];
    for package in metadata().packages {
        if fronts.contains(&package.name.as_str()) {
            for dependency in &package.dependencies {
                let name = dependency.name.as_str();
                assert!(
                    !fronts.contains(&name),
                    "{} depends on {name}",
                    package.name
                );
            }
        }
    }
}

#[test]
fn graphs_numbers_and_reports_know_nothing_of_burn() {
    for package in metadata().packages {
        if [
            "bnpool-report",
            "bnpool-community",
            "bnpool-io",
            "bnpool-graph",
            "bnpool-math",
        ]
        .contains(&package.name.as_str())
        {
            let burn = package
                .dependencies
                .iter()
                .find(|d| d.name.starts_with("burn") && d.kind == DependencyKind::Normal);
            assert!(burn.is_none(), "{} depends on Burn", package.name);
        }
    }
}

#[test]
fn versions_stand_in_the_workspace_alone() {
    for package in metadata().packages {
        let text = std::fs::read_to_string(&package.manifest_path).expect("a manifest");
        let mut section = String::new();
        for line in text.lines() {
            if line.starts_with('[') {
                section = line.to_owned();
            } else if section.contains("dependencies]") && line.contains('=') {
                assert!(
                    line.contains("workspace = true"),
                    "{}: `{line}` names a version of its own",
                    package.manifest_path
                );
            }
        }
    }
}

/// Labels of the source of the paper, which is not part of the repository.
const LABELS: [&str; 22] = [
    "app:imp_details",
    "app:sparse_impl",
    "eq:aux_loss",
    "eq:elbo",
    "eq:model_defintion",
    "eq:pre_transform",
    "eq:q_K",
    "eq:q_pi",
    "eq:rec_loss",
    "eq:sparse_rec_loss",
    "eq:sticks",
    "lst:clust_ass",
    "lst:losses",
    "lst:priors",
    "sec:exp_class",
    "sec:exp_clustering",
    "sec:method",
    "tab:hyperparameters",
    "tab:graph-classification",
    "tab:nonempty",
    "tab:optimal-hyperparams",
    "tab:results_clustering",
];

/// Reads all text files of the repository.
fn texts() -> Vec<(String, String)> {
    fn walk(folder: &std::path::Path, found: &mut Vec<(String, String)>) {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if name.starts_with('.') || name == "target" {
                continue;
            }
            if path.is_dir() {
                walk(&path, found);
            } else if name.ends_with(".rs") || name.ends_with(".md") {
                let text = std::fs::read_to_string(&path).expect("text");
                found.push((path.display().to_string(), text));
            }
        }
    }
    let mut found = Vec::new();
    walk(metadata().workspace_root.as_std_path(), &mut found);
    found
}

#[test]
fn the_paper_is_cited_by_labels_that_it_has() {
    let kinds = ["eq:", "sec:", "app:", "lst:", "tab:", "fig:"];
    let numbered = ["equation ", "section ", "listing ", "table "];
    let mut cited = 0;
    for (path, text) in texts() {
        if path.ends_with("library/workspace.rs") {
            continue;
        }
        for quoted in text.split('`').skip(1).step_by(2) {
            if kinds.iter().any(|kind| quoted.starts_with(kind)) {
                assert!(LABELS.contains(&quoted), "{path} cites {quoted}");
                cited += 1;
            }
        }
        let lower = text.to_lowercase();
        for word in numbered {
            for (place, _) in lower.match_indices(word) {
                let rest = &lower[place + word.len()..];
                let numbered = rest.starts_with(|c: char| c.is_ascii_digit());
                // Numbers are allowed for other papers.
                let other = rest.chars().take(30).collect::<String>().contains("et al.");
                assert!(
                    !numbered || other,
                    "{path} cites {word}{}",
                    rest.chars().take(20).collect::<String>()
                );
            }
        }
    }
    assert!(cited >= 15, "{cited} citations");
}

/// ARCHITECTURE.md and the code give the same edge of the spectrum.
#[test]
fn the_edge_of_the_spectrum_is_written_as_it_is_computed() {
    let root = metadata().workspace_root;
    let read = |path: &str| std::fs::read_to_string(root.join(path)).expect("text");
    let code = read("crates/bnpool-task/src/cluster/start.rs");
    assert!(code.contains("2.0 * (degree - 1.0).sqrt() / degree"));
    for text in [code, read("ARCHITECTURE.md")] {
        assert!(text.contains("2√(d̄−1)/d̄"));
        assert!(!text.contains("2/√d̄"));
    }
}

/// Descriptions of golden values cite existing files.
#[test]
fn fixtures_cite_files_that_are_here() {
    let root = metadata().workspace_root;
    let mut cited = 0;
    for folder in ["fixtures", "crates/bnpool-io/tests/data"] {
        let folder = root.join(folder);
        let entries = std::fs::read_dir(&folder).expect("a folder").flatten();
        let mut texts = Vec::new();
        for path in entries
            .map(|entry| entry.path())
            .filter(|path| path.is_file())
        {
            let text = std::fs::read_to_string(&path).expect("text");
            if path.extension().is_some_and(|kind| kind == "json") {
                // Only the descriptions of the numbers.
                texts.extend(["\"doc\": \"", "\"note\": \""].iter().flat_map(|key| {
                    let said = text.split(key).skip(1);
                    said.map(|rest| rest.split('"').next().unwrap_or_default().to_owned())
                }))
            } else {
                texts.push(text)
            }
        }
        for text in texts {
            let words = text.split(|c: char| !c.is_ascii_alphanumeric() && !"_-./".contains(c));
            let is_file = |word: &&str| {
                let kinds = [".json", ".py", ".md", ".tex", ".rs", ".txt"];
                kinds
                    .iter()
                    .any(|kind| word.len() > kind.len() && word.ends_with(kind))
            };
            for word in words.filter(is_file) {
                let is_here = folder.join(word).exists() || root.join(word).exists();
                assert!(is_here, "{folder} cites {word}");
                cited += 1;
            }
        }
    }
    assert!(cited > 15, "{cited} files");
}

#[test]
fn the_rust_version_is_one_that_burn_takes() {
    let all = MetadataCommand::new().exec().expect("the dependencies");
    let version = |name: &str| {
        let package = all.packages.iter().find(|p| p.name.as_str() == name);
        package
            .and_then(|p| p.rust_version.clone())
            .expect("a version")
    };
    assert!(version("bnpool") >= version("burn"));
}

/// Modules of `bnpool` from top to bottom: a module may use later ones.
const ROOMS: [&str; 5] = ["model", "pool", "nn", "batch", "ops"];

#[test]
fn rooms_use_those_below_them_only() {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/src/");
    let place: BTreeMap<&str, usize> = ROOMS.iter().enumerate().map(|(i, n)| (*n, i)).collect();
    let mut seen = 0;
    for (path, text) in texts() {
        let normal = path.replace('\\', "/");
        let Some(inside) = normal.split("crates/bnpool/src/").nth(1) else {
            continue;
        };
        let room = inside.split('/').next().unwrap_or_default();
        let Some(&own) = place.get(room) else {
            continue;
        };
        for used in text.split("crate::").skip(1) {
            let used = used
                .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
                .next();
            if let Some(&other) = used.and_then(|name| place.get(name)) {
                assert!(own <= other, "{inside} uses {}", ROOMS[other]);
                seen += 1;
            }
        }
    }
    assert!(seen > 100, "{seen} uses below {source}");
}
