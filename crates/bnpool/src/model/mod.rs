//! The architectures of the paper.

mod cluster;

pub use cluster::{ClusterModel, ClusterModelConfig};
