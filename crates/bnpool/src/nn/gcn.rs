//! Graph convolution (Kipf and Welling, 2017).

use super::Initialiser;
use crate::batch::{DenseStructure, Level, Structure};
use crate::ops::{Activation, activate, spmm_bias};
use burn::config::Config;
use burn::module::{Module, Param};
use burn::tensor::Tensor;

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
/// Â of sparse graphs is computed once ([`Topology::normalised`]). On pooled
/// graphs, gradients flow through it into the edges.
///
/// [`Topology::normalised`]: crate::batch::Topology::normalised
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
    /// One round of message passing, on sparse or on pooled graphs, followed by
    /// the activation.
    ///
    /// # Shapes
    ///
    /// - features: [nodes, inputs] → [nodes, outputs]
    ///
    /// # Complexity
    ///
    /// O(edges · outputs + nodes · inputs · outputs); for sparse features, the
    /// second term is the number of their entries times outputs.
    ///
    /// # Panics
    ///
    /// Panics if the weights of the edges overflow. To handle this case, call
    /// [`Topology::normalised`](crate::batch::Topology::normalised) first.
    #[must_use]
    pub fn forward(&self, level: &Level, activation: Activation) -> Tensor<2> {
        let weighted = level.features.times(self.weight.val());
        match &level.structure {
            Structure::Sparse(topology) => {
                let normalised = topology.normalised().expect("weights within range");
                spmm_bias(normalised, weighted, self.bias.val(), activation)
            }
            Structure::Dense(dense) => {
                let normalised = Structure::Dense(normalise_dense(dense, level));
                let sums = normalised.propagate(weighted) + self.bias.val().unsqueeze();
                activate(sums, activation)
            }
        }
    }
}

/// Differentiable D^−½ (A + I) D^−½ of pooled graphs. Degrees are at least one
/// because of the self-loops.
fn normalise_dense(dense: &DenseStructure, level: &Level) -> DenseStructure {
    let adjacency = dense.adjacency.clone();
    let [graphs, rows, _] = adjacency.dims();
    let eye = Tensor::<2>::eye(rows, &adjacency.device()).cast(adjacency.dtype());
    let own = adjacency + eye.unsqueeze();
    let root = own.clone().sum_dim(2).clamp_min(1e-12).sqrt();
    let normalised = own / root.clone() / root.reshape([graphs, 1, rows]);
    DenseStructure::new(normalised, level.segments().keys())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::{NodeInput, Topology};
    use bnpool_graph::{Csr, Features, Graph};
    use burn::tensor::Device;

    fn path() -> Topology {
        let adjacency = Csr::from_edges(3, [(0, 1), (1, 0), (1, 2), (2, 1)]).expect("a path");
        Topology::of_graph(&Graph::builder(adjacency).build().expect("a graph"))
    }

    fn values(x: Tensor<2>) -> Vec<f32> {
        x.into_data().iter::<f32>().collect()
    }

    #[test]
    fn sparse_and_dense_features_agree() {
        let device = Device::flex();
        let gcn = GcnConfig::new(3, 4).init(&mut Initialiser::new(1, &device));
        let sparse =
            Csr::from_entries(3, 3, [(0, 0, 1.0), (1, 2, 2.0), (2, 1, -1.0)]).expect("features");
        let features = Features::from(sparse);
        let dense = Features::from(features.to_dense().into_owned());
        let run = |f: &Features| {
            let level = Level::new(NodeInput::of(f, &device), path());
            values(gcn.forward(&level, Activation::None))
        };
        assert_eq!(run(&features), run(&dense));
    }

    #[test]
    fn sparse_and_pooled_graphs_agree_and_edges_have_a_gradient() {
        let device = Device::flex().autodiff();
        let gcn = GcnConfig::new(2, 2).init(&mut Initialiser::new(1, &device));
        let x = Tensor::<2>::from_data([[1.0_f32, 2.0], [3.0, 4.0], [5.0, 6.0]], &device);
        let edges = [[0.0_f32, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]];
        let adjacency = Tensor::<2>::from_data(edges, &device)
            .unsqueeze::<3>()
            .require_grad();
        let dense = Structure::Dense(DenseStructure::new(adjacency.clone(), &[0]));
        let pooled = gcn.forward(&Level::new(x.clone(), dense), Activation::Elu);
        let sparse = gcn.forward(&Level::new(x, path()), Activation::Elu);
        for (a, b) in values(pooled.clone()).iter().zip(values(sparse)) {
            assert!((a - b).abs() < 1e-5, "{a} and {b}");
        }
        let gradients = pooled.sum().backward();
        let gradient = adjacency.grad(&gradients).expect("a gradient of the edges");
        assert!(gradient.abs().sum().into_scalar::<f32>() > 0.1);
    }
}
