//! The reconstruction losses of the stochastic block model.

use super::Segments;
use super::kernel::{Kernel, apply_two, by_float, has_kernels, tensor, times_scalar, values};
use bnpool_graph::Csr;
use bnpool_math::kernel::{self as math, Negatives, PairWeights};
use burn::backend::flex::FlexTensor;
use burn::tensor::{Int, Tensor, TensorData, activation};
use std::sync::{Arc, OnceLock};

/// Pairs of nodes in the loss, and their weights.
#[derive(Debug, Clone)]
pub struct BlockLossPairs {
    /// The edges, [nodes, nodes], block-diagonal over the graphs.
    pub edges: Arc<Csr>,
    /// Sampled pairs without an edge; `None` means all pairs (the dense loss).
    pub negatives: Option<Arc<Negatives>>,
    /// Weights of the pairs of each graph, including the normalisation.
    pub weights: Arc<[PairWeights]>,
}

#[derive(Debug)]
struct BlockLoss {
    segments: Segments,
    pairs: BlockLossPairs,
    gradients: OnceLock<[FlexTensor; 2]>,
}

impl Kernel for BlockLoss {
    fn forward(&self, inputs: &[FlexTensor], tracked: bool) -> FlexTensor {
        let (s, k) = (&inputs[0], &inputs[1]);
        let clusters = k.layout().shape()[0];
        let BlockLossPairs {
            edges,
            negatives,
            weights,
        } = &self.pairs;
        let targets = math::Targets {
            rows: edges.view(),
            columns: (!edges.is_symmetric()).then(|| edges.transpose().view()),
        };
        by_float!(s, T => {
            let assignments = math::Assignments::<T> {
                values: values(s),
                clusters,
                offsets: self.segments.offsets(),
            };
            let k = values::<T>(k);
            let loss = match negatives {
                None => math::dense_loss(assignments, k, targets, weights, tracked),
                Some(negatives) => {
                    math::sparse_loss(assignments, k, targets, negatives.view(), weights, tracked)
                }
            };
            let total = loss.total() as T;
            if tracked {
                let nodes = self.segments.nodes();
                self.gradients.get_or_init(|| [
                    tensor(loss.by_assignments, [nodes, clusters]),
                    tensor(loss.by_block_matrix, [clusters, clusters]),
                ]);
            }
            tensor(vec![total], [1])
        })
    }

    fn gradient(&self, parent: usize, gradient: &FlexTensor) -> FlexTensor {
        // Already computed in the forward pass up to a factor.
        let own = &self
            .gradients
            .get()
            .expect("a tracked forward pass keeps its gradients")[parent];
        times_scalar(own, gradient)
    }
}

/// Computes L_rec, the weighted cross-entropy of the pairs with logits S K Sᵀ,
/// as one value. Loss and gradients are computed in one pass over the pairs.
///
/// # Shapes
///
/// - S: [nodes, C], K: [C, C]
///
/// # Panics
///
/// Panics if the shapes do not match the segments.
pub fn block_loss(
    segments: &Segments,
    s: Tensor<2>,
    k: Tensor<2>,
    pairs: BlockLossPairs,
) -> Tensor<1> {
    segments.check(s.dims()[0]);
    segments.check(pairs.edges.rows());
    assert_eq!(
        pairs.weights.len(),
        segments.graphs(),
        "weights of every graph"
    );
    if has_kernels(&s) && has_kernels(&k) {
        let kernel = BlockLoss {
            segments: segments.clone(),
            pairs,
            gradients: OnceLock::new(),
        };
        return apply_two(s, k, kernel);
    }
    match &pairs.negatives {
        None => portable_dense(segments, s, k, &pairs),
        Some(negatives) => portable_sparse(segments, s, k, &pairs, negatives),
    }
}

/// Loss of all pairs by definition, N_b² at a time.
fn portable_dense(
    segments: &Segments,
    s: Tensor<2>,
    k: Tensor<2>,
    pairs: &BlockLossPairs,
) -> Tensor<1> {
    let device = s.device();
    let dtype = s.dtype();
    let mut total = Tensor::<1>::zeros([1], (&device, dtype));
    for (range, weights) in segments.ranges().zip(&*pairs.weights) {
        let n = range.len();
        if n == 0 {
            continue;
        }
        let (mut targets, mut factors) = (vec![0.0_f32; n * n], vec![weights.negative; n * n]);
        for u in range.clone() {
            for (v, t) in pairs.edges.view().row_entries(u) {
                if t != 0.0 {
                    let at = (u - range.start) * n + v - range.start;
                    targets[at] = t;
                    factors[at] = weights.positive;
                }
            }
        }
        let targets = Tensor::<2>::from_data(TensorData::new(targets, [n, n]), (&device, dtype));
        let factors = Tensor::<2>::from_data(TensorData::new(factors, [n, n]), (&device, dtype));
        let s = s.clone().narrow(0, range.start, n);
        let x = s.clone().matmul(k.clone()).matmul(s.transpose());
        total = total + ((activation::softplus(x.clone(), 1.0) - targets * x) * factors).sum();
    }
    total
}

/// Loss of listed pairs by definition.
fn portable_sparse(
    segments: &Segments,
    s: Tensor<2>,
    k: Tensor<2>,
    pairs: &BlockLossPairs,
    negatives: &Negatives,
) -> Tensor<1> {
    let device = s.device();
    let dtype = s.dtype();
    let (mut us, mut vs, mut targets, mut factors) = (vec![], vec![], vec![], vec![]);
    for (range, weights) in segments.ranges().zip(&*pairs.weights) {
        for u in range {
            for (rows, target, weight) in [
                (pairs.edges.view(), 1.0_f32, weights.positive),
                (negatives.view(), 0.0, weights.negative),
            ] {
                for &v in rows.row(u) {
                    us.push(u as i64);
                    vs.push(i64::from(v));
                    targets.push(target);
                    factors.push(weight);
                }
            }
        }
    }
    let n = us.len();
    if n == 0 {
        return Tensor::zeros([1], (&device, dtype));
    }
    let index = |i: Vec<i64>| Tensor::<1, Int>::from_data(TensorData::new(i, [n]), &device);
    let targets = Tensor::<1>::from_data(TensorData::new(targets, [n]), (&device, dtype));
    let factors = Tensor::<1>::from_data(TensorData::new(factors, [n]), (&device, dtype));
    let p = s.clone().matmul(k).select(0, index(us));
    let x = (p * s.select(0, index(vs))).sum_dim(1).squeeze_dim::<1>(1);
    ((activation::softplus(x.clone(), 1.0) - targets * x) * factors).sum()
}
