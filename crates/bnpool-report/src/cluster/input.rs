//! Input of a report: plain, borrowed results.

use bnpool_graph::{Graph, UNLABELLED};

use crate::Metric;

/// Known classes of the nodes.
#[derive(Debug, Clone, Copy)]
pub struct Classes<'a> {
    /// Class of each node, [`UNLABELLED`] if unknown.
    pub labels: &'a [u32],
    /// Names of the classes; classes without a name are shown by number.
    pub names: &'a [String],
}

impl Classes<'_> {
    /// Number of classes that have names or nodes.
    #[must_use]
    pub fn count(&self) -> usize {
        let known = self.labels.iter().filter(|&&class| class != UNLABELLED);
        let seen = known.max().map_or(0, |&most| most as usize + 1);
        seen.max(self.names.len())
    }

    /// The class of a node, if it is known.
    #[must_use]
    pub fn of(&self, node: usize) -> Option<usize> {
        let class = self.labels[node];
        (class != UNLABELLED).then_some(class as usize)
    }

    /// Displayable name of a class.
    #[must_use]
    pub fn name(&self, class: usize) -> String {
        match self.names.get(class) {
            Some(name) => crate::escape::name(name),
            None => class.to_string(),
        }
    }
}

/// One community.
#[derive(Debug, Clone, PartialEq)]
pub struct CommunityRow {
    /// Number of nodes.
    pub size: usize,
    /// Fraction of linked pairs among all pairs of its nodes.
    pub internal_density: f64,
    /// Weight of the edges that leave it, divided by the weight of all edges of
    /// the smaller side of the cut.
    pub conductance: f64,
    /// Number of connected components.
    pub components: usize,
    /// Mean confidence of its nodes.
    pub mean_confidence: f64,
    /// Most frequent class of its nodes, and its share.
    pub majority_class: Option<(String, f64)>,
}

/// A merge of two communities in the hierarchy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Merge {
    /// The community whose number is kept.
    pub kept: usize,
    /// The community that is dissolved.
    pub gone: usize,
    /// Increase of the description length after this merge, relative to the
    /// communities found, in nats.
    pub nats: f64,
}

/// Agreement of the communities with the known classes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Agreement {
    /// Normalised mutual information, from 0 to 1.
    pub nmi: f64,
    /// Adjusted Rand index: 0 for chance, 1 for equal groups.
    pub ari: f64,
}

/// One epoch of training.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HistoryPoint {
    /// Number of the epoch, from 1.
    pub epoch: usize,
    /// γ, if a loss is weighted by it.
    pub gamma: Option<f64>,
    /// Number of non-empty communities, if counted.
    pub active: Option<usize>,
}

/// A loss over the epochs.
#[derive(Debug, Clone, PartialEq)]
pub struct LossCurve {
    /// Its name, in words.
    pub name: String,
    /// Interpretation of a flat line; a sentence.
    pub meaning: String,
    /// Its value at each point of the history.
    pub values: Vec<f64>,
}

/// Content of a report of a community-detection run, with N nodes, at most C
/// clusters and k communities.
#[derive(Debug, Clone, Copy)]
pub struct ClusterReport<'a> {
    /// Title of the page.
    pub title: &'a str,
    /// The data set, or the files that were read.
    pub dataset: &'a str,
    /// Name of the pooler in text.
    pub pooler: &'a str,
    /// Whether the pooler is a block model with a posterior, which infers the
    /// number of communities; other poolers are given a number of clusters.
    pub posterior: bool,
    /// The input graph; nodes are named by their ids.
    pub graph: &'a Graph,
    /// Known classes, if there are any.
    pub classes: Option<Classes<'a>>,
    /// Agreement with the known classes.
    pub agreement: Option<Agreement>,
    /// Known positions of the nodes `[N]`, x to the right and y upwards;
    /// otherwise a force-directed layout is used.
    pub coordinates: Option<&'a [[f32; 2]]>,
    /// Community of each node `[N]`: 0 is the largest.
    pub labels: &'a [usize],
    /// Confidence of the community of each node `[N]`: its probability given
    /// all other nodes, or the membership of the node.
    pub confidence: &'a [f32],
    /// Entropy of the memberships of each node, from 0 (certain) to 1 (uniform)
    /// `[N]`.
    pub entropy: &'a [f32],
    /// Memberships in the communities [N × k]; rows sum to at most one.
    pub assignments: &'a [f32],
    /// K of the communities [k × k].
    pub block_matrix: &'a [f32],
    /// C.
    pub max_clusters: usize,
    /// Memberships S in all clusters [N × C].
    pub raw_assignments: &'a [f32],
    /// K of all clusters [C × C].
    pub raw_block_matrix: &'a [f32],
    /// Column of S of each community `[k]`.
    pub columns: &'a [usize],
    /// The communities `[k]`.
    pub communities: &'a [CommunityRow],
    /// Merges of the communities, down to one; empty if they are not known.
    pub merges: &'a [Merge],
    /// Numbers of groups of the coarser partitions in `labels.csv`.
    pub levels: &'a [usize],
    /// Instruction to cut the tree into K groups, such as "give --clusters K";
    /// empty if there is none.
    pub cut: &'a str,
    /// Evidence for the communities, as a sentence; empty if unknown.
    pub evidence: &'a str,
    /// Number of communities in each sample of the posterior; empty without a
    /// posterior.
    pub cluster_counts: &'a [usize],
    /// Smallest and largest number of communities in 90 % of the samples; it
    /// contains the number of communities.
    pub communities_interval: [usize; 2],
    /// Training history, by epoch; may be empty.
    pub history: &'a [HistoryPoint],
    /// The losses of these epochs.
    pub losses: &'a [LossCurve],
    /// Entries of the table of metrics.
    pub metrics: &'a [Metric],
    /// Reasons to doubt the communities.
    pub warnings: &'a [String],
    /// Notes on how the input was read and changed.
    pub notes: &'a [String],
    /// The configuration of the run.
    pub config_toml: &'a str,
    /// Version of the program.
    pub version: &'a str,
}
