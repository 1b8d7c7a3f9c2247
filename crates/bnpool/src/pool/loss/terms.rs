//! Losses of soft assignments, of which poolers combine several.

use burn::tensor::{Tensor, TensorData};

use crate::batch::{Level, Segments};
use crate::ops::{reduce, segment_sum};

/// −Σ_k √(SᵀS)_kk / √(N K) (Just Balance; Bianchi, 2022).
///
/// # Shapes
///
/// - assignments: [nodes, K] → one value
///
/// # Complexity
///
/// O(nodes · K).
#[must_use]
pub fn balance_loss(level: &Level, assignments: &Tensor<2>) -> Tensor<1> {
    let [_, clusters] = assignments.dims();
    let squares = segment_sum(level.segments(), assignments.clone() * assignments.clone());
    let lengths = (squares + EPSILON).sqrt().sum_dim(1);
    let scale = per_graph(level, assignments, |nodes| {
        1.0 / (nodes.max(1.0) * clusters as f64).sqrt()
    });
    (lengths * scale).mean().neg()
}

/// √K ‖Σ_u s_u‖ / N − 1: 0 for clusters of equal size, √K − 1 if all nodes are in
/// one (the collapse regularisation of DMoN; Tsitsulin et al., 2023).
///
/// # Shapes
///
/// - assignments: [nodes, K] → one value
///
/// # Complexity
///
/// O(nodes · K).
#[must_use]
pub fn collapse_loss(level: &Level, assignments: &Tensor<2>) -> Tensor<1> {
    let [_, clusters] = assignments.dims();
    let sizes = segment_sum(level.segments(), assignments.clone());
    let length = (sizes.clone() * sizes).sum_dim(1).clamp_min(1e-24).sqrt();
    let scale = per_graph(level, assignments, |nodes| {
        (clusters as f64).sqrt() / nodes.max(1.0)
    });
    (length * scale - 1.0).mean()
}

/// −tr(SᵀAS) / tr(SᵀDS), with the degrees D (MinCut; Bianchi et al., 2020).
///
/// # Shapes
///
/// - assignments: [nodes, K], coarse (SᵀAS): [graphs, K, K] → one value
///
/// # Complexity
///
/// O(nodes · K) in addition to SᵀAS.
#[must_use]
pub fn cut_loss(level: &Level, assignments: &Tensor<2>, coarse: Tensor<3>) -> Tensor<1> {
    let degrees = level.structure.degrees(assignments);
    kept_share(level, assignments, coarse, degrees).mean().neg()
}

/// [`cut_loss`] of A³, which counts the walks of three steps: cutting a
/// triangle costs more than cutting a single edge (HoscPool; Duval and
/// Malliaros, 2022).
///
/// A³ S is computed by three sparse products; A³ itself is never formed.
///
/// # Shapes
///
/// - assignments: [nodes, K] → one value
///
/// # Complexity
///
/// O(edges · K + nodes · K²).
#[must_use]
pub fn higher_order_cut_loss(level: &Level, assignments: &Tensor<2>) -> Tensor<1> {
    let thrice = |x: Tensor<2>| {
        let once = level.structure.propagate(x);
        level.structure.propagate(level.structure.propagate(once))
    };
    let walks = thrice(assignments.clone());
    let coarse = reduce(level.segments(), assignments.clone(), walks);
    // Row sums of A³.
    let degrees = level.structure.degrees(assignments);
    let degrees = level
        .structure
        .propagate(level.structure.propagate(degrees));
    kept_share(level, assignments, coarse, degrees).mean().neg()
}

/// tr(SᵀMS) / tr(SᵀDS) of each graph, [graphs, 1].
fn kept_share(
    level: &Level,
    assignments: &Tensor<2>,
    coarse: Tensor<3>,
    degrees: Tensor<2>,
) -> Tensor<2> {
    let volume = (assignments.clone() * assignments.clone()).sum_dim(1) * degrees;
    let volume = segment_sum(level.segments(), volume) + EPSILON;
    trace(coarse) / volume
}

/// −tr(SᵀAS − (Sᵀd)(Sᵀd)ᵀ / 2m) / 2m: the negative soft modularity (DMoN;
/// Tsitsulin et al., 2023). It is 0 for a graph without edges.
///
/// # Shapes
///
/// - assignments: [nodes, K], coarse (SᵀAS): [graphs, K, K] → one value
///
/// # Complexity
///
/// O(nodes · K) in addition to SᵀAS.
#[must_use]
pub fn modularity_loss(level: &Level, assignments: &Tensor<2>, coarse: Tensor<3>) -> Tensor<1> {
    let degrees = level.structure.degrees(assignments);
    let volume = segment_sum(level.segments(), degrees.clone());
    let degree_sums = segment_sum(level.segments(), assignments.clone() * degrees);
    let expected = (degree_sums.clone() * degree_sums).sum_dim(1);
    // Without edges both terms are 0, and so is their quotient by 1.
    let safe = volume.clone() + volume.equal_elem(0.0).float().cast(coarse.dtype());
    let inside = trace(coarse) - expected / safe.clone();
    (inside / safe).mean().neg()
}

/// ‖SᵀS / ‖SᵀS‖ − I/√K‖ (MinCut; Bianchi et al., 2020).
///
/// # Shapes
///
/// - assignments: [nodes, K] → one value
///
/// # Complexity
///
/// O(nodes · K²).
#[must_use]
pub fn orthogonality_loss(level: &Level, assignments: &Tensor<2>) -> Tensor<1> {
    let [_, clusters] = assignments.dims();
    let overlap = reduce(level.segments(), assignments.clone(), assignments.clone());
    let eye = identity(clusters, &overlap) / (clusters as f64).sqrt();
    let difference = overlap.clone() / norm(overlap) - eye;
    norm(difference).mean()
}

/// (√K − Σ_k ‖S_k‖ / √N) / (√K − 1): 0 for hard clusters of equal size, 1 if one
/// cluster has all nodes (HoscPool; Duval and Malliaros, 2022). It is 0 for a
/// single cluster.
///
/// # Shapes
///
/// - assignments: [nodes, K] → one value
///
/// # Complexity
///
/// O(nodes · K).
#[must_use]
pub fn spread_loss(level: &Level, assignments: &Tensor<2>) -> Tensor<1> {
    let [_, clusters] = assignments.dims();
    let root = (clusters as f64).sqrt();
    if clusters < 2 {
        return assignments.clone().sum() * 0.0;
    }
    let squares = segment_sum(level.segments(), assignments.clone() * assignments.clone());
    let lengths = squares.clamp_min(1e-24).sqrt().sum_dim(1);
    let scale = per_graph(level, assignments, |nodes| 1.0 / nodes.max(1.0).sqrt());
    let spread = (lengths * scale).neg() + root;
    (spread * (1.0 / (root - 1.0))).mean()
}

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
