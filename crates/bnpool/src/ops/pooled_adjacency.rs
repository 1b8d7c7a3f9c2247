//! From Sᵀ A S to the pooled adjacency.

use super::kernel::{Kernel, apply, by_float, has_kernels, tensor, values};
use bnpool_math::kernel as math;
use burn::backend::flex::FlexTensor;
use burn::tensor::Tensor;
use std::sync::OnceLock;

#[derive(Debug)]
struct PooledAdjacency {
    kernel: math::PooledAdjacency,
    input: OnceLock<FlexTensor>,
}

impl Kernel for PooledAdjacency {
    fn forward(&self, inputs: &[FlexTensor], tracked: bool) -> FlexTensor {
        let x = &inputs[0];
        if tracked {
            self.input.get_or_init(|| x.clone());
        }
        by_float!(x, T => {
            tensor(self.kernel.forward(values::<T>(x)), x.layout().shape().clone())
        })
    }

    fn gradient(&self, _: usize, gradient: &FlexTensor) -> FlexTensor {
        let x = self
            .input
            .get()
            .expect("a tracked forward pass keeps its input");
        by_float!(x, T => {
            let out = self.kernel.backward(values::<T>(x), values::<T>(gradient));
            tensor(out, x.layout().shape().clone())
        })
    }
}

/// Removes the diagonal and normalises rows and columns by the degrees, each if
/// requested.
///
/// # Shapes
///
/// - matrices: [graphs, C, C] → the same
pub fn pooled_adjacency(
    matrices: Tensor<3>,
    remove_self_loops: bool,
    degree_norm: bool,
) -> Tensor<3> {
    let [_, clusters, _] = matrices.dims();
    if has_kernels(&matrices) {
        let kernel = math::PooledAdjacency {
            clusters,
            remove_self_loops,
            degree_norm,
        };
        let input = OnceLock::new();
        return apply(matrices, PooledAdjacency { kernel, input });
    }
    let mut pooled = matrices;
    if remove_self_loops {
        let device = pooled.device();
        let diagonal = Tensor::<2>::eye(clusters, &device).cast(pooled.dtype());
        pooled = pooled * (diagonal * -1.0 + 1.0).unsqueeze();
    }
    if degree_norm {
        // Column sums, as in the reference; equal to row sums if the graph is
        // undirected.
        let degrees = pooled.clone().sum_dim(1);
        let root = degrees.clamp_min(math::SMALLEST_DEGREE).sqrt();
        pooled = pooled / root.clone() / root.swap_dims(1, 2);
    }
    pooled
}
