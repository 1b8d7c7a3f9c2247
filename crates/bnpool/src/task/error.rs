//! Why a task could not be done.

use crate::nn::CategoryError;
use crate::pool::PoolError;
use crate::train::{CheckpointError, NotFinite};
use bnpool_graph::GraphError;
use bnpool_graph::split::SplitError;
use bnpool_graph::structure::StructureError;
use bnpool_math::memory::NotEnoughMemory;
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
        "the graph has no node features: give some, or set features.source to `structure` to have them made"
    )]
    NoFeatures,
    /// Nothing to learn from.
    #[error("there are no graphs to learn from")]
    NoGraphs,
    /// A graph without a target.
    #[error(
        "graph {graph} has no target, and every graph needs one to learn from: give it in the column `target` of graphs.csv, or in the file …_graph_labels.txt of a TU set"
    )]
    NoTarget {
        /// The graph.
        graph: usize,
    },
    /// Targets of different kinds.
    #[error("graph {graph} has another kind or number of targets than graph 0")]
    MixedTargets {
        /// The graph.
        graph: usize,
    },
    /// Nothing to tell apart.
    #[error("all graphs are of one class: there is nothing to tell apart")]
    OneClass,
    /// Nothing to predict.
    #[error(
        "no two graphs have different targets: there is nothing to learn; check the column of the targets"
    )]
    OneValue,
    /// Too few graphs to divide.
    #[error("{graphs} graphs cannot fill {folds} folds: bring more graphs, or lower data.folds")]
    TooFewGraphs {
        /// Graphs there are.
        graphs: usize,
        /// Folds asked for.
        folds: usize,
    },
    /// Features of another width than the network knows.
    #[error("graph {graph} has {found} {what} features, but {expected} are expected")]
    FeatureWidth {
        /// The graph.
        graph: usize,
        /// Of nodes or edges.
        what: &'static str,
        /// Its number of features.
        found: usize,
        /// The number expected.
        expected: usize,
    },
    /// Categories that are none.
    #[error(transparent)]
    Categories(#[from] CategoryError),
    /// A division that cannot be.
    #[error(transparent)]
    Split(#[from] SplitError),
    /// A split asked for that the data do not have.
    #[error("the data have no split of their own: set data.split to `folds`")]
    NoOfficialSplit,
    /// A fold that there is not.
    #[error("there is no fold {fold}: there are {folds}, counted from 0")]
    NoFold {
        /// The fold.
        fold: usize,
        /// Number of folds.
        folds: usize,
    },
    /// A part of a fold without graphs.
    #[error("fold {fold} has no graphs to {part}: bring more graphs, or lower data.folds")]
    EmptyPart {
        /// The fold.
        fold: usize,
        /// What they are needed for.
        part: &'static str,
    },
    /// A pooler without a loss of its own.
    #[error("the pooler has no loss to train on")]
    NothingToTrain,
    /// A result asked for too early.
    #[error("the training has not come to its end yet")]
    Unfinished,
    /// A value that is no longer finite.
    #[error(
        "{tensor} is not finite in epoch {epoch}: check the features for extreme values, or lower training.learning_rate"
    )]
    Diverged {
        /// The epoch, from 1; 0 is the start before the first.
        epoch: usize,
        /// The first tensor that is not finite.
        tensor: String,
    },
    /// A prediction that is not finite.
    #[error(
        "the prediction for graph {graph} is not finite: check its features for extreme values"
    )]
    Prediction {
        /// The graph.
        graph: usize,
    },
    /// A size that the memory does not hold.
    #[error("{source}: lower {field}")]
    Memory {
        /// The setting that asks for it.
        field: &'static str,
        /// What it needs.
        source: NotEnoughMemory,
    },
}

/// The setting that mends an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Remedy {
    /// Its place in the configuration, such as `pooler.max_clusters`.
    pub field: &'static str,
    /// The value that mends it, where there is only one.
    pub value: Option<&'static str>,
}

impl TaskError {
    /// A training that stopped at a value that is not finite.
    pub(crate) fn diverged(epoch: usize, bad: NotFinite) -> Self {
        Self::Diverged {
            epoch,
            tensor: bad.tensor,
        }
    }

    /// The setting that mends this error, where one does.
    #[must_use]
    pub fn remedy(&self) -> Option<Remedy> {
        let field = |field| Some(Remedy { field, value: None });
        let value = |field, value| {
            Some(Remedy {
                field,
                value: Some(value),
            })
        };
        match self {
            Self::OutOfRange { name, .. } | Self::Pool(PoolError::OutOfRange { name, .. }) => {
                field(name)
            }
            Self::Pool(PoolError::NotSoft { .. } | PoolError::Unknown { .. }) => {
                field("pooler.name")
            }
            Self::NoFeatures => value("features.source", "structure"),
            Self::TooFewGraphs { .. } | Self::EmptyPart { .. } => field("data.folds"),
            Self::NoOfficialSplit => value("data.split", "folds"),
            Self::Diverged { .. } => field("training.learning_rate"),
            Self::Memory { field: name, .. } => field(name),
            _ => None,
        }
    }
}
