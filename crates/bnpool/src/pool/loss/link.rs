//! DiffPool's losses: neighbours share clusters, and each node is in one
//! cluster.

use super::terms::{EPSILON, root, trace};
use crate::batch::{Level, Structure};
use crate::ops::{reduce, team_sum};
use bnpool_parallel::Member;
use burn::tensor::Tensor;

/// ‖A − SSᵀ‖ over all graphs of the batch together (DiffPool; Ying et al.,
/// 2018). If `normalised`, it is divided by the number of graphs times the
/// squared size of the largest.
///
/// The N² entries of SSᵀ are never formed: ‖A − SSᵀ‖² = ‖A‖² − 2 tr(SᵀAS) +
/// ‖SᵀS‖².
///
/// # Shapes
///
/// - assignments: [nodes, K], coarse (SᵀAS): [graphs, K, K] → one value
///
/// # Complexity
///
/// O(nodes · K²) in addition to SᵀAS.
///
/// Within a team, over the graphs of all its members.
#[must_use]
pub fn link_loss(
    level: &Level,
    assignments: &Tensor<2>,
    coarse: Tensor<3>,
    normalised: bool,
    member: Option<&Member>,
) -> Tensor<1> {
    let overlap = reduce(level.segments(), assignments.clone(), assignments.clone());
    let inside = trace(coarse).sum();
    let squares = (overlap.clone() * overlap).sum();
    let squares = squares - inside * 2.0;
    // Rounding can make the difference of large sums negative.
    let squares = match &level.structure {
        Structure::Sparse(topology) => {
            let matrix = &topology.adjacency;
            let edges = match matrix.weights() {
                Some(weights) => weights.iter().map(|w| f64::from(*w).powi(2)).sum(),
                None => matrix.entries() as f64,
            };
            squares + edges
        }
        Structure::Dense(dense) => {
            let adjacency = dense.adjacency.clone();
            squares + (adjacency.clone() * adjacency).sum()
        }
    };
    let link = root(team_sum(squares, member));
    if !normalised {
        return link;
    }
    let segments = level.segments();
    let largest = segments.ranges().map(|r| r.len()).max().unwrap_or(0);
    let (mut graphs, mut largest) = (segments.graphs() as f64, largest as f64);
    if let Some(member) = member {
        let all = member.all_gather_f64(&[graphs, largest]);
        graphs = all.iter().map(|own| own[0]).sum();
        largest = all.iter().map(|own| own[1]).fold(0.0, f64::max);
    }
    // Multiply by the inverse: the gradient of a quotient is in single
    // precision.
    link * (1.0 / (graphs.max(1.0) * largest.max(1.0) * largest.max(1.0)))
}

/// Mean entropy of the rows of S in nats, over all nodes of the batch
/// (DiffPool; Ying et al., 2018).
///
/// # Shapes
///
/// - assignments: [nodes, K] → one value
///
/// # Complexity
///
/// O(nodes · K).
///
/// Within a team, over the nodes of all its members. The mean of the
/// members' values, weighted by their number of graphs, is the loss of the
/// batch.
#[must_use]
pub fn entropy_loss(level: &Level, assignments: &Tensor<2>, member: Option<&Member>) -> Tensor<1> {
    let segments = level.segments();
    let mut nodes = segments.nodes().max(1) as f64;
    if let Some(member) = member {
        let own = [segments.graphs() as f64, segments.nodes() as f64];
        let all = member.all_gather_f64(&own);
        let sum = |i: usize| all.iter().map(|own| own[i]).sum::<f64>().max(1.0);
        nodes = sum(1) * own[0].max(1.0) / sum(0);
    }
    let logarithms = (assignments.clone() + EPSILON).log();
    (assignments.clone() * logarithms).sum() * (-1.0 / nodes)
}
