//! Sparse matrix times dense tensor.

use super::kernel::{Kernel, apply, by_float, has_kernels, tensor, values};
use bnpool_graph::Csr;
use burn::backend::flex::FlexTensor;
use burn::tensor::{IndexingUpdateOp, Int, Tensor, TensorData};
use std::sync::Arc;

#[derive(Debug)]
struct Spmm {
    matrix: Arc<Csr>,
}

impl Spmm {
    fn product(matrix: &Csr, x: &FlexTensor) -> FlexTensor {
        let width = x.layout().shape()[1];
        by_float!(x, T => {
            let mut y = vec![0.0 as T; matrix.rows() * width];
            bnpool_math::kernel::spmm(matrix.view(), values::<T>(x), width, &mut y);
            tensor(y, [matrix.rows(), width])
        })
    }
}

impl Kernel for Spmm {
    fn forward(&self, inputs: &[FlexTensor], _: bool) -> FlexTensor {
        Self::product(&self.matrix, &inputs[0])
    }

    fn gradient(&self, _: usize, gradient: &FlexTensor) -> FlexTensor {
        Self::product(self.matrix.transpose(), gradient)
    }
}

/// A X for a sparse matrix A and a dense X: message passing, or sparse node
/// features times weights.
///
/// # Shapes
///
/// - A: [rows, columns], X: [columns, width]
/// - result: [rows, width]
///
/// # Panics
///
/// When X has not a row for every column of A.
pub fn spmm(matrix: &Arc<Csr>, x: Tensor<2>) -> Tensor<2> {
    assert_eq!(
        x.dims()[0],
        matrix.columns_count(),
        "X has a row for every column of A"
    );
    if has_kernels(&x) {
        apply(
            x,
            Spmm {
                matrix: matrix.clone(),
            },
        )
    } else {
        portable(matrix, x)
    }
}

/// Gather, scale, scatter: for every other device.
fn portable(matrix: &Csr, x: Tensor<2>) -> Tensor<2> {
    let [_, width] = x.dims();
    let device = x.device();
    let (mut targets, mut sources, mut weights) = (Vec::new(), Vec::new(), Vec::new());
    for (u, v, w) in matrix.iter() {
        targets.push(i64::from(u));
        sources.push(i64::from(v));
        weights.push(w);
    }
    let entries = targets.len();
    let zeros = Tensor::<2>::zeros([matrix.rows(), width], (&device, x.dtype()));
    if entries == 0 {
        return zeros;
    }
    let index = |i: Vec<i64>| Tensor::<1, Int>::from_data(TensorData::new(i, [entries]), &device);
    let weights =
        Tensor::<2>::from_data(TensorData::new(weights, [entries, 1]), (&device, x.dtype()));
    let messages = x.select(0, index(sources)) * weights;
    zeros.select_assign(0, index(targets), messages, IndexingUpdateOp::Add)
}
