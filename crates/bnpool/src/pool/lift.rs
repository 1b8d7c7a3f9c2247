//! LIFT: features of supernodes back to the nodes.

use super::Membership;
use super::reduce::column;
use crate::ops::{self, Segments, spmm};
use burn::tensor::{IndexingUpdateOp, Tensor};

/// Computes X = S X_pool. Dropped nodes get zeros, and several maps are added.
/// `segments` are those of the graphs before pooling.
///
/// # Shapes
///
/// - pooled: [supernodes, F] → [nodes, F]; for several maps [supernodes,
///   maps · F] → [nodes, F]
///
/// # Complexity
///
/// O(nodes · C · F) for soft assignments, O(nodes · F) for others, times the
/// number of maps.
#[must_use]
pub fn lift(segments: &Segments, membership: &Membership, pooled: Tensor<2>) -> Tensor<2> {
    let [_, width] = pooled.dims();
    match membership {
        Membership::Same => pooled,
        Membership::Soft(assignments) => {
            let [_, clusters] = assignments.dims();
            let pooled = pooled.reshape([segments.graphs(), clusters, width]);
            ops::lift(segments, assignments.clone(), pooled)
        }
        Membership::Kept { nodes, weights, .. } => {
            let shape = [segments.nodes(), width];
            let zeros = Tensor::zeros(shape, (&pooled.device(), pooled.dtype()));
            let rows = Membership::rows(nodes, &pooled);
            let values = pooled * weights.clone();
            zeros.select_assign(0, rows, values, IndexingUpdateOp::Add)
        }
        Membership::Assigned {
            assignment,
            weights,
            ..
        } => {
            let x = spmm(assignment.owners(), pooled);
            match weights {
                Some(weights) => x * weights.clone(),
                None => x,
            }
        }
        Membership::Maps {
            assignment, values, ..
        } => {
            let [_, maps] = values.dims();
            let own = width / maps.max(1);
            let one = |m| {
                let part = pooled.clone().narrow(1, m * own, own);
                spmm(assignment.owners(), part) * column(values, m)
            };
            (0..maps)
                .map(one)
                .reduce(|sum, part| sum + part)
                .unwrap_or(pooled)
        }
    }
}
