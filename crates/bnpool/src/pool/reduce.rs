//! RED: the features of supernodes.

use super::Membership;
use crate::batch::Level;
use crate::ops::{self, spmm};
use burn::tensor::Tensor;

/// Computes X_pool: Sᵀ X for soft assignments, weighted sums over members
/// otherwise.
///
/// # Shapes
///
/// - features of the level: [nodes, F] → [supernodes, F], or [supernodes,
///   maps · F] for several maps
///
/// # Complexity
///
/// O(nodes · C · F) for soft assignments, O(nodes · F) for others, times the
/// number of maps.
#[must_use]
pub fn reduce(level: &Level, membership: &Membership) -> Tensor<2> {
    let x = level.x();
    match membership {
        Membership::Same => x,
        Membership::Soft(assignments) => {
            let pooled = ops::reduce(level.segments(), assignments.clone(), x);
            let [graphs, clusters, width] = pooled.dims();
            pooled.reshape([graphs * clusters, width])
        }
        Membership::Kept { nodes, weights, .. } => {
            let rows = Membership::rows(nodes, &x);
            x.select(0, rows) * weights.clone()
        }
        Membership::Assigned {
            assignment,
            weights,
            ..
        } => {
            let x = match weights {
                Some(weights) => x * weights.clone(),
                None => x,
            };
            spmm(assignment.members(), x)
        }
        Membership::Maps {
            assignment, values, ..
        } => {
            let [_, maps] = values.dims();
            let one = |m| spmm(assignment.members(), x.clone() * column(values, m));
            Tensor::cat((0..maps).map(one).collect(), 1)
        }
    }
}

/// One column of a matrix, [rows, 1].
pub(super) fn column(values: &Tensor<2>, index: usize) -> Tensor<2> {
    values.clone().narrow(1, index, 1)
}
