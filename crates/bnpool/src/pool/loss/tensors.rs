//! Matrix functions shared by several losses.

use crate::batch::{Level, Segments};
use burn::tensor::{Tensor, TensorData};

/// Keeps quotients and logarithms away from zero.
pub(super) const EPSILON: f64 = 1e-8;

/// Lower bound of squared norms: the root has no derivative at zero.
const SMALLEST_SQUARE: f64 = 1e-24;

/// Trace of each matrix, [graphs, 1].
pub(super) fn trace(matrices: Tensor<3>) -> Tensor<2> {
    let [graphs, clusters, _] = matrices.dims();
    let eye = identity(clusters, &matrices);
    (matrices * eye).sum_dim(2).sum_dim(1).reshape([graphs, 1])
}

/// Identity matrix with the size, type and device of `like`, [1, K, K].
pub(super) fn identity(clusters: usize, like: &Tensor<3>) -> Tensor<3> {
    let eye = Tensor::<2>::eye(clusters, &like.device());
    eye.cast(like.dtype()).unsqueeze()
}

/// Frobenius norms, [graphs, 1, 1].
pub(super) fn norm(matrices: Tensor<3>) -> Tensor<3> {
    let squares = (matrices.clone() * matrices).sum_dim(2).sum_dim(1);
    squares.clamp_min(SMALLEST_SQUARE).sqrt()
}

/// The root of a sum of squares.
pub(super) fn root(squares: Tensor<1>) -> Tensor<1> {
    squares.clamp_min(SMALLEST_SQUARE).sqrt()
}

/// f(number of nodes) of each graph, [graphs, 1].
pub(super) fn per_graph(level: &Level, like: &Tensor<2>, f: impl Fn(f64) -> f64) -> Tensor<2> {
    of_segments(level.segments(), like, |nodes| f(nodes as f64))
}

fn of_segments(segments: &Segments, like: &Tensor<2>, f: impl Fn(usize) -> f64) -> Tensor<2> {
    let values: Vec<f64> = segments.ranges().map(|range| f(range.len())).collect();
    let data = TensorData::new(values, [segments.graphs(), 1]);
    Tensor::from_data(data, (&like.device(), like.dtype()))
}
