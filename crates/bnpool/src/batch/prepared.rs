//! Coarsenings that are computed before training.
//!
//! `PoolSettings::coarsen` names the computation. The task runs it for every graph in
//! parallel and keeps the results with the data, expensive ones also on disk. A batch
//! joins them as [`Prepared`]; every pooler takes the first and hands on the rest.

use super::Assignment;
use bnpool_graph::coarsen::Assigned;
use bnpool_graph::{Csr, GraphError, Matrix};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The coarsening of one graph. It depends on the graph alone, so it is
/// computed once, before training.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Coarsening {
    /// Supernode of each node.
    pub clusters: Vec<u32>,
    /// Number of supernodes.
    pub supernodes: usize,
    /// Values of several linear maps onto the supernodes, [nodes, maps]. Empty if
    /// all nodes have weight 1.
    pub maps: Vec<f32>,
    /// Edges between supernodes.
    pub adjacency: Csr,
}

impl Coarsening {
    /// A coarsening by an assignment, with the edges between supernodes.
    #[must_use]
    pub fn assigned(assigned: &Assigned, adjacency: Csr) -> Self {
        Self {
            clusters: assigned.clusters().to_vec(),
            supernodes: assigned.supernodes(),
            maps: Vec::new(),
            adjacency,
        }
    }
}

/// The concatenated coarsenings of the graphs of a batch, at one depth.
#[derive(Debug, Clone)]
pub struct PreparedLevel {
    /// Supernode of each node.
    pub assignment: Assignment,
    /// Values of the linear maps, [nodes, maps].
    pub maps: Option<Matrix>,
    /// Edges between supernodes.
    pub adjacency: Arc<Csr>,
}

/// The precomputed coarsenings of a batch: one per remaining pooler.
#[derive(Debug, Clone, Default)]
pub struct Prepared(Arc<[Arc<PreparedLevel>]>);

impl Prepared {
    /// Concatenates the coarsenings of several graphs, each with one per depth.
    ///
    /// # Errors
    ///
    /// Returns an error if a coarsening does not match its graph.
    ///
    /// # Complexity
    ///
    /// O(nodes + pooled edges) per depth.
    pub fn join(graphs: &[&[Coarsening]]) -> Result<Self, GraphError> {
        let depth = graphs.iter().map(|graph| graph.len()).min().unwrap_or(0);
        let levels = (0..depth).map(|d| {
            let coarsenings: Vec<&Coarsening> = graphs.iter().map(|graph| &graph[d]).collect();
            Ok(Arc::new(PreparedLevel::join(&coarsenings)?))
        });
        Ok(Self(levels.collect::<Result<Vec<_>, GraphError>>()?.into()))
    }

    /// Coarsening for the next pooler.
    #[must_use]
    pub fn next(&self) -> Option<&Arc<PreparedLevel>> {
        self.0.first()
    }

    /// Coarsenings for the poolers after the next one.
    #[must_use]
    pub fn rest(&self) -> Self {
        Self(self.0.iter().skip(1).cloned().collect())
    }
}

impl PreparedLevel {
    fn join(graphs: &[&Coarsening]) -> Result<Self, GraphError> {
        let nodes: usize = graphs.iter().map(|graph| graph.clusters.len()).sum();
        let mut clusters = Vec::with_capacity(nodes);
        let mut offsets = vec![0];
        for graph in graphs {
            let first = offsets[offsets.len() - 1];
            clusters.extend(graph.clusters.iter().map(|&c| first as u32 + c));
            offsets.push(first + graph.supernodes);
        }
        let maps: Vec<f32> = graphs.iter().flat_map(|g| &g.maps).copied().collect();
        let maps = match maps.len().checked_div(nodes) {
            Some(count) if count > 0 => Some(Matrix::new(nodes, count, maps)?),
            _ => None,
        };
        let blocks: Vec<&Csr> = graphs.iter().map(|graph| &graph.adjacency).collect();
        Ok(Self {
            assignment: Assignment::new(clusters, offsets)?,
            maps,
            adjacency: Arc::new(Csr::block_diagonal(&blocks)?),
        })
    }
}
