//! Edge contraction (Diehl, 2019; Landolfi, 2022).

use crate::batch::Level;
use crate::nn::Initialiser;
use crate::ops::{Segments, segment_sum};
use crate::pool::registry::Registered;
use crate::pool::select::{Membership, assign, rank_of};
use crate::pool::{
    ConnectConfig, Pass, Pool, PoolError, PoolSite, PoolTraits, PoolerConfig, Selection,
};
use bnpool_graph::Csr;
use bnpool_graph::coarsen::{Assigned, Contraction, Matcher};
use burn::module::Module;
use burn::nn::Linear;
use burn::tensor::{Tensor, TensorData};

/// Added to the softmax over the edges of a node, so that the features of a
/// supernode keep their scale on average.
const SHIFT: f64 = 0.5;

/// Contracts the edges of highest score that share no node. Scores are learned
/// from the features of both ends and weight the features of the supernodes.
#[derive(Module, Debug)]
pub struct EdgeContraction {
    /// Features of both ends of an edge, source first → score.
    pub score: Linear,
}

impl EdgeContraction {
    /// Score of each entry of the adjacency: ½ plus the softmax over the edges
    /// into the same node, [entries, 1].
    fn scores(&self, level: &Level, adjacency: &Csr) -> Tensor<2> {
        let x = level.x();
        let [_, width] = x.dims();
        let weight = self.score.weight.val();
        // An affine map of both ends is the sum of one map per end.
        let source = x.clone().matmul(weight.clone().narrow(0, 0, width));
        let target = x.matmul(weight.narrow(0, width, width));
        let columns: Vec<usize> = adjacency.columns().iter().map(|&v| v as usize).collect();
        let rows: Vec<usize> = (0..adjacency.rows())
            .flat_map(|u| std::iter::repeat_n(u, adjacency.degree(u)))
            .collect();
        let of = |values: Tensor<2>, nodes: &[usize]| {
            let rows = Membership::rows(nodes, &values);
            values.select(0, rows)
        };
        let mut raw = of(source, &columns) + of(target, &rows);
        if let Some(bias) = &self.score.bias {
            raw = raw + bias.val().unsqueeze();
        }
        // Subtract the largest score of each node before the exponential, which
        // only affects the range.
        let largest = largest_of_rows(adjacency, &raw);
        let powers = (raw - largest).exp();
        let edges = Segments::from_offsets(adjacency.offsets().to_vec());
        let sums = segment_sum(&edges, powers.clone());
        powers / of(sums, &rows) + SHIFT
    }
}

/// Largest value among the entries of the same row, for each entry.
fn largest_of_rows(adjacency: &Csr, values: &Tensor<2>) -> Tensor<2> {
    let data: Vec<f32> = values.clone().detach().into_data().iter::<f32>().collect();
    let mut largest = vec![0.0_f32; data.len()];
    for u in 0..adjacency.rows() {
        let range = adjacency.row_range(u);
        let most = data[range.clone()].iter().copied().fold(f32::MIN, f32::max);
        largest[range].fill(most);
    }
    let shape = [largest.len(), 1];
    Tensor::from_data(
        TensorData::new(largest, shape),
        (&values.device(), values.dtype()),
    )
}

/// Score of the contracted edge of each node, or 1 for a node without one,
/// [nodes, 1].
fn weights(found: &Contraction, scores: Tensor<2>) -> Tensor<2> {
    let clusters = found.assigned.clusters();
    let edge_of = |c: &u32| found.edges[*c as usize];
    let entries: Vec<usize> = clusters
        .iter()
        .map(|c| edge_of(c).map_or(0, |entry| entry as usize))
        .collect();
    let alone: Vec<f32> = clusters
        .iter()
        .map(|c| if edge_of(c).is_some() { 0.0 } else { 1.0 })
        .collect();
    let data = TensorData::new(alone, [clusters.len(), 1]);
    let alone = Tensor::<2>::from_data(data, (&scores.device(), scores.dtype()));
    let rows = Membership::rows(&entries, &scores);
    let own = scores.select(0, rows);
    own * (alone.clone().neg() + 1.0) + alone
}

impl Pool for EdgeContraction {
    fn select(&self, level: &Level, _: &Pass) -> Selection {
        let topology = level.structure.topology();
        let adjacency = &topology.adjacency;
        if adjacency.entries() == 0 {
            let alone = Assigned::identity(adjacency.rows());
            return Selection::of(assign(level, &alone, None));
        }
        let scores = self.scores(level, adjacency);
        let values: Vec<f32> = scores
            .clone()
            .detach()
            .into_data()
            .iter::<f32>()
            .map(rank_of)
            .collect();
        let membership = match Matcher::default().contract(adjacency, &values) {
            Ok(found) => assign(level, &found.assigned, Some(weights(&found, scores))),
            // Only for more entries than fit an index.
            Err(_) => assign(level, &Assigned::identity(adjacency.rows()), None),
        };
        Selection::of(membership)
    }

    fn connect(&self) -> ConnectConfig {
        ConnectConfig::new().with_degree_norm(false)
    }

    fn nodes_after(&self, nodes: f64) -> f64 {
        (nodes / 2.0).ceil()
    }
}

impl Registered for EdgeContraction {
    const TRAITS: PoolTraits = PoolTraits {
        name: "ec",
        title: "Edge contraction",
        summary: "edge contraction: pairs of nodes along edges of high score",
        trainable: true,
        complexity: "O(E log E)",
        ..PoolTraits::FIRM
    };

    fn make(_: &PoolerConfig, site: &PoolSite, init: &mut Initialiser) -> Result<Self, PoolError> {
        Ok(Self {
            score: init.linear(2 * site.inputs, 1, true),
        })
    }
}
