//! Input of a report: plain, borrowed results.

use bnpool_graph::Graph;

use crate::{Metric, ReportError};

/// One epoch of training. Values that were not measured are NaN.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EpochPoint {
    /// Number of the epoch, from 1.
    pub epoch: usize,
    /// Loss of the task on the training graphs, without the auxiliary loss.
    pub train_loss: f64,
    /// Auxiliary loss of the pooler on the training graphs.
    pub auxiliary: f64,
    /// Loss of the task on the validation graphs.
    pub validation_loss: f64,
    /// The metric on the validation graphs.
    pub validation: f64,
    /// Learning rate.
    pub learning_rate: f64,
    /// γ, the weight of the divergence in the auxiliary loss.
    pub gamma: f64,
    /// Mean number of non-empty clusters of a graph, if counted.
    pub clusters: Option<f64>,
}

/// One fold: a model trained on some graphs and tested on others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FoldReport<'a> {
    /// Number of the fold, as shown on the page.
    pub fold: usize,
    /// Training history, by epoch; may be empty.
    pub history: &'a [EpochPoint],
    /// The epoch whose weights were tested.
    pub best_epoch: usize,
    /// The metric on the validation graphs at the best epoch.
    pub validation: f64,
    /// The metric on the test graphs.
    pub test: f64,
    /// Numbers of training, validation and test graphs.
    pub graphs: [usize; 3],
    /// Mean number of non-empty clusters of a test graph, if there are
    /// clusters.
    pub clusters_mean: Option<f64>,
}

/// A confusion matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Confusion<'a> {
    /// Names of the classes `[k]`.
    pub classes: &'a [String],
    /// Numbers of graphs [k × k]: one row per true class, one column per
    /// predicted class.
    pub counts: &'a [usize],
}

/// The receiver operating characteristic of a binary task.
#[derive(Debug, Clone, PartialEq)]
pub struct RocCurve {
    /// Fold of the curve.
    pub fold: usize,
    /// False and true positive rates, from (0, 0) to (1, 1).
    pub points: Vec<(f64, f64)>,
    /// Area under the curve.
    pub area: f64,
}

/// A test graph and its pooled graph, with N nodes and C clusters.
#[derive(Debug, Clone, PartialEq)]
pub struct SampleGraph<'a> {
    /// Name of the graph.
    pub name: String,
    /// The graph; its features determine the colours of the nodes.
    pub graph: &'a Graph,
    /// Its class or value, as text.
    pub truth: String,
    /// Prediction of the model, as text.
    pub prediction: String,
    /// Memberships S [N × C], whose rows sum to 1; empty if the pooler has
    /// none.
    pub assignments: &'a [f32],
    /// C.
    pub clusters: usize,
    /// Adjacency of the pooled graph [C × C]; may be empty.
    pub pooled_adjacency: &'a [f32],
    /// Features of the pooled graph X_pool [C × F]; may be empty.
    pub pooled_features: &'a [f32],
    /// Number of linear maps whose results are concatenated in X_pool: the
    /// modes of EigenPool, 1 otherwise.
    pub feature_maps: usize,
}

impl SampleGraph<'_> {
    /// Checks that the parts of a pooled graph fit each other. A pooler may be without some.
    pub(crate) fn check(&self) -> Result<(), ReportError> {
        let (nodes, clusters) = (self.graph.nodes(), self.clusters);
        let features = self.pooled_features.len();
        let maps = self.feature_maps.max(1);
        let width = features / clusters.saturating_mul(maps).max(1);
        for (what, length, [rows, columns]) in [
            (
                "memberships of a sample graph",
                self.assignments.len(),
                [nodes, clusters],
            ),
            (
                "entries of a pooled adjacency matrix",
                self.pooled_adjacency.len(),
                [clusters; 2],
            ),
            (
                "features of a pooled graph",
                features,
                [clusters, width.saturating_mul(maps)],
            ),
        ] {
            if length > 0 {
                ReportError::check_length(what, length, rows.saturating_mul(columns))?;
            }
        }
        Ok(())
    }
}

/// Content of a report of a classification or regression run.
#[derive(Debug, Clone, Copy)]
pub struct LearnReport<'a> {
    /// Title of the page.
    pub title: &'a str,
    /// Source of the graphs.
    pub dataset: &'a str,
    /// Name of the pooler.
    pub pooler: &'a str,
    /// `classification`, `multi-label classification` or `regression`.
    pub task: &'a str,
    /// Name of the metric: `acc` and `auroc` are fractions in [0, 1] and shown
    /// in percent, `mae` is an error in the unit of the target; others are
    /// shown unchanged.
    pub metric: &'a str,
    /// The folds.
    pub folds: &'a [FoldReport<'a>],
    /// Classes of the test graphs of all folds together.
    pub confusion: Option<Confusion<'a>>,
    /// Curves of a binary task, one per fold; may be empty.
    pub roc: &'a [RocCurve],
    /// For regression, true and predicted value of each test graph; may be
    /// empty.
    pub values: &'a [(f64, f64)],
    /// Number of non-empty clusters of each test graph; empty if the pooler has
    /// none.
    pub clusters: &'a [usize],
    /// Sample graphs to show; may be empty.
    pub samples: &'a [SampleGraph<'a>],
    /// Entries of the table of metrics.
    pub metrics: &'a [Metric],
    /// Notes for the reader: warnings and peculiarities.
    pub notes: &'a [String],
    /// The configuration of the run.
    pub config_toml: &'a str,
    /// Version of the program.
    pub version: &'a str,
}
