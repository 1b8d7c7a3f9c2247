//! Sparse matrix times dense tensor.

use super::activation::before_activation;
use super::kernel::{Kernel, apply, apply_two, by_float, has_kernels, tensor, values};
use super::{Activation, activate};
use bnpool_graph::Csr;
use bnpool_math::kernel::{self as math, Addend};
use burn::backend::flex::FlexTensor;
use burn::tensor::{Element, IndexingUpdateOp, Int, Tensor, TensorData};
use std::sync::{Arc, OnceLock};

/// f(A X + b) with optional b, or A X + X.
#[derive(Debug)]
struct Spmm {
    matrix: Arc<Csr>,
    activation: Activation,
    /// Whether X is added.
    own: bool,
    output: OnceLock<FlexTensor>,
    /// The gradient before the activation, which all inputs need.
    inner: OnceLock<FlexTensor>,
}

impl Spmm {
    fn new(matrix: &Arc<Csr>, activation: Activation) -> Self {
        Self {
            matrix: matrix.clone(),
            activation,
            own: false,
            output: OnceLock::new(),
            inner: OnceLock::new(),
        }
    }

    /// Addend of the product of A, or its transpose, and `x`.
    fn own<'x, T: Element + bytemuck::Pod>(&self, x: &'x FlexTensor) -> Addend<'x, T> {
        if self.own {
            Addend::Rows(values(x))
        } else {
            Addend::None
        }
    }
}

impl Kernel for Spmm {
    fn forward(&self, inputs: &[FlexTensor], tracked: bool) -> FlexTensor {
        let x = &inputs[0];
        let width = x.layout().shape()[1];
        let y = by_float!(x, T => {
            let addend = match inputs.get(1) {
                Some(bias) => Addend::Row(values::<T>(bias)),
                None => self.own(x),
            };
            let y = math::spmm(self.matrix.view(), values::<T>(x), width, addend, self.activation);
            tensor(y, [self.matrix.rows(), width])
        });
        if tracked && self.activation != Activation::None {
            self.output.get_or_init(|| y.clone());
        }
        y
    }

    fn gradient(&self, parent: usize, gradient: &FlexTensor) -> FlexTensor {
        let g = match self.output.get() {
            None => gradient,
            Some(y) => self
                .inner
                .get_or_init(|| before_activation(self.activation, y, gradient)),
        };
        let width = g.layout().shape()[1];
        by_float!(g, T => {
            if parent == 1 {
                return tensor(math::column_sums(values::<T>(g), width), [width]);
            }
            let matrix = self.matrix.transpose();
            let own = self.own(g);
            let x = math::spmm(matrix.view(), values::<T>(g), width, own, Activation::None);
            tensor(x, [matrix.rows(), width])
        })
    }
}

/// Computes A X for a sparse matrix A and a dense X: message passing, or sparse
/// node features times weights.
///
/// # Shapes
///
/// - A: [rows, columns], X: [columns, width]
/// - result: [rows, width]
///
/// # Panics
///
/// Panics if the number of rows of X is not the number of columns of A.
pub fn spmm(matrix: &Arc<Csr>, x: Tensor<2>) -> Tensor<2> {
    assert_eq!(
        x.dims()[0],
        matrix.columns_count(),
        "X has a row for every column of A"
    );
    if has_kernels(&x) {
        apply(x, Spmm::new(matrix, Activation::None))
    } else {
        portable(matrix, x)
    }
}

/// Computes X + A X: each row plus its neighbours.
///
/// # Shapes
///
/// - A: [nodes, nodes], X: [nodes, width]
/// - result: [nodes, width]
///
/// # Panics
///
/// Panics if A is not square or the number of rows of X is not the number of
/// nodes.
pub fn spmm_own(matrix: &Arc<Csr>, x: Tensor<2>) -> Tensor<2> {
    assert_eq!(
        [x.dims()[0]; 2],
        [matrix.rows(), matrix.columns_count()],
        "X has a row for every row and column of A"
    );
    if has_kernels(&x) {
        let own = Spmm {
            own: true,
            ..Spmm::new(matrix, Activation::None)
        };
        apply(x, own)
    } else {
        x.clone() + portable(matrix, x)
    }
}

/// Computes f(A X + b): message passing with a bias per column, followed by the
/// activation.
///
/// # Shapes
///
/// - A: [rows, columns], X: [columns, width], bias: of length width
/// - result: [rows, width]
///
/// # Panics
///
/// Panics if the shapes do not match.
pub fn spmm_bias(
    matrix: &Arc<Csr>,
    x: Tensor<2>,
    bias: Tensor<1>,
    activation: Activation,
) -> Tensor<2> {
    let [rows, width] = x.dims();
    assert_eq!(
        rows,
        matrix.columns_count(),
        "X has a row for every column of A"
    );
    assert_eq!(bias.dims(), [width], "a bias for every column of X");
    if has_kernels(&x) && has_kernels(&bias) {
        apply_two(x, bias, Spmm::new(matrix, activation))
    } else {
        activate(portable(matrix, x) + bias.unsqueeze(), activation)
    }
}

/// Gather, scale, scatter: the implementation for other devices.
fn portable(matrix: &Csr, x: Tensor<2>) -> Tensor<2> {
    sum_entries(matrix, &x, |sources| x.clone().select(0, sources))
}

/// For every row of A, the sum over its entries of weight · message; `messages` are computed
/// from the columns of all entries.
pub(super) fn sum_entries(
    matrix: &Csr,
    like: &Tensor<2>,
    messages: impl FnOnce(Tensor<1, Int>) -> Tensor<2>,
) -> Tensor<2> {
    let [_, width] = like.dims();
    let place = (&like.device(), like.dtype());
    let (mut targets, mut sources, mut weights) = (Vec::new(), Vec::new(), Vec::new());
    for (u, v, w) in matrix.iter() {
        targets.push(i64::from(u));
        sources.push(i64::from(v));
        weights.push(w);
    }
    let entries = targets.len();
    let zeros = Tensor::<2>::zeros([matrix.rows(), width], place);
    if entries == 0 {
        return zeros;
    }
    let index = |i: Vec<i64>| Tensor::from_data(TensorData::new(i, [entries]), place.0);
    let weights = Tensor::<2>::from_data(TensorData::new(weights, [entries, 1]), place);
    let messages = messages(index(sources)) * weights;
    zeros.select_assign(0, index(targets), messages, IndexingUpdateOp::Add)
}
