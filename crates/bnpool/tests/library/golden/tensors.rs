//! Tensors of the fixtures, in either precision.

use super::fixture::{Number, flat};
use bnpool_graph::Csr;
use burn::tensor::{DType, Device, Tensor, TensorData};

/// Both float types; all golden tests of tensors run with both.
pub(crate) const PRECISIONS: [DType; 2] = [DType::F64, DType::F32];

pub(crate) fn device() -> Device {
    Device::flex().autodiff()
}

/// A matrix that requires gradients.
pub(crate) fn matrix(rows: &[Vec<Number>], dtype: DType) -> Tensor<2> {
    let shape = [rows.len(), rows.first().map_or(0, Vec::len)];
    from_values(flat(rows), shape, dtype)
}

pub(crate) fn vector(values: &[Number], dtype: DType) -> Tensor<1> {
    let values: Vec<f64> = values.iter().map(|x| x.0).collect();
    let shape = [values.len()];
    from_values(values, shape, dtype)
}

pub(crate) fn from_values<const D: usize>(
    values: Vec<f64>,
    shape: [usize; D],
    dtype: DType,
) -> Tensor<D> {
    Tensor::<D>::from_data(TensorData::new(values, shape), (&device(), dtype)).require_grad()
}

/// The values of a tensor, as `f64`.
pub(crate) fn read<const D: usize>(x: Tensor<D>) -> Vec<f64> {
    x.into_data().iter::<f64>().collect()
}

/// The non-zero entries of a dense matrix.
pub(crate) fn csr(adjacency: &[Vec<Number>]) -> Csr {
    let n = adjacency.len();
    let entries = entries(adjacency, 0).collect::<Vec<_>>();
    if entries.iter().all(|e| e.2 == 1.0) {
        return Csr::from_edges(n, entries.iter().map(|e| (e.0, e.1))).expect("a valid matrix");
    }
    Csr::from_weighted_edges(n, entries).expect("a valid matrix")
}

/// (row, column, value) of the non-zero entries, shifted along the diagonal.
pub(crate) fn entries(
    adjacency: &[Vec<Number>],
    shift: u32,
) -> impl Iterator<Item = (u32, u32, f32)> + '_ {
    adjacency.iter().enumerate().flat_map(move |(u, row)| {
        row.iter()
            .enumerate()
            .filter(|(_, w)| w.0 != 0.0)
            .map(move |(v, w)| (u as u32 + shift, v as u32 + shift, w.0 as f32))
    })
}
