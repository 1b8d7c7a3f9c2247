//! What every pooler returns.

use super::AuxiliaryLosses;
use crate::ops::{Segments, lift};
use burn::tensor::Tensor;

/// A pooled batch.
#[derive(Debug, Clone)]
pub struct PoolOutput {
    /// X_pool = Sᵀ X, [graphs, C, F].
    pub features: Tensor<3>,
    /// A_pool, [graphs, C, C].
    pub adjacency: Tensor<3>,
    /// S, [nodes, C].
    pub assignments: Tensor<2>,
    /// The auxiliary losses, to be added to the loss of the task.
    pub losses: AuxiliaryLosses,
    /// Which rows of S belong to which graph.
    pub segments: Segments,
}

impl PoolOutput {
    /// LIFT: features of supernodes back to the nodes, X = S X_pool.
    ///
    /// # Shapes
    ///
    /// - pooled: [graphs, C, F] → [nodes, F]
    #[must_use]
    pub fn lift(&self, pooled: Tensor<3>) -> Tensor<2> {
        lift(&self.segments, self.assignments.clone(), pooled)
    }
}
