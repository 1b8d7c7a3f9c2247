//! Counts of data sets, for the paper's two tables of them.

use super::cell::{Cell, Run};
use super::item::Task;
use super::item::{ALL_GRAPH_SETS, CITATIONS};
use super::place::Data;
use super::selection::Only;
use crate::message::Failure;
use bnpool_io::dataset::{Dataset, load};
use std::collections::BTreeMap;

/// The data sets of `--quick`.
const QUICK: [&str; 3] = ["community", "cora", "mutag"];
/// The word that stands for a preset: counts have none.
const PUBLISHED: &str = "published";

/// A count for every data set.
pub fn runs(only: &Only, quick: bool) -> Result<Vec<Run>, Failure> {
    let all: Vec<&str> = CITATIONS.iter().chain(ALL_GRAPH_SETS).copied().collect();
    if let Some(name) = only
        .datasets
        .iter()
        .flatten()
        .find(|name| !all.contains(&name.as_str()))
    {
        return Err(Failure::input(format!(
            "--only dataset={name}: this item has no such dataset; it has {}",
            all.join(", ")
        )));
    }
    let chosen = |name: &&str| match &only.datasets {
        Some(wanted) => wanted.contains(*name),
        None => !quick || QUICK.contains(name),
    };
    let run = |name: &str| {
        let cell = Cell {
            dataset: name.to_owned(),
            pooler: String::new(),
            variant: String::new(),
            preset: PUBLISHED.to_owned(),
            seed: 0,
            fold: 0,
            quick: false,
        };
        Run::count(cell)
    };
    Ok(all.into_iter().filter(chosen).map(run).collect())
}

/// The counts of a data set.
pub fn count(name: &str, data: &Data) -> Result<BTreeMap<String, f64>, Failure> {
    let set = load(name, &data.options(false))?;
    let summary = set.summary();
    let mut counts = BTreeMap::new();
    let mut add = |key: &str, value: f64| {
        counts.insert(key.to_owned(), value);
    };
    add("graphs", summary.graphs as f64);
    add("nodes", summary.nodes);
    add("edges", summary.edges);
    add("features", summary.features as f64);
    add("classes", summary.classes as f64);
    if let Some(density) = summary.density {
        add("intra", density.intra);
        add("inter", density.inter);
    }
    if let Some([attributes, labels]) = attributes_and_labels(&set, summary.features) {
        add("attributes", attributes);
        add("labels", labels);
    }
    add(
        "edge_attributes",
        edge_attributes(&set, summary.edge_features),
    );
    Ok(counts)
}

/// How many node attributes there are, and whether there are node labels, if the
/// files tell the two apart.
fn attributes_and_labels(set: &Dataset, features: usize) -> Option<[f64; 2]> {
    let coding = set.coding.as_ref()?;
    let width = |&(low, high): &(i64, i64)| (high - low + 1).max(0) as usize;
    let labels: usize = coding.node_labels.iter().map(width).sum();
    let attributes = features.saturating_sub(labels);
    // A set without either gets a constant.
    let constant = set.graphs.iter().all(|graph| {
        let dense = graph.features().to_dense();
        dense.as_slice().iter().all(|&x| x == 1.0)
    });
    let attributes = if constant { 0 } else { attributes };
    Some([attributes as f64, f64::from(u8::from(labels > 0))])
}

/// Edge features that are attributes and no labels.
fn edge_attributes(set: &Dataset, edge_features: usize) -> f64 {
    let labels = set.coding.as_ref().map_or(0, |coding| {
        let width = |&(low, high): &(i64, i64)| (high - low + 1).max(0) as usize;
        coding.edge_labels.iter().map(width).sum()
    });
    edge_features.saturating_sub(labels) as f64
}

impl Run {
    /// The count of a data set.
    fn count(cell: Cell) -> Self {
        Self::plain(Task::Count, cell)
    }
}
