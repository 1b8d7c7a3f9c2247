//! Graph convolution (Kipf and Welling, 2017).

use super::Initialiser;
use crate::ops::{Activation, affine, spmm, spmm_bias};
use bnpool_graph::{Csr, Features, GraphError, transform};
use burn::config::Config;
use burn::module::{Module, Param};
use burn::tensor::{Device, Tensor, TensorData};
use std::sync::Arc;

/// Node features as a layer reads them.
#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant)] // One a model: a box would only hide the tensor.
pub enum NodeInput {
    /// A dense tensor, [nodes, F].
    Dense(Tensor<2>),
    /// A sparse matrix, [nodes, F]: bags of words stay sparse, and so does
    /// their product with the weights. It has no gradient.
    Sparse(Arc<Csr>),
}

impl NodeInput {
    /// The features of a graph or batch, on a device.
    #[must_use]
    pub fn of(features: &Features, device: &Device) -> Self {
        match features {
            Features::Sparse(matrix) => Self::Sparse(Arc::new(matrix.clone())),
            Features::Dense(matrix) => {
                let data = TensorData::new(
                    matrix.as_slice().to_vec(),
                    [matrix.rows(), matrix.columns()],
                );
                Self::Dense(Tensor::from_data(data, device))
            }
        }
    }

    /// The same without the record of gradients, for evaluation.
    #[must_use]
    pub fn inner(&self) -> Self {
        match self {
            Self::Dense(x) => Self::Dense(x.clone().inner()),
            Self::Sparse(x) => Self::Sparse(x.clone()),
        }
    }

    /// F.
    #[must_use]
    pub fn width(&self) -> usize {
        match self {
            Self::Dense(x) => x.dims()[1],
            Self::Sparse(x) => x.columns_count(),
        }
    }
}

impl From<Tensor<2>> for NodeInput {
    fn from(x: Tensor<2>) -> Self {
        Self::Dense(x)
    }
}

/// Configuration of a [`Gcn`] layer.
#[derive(Config, Debug)]
pub struct GcnConfig {
    /// Width of the input features.
    pub inputs: usize,
    /// Width of the output features.
    pub outputs: usize,
}

/// Â X W + b with Â = D^−½ (A + I) D^−½.
///
/// The layer takes Â ready made (see [`Gcn::normalise`]): it does not change
/// while a graph is trained on.
#[derive(Module, Debug)]
pub struct Gcn {
    /// W, [inputs, outputs].
    pub weight: Param<Tensor<2>>,
    /// b, of length `outputs`.
    pub bias: Param<Tensor<1>>,
}

impl GcnConfig {
    /// Glorot weights, zero bias.
    #[must_use]
    pub fn init(&self, init: &mut Initialiser) -> Gcn {
        Gcn {
            weight: init.glorot(self.inputs, self.outputs),
            bias: init.values(vec![0.0; self.outputs], [self.outputs]),
        }
    }
}

impl Gcn {
    /// Â of an adjacency matrix: self-loops added where there are none, then
    /// normalised by the degrees on both sides.
    ///
    /// # Errors
    ///
    /// When the matrix is not square or its weights overflow.
    pub fn normalise(adjacency: &Csr) -> Result<Arc<Csr>, GraphError> {
        Ok(Arc::new(transform::normalise_gcn(adjacency)?))
    }

    /// One round of message passing.
    ///
    /// # Shapes
    ///
    /// - Â: [nodes, nodes], x: [nodes, inputs]
    /// - result: [nodes, outputs]
    ///
    /// # Complexity
    ///
    /// O(edges · outputs + nodes · inputs · outputs); for sparse features the
    /// second term is their number of entries times outputs.
    #[must_use]
    pub fn forward(&self, normalised: &Arc<Csr>, x: &NodeInput) -> Tensor<2> {
        self.forward_then(normalised, x, Activation::None)
    }

    /// The same with an activation behind it.
    ///
    /// # Shapes
    ///
    /// - Â: [nodes, nodes], x: [nodes, inputs]
    /// - result: [nodes, outputs]
    #[must_use]
    pub fn forward_then(
        &self,
        normalised: &Arc<Csr>,
        x: &NodeInput,
        activation: Activation,
    ) -> Tensor<2> {
        let weighted = match x {
            NodeInput::Dense(x) => affine(x.clone(), self.weight.val(), None, Activation::None),
            NodeInput::Sparse(x) => spmm(x, self.weight.val()),
        };
        spmm_bias(normalised, weighted, self.bias.val(), activation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sparse_and_dense_features_agree() {
        let device = Device::flex();
        let gcn = GcnConfig::new(3, 4).init(&mut Initialiser::new(1, &device));
        let adjacency = Csr::from_edges(3, [(0, 1), (1, 0), (1, 2), (2, 1)]).expect("a path");
        let normalised = Gcn::normalise(&adjacency).expect("square");
        let sparse =
            Csr::from_entries(3, 3, [(0, 0, 1.0), (1, 2, 2.0), (2, 1, -1.0)]).expect("features");
        let features = Features::from(sparse);
        let dense = Features::from(features.to_dense().into_owned());
        let run = |f: &Features| {
            let y = gcn.forward(&normalised, &NodeInput::of(f, &device));
            y.into_data().iter::<f32>().collect::<Vec<_>>()
        };
        assert_eq!(run(&features), run(&dense));
    }
}
