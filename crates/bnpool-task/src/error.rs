//! Errors of tasks.

use crate::optim::NotFinite;
use crate::run::CheckpointError;
use bnpool::nn::CategoryError;
use bnpool::pool::PoolError;
use bnpool_community::CommunityError;
use bnpool_graph::GraphError;
use bnpool_graph::coarsen::CoarsenError;
use bnpool_graph::divide::PartError;
use bnpool_graph::split::SplitError;
use bnpool_io::remedy::{Change, Remedied, Remedy};
use bnpool_math::memory::NotEnoughMemory;
use bnpool_math::metrics::LogisticError;
use bnpool_math::spectral::SpectralError;
use bnpool_parallel::RankProblem;
use std::path::PathBuf;
use thiserror::Error;

/// Error of a task.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TaskError {
    /// A setting is out of range.
    #[error("{name} = {value} is out of range: it must be {bound}")]
    OutOfRange {
        /// Name of the setting.
        name: &'static str,
        /// Given value.
        value: f64,
        /// Allowed values.
        bound: &'static str,
    },
    /// A pooler cannot be created.
    #[error(transparent)]
    Pool(#[from] PoolError),
    /// A graph is invalid.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The communities of a graph cannot be searched for.
    #[error(transparent)]
    Community(#[from] CommunityError),
    /// Merging cannot give this number of communities.
    #[error(
        "the graph cannot be cut into {groups} communities: by evidence it can be cut into {fewest} to {most}"
    )]
    NoSuchCut {
        /// Requested number.
        groups: usize,
        /// Smallest possible number.
        fewest: usize,
        /// Largest possible number.
        most: usize,
    },
    /// The previous communities are those of other nodes.
    #[error("{labels} previous communities for {nodes} nodes: there must be one for each")]
    PreviousNodes {
        /// Number of previous communities.
        labels: usize,
        /// Number of nodes.
        nodes: usize,
    },
    /// There are previous communities, but no search that could start from
    /// them.
    #[error(
        "previous communities are a start of the search by evidence, which these settings do not make: it needs the pooler bn and training.warm_start = \"evidence\""
    )]
    NoSearch,
    /// The network of a run cannot label the nodes of another graph.
    #[error(
        "the network of this run describes nodes by eigenvectors and not by the communities around them, so it cannot label new nodes: it needs the pooler bn and training.warm_start = \"evidence\""
    )]
    NoSurroundings,
    /// The eigenvectors of a graph cannot be computed.
    #[error(transparent)]
    Spectral(#[from] SpectralError),
    /// The known classes cannot be compared with the communities.
    #[error(transparent)]
    Classes(#[from] LogisticError),
    /// Weights or a checkpoint are invalid.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// A graph is too small to have communities.
    #[error("the graph has {nodes} nodes: at least 2 are needed to look for communities")]
    TooSmall {
        /// Number of nodes of the graph.
        nodes: usize,
    },
    /// There are no node features.
    #[error("the graph has no node features; {NO_FEATURES}")]
    NoFeatures,
    /// There are no graphs to learn from.
    #[error("there are no graphs to learn from")]
    NoGraphs,
    /// A graph has no target.
    #[error(
        "graph {graph} has no target, and every graph needs one to learn from: give it in the column `target` of graphs.csv, or in the file …_graph_labels.txt of a TU set"
    )]
    NoTarget {
        /// Number of the graph.
        graph: usize,
    },
    /// Targets are of different kinds.
    #[error("graph {graph} has another kind or number of targets than graph 0")]
    MixedTargets {
        /// Number of the graph.
        graph: usize,
    },
    /// All graphs have the same class.
    #[error("all graphs are of one class: there is nothing to tell apart")]
    OneClass,
    /// All graphs have the same target.
    #[error(
        "no two graphs have different targets: there is nothing to learn; check the column of the targets"
    )]
    OneValue,
    /// There are too few graphs for the folds.
    #[error("{graphs} graphs cannot fill {folds} folds; {FEWER_FOLDS}")]
    TooFewGraphs {
        /// Number of graphs.
        graphs: usize,
        /// Requested number of folds.
        folds: usize,
    },
    /// The number of features differs from that of the network.
    #[error("graph {graph} has {found} {what} features, but {expected} are expected")]
    FeatureWidth {
        /// Number of the graph.
        graph: usize,
        /// Kind of features: of nodes or edges.
        what: &'static str,
        /// Number of features of the graph.
        found: usize,
        /// Expected number.
        expected: usize,
    },
    /// The pooler cannot coarsen a graph.
    #[error("graph {graph} cannot be pooled: {source}")]
    Coarsening {
        /// Number of the graph.
        graph: usize,
        /// Cause.
        source: CoarsenError,
    },
    /// The pooler cannot coarsen the only graph.
    #[error("the graph cannot be pooled this way: {source}")]
    NotPoolable {
        /// Cause.
        source: CoarsenError,
    },
    /// The data were prepared with other settings.
    #[error(
        "the data were prepared for another pooler: make them with the configuration that they are trained with"
    )]
    OtherPooler,
    /// The features are not valid categories.
    #[error(transparent)]
    Categories(#[from] CategoryError),
    /// The split is invalid.
    #[error(transparent)]
    Split(#[from] SplitError),
    /// The data have no official split.
    #[error("the data have no split of their own; {NO_SPLIT}")]
    NoOfficialSplit,
    /// There is no such fold.
    #[error("there is no fold {fold}: there are {folds}, counted from 0")]
    NoFold {
        /// Number of the fold.
        fold: usize,
        /// Number of folds.
        folds: usize,
    },
    /// A checkpoint belongs to another fold.
    #[error("it belongs to fold {found} and not to fold {fold}")]
    OtherFold {
        /// Fold of the file.
        found: usize,
        /// Requested fold.
        fold: usize,
    },
    /// A part of a fold has no graphs.
    #[error("fold {fold} has no graphs to {part}; {FEWER_FOLDS}")]
    EmptyPart {
        /// Number of the fold.
        fold: usize,
        /// Purpose of the part.
        part: &'static str,
    },
    /// The pooler has no loss.
    #[error("the pooler has no loss to train on")]
    NothingToTrain,
    /// A result was requested before the first epoch.
    #[error("no epoch of the training is finished yet")]
    Unfinished,
    /// A value is no longer finite.
    #[error(
        "{tensor} is not finite in epoch {epoch}: check the features for extreme values, or lower training.learning_rate"
    )]
    Diverged {
        /// Epoch, from 1; 0 for the initialisation.
        epoch: usize,
        /// First tensor that is not finite.
        tensor: String,
    },
    /// A prediction is not finite.
    #[error(
        "the prediction for graph {graph} is not finite: check its features for extreme values"
    )]
    Prediction {
        /// Number of the graph.
        graph: usize,
    },
    /// Threads could not be started.
    #[error("threads could not be started: {0}; use fewer")]
    Threads(rayon::ThreadPoolBuildError),
    /// A part of a graph cannot be read.
    #[error(transparent)]
    Read(#[from] PartError),
    /// The settings need the whole graph.
    #[error(
        "a graph in parts cannot be trained on with {what}; give search.divide = 0 if the whole fits the memory"
    )]
    Undivided {
        /// Property that needs the whole graph.
        what: &'static str,
    },
    /// A search for groups failed.
    #[error("{0}")]
    Search(String),
    /// There is less memory than a graph in parts needs.
    #[error("{0}; {MORE_ROOM}")]
    Room(NotEnoughMemory),
    /// Rows cannot be stored in a file.
    #[error("{}: rows that do not fit the memory cannot be kept there: {source}; {MORE_SPACE}", path.display())]
    Spill {
        /// Path of the file.
        path: PathBuf,
        /// Cause.
        source: std::io::Error,
    },
    /// Another process of the job failed.
    #[error(transparent)]
    OtherRank(RankProblem),
    /// A size exceeds the memory.
    #[error("{source}: lower {field}")]
    Memory {
        /// Setting that determines the size.
        field: &'static str,
        /// Needed and available memory.
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

/// Returns the remedy of setting another value.
fn another(key: &'static str) -> Remedy {
    Change::Setting { key, value: "X" }.into()
}

impl TaskError {
    /// Creates the error of a training that stopped at a value that is not
    /// finite.
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
