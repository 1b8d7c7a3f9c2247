//! Edges of a batch of graphs, before and after pooling.
//!
//! A structure is sparse (compressed rows, ragged) or dense ([graphs, C, C], with a
//! gradient). Layers and poolers ask it to propagate and do not depend on which it is, so
//! a pooled graph can be pooled again. Only soft assignments give dense graphs.

use super::Topology;
use crate::ops::{Segments, lift, lift_own, spmm, spmm_own};
use bnpool_graph::Csr;
use burn::tensor::{Tensor, TensorData};
use std::sync::Arc;

/// Edges of a batch of graphs.
#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant)] // A handful a model: a box would only hide them.
pub enum Structure {
    /// Sparse graphs of any sizes, such as the input graphs or subgraphs of
    /// them.
    Sparse(Topology),
    /// Pooled graphs of equal size, whose edges have gradients.
    Dense(DenseStructure),
}

/// Small graphs of equal size.
#[derive(Debug, Clone)]
pub struct DenseStructure {
    /// [graphs, C, C].
    pub adjacency: Tensor<3>,
    segments: Segments,
}

impl DenseStructure {
    /// Builds graphs with these edges; `keys` are the keys of their random
    /// draws.
    ///
    /// # Panics
    ///
    /// Panics if the matrices are not square or the number of keys differs.
    #[must_use]
    pub fn new(adjacency: Tensor<3>, keys: &[u32]) -> Self {
        let [graphs, rows, columns] = adjacency.dims();
        assert_eq!(rows, columns, "adjacency matrices are square");
        let segments = Segments::uniform(graphs, rows).with_keys(keys);
        Self {
            adjacency,
            segments,
        }
    }

    /// Extracts the nonzero entries, without gradients.
    fn to_csr(&self) -> Csr {
        let [graphs, rows, _] = self.adjacency.dims();
        let data = self.adjacency.clone().detach().into_data();
        let mut offsets = Vec::with_capacity(graphs * rows + 1);
        let (mut columns, mut weights) = (Vec::new(), Vec::new());
        offsets.push(0);
        for (i, w) in data.iter::<f32>().enumerate() {
            if w != 0.0 && w.is_finite() {
                columns.push((i / (rows * rows) * rows + i % rows) as u32);
                weights.push(w);
            }
            if i % rows == rows - 1 {
                offsets.push(columns.len());
            }
        }
        let nodes = graphs * rows;
        Csr::new(nodes, nodes, offsets, columns, Some(weights))
            .expect("rows were walked in order of their columns")
    }
}

impl Structure {
    /// Rows of each graph.
    #[must_use]
    pub fn segments(&self) -> &Segments {
        match self {
            Self::Sparse(topology) => &topology.segments,
            Self::Dense(dense) => &dense.segments,
        }
    }

    /// Computes A X.
    ///
    /// # Shapes
    ///
    /// - x: [nodes, F] → [nodes, F]
    ///
    /// # Panics
    ///
    /// Panics if the number of rows of x is not the number of nodes.
    #[must_use]
    pub fn propagate(&self, x: Tensor<2>) -> Tensor<2> {
        match self {
            Self::Sparse(topology) => spmm(&topology.adjacency, x),
            Self::Dense(dense) => {
                let [graphs, rows, _] = dense.adjacency.dims();
                let [_, width] = x.dims();
                let edges = dense.adjacency.clone().reshape([graphs * rows, rows]);
                lift(&dense.segments, edges, x.reshape([graphs, rows, width]))
            }
        }
    }

    /// Computes X + A X.
    ///
    /// # Shapes
    ///
    /// - x: [nodes, F] → [nodes, F]
    ///
    /// # Panics
    ///
    /// Panics if the number of rows of x is not the number of nodes.
    #[must_use]
    pub fn propagate_own(&self, x: Tensor<2>) -> Tensor<2> {
        match self {
            Self::Sparse(topology) => spmm_own(&topology.adjacency, x),
            Self::Dense(dense) => lift_own(&dense.segments, dense.adjacency.clone(), x),
        }
    }

    /// Row sums of A, [nodes, 1], with the type and device of `like`.
    #[must_use]
    pub fn degrees(&self, like: &Tensor<2>) -> Tensor<2> {
        match self {
            Self::Sparse(topology) => {
                let sums = topology.adjacency.row_sums();
                let data = TensorData::new(sums, [topology.segments.nodes(), 1]);
                Tensor::from_data(data, (&like.device(), like.dtype()))
            }
            Self::Dense(dense) => {
                let [graphs, rows, _] = dense.adjacency.dims();
                let sums = dense.adjacency.clone().sum_dim(2);
                sums.reshape([graphs * rows, 1])
            }
        }
    }

    /// Converts the structure to targets of the reconstruction. The edges of
    /// pooled graphs become targets between 0 and 1, without gradients.
    #[must_use]
    pub fn topology(&self) -> Topology {
        match self {
            Self::Sparse(topology) => topology.clone(),
            Self::Dense(dense) => {
                let matrix = Arc::new(dense.to_csr());
                Topology::new(dense.segments.clone(), matrix.clone()).with_targets(matrix)
            }
        }
    }
}

impl From<Topology> for Structure {
    fn from(topology: Topology) -> Self {
        Self::Sparse(topology)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use burn::tensor::Device;

    #[test]
    fn dense_and_sparse_structures_agree() {
        let device = Device::flex();
        let values = vec![0.0_f32, 0.5, 0.25, 0.0, 0.0, 1.0, 1.0, 0.0];
        let adjacency = Tensor::<3>::from_data(TensorData::new(values, [2, 2, 2]), &device);
        let dense = Structure::Dense(DenseStructure::new(adjacency, &[4, 9]));
        let sparse = Structure::Sparse(dense.topology());
        let x = Tensor::<2>::from_data(
            [[1.0_f32, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]],
            &device,
        );
        let read = |t: Tensor<2>| t.into_data().iter::<f32>().collect::<Vec<_>>();
        assert_eq!(
            read(dense.propagate(x.clone())),
            read(sparse.propagate(x.clone()))
        );
        let own = read(x.clone() + dense.propagate(x.clone()));
        assert_eq!(read(dense.propagate_own(x.clone())), own);
        assert_eq!(read(sparse.propagate_own(x.clone())), own);
        assert_eq!(read(dense.degrees(&x)), read(sparse.degrees(&x)));
        assert_eq!(sparse.segments().keys(), [4, 9]);
    }
}
