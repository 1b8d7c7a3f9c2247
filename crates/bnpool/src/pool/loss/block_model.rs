//! The auxiliary losses of BN-Pool: normalisation and the prior of K.

use crate::batch::Topology;
use crate::pool::Reconstruction;
use bnpool_math::kernel::{Negatives, PairWeights};
use burn::tensor::Tensor;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Weights and divisors of the auxiliary losses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LossNormalisation {
    /// The text of the paper: balance weights N²/E and N²/(N²−E), every term
    /// divided by N², or by E + E⁻ for the sparse loss, then averaged over the
    /// graphs of a batch.
    Paper,
    /// The authors' code: weights (N²−E)/E on edges and 1 elsewhere (a factor
    /// 1 − E/N² below the paper's), and the prior of K divided by the number
    /// of graphs once more.
    Authors,
    /// As `paper` for all pairs. The sparse loss is scaled to estimate the dense
    /// one: 1/E on edges, 1/E⁻ on sampled non-edges, and the other terms divided
    /// by N² as well. (The estimate is unbiased, except for the pairs of a node
    /// with itself, which are never drawn.) With the paper's divisor E + E⁻, the
    /// divergence has N²/2E times the weight it has in the dense loss, and on
    /// large graphs more than the reconstruction.
    ///
    /// On PubMed N²/2E is 2200. An estimate means the same as the dense loss, so a dense
    /// training can begin with it.
    Estimate,
}

/// Weights and divisors of the losses of a batch.
#[derive(Debug, Clone)]
pub struct Normalisation {
    /// Weights of the pairs of each graph.
    pub pairs: Arc<[PairWeights]>,
    /// Factor of the divergence of each node (without γ).
    pub nodes: Vec<f64>,
    /// Factor of the prior of K.
    pub block_prior: f64,
}

/// Weights of the terms of the loss of one graph.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GraphWeights {
    /// Factor of all terms, including the divergence of a node and the prior of K.
    pub factor: f64,
    /// Additional factor of an edge.
    pub positive: f64,
    /// Additional factor of a pair without an edge.
    pub negative: f64,
}

impl LossNormalisation {
    /// Computes the weights of a graph with this many nodes, entries and listed
    /// negatives.
    #[must_use]
    pub fn of_graph(
        self,
        reconstruction: Reconstruction,
        nodes: usize,
        entries: usize,
        listed: usize,
    ) -> GraphWeights {
        let (n, e, listed) = (nodes as f64, entries as f64, listed as f64);
        let all = (n * n).max(1.0);
        let (divisor, positive, negative) = match (reconstruction, self) {
            (Reconstruction::Dense | Reconstruction::Auto, Self::Authors) => {
                (all, (n * n - e).max(1.0) / e.max(1.0), 1.0)
            }
            (Reconstruction::Dense | Reconstruction::Auto, Self::Paper | Self::Estimate) => {
                (all, all / e.max(1.0), all / (n * n - e).max(1.0))
            }
            (Reconstruction::Sparse, Self::Paper | Self::Authors) => {
                ((e + listed).max(1.0), 1.0, 1.0)
            }
            (Reconstruction::Sparse, Self::Estimate) => {
                (all, all / e.max(1.0), all / listed.max(1.0))
            }
        };
        GraphWeights {
            factor: 1.0 / divisor,
            positive,
            negative,
        }
    }

    /// Computes the weights and divisors in L_aux (`eq:aux_loss` of the paper), for all pairs
    /// or for edges and `negatives`; the graphs are some of a batch of `batch` graphs.
    #[must_use]
    pub fn normalisation(
        self,
        topology: &Topology,
        reconstruction: Reconstruction,
        negatives: Option<&Negatives>,
        batch: usize,
    ) -> Normalisation {
        let graphs = topology.segments.graphs() as f64;
        let mut pairs = Vec::with_capacity(topology.segments.graphs());
        let mut nodes = Vec::with_capacity(topology.segments.nodes());
        let mut inverse_sum = 0.0;
        let counts = negatives.map(Negatives::counts);
        for (b, (range, edges)) in topology.segments.ranges().zip(topology.edges()).enumerate() {
            let listed = counts.map_or(0, |c| c[b]);
            let own = self.of_graph(reconstruction, range.len(), edges, listed);
            let factor = own.factor / graphs;
            pairs.push(PairWeights {
                positive: own.positive * factor,
                negative: own.negative * factor,
            });
            nodes.extend(std::iter::repeat_n(factor, range.len()));
            inverse_sum += factor;
        }
        Normalisation {
            pairs: pairs.into(),
            nodes,
            block_prior: match self {
                Self::Paper | Self::Estimate => inverse_sum,
                Self::Authors => inverse_sum / batch as f64,
            },
        }
    }
}

/// Computes L_K = Σ (K_ij − M_ij)² / (2 σ_K) as one value, where M is μ_K on the
/// diagonal and −μ_K off it: the divergence of q(K) (`eq:q_K` of the paper) from
/// its prior, up to a constant.
#[must_use]
pub fn block_prior(block_matrix: Tensor<2>, mean: f64, variance: f64) -> Tensor<1> {
    let [clusters, _] = block_matrix.dims();
    let eye = Tensor::<2>::eye(clusters, &block_matrix.device()).cast(block_matrix.dtype());
    let prior = eye * (2.0 * mean) - mean;
    let difference = block_matrix - prior;
    (difference.clone() * difference).sum() / (2.0 * variance)
}
