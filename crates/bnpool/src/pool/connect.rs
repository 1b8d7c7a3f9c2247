//! CON: the edges between supernodes.

use super::Selection;
use super::select::Membership;
use crate::batch::{Assignment, DenseStructure, Level, Structure, Topology};
use crate::ops::{Segments, pooled_adjacency, reduce};
use bnpool_graph::Csr;
use bnpool_graph::coarsen::{Assigned, CoarsenError, Connect, EdgeWeight, coarsen_graph};
use burn::config::Config;
use burn::tensor::Tensor;
use std::sync::Arc;

/// Parameters of the edges of pooled graphs.
#[derive(Config, Debug, Copy, PartialEq)]
pub struct ConnectConfig {
    /// Set the diagonal to zero, so that self-loops do not dominate the message
    /// passing after the pooler.
    #[config(default = true)]
    pub remove_self_loops: bool,
    /// Normalise symmetrically by the degrees: D^−½ Â D^−½.
    #[config(default = true)]
    pub degree_norm: bool,
}

/// Computes Sᵀ A S of each graph, without post-processing.
///
/// # Shapes
///
/// - assignments: [nodes, C] → [graphs, C, C]
///
/// # Complexity
///
/// O(edges · C + nodes · C²).
#[must_use]
pub fn coarsen(structure: &Structure, assignments: Tensor<2>) -> Tensor<3> {
    let reached = structure.propagate(assignments.clone());
    reduce(structure.segments(), assignments, reached)
}

/// Computes A_pool of each graph for soft assignments (`sec:method` of the
/// paper).
///
/// # Shapes
///
/// - assignments: [nodes, C] → [graphs, C, C]
///
/// # Complexity
///
/// O(edges · C + nodes · C²).
#[must_use]
pub fn connect(structure: &Structure, assignments: Tensor<2>, config: ConnectConfig) -> Tensor<3> {
    let coarse = coarsen(structure, assignments);
    pooled_adjacency(coarse, config.remove_self_loops, config.degree_norm)
}

/// Computes the pooled structure, and the remaining edge features.
///
/// Soft assignments give differentiable dense graphs of equal size. All others
/// give sparse graphs: edges between kept nodes are unchanged, and edges between
/// supernodes have the summed weights of the edges between their members, if
/// these are weighted.
///
/// # Complexity
///
/// O(edges · C + nodes · C²) for soft assignments; O(edges) for others, or O(1)
/// if it was prepared.
pub(super) fn connect_level(
    level: &Level,
    selection: &Selection,
    config: ConnectConfig,
) -> Connected {
    let keys = level.segments().keys();
    let mut overflow = false;
    let (structure, edge_features) = match &selection.membership {
        Membership::Same => (level.structure.clone(), level.edge_features.clone()),
        Membership::Soft(assignments) => {
            let coarse = match &selection.coarse {
                Some(coarse) => coarse.clone(),
                None => coarsen(&level.structure, assignments.clone()),
            };
            let pooled = pooled_adjacency(coarse, config.remove_self_loops, config.degree_norm);
            (Structure::Dense(DenseStructure::new(pooled, keys)), None)
        }
        Membership::Kept { nodes, offsets, .. } => {
            // A dense pooled graph has no sparse edges to select from, so its
            // current values are used, without gradients.
            let (topology, entries) = level.structure.topology().induced(nodes, offsets.clone());
            let edge_features = level.edge_features.as_ref().map(|e| {
                let rows = Membership::rows(&entries, e);
                e.clone().select(0, rows)
            });
            (Structure::Sparse(topology), edge_features)
        }
        Membership::Assigned {
            assignment,
            prepared,
            ..
        } => {
            let adjacency = match prepared {
                Some(prepared) => prepared.adjacency.clone(),
                None => {
                    let adjacency = &level.structure.topology().adjacency;
                    Arc::new(between(adjacency, assignment, config).unwrap_or_else(|_| {
                        overflow = true;
                        Csr::from_edges(assignment.supernodes(), []).expect("no edges")
                    }))
                }
            };
            let segments = Segments::from_offsets(assignment.offsets().to_vec()).with_keys(keys);
            (Structure::Sparse(Topology::new(segments, adjacency)), None)
        }
        Membership::Maps {
            assignment,
            prepared,
            ..
        } => {
            let segments = Segments::from_offsets(assignment.offsets().to_vec()).with_keys(keys);
            let topology = Topology::new(segments, prepared.adjacency.clone());
            (Structure::Sparse(topology), None)
        }
    };
    Connected {
        structure,
        edge_features,
        overflow,
    }
}

/// Result of CON.
pub(super) struct Connected {
    /// The pooled edges.
    pub structure: Structure,
    /// The remaining edge features.
    pub edge_features: Option<Tensor<2>>,
    /// Whether summed weights overflow.
    pub overflow: bool,
}

/// Summed weights of the edges between supernodes.
fn between(
    adjacency: &Csr,
    assignment: &Assignment,
    config: ConnectConfig,
) -> Result<Csr, CoarsenError> {
    let clusters = assignment.clusters().to_vec();
    let assigned = Assigned::new(clusters, assignment.supernodes())?;
    let connect = Connect {
        weight: EdgeWeight::Stored,
        degree_norm: config.degree_norm,
        ..Connect::default()
    };
    coarsen_graph(adjacency, &assigned, &connect)
}
