//! Why a task could not be done.

use crate::optim::NotFinite;
use crate::run::CheckpointError;
use bnpool::nn::CategoryError;
use bnpool::pool::PoolError;
use bnpool_community::CommunityError;
use bnpool_graph::GraphError;
use bnpool_graph::coarsen::CoarsenError;
use bnpool_graph::divide::PartError;
use bnpool_graph::split::SplitError;
use bnpool_graph::structure::StructureError;
use bnpool_io::remedy::{Change, Remedied, Remedy};
use bnpool_math::memory::NotEnoughMemory;
use bnpool_math::metrics::LogisticError;
use bnpool_math::spectral::SpectralError;
use bnpool_parallel::RankProblem;
use std::path::PathBuf;
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
    /// A graph without communities to look for.
    #[error(transparent)]
    Community(#[from] CommunityError),
    /// A number of communities that no merging gives.
    #[error(
        "the graph cannot be cut into {groups} communities: by evidence it can be cut into {fewest} to {most}"
    )]
    NoSuchCut {
        /// The number asked for.
        groups: usize,
        /// The fewest there can be.
        fewest: usize,
        /// The most there can be.
        most: usize,
    },
    /// Communities of other nodes.
    #[error("{labels} previous communities for {nodes} nodes: there must be one for each")]
    PreviousNodes {
        /// Number of previous communities.
        labels: usize,
        /// Number of nodes.
        nodes: usize,
    },
    /// Previous communities, and no search that could start from them.
    #[error(
        "previous communities are a start of the search by evidence, which these settings do not make: it needs the pooler bn and training.warm_start = \"evidence\""
    )]
    NoSearch,
    /// A run whose network cannot label the nodes of another graph.
    #[error(
        "the network of this run describes nodes by eigenvectors and not by the communities around them, so it cannot label new nodes: it needs the pooler bn and training.warm_start = \"evidence\""
    )]
    NoSurroundings,
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
    #[error("the graph has no node features; {NO_FEATURES}")]
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
    #[error("{graphs} graphs cannot fill {folds} folds; {FEWER_FOLDS}")]
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
    /// A graph that the pooler cannot work on.
    #[error("graph {graph} cannot be pooled: {source}")]
    Coarsening {
        /// The graph.
        graph: usize,
        /// Why.
        source: CoarsenError,
    },
    /// The only graph, which the pooler cannot work on.
    #[error("the graph cannot be pooled this way: {source}")]
    NotPoolable {
        /// Why.
        source: CoarsenError,
    },
    /// Data that were prepared by other settings.
    #[error(
        "the data were prepared for another pooler: make them with the configuration that they are trained with"
    )]
    OtherPooler,
    /// Categories that are none.
    #[error(transparent)]
    Categories(#[from] CategoryError),
    /// A division that cannot be.
    #[error(transparent)]
    Split(#[from] SplitError),
    /// A split asked for that the data do not have.
    #[error("the data have no split of their own; {NO_SPLIT}")]
    NoOfficialSplit,
    /// A fold that there is not.
    #[error("there is no fold {fold}: there are {folds}, counted from 0")]
    NoFold {
        /// The fold.
        fold: usize,
        /// Number of folds.
        folds: usize,
    },
    /// A checkpoint of another fold.
    #[error("it belongs to fold {found} and not to fold {fold}")]
    OtherFold {
        /// The fold of the file.
        found: usize,
        /// The fold that was asked for.
        fold: usize,
    },
    /// A part of a fold without graphs.
    #[error("fold {fold} has no graphs to {part}; {FEWER_FOLDS}")]
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
    #[error("no epoch of the training is finished yet")]
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
    /// Threads could not be started.
    #[error("threads could not be started: {0}; use fewer")]
    Threads(rayon::ThreadPoolBuildError),
    /// A part of a graph that cannot be read.
    #[error(transparent)]
    Read(#[from] PartError),
    /// Settings that need the whole graph.
    #[error(
        "a graph in parts cannot be trained on with {what}; give search.divide = 0 if the whole fits the memory"
    )]
    Undivided {
        /// What they ask for.
        what: &'static str,
    },
    /// A search that failed.
    #[error("{0}")]
    Search(String),
    /// Less memory than a graph in parts needs.
    #[error("{0}; {MORE_ROOM}")]
    Room(NotEnoughMemory),
    /// Rows that cannot be kept in a file.
    #[error("{}: rows that do not fit the memory cannot be kept there: {source}; {MORE_SPACE}", path.display())]
    Spill {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A problem of another process of the job.
    #[error(transparent)]
    OtherRank(RankProblem),
    /// A size that the memory does not hold.
    #[error("{source}: lower {field}")]
    Memory {
        /// The setting that asks for it.
        field: &'static str,
        /// What it needs.
        source: NotEnoughMemory,
    },
}

const NO_FEATURES: Remedy = Remedy::new(
    "",
    &[
        Change::Features,
        Change::Setting {
            key: "features.source",
            value: "structure",
        },
    ],
);

const FEWER_FOLDS: Remedy = Remedy::new(
    "bring more graphs",
    &[Change::Setting {
        key: "data.folds",
        value: "N",
    }],
);

const NO_SPLIT: Remedy = Remedy::new(
    "",
    &[Change::Setting {
        key: "data.split",
        value: "folds",
    }],
);

const MORE_ROOM: Remedy = Remedy::new("use more processes", &[Change::Memory]);

const MORE_SPACE: Remedy = Remedy::new("free some space", &[Change::Memory]);

/// The remedy of a setting with some other value.
fn another(key: &'static str) -> Remedy {
    Change::Setting { key, value: "X" }.into()
}

impl TaskError {
    /// A training that stopped at a value that is not finite.
    pub(crate) fn diverged(epoch: usize, bad: NotFinite) -> Self {
        Self::Diverged {
            epoch,
            tensor: bad.tensor,
        }
    }
}

impl Remedied for TaskError {
    fn remedy(&self) -> Option<Remedy> {
        match self {
            Self::NoFeatures => Some(NO_FEATURES),
            Self::TooFewGraphs { .. } | Self::EmptyPart { .. } => Some(FEWER_FOLDS),
            Self::NoOfficialSplit => Some(NO_SPLIT),
            Self::OutOfRange { name, .. } | Self::Pool(PoolError::OutOfRange { name, .. }) => {
                Some(another(name))
            }
            Self::Pool(PoolError::NotDividing { .. } | PoolError::Unknown { .. }) => {
                Some(another("pooler.name"))
            }
            Self::Diverged { .. } => Some(another("training.learning_rate")),
            Self::Memory { field, .. } => Some(another(field)),
            Self::Room(_) => Some(MORE_ROOM),
            Self::Spill { .. } => Some(MORE_SPACE),
            _ => None,
        }
    }
}
