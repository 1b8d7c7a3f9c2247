//! Message-passing layers by name. To add one, create a file for it and a line
//! here.

use super::{Gcn, GcnConfig, Gin, GinConfig, Initialiser, Mode};
use crate::batch::Level;
use crate::ops::Activation;
use burn::module::Module;
use burn::tensor::Tensor;
use serde::{Deserialize, Serialize};

/// Site of a layer in a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LayerSite {
    /// Width of the input features.
    pub inputs: usize,
    /// Width of the output features.
    pub outputs: usize,
    /// Width of the edge features; 0 for none.
    pub edge_inputs: usize,
    /// Whether the hidden layer, if any, is normalised over the batch.
    pub batch_norm: bool,
}

/// A message-passing layer.
trait MessagePassing: Module + Sized {
    /// Creates a layer for a site.
    fn make(site: &LayerSite, init: &mut Initialiser) -> Self;

    /// [nodes, inputs] → [nodes, outputs].
    fn forward(&self, level: &Level, activation: Activation, mode: &Mode) -> Tensor<2>;
}

impl MessagePassing for Gcn {
    fn make(site: &LayerSite, init: &mut Initialiser) -> Self {
        GcnConfig::new(site.inputs, site.outputs).init(init)
    }

    fn forward(&self, level: &Level, activation: Activation, _: &Mode) -> Tensor<2> {
        Gcn::forward(self, level, activation)
    }
}

impl MessagePassing for Gin {
    fn make(site: &LayerSite, init: &mut Initialiser) -> Self {
        GinConfig::new(site.inputs, site.outputs)
            .with_edge_inputs(site.edge_inputs)
            .with_batch_norm(site.batch_norm)
            .init(init)
    }

    fn forward(&self, level: &Level, activation: Activation, mode: &Mode) -> Tensor<2> {
        Gin::forward(self, level, activation, mode)
    }
}

macro_rules! layers {
    ($($(#[$doc:meta])* $kind:ident: $layer:ident, $name:literal, edges: $edges:literal;)*) => {
        /// Kind of layer of a network.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "lowercase")]
        pub enum LayerKind {
            $($(#[$doc])* $kind,)*
        }

        /// All kinds of layers, with their names in configurations.
        pub const LAYERS: &[(&str, LayerKind)] = &[$(($name, LayerKind::$kind),)*];

        impl LayerKind {
            /// Creates a layer for a site in a network.
            #[must_use]
            pub fn init(self, site: &LayerSite, init: &mut Initialiser) -> Layer {
                match self {
                    $(Self::$kind => {
                        let edge_inputs = if $edges { site.edge_inputs } else { 0 };
                        let site = LayerSite { edge_inputs, ..*site };
                        Layer::from(<$layer as MessagePassing>::make(&site, init))
                    })*
                }
            }
        }
    };
}

layers! {
    /// Graph convolution: means over neighbours.
    Gcn: Gcn, "gcn", edges: false;
    /// Graph isomorphism network: sums over neighbours. Edge features are
    /// ignored.
    Gin: Gin, "gin", edges: false;
    /// GIN with edge features, if the graphs have any.
    Gine: Gin, "gine", edges: true;
}

/// Any message-passing layer.
#[derive(Module, Debug)]
pub enum Layer {
    /// [`Gcn`]
    Gcn(Gcn),
    /// [`Gin`]
    Gin(Gin),
}

impl From<Gcn> for Layer {
    fn from(layer: Gcn) -> Self {
        Self::Gcn(layer)
    }
}

impl From<Gin> for Layer {
    fn from(layer: Gin) -> Self {
        Self::Gin(layer)
    }
}

impl Layer {
    /// One round of message passing, on sparse or on pooled graphs, followed by
    /// the activation.
    ///
    /// # Shapes
    ///
    /// - features: [nodes, inputs] → [nodes, outputs]
    #[must_use]
    pub fn forward(&self, level: &Level, activation: Activation, mode: &Mode) -> Tensor<2> {
        match self {
            Self::Gcn(layer) => MessagePassing::forward(layer, level, activation, mode),
            Self::Gin(layer) => MessagePassing::forward(layer, level, activation, mode),
        }
    }
}
