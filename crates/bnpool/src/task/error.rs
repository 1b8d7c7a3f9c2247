//! Why a task could not be done.

use crate::pool::PoolError;
use crate::train::CheckpointError;
use bnpool_graph::GraphError;
use bnpool_graph::structure::StructureError;
use bnpool_math::metrics::LogisticError;
use bnpool_math::spectral::SpectralError;
use thiserror::Error;

/// Why a task stopped.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TaskError {
    /// A setting out of its range.
    #[error("{name} = {value} is out of range: it must be {bound}")]
    OutOfRange {
        /// Name of the setting.
        name: &'static str,
        /// The value given.
        value: f64,
        /// What is allowed.
        bound: &'static str,
    },
    /// A pooler that cannot be made.
    #[error(transparent)]
    Pool(#[from] PoolError),
    /// A graph that cannot be used.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// A graph without eigenvectors.
    #[error(transparent)]
    Spectral(#[from] SpectralError),
    /// Labels that do not fit their graph.
    #[error(transparent)]
    Structure(#[from] StructureError),
    /// Classes that cannot be compared with.
    #[error(transparent)]
    Classes(#[from] LogisticError),
    /// Weights or a checkpoint that cannot be used.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// A graph with nothing to cluster.
    #[error("the graph has {nodes} nodes: at least 2 are needed to look for communities")]
    TooSmall {
        /// Nodes of the graph.
        nodes: usize,
    },
    /// A graph without features to start from.
    #[error(
        "the graph has no node features: give some with --features, or have them made with --set features.source=structure"
    )]
    NoFeatures,
    /// A result asked for too early.
    #[error("the training has not come to its end yet")]
    Unfinished,
    /// A loss that is no longer a number.
    #[error(
        "the loss became {loss} in epoch {epoch}: lower the learning rate or check the features for extreme values"
    )]
    Diverged {
        /// The epoch.
        epoch: usize,
        /// The loss.
        loss: f64,
    },
}
