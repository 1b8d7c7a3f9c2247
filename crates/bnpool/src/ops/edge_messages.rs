//! Messages along edges with features.

use super::kernel::{Kernel, apply_two, by_float, has_kernels, tensor, values};
use super::spmm::sum_entries;
use bnpool_graph::Csr;
use bnpool_math::kernel::{self as math, Addend};
use burn::backend::flex::FlexTensor;
use burn::tensor::{Tensor, activation};
use std::sync::{Arc, OnceLock};

#[derive(Debug)]
struct EdgeMessages {
    matrix: Arc<Csr>,
    /// X and E, for the backward pass.
    kept: OnceLock<[FlexTensor; 2]>,
    /// The gradient with respect to E; that with respect to X is a sum of it.
    by_entry: OnceLock<FlexTensor>,
}

impl Kernel for EdgeMessages {
    fn forward(&self, inputs: &[FlexTensor], tracked: bool) -> FlexTensor {
        let (x, e) = (&inputs[0], &inputs[1]);
        if tracked {
            self.kept.get_or_init(|| [x.clone(), e.clone()]);
        }
        let width = x.layout().shape()[1];
        by_float!(x, T => {
            let out = {
                let (x, e) = (values::<T>(x), values::<T>(e));
                math::edge_messages(self.matrix.view(), x, e, width, Addend::Rows(x))
            };
            tensor(out, [self.matrix.rows(), width])
        })
    }

    fn gradient(&self, parent: usize, gradient: &FlexTensor) -> FlexTensor {
        let [x, e] = self
            .kept
            .get()
            .expect("a tracked forward pass keeps its inputs");
        let width = x.layout().shape()[1];
        let view = self.matrix.view();
        by_float!(x, T => {
            let by_entry = self.by_entry.get_or_init(|| {
                let out = math::edge_messages_backward(
                    view,
                    values::<T>(x),
                    values::<T>(e),
                    width,
                    values::<T>(gradient),
                );
                tensor(out, e.layout().shape().clone())
            });
            if parent == 0 {
                let own = Addend::Rows(values::<T>(gradient));
                let out = math::sum_entries_of_columns(view, values::<T>(by_entry), width, own);
                tensor(out, x.layout().shape().clone())
            } else {
                by_entry.clone()
            }
        })
    }
}

/// Computes x_u + Σ_v A_uv · ReLU(x_v + e_uv) for each node u: its own features
/// plus one round of messages along edges with features.
///
/// # Shapes
///
/// - A: [nodes, nodes], X: [nodes, F], E: [entries of A, F]
/// - result: [nodes, F]
///
/// # Panics
///
/// Panics if A is not square, the number of rows of X is not the number of
/// nodes, or that of E is not the number of entries.
pub fn edge_messages(matrix: &Arc<Csr>, x: Tensor<2>, e: Tensor<2>) -> Tensor<2> {
    assert_eq!(
        [x.dims()[0]; 2],
        [matrix.rows(), matrix.columns_count()],
        "X has a row for every row and column of A"
    );
    assert_eq!(
        e.dims(),
        [matrix.entries(), x.dims()[1]],
        "E has a row for every entry of A"
    );
    if has_kernels(&x) && has_kernels(&e) {
        let kernel = EdgeMessages {
            matrix: matrix.clone(),
            kept: OnceLock::new(),
            by_entry: OnceLock::new(),
        };
        return apply_two(x, e, kernel);
    }
    let messages = |sources| activation::relu(x.clone().select(0, sources) + e);
    x.clone() + sum_entries(matrix, &x, messages)
}
