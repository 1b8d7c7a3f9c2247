//! What a report is made of: plain, borrowed results.

use bnpool_graph::Graph;

use crate::Metric;

/// One epoch of training. What was not measured is NaN.
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
    /// Mean number of non-empty clusters of a graph, where that was counted.
    pub clusters: Option<f64>,
}

/// One fold: a model trained on some graphs and tested on others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FoldReport<'a> {
    /// What the fold is called in the page: its number.
    pub fold: usize,
    /// Training, epoch after epoch; may be empty.
    pub history: &'a [EpochPoint],
    /// The epoch whose weights were tested.
    pub best_epoch: usize,
    /// The metric on the validation graphs at that epoch.
    pub validation: f64,
    /// The metric on the test graphs.
    pub test: f64,
    /// Numbers of training, validation and test graphs.
    pub graphs: [usize; 3],
    /// Mean number of non-empty clusters of a test graph, where there are any.
    pub clusters_mean: Option<f64>,
}

/// How often each class was taken for each other one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Confusion<'a> {
    /// Names of the classes `[k]`.
    pub classes: &'a [String],
    /// Numbers of graphs [k × k]: a row for each true class, a column for each
    /// predicted one.
    pub counts: &'a [usize],
}

/// The receiver operating characteristic of a binary task.
#[derive(Debug, Clone, PartialEq)]
pub struct RocCurve {
    /// The fold it belongs to.
    pub fold: usize,
    /// Shares of false and of true positives, from (0, 0) to (1, 1).
    pub points: Vec<(f64, f64)>,
    /// Area under the curve.
    pub area: f64,
}

/// A graph of the test set and what the pooler made of it. N nodes, C clusters.
#[derive(Debug, Clone, PartialEq)]
pub struct SampleGraph<'a> {
    /// What the graph is called.
    pub name: String,
    /// The graph; its features colour the nodes.
    pub graph: &'a Graph,
    /// Its class or value, as text.
    pub truth: String,
    /// What the model said, as text.
    pub prediction: String,
    /// Memberships S [N × C], whose rows sum to 1; empty where the pooler has
    /// none.
    pub assignments: &'a [f32],
    /// C.
    pub clusters: usize,
    /// Adjacency of the pooled graph [C × C]; may be empty.
    pub pooled_adjacency: &'a [f32],
    /// Features of the pooled graph X_pool [C × F]; may be empty.
    pub pooled_features: &'a [f32],
    /// Linear maps whose results stand side by side in X_pool: the modes of
    /// EigenPool, else 1.
    pub feature_maps: usize,
}

/// Everything a report of a classification or regression run shows.
#[derive(Debug, Clone, Copy)]
pub struct LearnReport<'a> {
    /// Title of the page.
    pub title: &'a str,
    /// Where the graphs came from.
    pub dataset: &'a str,
    /// Name of the pooler.
    pub pooler: &'a str,
    /// `classification`, `multi-label classification` or `regression`.
    pub task: &'a str,
    /// What is measured: `acc` and `auroc` are shares in [0, 1] and shown in
    /// percent, `mae` is an error in the unit of the target; others are shown
    /// as they are.
    pub metric: &'a str,
    /// The folds.
    pub folds: &'a [FoldReport<'a>],
    /// Classes of the test graphs of all folds together.
    pub confusion: Option<Confusion<'a>>,
    /// Curves of a binary task, one a fold; may be empty.
    pub roc: &'a [RocCurve],
    /// Regression: true and predicted value of the test graphs; may be empty.
    pub values: &'a [(f64, f64)],
    /// Non-empty clusters of every test graph; empty where the pooler has none.
    pub clusters: &'a [usize],
    /// Graphs to look at; may be empty.
    pub samples: &'a [SampleGraph<'a>],
    /// Figures for the table.
    pub metrics: &'a [Metric],
    /// What the reader should know: warnings, oddities.
    pub notes: &'a [String],
    /// The configuration of the run.
    pub config_toml: &'a str,
    /// Version of the program.
    pub version: &'a str,
}
