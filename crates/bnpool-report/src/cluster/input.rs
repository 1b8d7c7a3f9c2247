//! What a report is made of: plain, borrowed results.

use bnpool_graph::{Graph, UNLABELLED};

use crate::Metric;

/// Known classes of the nodes.
#[derive(Debug, Clone, Copy)]
pub struct Classes<'a> {
    /// Class of every node, [`UNLABELLED`] if it is not known.
    pub labels: &'a [u32],
    /// Names of the classes; a class beyond them goes by its number.
    pub names: &'a [String],
}

impl Classes<'_> {
    /// Number of classes: those that have names or nodes.
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

    /// The name of a class, fit to be shown.
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
    /// Nodes.
    pub size: usize,
    /// Share of all pairs of its nodes that are linked.
    pub internal_density: f64,
    /// Weight of the edges that leave it, divided by the weight of all edges of
    /// the smaller side of the cut.
    pub conductance: f64,
    /// Connected components.
    pub components: usize,
    /// Mean confidence of its nodes.
    pub mean_confidence: f64,
    /// The class most of its nodes have, and their share.
    pub majority_class: Option<(String, f64)>,
}

/// Two communities that become one on the way to a single one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Merge {
    /// The community whose number the result goes by.
    pub kept: usize,
    /// The community that is dissolved.
    pub gone: usize,
    /// How much longer the description of the graph is after this merge than by
    /// the communities found, in nats.
    pub nats: f64,
}

/// How well the communities agree with the known classes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Agreement {
    /// Normalised mutual information, from 0 to 1.
    pub nmi: f64,
    /// Adjusted Rand index: 0 for chance, 1 for the same groups.
    pub ari: f64,
}

/// One epoch of training.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HistoryPoint {
    /// Number of the epoch, from 1.
    pub epoch: usize,
    /// γ, where a loss is weighted by it.
    pub gamma: Option<f64>,
    /// Communities that held nodes, where that was counted.
    pub active: Option<usize>,
}

/// A loss over the epochs.
#[derive(Debug, Clone, PartialEq)]
pub struct LossCurve {
    /// Its name, in words.
    pub name: String,
    /// What a level line of it means to the reader; a sentence.
    pub meaning: String,
    /// Its value at every point of the history.
    pub values: Vec<f64>,
}

/// Everything a report of a community-detection run shows. N nodes, C clusters
/// at most, k communities found.
#[derive(Debug, Clone, Copy)]
pub struct ClusterReport<'a> {
    /// Title of the page.
    pub title: &'a str,
    /// The data set, or the files that were read.
    pub dataset: &'a str,
    /// Name of the pooler, as in a sentence.
    pub pooler: &'a str,
    /// Whether the pooler is a block model with a posterior, which finds the
    /// number of communities; others are told a number of clusters.
    pub posterior: bool,
    /// The graph as it was read; its node ids name the nodes.
    pub graph: &'a Graph,
    /// Known classes, where there are any.
    pub classes: Option<Classes<'a>>,
    /// Agreement with them.
    pub agreement: Option<Agreement>,
    /// Known places of the nodes `[N]`, x to the right and y upwards; else the
    /// graph is laid out by forces.
    pub coordinates: Option<&'a [[f32; 2]]>,
    /// Community of every node `[N]`: 0 is the largest.
    pub labels: &'a [usize],
    /// How sure the community of every node is `[N]`: its probability given all
    /// others, or the membership of the node in it.
    pub confidence: &'a [f32],
    /// Entropy of every node's memberships, from 0 (sure) to 1 (all alike) `[N]`.
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
    /// Column of S of every community `[k]`.
    pub columns: &'a [usize],
    /// The communities `[k]`.
    pub communities: &'a [CommunityRow],
    /// Merges of the communities, down to one; empty if they are not known.
    pub merges: &'a [Merge],
    /// Numbers of groups of the coarser divisions that `labels.csv` has.
    pub levels: &'a [usize],
    /// What the reader does to cut the tree into K groups, such as "give --clusters
    /// K"; empty if there is nothing to do.
    pub cut: &'a str,
    /// What speaks for the communities, in a sentence; empty if nothing is known.
    pub evidence: &'a str,
    /// Number of communities in each sample of the posterior; empty without one.
    pub cluster_counts: &'a [usize],
    /// Smallest and largest number of communities in 90 % of the samples; it
    /// contains the number of communities.
    pub communities_interval: [usize; 2],
    /// Training, epoch after epoch; may be empty.
    pub history: &'a [HistoryPoint],
    /// The losses of these epochs.
    pub losses: &'a [LossCurve],
    /// Figures for the table.
    pub metrics: &'a [Metric],
    /// Reasons to doubt the communities.
    pub warnings: &'a [String],
    /// How the input was read and changed.
    pub notes: &'a [String],
    /// The configuration of the run.
    pub config_toml: &'a str,
    /// Version of the program.
    pub version: &'a str,
}
