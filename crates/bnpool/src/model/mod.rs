//! The architectures of the paper.

mod cluster;
mod graph;

pub use cluster::{ClusterModel, ClusterModelConfig};
pub use graph::{
    Block, GraphInput, GraphModel, GraphModelConfig, GraphOutput, InputKind, MoleculeEncoder, Norm,
};
