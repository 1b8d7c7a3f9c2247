//! Counts of data sets, for the paper's two tables of them.

use super::data::Data;
use crate::terminal::message::Failure;
use bnpool_io::dataset::{Dataset, load};
use std::collections::BTreeMap;

/// The counts of a data set.
pub fn count(name: &str, data: &Data) -> Result<BTreeMap<String, f64>, Failure> {
    let set = load(name, &data.options(false))?;
    let summary = set.summary();
    let [node_labels, edge_labels] = labels(&set);
    let mut counts = vec![
        ("graphs", summary.graphs as f64),
        ("nodes", summary.nodes),
        ("edges", summary.edges),
        ("features", summary.features as f64),
        ("classes", summary.classes as f64),
        (
            "edge_attributes",
            summary.edge_features.saturating_sub(edge_labels) as f64,
        ),
    ];
    if let Some(density) = summary.density {
        counts.extend([("intra", density.intra), ("inter", density.inter)]);
    }
    // Other files do not tell attributes and labels apart.
    if set.coding.is_some() {
        let attributes = if is_constant(&set) {
            0
        } else {
            summary.features.saturating_sub(node_labels)
        };
        let labels = if node_labels > 0 { 1.0 } else { 0.0 };
        counts.extend([("attributes", attributes as f64), ("labels", labels)]);
    }
    let counts = counts.into_iter();
    Ok(counts.map(|(key, n)| (key.to_owned(), n)).collect())
}

/// Features that code the labels of nodes and of edges.
fn labels(set: &Dataset) -> [usize; 2] {
    let Some(coding) = &set.coding else {
        return [0; 2];
    };
    [&coding.node_labels, &coding.edge_labels].map(|ranges| {
        let widths = ranges.iter().map(|(low, high)| (high - low + 1).max(0));
        widths.sum::<i64>() as usize
    })
}

/// Whether all features are ones: a set without attributes and labels gets those.
fn is_constant(set: &Dataset) -> bool {
    set.graphs.iter().all(|graph| {
        let dense = graph.features().to_dense();
        dense.as_slice().iter().all(|&x| x == 1.0)
    })
}
