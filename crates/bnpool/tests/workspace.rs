//! The house rules that can be checked: dependencies point downwards, and
//! versions stand in one place.

use cargo_metadata::{DependencyKind, MetadataCommand};
use std::collections::BTreeMap;

/// From top to bottom: a crate may depend on those behind it.
const ORDER: [&str; 5] = [
    "bnpool-cli",
    "bnpool",
    "bnpool-report",
    "bnpool-graph",
    "bnpool-math",
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

#[test]
fn graphs_numbers_and_reports_know_nothing_of_burn() {
    for package in metadata().packages {
        if ["bnpool-report", "bnpool-graph", "bnpool-math"].contains(&package.name.as_str()) {
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
