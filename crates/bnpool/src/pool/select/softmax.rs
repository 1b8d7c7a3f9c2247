//! Soft assignments by an affine map.

use super::Selection;
use crate::batch::Level;
use crate::nn::Initialiser;
use crate::pool::{Assigns, Losses, PoolSite, PoolTraits, PoolerConfig, coarsen};
use burn::nn::Linear;
use burn::tensor::{Tensor, activation};

/// Computes S = softmax(X W + b), row by row.
///
/// # Shapes
///
/// - x: [nodes, F] → [nodes, K]
#[must_use]
pub fn softmax_assignments(affine: &Linear, x: Tensor<2>) -> Tensor<2> {
    activation::softmax(affine.forward(x), 1)
}

/// Selects by softmax(X W + b), with losses of S and of SᵀAS.
pub(in crate::pool) fn softmax_selection(
    affine: &Linear,
    level: &Level,
    losses: impl FnOnce(&Tensor<2>, &Tensor<3>) -> Losses,
) -> Selection {
    let assignments = softmax_assignments(affine, level.x());
    let coarse = coarsen(&level.structure, assignments.clone());
    let losses = losses(&assignments, &coarse);
    Selection {
        coarse: Some(coarse),
        ..Selection::soft(assignments, losses)
    }
}

/// Creates the map of a softmax pooler for a site: features → clusters.
pub(in crate::pool) fn softmax_map(
    config: &PoolerConfig,
    site: &PoolSite,
    init: &mut Initialiser,
) -> Linear {
    init.linear(site.inputs, site.fixed_clusters(config.ratio), true)
}

/// Number of clusters of such a map.
pub(in crate::pool) fn clusters_of(affine: &Linear) -> f64 {
    affine.weight.dims()[1] as f64
}

/// Properties shared by all softmax poolers.
pub(in crate::pool) const SOFTMAX: PoolTraits = PoolTraits {
    assigns: Assigns::Softly,
    adaptive: false,
    trainable: true,
    complexity: "O(E K + N K²)",
    ..PoolTraits::FIRM
};
