//! Graphs from the tensors of PyTorch Geometric.

use std::path::Path;

use super::files::{damaged, refuse_pickle};
use crate::format::ReadError;
use crate::pickle::{Tensor, TorchFile};
use bnpool_graph::{Csr, Matrix};

fn wrong_shape(path: &Path, what: &str, tensor: Tensor<'_>) -> ReadError {
    let shape = tensor.shape().iter().map(usize::to_string);
    let shape: Vec<_> = shape.take(8).collect();
    let shape = shape.join(", ");
    damaged(path, format!("{what} are a tensor of shape [{shape}]"))
}

/// A tensor of two axes as a matrix.
pub(super) fn matrix(
    path: &Path,
    file: &TorchFile,
    tensor: Tensor<'_>,
) -> Result<Matrix, ReadError> {
    let &[rows, columns] = tensor.shape() else {
        return Err(wrong_shape(path, "features", tensor));
    };
    let values = tensor.to_f32(file).map_err(refuse_pickle(path))?;
    Matrix::new(rows, columns, values).map_err(|error| ReadError::graph(path, error))
}

/// The adjacency of a tensor of edges (sources above targets), and the features
/// of the edges in its order.
pub(super) fn adjacency_with_features(
    path: &Path,
    file: &TorchFile,
    nodes: usize,
    ends: Tensor<'_>,
    features: Option<&Matrix>,
) -> Result<(Csr, Option<Matrix>), ReadError> {
    let &[2, edges] = ends.shape() else {
        return Err(wrong_shape(path, "edges", ends));
    };
    let numbers = ends.to_i64(file).map_err(refuse_pickle(path))?;
    let nodes_of: Result<Vec<u32>, _> = numbers.into_iter().map(u32::try_from).collect();
    let nodes_of = nodes_of.map_err(|_| damaged(path, "an edge names a node below 0"))?;
    if features.is_some_and(|features| features.rows() != edges) {
        let problem = "edges and their features are not equally many";
        return Err(damaged(path, problem));
    }
    let (sources, targets) = nodes_of.split_at(edges);
    let pairs = sources.iter().copied().zip(targets.iter().copied());
    let refused = |error| ReadError::graph(path, error);
    let (adjacency, origins) = Csr::from_edges_with_origins(nodes, pairs).map_err(refused)?;
    let sorted = features.map(|features| {
        let values = origins.iter().flat_map(|&origin| features.row(origin));
        Matrix::new(origins.len(), features.columns(), values.copied().collect())
    });
    Ok((adjacency, sorted.transpose().map_err(refused)?))
}
