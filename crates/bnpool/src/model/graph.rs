//! Model of graph-level targets: message passing, pooling, message passing,
//! readout.

use crate::batch::Level;
use crate::nn::{
    ATOM_CATEGORIES, BOND_CATEGORIES, BatchNorm, BatchNormConfig, CategoryEncoder,
    CategoryEncoderConfig, Initialiser, Layer, LayerKind, LayerSite, Mlp, MlpConfig, Mode, Readout,
    Standardise, StandardiseConfig,
};
use crate::ops::Activation;
use crate::pool::{
    Losses, Pass, Pool, PoolError, PoolSettings, PoolSite, Pooled, Pooler, PoolerConfig,
};
use bnpool_graph::Csr;
use burn::module::Module;
use burn::tensor::Tensor;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Position of batch normalisation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Norm {
    /// No normalisation.
    None,
    /// In the perceptrons of the layers before pooling.
    Mlp,
    /// After every layer before pooling, following ELU and dropout.
    Layer,
    /// After every layer, including those on pooled graphs.
    All,
}

/// Configuration of a [`GraphModel`].
#[derive(Debug, Clone, PartialEq)]
pub struct GraphModelConfig<C = PoolerConfig> {
    /// Kind of node and edge features.
    pub input: InputKind,
    /// The layers.
    pub layer: LayerKind,
    /// Whether columns of node features are standardised; only for numbers.
    pub standardise: bool,
    /// Whether outputs are standardised and must be restored.
    pub standardise_targets: bool,
    /// Width of all layers.
    pub hidden: usize,
    /// Number of message-passing layers before the first pooler.
    pub before: usize,
    /// Number of message-passing layers after each pooler.
    pub after: usize,
    /// Number of poolers.
    pub levels: usize,
    /// Position of batch normalisation.
    pub norm: Norm,
    /// Dropout rate, after each layer that is normalised as a whole and in the
    /// readout.
    pub dropout: f64,
    /// How the nodes of a graph become one vector.
    pub readout: Readout,
    /// Mean number of nodes of a graph.
    pub nodes: f64,
    /// Number of outputs.
    pub outputs: usize,
    /// Configuration of the poolers.
    pub pooler: C,
    /// Seed of precomputed coarsenings.
    pub seed: u64,
}

/// Kind of node and edge features.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "kind")]
pub enum InputKind {
    /// Numbers.
    Numbers {
        /// Width of the node features.
        nodes: usize,
        /// Width of the edge features; 0 for none.
        edges: usize,
    },
    /// Atoms and bonds in the format of the Open Graph Benchmark.
    Molecule {
        /// Width of their embeddings.
        width: usize,
    },
}

/// Embeddings of atoms and bonds.
#[derive(Module, Debug)]
pub struct MoleculeEncoder {
    /// Encoder of nodes.
    pub atoms: CategoryEncoder,
    /// Encoder of edges.
    pub bonds: CategoryEncoder,
}

/// One pooler and the layers after it.
#[derive(Module, Debug)]
pub struct Block<P: Module = Pooler> {
    /// The pooler.
    pub pool: P,
    /// The layers after the pooler.
    pub layers: Vec<Layer>,
    /// Normalisations after these layers.
    pub norms: Vec<BatchNorm>,
}

/// The model of `sec:exp_class` of the paper: GIN, pooler, GIN, readout.
#[derive(Module, Debug)]
pub struct GraphModel<P: Module = Pooler> {
    /// Encoder of molecules.
    pub encoder: Option<MoleculeEncoder>,
    /// Standardisation of node features.
    pub standardise: Option<Standardise>,
    /// Standardisation of targets.
    pub targets: Option<Standardise>,
    /// Layers before the first pooler.
    pub before: Vec<Layer>,
    /// Normalisations after these layers.
    pub norms: Vec<BatchNorm>,
    /// Poolers, with the layers after them.
    pub blocks: Vec<Block<P>>,
    /// Graph vector → outputs.
    pub head: Mlp,
    #[module(skip)]
    settings: Settings,
}

/// Settings of the forward pass.
#[derive(Debug, Clone, Copy)]
struct Settings {
    dropout: f64,
    readout: Readout,
}

/// Input batch of a [`GraphModel`].
#[derive(Debug, Clone)]
pub enum GraphInput {
    /// Numbers.
    Numbers(Level),
    /// Categories of atoms and bonds; the features of the level are ignored.
    Molecules {
        /// The graphs.
        level: Level,
        /// Categories of the atoms.
        atoms: Arc<Csr>,
        /// Categories of the bonds.
        bonds: Arc<Csr>,
    },
}

impl GraphInput {
    /// The graphs.
    #[must_use]
    pub fn level(&self) -> &Level {
        match self {
            Self::Numbers(level) | Self::Molecules { level, .. } => level,
        }
    }
}

/// Result of a forward pass.
#[derive(Debug, Clone)]
pub struct GraphOutput {
    /// [graphs, outputs].
    pub outputs: Tensor<2>,
    /// Result of each pooler.
    pub pooled: Vec<Pooled>,
}

impl GraphOutput {
    /// The auxiliary losses of all poolers by name, each summed over the levels.
    #[must_use]
    pub fn losses(&self) -> Losses {
        let mut terms: Vec<(&'static str, Tensor<1>)> = Vec::new();
        for pooled in &self.pooled {
            for (name, value) in pooled.losses.iter() {
                match terms.iter_mut().find(|term| term.0 == name) {
                    Some(term) => term.1 = term.1.clone() + value.clone(),
                    None => terms.push((name, value.clone())),
                }
            }
        }
        Losses::new(terms)
    }
}

impl<C: PoolSettings> GraphModelConfig<C> {
    /// Site of the first pooler, for features of this width.
    #[must_use]
    pub fn site(&self, inputs: usize) -> PoolSite {
        PoolSite {
            inputs,
            nodes: self.nodes,
            clusters: None,
            seed: self.seed,
        }
    }

    /// Initialises the model.
    ///
    /// # Errors
    ///
    /// Returns an error if the pooler does not exist or one of its settings is
    /// out of range.
    pub fn init(&self, init: &mut Initialiser) -> Result<GraphModel<C::Pool>, PoolError> {
        let (encoder, mut width, edges) = match self.input {
            InputKind::Numbers { nodes, edges } => (None, nodes, edges),
            InputKind::Molecule { width } => {
                let mut table = |categories: &[usize]| {
                    CategoryEncoderConfig::new(categories.to_vec(), width).init(init)
                };
                let encoder = MoleculeEncoder {
                    atoms: table(&ATOM_CATEGORIES),
                    bonds: table(&BOND_CATEGORIES),
                };
                (Some(encoder), width, width)
            }
        };
        let (mut before, mut norms) = (Vec::new(), Vec::new());
        for _ in 0..self.before {
            let site = LayerSite {
                inputs: width,
                outputs: self.hidden,
                edge_inputs: edges,
                batch_norm: self.norm == Norm::Mlp,
            };
            before.push(self.layer.init(&site, init));
            if matches!(self.norm, Norm::Layer | Norm::All) {
                norms.push(BatchNormConfig::new(self.hidden).init(init));
            }
            width = self.hidden;
        }
        let mut nodes = self.nodes;
        let mut blocks = Vec::new();
        for _ in 0..self.levels {
            let site = PoolSite {
                nodes,
                ..self.site(width)
            };
            let pool = self.pooler.init(&site, init)?;
            nodes = pool.nodes_after(nodes);
            width = pool.width_after(width);
            let (mut layers, mut norms) = (Vec::new(), Vec::new());
            for _ in 0..self.after {
                let site = LayerSite {
                    inputs: width,
                    outputs: self.hidden,
                    edge_inputs: 0,
                    batch_norm: false,
                };
                layers.push(self.layer.init(&site, init));
                if self.norm == Norm::All {
                    norms.push(BatchNormConfig::new(self.hidden).init(init));
                }
                width = self.hidden;
            }
            blocks.push(Block {
                pool,
                layers,
                norms,
            });
        }
        let widths = vec![width, self.hidden, (self.hidden / 2).max(1), self.outputs];
        let head = MlpConfig::new(widths).with_dropout(self.dropout).init(init);
        // Last, so that the initial values of all other parameters do not
        // depend on it.
        let standardise = match self.input {
            InputKind::Numbers { nodes, .. } if self.standardise => {
                Some(StandardiseConfig::new(nodes).init(init))
            }
            _ => None,
        };
        let targets = self
            .standardise_targets
            .then(|| StandardiseConfig::new(self.outputs).init(init));
        Ok(GraphModel {
            encoder,
            standardise,
            targets,
            before,
            norms,
            blocks,
            head,
            settings: Settings {
                dropout: self.dropout,
                readout: self.readout,
            },
        })
    }
}

impl<P: Pool> GraphModel<P> {
    /// Computes outputs and pooled graphs of a batch.
    ///
    /// # Shapes
    ///
    /// - features: [nodes, F] → outputs: [graphs, outputs]
    #[must_use]
    pub fn forward(&self, input: &GraphInput, pass: &Pass) -> GraphOutput {
        self.forward_by(input, pass, |_, pooler, level, pass| {
            pooler.pool(level, pass)
        })
    }

    /// Like [`forward`](Self::forward), but applies poolers by a function,
    /// which receives each pooler and its depth.
    pub fn forward_by(
        &self,
        input: &GraphInput,
        pass: &Pass,
        pool: impl Fn(usize, &P, &Level, &Pass) -> Pooled,
    ) -> GraphOutput {
        let mode = &pass.mode;
        let mut level = self.encode(input);
        level = self.pass_messages(level, &self.before, &self.norms, mode);
        let mut all = Vec::with_capacity(self.blocks.len());
        for (depth, block) in self.blocks.iter().enumerate() {
            let pooled = pool(depth, &block.pool, &level, &pass.at_depth(depth));
            level = self.pass_messages(pooled.level.clone(), &block.layers, &block.norms, mode);
            all.push(pooled);
        }
        let mut graphs = self.settings.readout.forward(&level);
        if !self.norms.is_empty() {
            graphs = mode.dropout(graphs, self.settings.dropout);
        }
        let outputs = self.head.forward(graphs, mode);
        GraphOutput {
            outputs: match &self.targets {
                Some(layer) => layer.restore(outputs),
                None => outputs,
            },
            pooled: all,
        }
    }

    /// Unit of differences between outputs: the standard deviation of the
    /// targets, if they are standardised.
    #[must_use]
    pub fn unit(&self) -> Option<Tensor<1>> {
        self.targets.as_ref().map(|layer| layer.deviation.val())
    }

    /// Applies message-passing layers, each with ELU and optional
    /// normalisation.
    fn pass_messages(
        &self,
        mut level: Level,
        layers: &[Layer],
        norms: &[BatchNorm],
        mode: &Mode,
    ) -> Level {
        for (i, layer) in layers.iter().enumerate() {
            let x = layer.forward(&level, Activation::Elu, mode);
            let x = match norms.get(i) {
                Some(norm) => {
                    let x = mode.dropout(x, self.settings.dropout);
                    norm.forward(x, Activation::None, mode)
                }
                None => x,
            };
            level = level.with_features(x);
        }
        level
    }

    /// Encodes the features: embeddings of atoms and bonds, or standardised
    /// numbers.
    fn encode(&self, input: &GraphInput) -> Level {
        match (&self.encoder, input) {
            (
                Some(encoder),
                GraphInput::Molecules {
                    level,
                    atoms,
                    bonds,
                },
            ) => level
                .clone()
                .with_features(encoder.atoms.forward(atoms))
                .with_edge_features(Some(encoder.bonds.forward(bonds))),
            _ => {
                let level = input.level().clone();
                match &self.standardise {
                    Some(layer) => {
                        let features = level.features.clone().standardised(layer.scale());
                        level.with_features(features)
                    }
                    None => level,
                }
            }
        }
    }
}
