//! Products of a tall tensor with one small matrix per graph.

use super::Segments;
use super::kernel::{Kernel, apply_two, by_float, has_kernels, tensor, values};
use bnpool_math::kernel::{self as math, Addend};
use burn::backend::flex::FlexTensor;
use burn::tensor::{Element, Tensor};
use std::sync::OnceLock;

/// Width of the rows of a tensor.
fn width(x: &FlexTensor) -> usize {
    let shape = x.layout().shape();
    shape[shape.num_dims() - 1]
}

/// Sᵀ X of each graph.
#[derive(Debug)]
struct Reduce {
    segments: Segments,
    inputs: OnceLock<[FlexTensor; 2]>,
}

impl Kernel for Reduce {
    fn forward(&self, inputs: &[FlexTensor], tracked: bool) -> FlexTensor {
        let (s, x) = (&inputs[0], &inputs[1]);
        if tracked {
            self.inputs.get_or_init(|| [s.clone(), x.clone()]);
        }
        let (clusters, width) = (width(s), width(x));
        by_float!(s, T => {
            let out = {
                let (s, x) = (values::<T>(s), values::<T>(x));
                math::reduce(self.segments.offsets(), s, clusters, x, width, Addend::None)
            };
            tensor(out, [self.segments.graphs(), clusters, width])
        })
    }

    fn gradient(&self, parent: usize, gradient: &FlexTensor) -> FlexTensor {
        let [s, x] = self
            .inputs
            .get()
            .expect("a tracked forward pass keeps its inputs");
        let (clusters, width) = (width(s), width(x));
        let (offsets, nodes) = (self.segments.offsets(), self.segments.nodes());
        by_float!(s, T => {
            let g = values::<T>(gradient);
            if parent == 0 {
                // ∂S = X Gᵀ
                let out = math::lift_transposed(offsets, values::<T>(x), width, g, clusters);
                tensor(out, [nodes, clusters])
            } else {
                // ∂X = S G
                let s = values::<T>(s);
                tensor(math::lift(offsets, s, clusters, g, width, Addend::None), [nodes, width])
            }
        })
    }
}

/// S P of each graph, or S P + P.
#[derive(Debug)]
struct Lift {
    segments: Segments,
    /// Whether P is added; it then has as many rows as S.
    own: bool,
    inputs: OnceLock<[FlexTensor; 2]>,
}

impl Lift {
    fn new(segments: &Segments, own: bool) -> Self {
        Self {
            segments: segments.clone(),
            own,
            inputs: OnceLock::new(),
        }
    }

    /// Addend of the product of S, or its transpose, and `p`.
    fn own<'p, T: Element + bytemuck::Pod>(&self, p: &'p FlexTensor) -> Addend<'p, T> {
        if self.own {
            Addend::Rows(values(p))
        } else {
            Addend::None
        }
    }
}

impl Kernel for Lift {
    fn forward(&self, inputs: &[FlexTensor], tracked: bool) -> FlexTensor {
        let (s, p) = (&inputs[0], &inputs[1]);
        if tracked {
            self.inputs.get_or_init(|| [s.clone(), p.clone()]);
        }
        let (clusters, width) = (width(s), width(p));
        by_float!(s, T => {
            let out = {
                let offsets = self.segments.offsets();
                math::lift::<T>(offsets, values(s), clusters, values(p), width, self.own(p))
            };
            tensor(out, [self.segments.nodes(), width])
        })
    }

    fn gradient(&self, parent: usize, gradient: &FlexTensor) -> FlexTensor {
        let [s, p] = self
            .inputs
            .get()
            .expect("a tracked forward pass keeps its inputs");
        let (clusters, width) = (width(s), width(p));
        let (offsets, nodes) = (self.segments.offsets(), self.segments.nodes());
        by_float!(s, T => {
            let g = values::<T>(gradient);
            if parent == 0 {
                // ∂S = G Pᵀ
                let out = math::lift_transposed(offsets, g, width, values::<T>(p), clusters);
                tensor(out, [nodes, clusters])
            } else {
                // ∂P = Sᵀ G
                let own = self.own(gradient);
                let out = math::reduce(offsets, values::<T>(s), clusters, g, width, own);
                tensor(out, [self.segments.graphs(), clusters, width])
            }
        })
    }
}

/// Sᵀ X of each graph.
///
/// # Shapes
///
/// - S: [nodes, C], X: [nodes, F]
/// - result: [graphs, C, F]
///
/// # Panics
///
/// Panics if the number of rows of S or X is not the number of nodes of the
/// segments.
pub fn reduce(segments: &Segments, s: Tensor<2>, x: Tensor<2>) -> Tensor<3> {
    segments.check(s.dims()[0]);
    segments.check(x.dims()[0]);
    if has_kernels(&s) && has_kernels(&x) {
        let kernel = Reduce {
            segments: segments.clone(),
            inputs: OnceLock::new(),
        };
        return apply_two(s, x, kernel);
    }
    let products = segments.ranges().map(|r| {
        let (s, x) = (
            s.clone().narrow(0, r.start, r.len()),
            x.clone().narrow(0, r.start, r.len()),
        );
        s.transpose().matmul(x).unsqueeze::<3>()
    });
    Tensor::cat(products.collect(), 0)
}

/// Computes S P: each row times the small matrix of its graph. The reverse
/// direction of [`reduce`].
///
/// # Shapes
///
/// - S: [nodes, C], P: [graphs, C, F]
/// - result: [nodes, F]
///
/// # Panics
///
/// Panics if the number of rows of S is not the number of nodes, or that of
/// matrices of P is not the number of graphs.
pub fn lift(segments: &Segments, s: Tensor<2>, p: Tensor<3>) -> Tensor<2> {
    segments.check(s.dims()[0]);
    assert_eq!(p.dims()[0], segments.graphs(), "a matrix for every graph");
    if has_kernels(&s) && has_kernels(&p) {
        return apply_two(s, p, Lift::new(segments, false));
    }
    let [_, clusters, width] = p.dims();
    let products = segments.ranges().enumerate().map(|(b, r)| {
        let p = p.clone().narrow(0, b, 1).reshape([clusters, width]);
        s.clone().narrow(0, r.start, r.len()).matmul(p)
    });
    Tensor::cat(products.collect(), 0)
}

/// Computes X + A X with one small matrix A per graph: each row plus its
/// neighbours.
///
/// # Shapes
///
/// - A: [graphs, C, C], X: [nodes, F], nodes = graphs · C
/// - result: [nodes, F]
///
/// # Panics
///
/// Panics if the segments do not have C nodes each.
pub fn lift_own(segments: &Segments, a: Tensor<3>, x: Tensor<2>) -> Tensor<2> {
    let [graphs, clusters, _] = a.dims();
    let [nodes, width] = x.dims();
    assert!(
        graphs == segments.graphs() && nodes == graphs * clusters,
        "a row of A and X for every node"
    );
    let rows = a.reshape([nodes, clusters]);
    let matrices = x.clone().reshape([graphs, clusters, width]);
    if has_kernels(&rows) && has_kernels(&matrices) {
        return apply_two(rows, matrices, Lift::new(segments, true));
    }
    x + lift(segments, rows, matrices)
}
