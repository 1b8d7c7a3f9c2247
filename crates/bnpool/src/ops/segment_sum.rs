//! Sums over the nodes of each graph.

use super::Segments;
use super::kernel::{Kernel, apply, by_float, has_kernels, tensor, values};
use bnpool_math::kernel as math;
use burn::backend::flex::FlexTensor;
use burn::tensor::Tensor;

#[derive(Debug)]
struct SegmentSum {
    segments: Segments,
}

impl Kernel for SegmentSum {
    fn forward(&self, inputs: &[FlexTensor], _: bool) -> FlexTensor {
        let x = &inputs[0];
        let width = x.layout().shape()[1];
        by_float!(x, T => {
            let out = math::segment_sum(self.segments.offsets(), values::<T>(x), width);
            tensor(out, [self.segments.graphs(), width])
        })
    }

    fn gradient(&self, _: usize, gradient: &FlexTensor) -> FlexTensor {
        let width = gradient.layout().shape()[1];
        by_float!(gradient, T => {
            let out = math::segment_spread(self.segments.offsets(), values::<T>(gradient), width);
            tensor(out, [self.segments.nodes(), width])
        })
    }
}

/// Sums the rows of each graph; zero for a graph without nodes.
///
/// # Shapes
///
/// - x: [nodes, F] → [graphs, F]
///
/// # Panics
///
/// Panics if the number of rows of x is not the number of nodes of the
/// segments.
pub fn segment_sum(segments: &Segments, x: Tensor<2>) -> Tensor<2> {
    segments.check(x.dims()[0]);
    if has_kernels(&x) {
        let segments = segments.clone();
        return apply(x, SegmentSum { segments });
    }
    let sums = segments
        .ranges()
        .map(|r| x.clone().narrow(0, r.start, r.len()).sum_dim(0));
    Tensor::cat(sums.collect(), 0)
}
