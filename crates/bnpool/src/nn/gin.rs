//! Graph isomorphism network layers, with and without edge features.

use super::{Initialiser, Mlp, MlpConfig, Mode};
use crate::batch::{Level, NodeInput, Structure};
use crate::ops::{Activation, affine, edge_messages};
use burn::config::Config;
use burn::module::Module;
use burn::nn::Linear;
use burn::tensor::Tensor;

/// Configuration of a [`Gin`] layer.
#[derive(Config, Debug)]
pub struct GinConfig {
    /// Width of the input features.
    pub inputs: usize,
    /// Width of the hidden layer and of the output.
    pub outputs: usize,
    /// Width of the edge features; 0 for a layer that ignores them.
    #[config(default = 0)]
    pub edge_inputs: usize,
    /// Whether the hidden layer is normalised over the batch.
    #[config(default = false)]
    pub batch_norm: bool,
}

/// MLP(x_u + Σ_v A_uv x_v) (GIN; Xu et al., 2019), or with edge features
/// MLP(x_u + Σ_v A_uv ReLU(x_v + W e_uv + b)) (GINE; Hu et al., 2019).
#[derive(Module, Debug)]
pub struct Gin {
    /// The perceptron, inputs → outputs → outputs.
    pub mlp: Mlp,
    /// Edge features → inputs.
    pub edge: Option<Linear>,
}

impl GinConfig {
    /// Initialises the layer.
    #[must_use]
    pub fn init(&self, init: &mut Initialiser) -> Gin {
        let widths = vec![self.inputs, self.outputs, self.outputs];
        Gin {
            mlp: MlpConfig::new(widths)
                .with_batch_norm(self.batch_norm)
                .init(init),
            edge: (self.edge_inputs > 0).then(|| init.linear(self.edge_inputs, self.inputs, true)),
        }
    }
}

impl Gin {
    /// One round of message passing, on sparse or on pooled graphs, followed by
    /// the activation.
    ///
    /// # Shapes
    ///
    /// - features: [nodes, inputs] → [nodes, outputs]
    ///
    /// # Complexity
    ///
    /// O(edges · inputs + nodes · (inputs + outputs) · outputs); for sparse node
    /// features without edge features O((entries + edges + nodes · outputs) ·
    /// outputs).
    #[must_use]
    pub fn forward(&self, level: &Level, activation: Activation, mode: &Mode) -> Tensor<2> {
        let sums = match (&self.edge, &level.edge_features, &level.structure) {
            (Some(edge), Some(features), Structure::Sparse(topology)) => {
                let bias = edge.bias.as_ref().map(|b| b.val());
                let weight = edge.weight.val();
                let e = affine(features.clone(), weight, bias, Activation::None);
                edge_messages(&topology.adjacency, level.x(), e)
            }
            _ => match &level.features {
                NodeInput::Dense(x) => level.structure.propagate_own(x.clone()),
                // (X + A X) W = X W + A (X W), in which X W is narrower than X.
                sparse @ NodeInput::Sparse { .. } => {
                    let first = |weight| level.structure.propagate_own(sparse.times(weight));
                    return self.mlp.forward_from(first, activation, mode);
                }
            },
        };
        self.mlp.forward_then(sums, activation, mode)
    }
}
