//! Soft assignments by an affine map.

use burn::nn::Linear;
use burn::tensor::{Tensor, activation};

/// S = softmax(X W + b), row by row.
///
/// # Shapes
///
/// - x: [nodes, F] → [nodes, K]
#[must_use]
pub fn softmax_assignments(affine: &Linear, x: Tensor<2>) -> Tensor<2> {
    activation::softmax(affine.forward(x), 1)
}
