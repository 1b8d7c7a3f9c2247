//! Citation networks as npz bundles of compressed rows.

use std::path::Path;

use super::files::{integers, wrong_array};
use crate::format::csr_bundle::read_csr;
use crate::format::npz::Npz;
use crate::format::{Limits, ReadError};
use bnpool_graph::transform::undirect;
use bnpool_graph::{Csr, Graph, GraphError};

/// Reads a bundle as the loader of PyTorch Geometric does: edges both ways,
/// no self-loops, features 1 if they are above 0.
pub(super) fn read_citation(path: &Path, limits: &Limits) -> Result<(Graph, usize), ReadError> {
    let mut npz = Npz::open(path, limits)?;
    let adjacency = read_csr(&mut npz, "adj_", limits)?;
    let features = read_csr(&mut npz, "attr_", limits)?;
    let labels = integers(&mut npz, "labels")?;
    let labels: Option<Vec<u32>> = labels
        .into_iter()
        .map(|label| label.try_into().ok())
        .collect();
    let labels = labels.ok_or_else(|| wrong_array(path, "labels"))?;
    let classes = labels.iter().max().map_or(0, |&last| last as usize + 1);

    let refused = |error: GraphError| ReadError::graph(path, error);
    let nodes = adjacency.rows();
    let edges = adjacency.iter().filter(|&(u, v, _)| u != v);
    let edges = edges.map(|(u, v, _)| (u, v));
    let positive = features.iter().filter(|&(_, _, value)| value > 0.0);
    let positive = positive.map(|(u, word, _)| (u, word));
    let words = Csr::from_positions(features.rows(), features.columns_count(), positive);
    let graph = Graph::builder(Csr::from_edges(nodes, edges).map_err(refused)?)
        .features(words.map_err(refused)?)
        .node_labels(labels)
        .build()
        .map_err(refused)?;
    Ok((undirect(&graph), classes))
}
