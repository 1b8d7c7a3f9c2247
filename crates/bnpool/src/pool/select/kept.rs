//! Selection of the best nodes of each graph.

use super::{Membership, rank_of};
use crate::batch::Level;
use burn::tensor::Tensor;

/// Keeps the ⌈κ n⌉ nodes of highest score of each graph, best first; ties go to
/// the earlier node. Scores are the weights of the kept nodes.
///
/// # Shapes
///
/// - scores: [nodes, 1]
///
/// # Complexity
///
/// O(n log n) for a graph with n nodes.
#[must_use]
pub fn keep_best(level: &Level, scores: Tensor<2>, ratio: f64) -> Membership {
    let values: Vec<f32> = scores.clone().detach().into_data().iter::<f32>().collect();
    let (mut kept, mut offsets) = (Vec::new(), vec![0]);
    for range in level.segments().ranges() {
        let count = (ratio * range.len() as f64).ceil() as usize;
        let mut nodes: Vec<usize> = range.collect();
        nodes.sort_by(|&u, &v| rank_of(values[v]).total_cmp(&rank_of(values[u])));
        kept.extend(&nodes[..count.min(nodes.len())]);
        offsets.push(kept.len());
    }
    let weights = scores.clone().select(0, Membership::rows(&kept, &scores));
    Membership::Kept {
        nodes: kept,
        offsets,
        weights,
    }
}
