//! Result: communities, their confidence, and their agreement with known
//! classes.

use super::agreement::{Agreement, Effort};
use super::body::{Body, Whole};
use super::communities::{Partition, argmax};
use super::count::CommunityCount;
use super::evidence::Groups;
use super::hierarchy::Merge;
use super::start::fitted_block_matrix;
use super::trainer::{EVALUATION_STEPS, Trainer};
use crate::TaskError;
use crate::losses::loss_values;
use crate::run::NamedTensor;
use bnpool::batch::Level;
use bnpool::model::ClusterModel;
use bnpool::pool::{Membership, Pass, Pool, PoolSettings, PoolTraits};
use bnpool_community::description_length::WeightModel;
use bnpool_community::search::Verdict;
use bnpool_graph::structure::{CommunityStatistics, community_statistics, modularity};
use bnpool_graph::{Csr, Graph};
use bnpool_math::memory::{bytes_of, check};
use bnpool_math::metrics::non_empty_clusters;
use burn::tensor::Tensor;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Total number of random variates for posterior samples; large graphs get
/// fewer samples than configured.
const SAMPLE_BUDGET: usize = 100_000_000;
/// Largest number of entries of the matrix of memberships in communities.
const MOST_CELLS: usize = 200_000_000;
/// Minimum number of samples for any graph.
const FEWEST_SAMPLES: usize = 5;

/// Communities, with details of their detection. Nodes are in the order of the
/// graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Communities {
    /// Pooler that found the communities.
    #[serde(with = "super::saved::pooler")]
    pub pooler: PoolTraits,
    /// Community of each node. Communities are numbered by decreasing size.
    pub labels: Vec<u32>,
    /// Properties of the communities, largest first.
    pub communities: Vec<Community>,
    /// Number of communities, with its uncertainty.
    pub count: CommunityCount,
    /// Posterior mean of the memberships in the communities, [nodes, communities];
    /// empty if there are too many for the network or the memory. The largest entry
    /// of a row is that of the node's label. A row sums to at most one, because
    /// mass on empty clusters belongs to no community.
    #[serde(skip)]
    pub assignments: Vec<f32>,
    /// K of the communities, [communities, communities]: the entries of
    /// [`raw_block_matrix`](Self::raw_block_matrix) at their columns.
    #[serde(skip)]
    pub block_matrix: Vec<f32>,
    /// Confidence of the community of each node. If communities were found by
    /// evidence in the links, this is the probability of the community given those
    /// of all other nodes; otherwise it is the entry of
    /// [`assignments`](Self::assignments).
    #[serde(skip)]
    pub confidence: Vec<f32>,
    /// Entropy of each node's row of [`raw_assignments`](Self::raw_assignments)
    /// in nats.
    #[serde(skip)]
    pub entropy: Vec<f32>,
    /// C: number of columns of S.
    pub clusters: usize,
    /// Posterior mean of S, [nodes, C].
    #[serde(skip)]
    pub raw_assignments: Vec<f32>,
    /// K, [C, C]. For poolers without a block model, the K of the best block
    /// model given S: the log odds of an edge between two clusters.
    #[serde(skip)]
    pub raw_block_matrix: Vec<f32>,
    /// Agreement of one posterior sample with known classes, as in the paper.
    pub sample_agreement: Option<Agreement>,
    /// Agreement of the posterior mean with known classes.
    pub mean_agreement: Option<Agreement>,
    /// Modularity of the labels.
    pub modularity: f64,
    /// Auxiliary losses of the sample at γ = 1, such as `loss_rec`.
    pub losses: BTreeMap<String, f64>,
    /// Best start, from 1.
    pub start: usize,
    /// Best epoch of this start, from 1.
    pub best_epoch: usize,
    /// Trained parameters.
    #[serde(skip)]
    pub parameters: Vec<NamedTensor>,
    /// Whether the training was stopped early.
    pub unfinished: bool,
    /// Evidence for the communities, if they were found by evidence.
    pub evidence: Option<FoundEvidence>,
    /// Data of whole communities if the graph was processed in parts, which gives no
    /// memberships of single nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_parts: Option<InParts>,
}

/// Data of whole communities of a graph in parts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct InParts {
    /// Number of entries between different communities, sorted by community; empty
    /// if there are too many communities.
    pub between: Vec<(u32, u32, f32)>,
    /// Mean of the rows of S over the nodes of each community, [communities, C].
    pub assignments: Vec<f32>,
}

impl Communities {
    /// Returns the graph of the communities and the result for its nodes, if the graph
    /// was processed in parts. Each community is a node, and edges are weighted by the
    /// number of edges between communities.
    ///
    /// # Errors
    ///
    /// Returns an error if there are too many communities for a graph.
    pub fn as_graph(&self) -> Result<Option<(Graph, Self)>, TaskError> {
        let Some(known) = &self.in_parts else {
            return Ok(None);
        };
        let count = self.communities.len();
        let adjacency = Csr::from_weighted_edges(count, known.between.iter().copied())?;
        let columns = || self.communities.iter().map(|c| c.column);
        let (k, clusters) = (&self.raw_block_matrix, self.clusters);
        let row = |a: usize| columns().map(move |b| k[a * clusters + b]);
        let shown = Self {
            labels: (0..count as u32).collect(),
            confidence: self
                .communities
                .iter()
                .map(|c| c.confidence as f32)
                .collect(),
            entropy: known
                .assignments
                .chunks_exact(clusters.max(1))
                .map(entropy)
                .collect(),
            raw_assignments: known.assignments.clone(),
            block_matrix: columns().flat_map(row).collect(),
            evidence: self.evidence.as_ref().map(|found| FoundEvidence {
                levels: found
                    .levels
                    .iter()
                    .map(|level| self.level_of(level))
                    .collect(),
                ..found.clone()
            }),
            in_parts: None,
            ..self.clone()
        };
        Ok(Some((Graph::builder(adjacency).build()?, shown)))
    }

    /// Returns the group of each community in a coarser level.
    fn level_of(&self, level: &[u32]) -> Vec<u32> {
        let mut groups = vec![0; self.communities.len()];
        for (&label, &group) in self.labels.iter().zip(level) {
            groups[label as usize] = group;
        }
        groups
    }
}

/// Evidence for communities.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FoundEvidence {
    /// Verdict: communities, blocks, weak evidence or none.
    pub verdict: Verdict,
    /// Reduction of the description length of the graph by the partition, in
    /// nats; negative if the description without groups is shorter.
    pub nats: f64,
    /// Probability of this much evidence in a random graph with the same
    /// degrees; only computed if the evidence is weak.
    pub p_value: Option<f64>,
    /// Mean agreement (AMI) with the partitions from other starts.
    pub agreement: Option<f64>,
    /// Model of the weights given the groups: `Ignored` if they are independent of
    /// the groups, `None` if the graph has no weights.
    pub weights: Option<WeightModel>,
    /// Whether the groups explain directions; `None` if the graph is undirected.
    pub directions: Option<bool>,
    /// Whether given features determined the communities.
    pub by_features: bool,
    /// Whether training the network shortened the description further.
    pub refined: bool,
    /// Number of communities preferred by the evidence, if a limit allowed
    /// fewer.
    pub beyond_limit: Option<usize>,
    /// Number of nodes without edges, which are in the largest community.
    pub isolated: usize,
    /// Coarser partitions, finest first: the group of each node, numbered from
    /// 0, the largest.
    pub levels: Vec<Vec<u32>>,
    /// Number of groups that are distinguished by the features of the nodes.
    pub around: usize,
    /// Merges of the communities, down to one.
    pub merges: Vec<Merge>,
}

impl FoundEvidence {
    /// Returns the number of groups of each coarser partition.
    #[must_use]
    pub fn level_sizes(&self) -> Vec<usize> {
        let groups = |level: &Vec<u32>| level.iter().max().map_or(0, |&g| g as usize + 1);
        self.levels.iter().map(groups).collect()
    }

    /// Returns a copy without the coarser partitions, which are as long as the
    /// number of nodes.
    pub(super) fn without_levels(&self) -> Self {
        Self {
            levels: Vec::new(),
            merges: self.merges.clone(),
            ..*self
        }
    }
}

/// Result by evidence.
struct ByEvidence<'a> {
    groups: Cow<'a, Groups>,
    /// Column of S of each node.
    columns: Vec<u32>,
    /// Whether the groups are those of the trained network.
    refined: bool,
}

/// A community.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Community {
    /// Column of S of most of its nodes.
    pub column: usize,
    /// Mean confidence of its nodes.
    pub confidence: f64,
    /// Size, density, conductance and connectedness.
    pub statistics: CommunityStatistics,
}

impl<C: PoolSettings> Trainer<C> {
    /// Evaluates the best model so far or, after the end of the training, that
    /// of the best start. For a training that was stopped early, ACC is omitted
    /// and the interval uses a single posterior sample.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no finished epoch yet, or if the known
    /// classes cannot be compared.
    pub fn finish(&self) -> Result<Communities, TaskError> {
        // After an early stop the evaluation must be quick.
        let effort = if self.is_finished() {
            Effort::Thorough
        } else {
            Effort::Brief
        };
        let (parameters, start, best_epoch) = self.winner().ok_or(TaskError::Unfinished)?;
        let model = self.model_with(parameters)?;
        let whole = match &self.body {
            Body::Whole(whole) => whole,
            Body::Divided(divided) => {
                let found = divided.finish(&model, &self.config, parameters)?;
                return Ok(Communities {
                    start,
                    best_epoch,
                    unfinished: !self.is_finished(),
                    ..found
                });
            }
        };
        let pass = Pass::evaluation(self.config.seed, EVALUATION_STEPS);
        let level = model.embed(&whole.input.inner(), &pass);
        let sample = model.pool.select(&level, &pass);
        let (sampled, clusters) = memberships(sample.membership)?;
        let (mean, _) = memberships(model.pool.membership(&level, &Pass::mean()))?;
        let by_evidence = Self::by_evidence(whole, &mean, clusters)?;
        let found = match &by_evidence {
            Some(by) => self.given(whole, by, clusters)?,
            None => self.communities(whole, &mean, clusters)?,
        };
        let labels = &found.labels;
        // The matrix does not fit into memory on a huge graph with many
        // communities, and it does not exist if communities share a column.
        let cells = whole.graph.nodes().saturating_mul(found.count());
        let complete = by_evidence
            .as_ref()
            .is_none_or(|by| by.groups.is_complete());
        let assignments = if cells <= MOST_CELLS && complete {
            found.memberships(&mean)
        } else {
            Vec::new()
        };
        // The network does not distinguish communities that share a column, and
        // links contain little information about features.
        let judged = by_evidence
            .as_ref()
            .filter(|by| !by.groups.by_features || !by.groups.is_complete());
        let confidence: Vec<f32> = match (judged, assignments.is_empty()) {
            (Some(by), _) => by.groups.probabilities(labels)?,
            (None, true) => found.confidence(&mean),
            (None, false) => assignments
                .chunks_exact(found.count())
                .zip(labels)
                .map(|(row, &label)| row[label as usize])
                .collect(),
        };
        let count = if complete {
            self.count(whole, &model, &level, &sampled, found.count(), effort)?
        } else {
            // Samples of the columns contain no information about the number.
            CommunityCount::new(found.count(), Vec::new(), &[found.count()])
        };
        let count = match &by_evidence {
            Some(by) => count.widened(by.groups.interval()),
            None => count,
        };
        let entropy: Vec<f32> = mean.chunks_exact(clusters).map(entropy).collect();
        let raw_block_matrix = match model.pool.block_matrix() {
            Some(known) => values(known),
            None => fitted_block_matrix(&whole.input.topology(), &mean, clusters, &self.device),
        };
        let agreement = |s: &[f32], found: &[u32]| {
            whole
                .graph
                .node_labels()
                .map(|classes| Agreement::of(s, clusters, found, classes, effort))
                .transpose()
        };
        // Restores the given order of the nodes.
        let order = &whole.order;
        Ok(Communities {
            pooler: self.config.pooler.traits(),
            communities: self.describe(whole, &found, &confidence)?,
            count,
            evidence: by_evidence
                .map(|by| self.evidence(whole, &by, labels))
                .transpose()?,
            sample_agreement: agreement(&sampled, &argmax(&sampled, clusters))?,
            mean_agreement: agreement(&mean, labels)?,
            modularity: modularity(whole.graph.adjacency(), labels)?,
            block_matrix: found.block_matrix(&raw_block_matrix),
            raw_block_matrix,
            losses: loss_values(&sample.losses),
            clusters,
            assignments: if assignments.is_empty() {
                assignments
            } else {
                order.restore(&assignments, found.count())
            },
            raw_assignments: order.restore(&mean, clusters),
            labels: order.restore(labels, 1),
            confidence: order.restore(&confidence, 1),
            entropy: order.restore(&entropy, 1),
            start,
            best_epoch,
            parameters: parameters.to_vec(),
            unfinished: !self.is_finished(),
            in_parts: None,
        })
    }

    /// Returns the groups found by evidence, or those of the trained network if
    /// their description is shorter.
    fn by_evidence<'w>(
        whole: &'w Whole,
        mean: &[f32],
        clusters: usize,
    ) -> Result<Option<ByEvidence<'w>>, TaskError> {
        let Some(groups) = &whole.groups else {
            return Ok(None);
        };
        let found = argmax(mean, clusters);
        Ok(Some(match groups.considering(&whole.graph, &found)? {
            Some(refined) => ByEvidence {
                columns: found,
                groups: Cow::Owned(refined),
                refined: true,
            },
            None => ByEvidence {
                columns: groups.node_columns(),
                groups: Cow::Borrowed(groups),
                refined: false,
            },
        }))
    }

    /// Returns the communities of groups.
    fn given(
        &self,
        whole: &Whole,
        by: &ByEvidence<'_>,
        clusters: usize,
    ) -> Result<Partition, TaskError> {
        Partition::given(
            by.groups.partition.labels(),
            by.columns.clone(),
            clusters,
            whole.graph.adjacency(),
            &self.config.evaluation,
        )
    }

    fn evidence(
        &self,
        whole: &Whole,
        by: &ByEvidence<'_>,
        labels: &[u32],
    ) -> Result<FoundEvidence, TaskError> {
        let (groups, evidence) = (&by.groups, &by.groups.evidence);
        let hierarchy = groups.hierarchy(labels, self.config.seed)?;
        Ok(FoundEvidence {
            verdict: evidence.verdict,
            nats: groups.nats,
            p_value: evidence.null.as_ref().map(|null| null.p_value()),
            agreement: groups.agreement,
            weights: groups.explains_weights(),
            directions: groups.explains_directions(),
            by_features: groups.by_features,
            refined: by.refined,
            beyond_limit: groups.beyond_limit,
            isolated: evidence.isolated,
            levels: hierarchy
                .levels
                .iter()
                .map(|level| whole.order.restore(level.labels(), 1))
                .collect(),
            around: whole.groups.as_ref().map_or(0, Groups::width),
            merges: hierarchy.merges,
        })
    }

    /// Returns the communities of memberships, split and merged as configured.
    fn communities(
        &self,
        whole: &Whole,
        s: &[f32],
        clusters: usize,
    ) -> Result<Partition, TaskError> {
        Partition::of(
            s,
            clusters,
            whole.graph.adjacency(),
            &self.config.evaluation,
        )
    }

    fn describe(
        &self,
        whole: &Whole,
        found: &Partition,
        confidence: &[f32],
    ) -> Result<Vec<Community>, TaskError> {
        let statistics = community_statistics(whole.graph.adjacency(), &found.labels)?;
        let mut sums = vec![0.0_f64; statistics.len()];
        for (&label, &confidence) in found.labels.iter().zip(confidence) {
            sums[label as usize] += f64::from(confidence);
        }
        Ok(statistics
            .into_iter()
            .zip(found.columns.iter().zip(&sums))
            .map(|(statistics, (&column, sum))| Community {
                column,
                confidence: sum / statistics.size.max(1) as f64,
                statistics,
            })
            .collect())
    }

    /// Returns the number of communities, with those of several samples, the
    /// first of which is given. Without a posterior there are no samples.
    fn count(
        &self,
        whole: &Whole,
        model: &ClusterModel<C::Pool>,
        level: &Level,
        first: &[f32],
        communities: usize,
        effort: Effort,
    ) -> Result<CommunityCount, TaskError> {
        let nodes = whole.graph.nodes();
        let clusters = first.len() / nodes;
        let non_empty = |s: &[f32]| non_empty_clusters(s, clusters, &[0, nodes])[0];
        let mut filled = vec![non_empty(first)];
        if !self.config.pooler.traits().posterior {
            return Ok(CommunityCount::new(communities, Vec::new(), &filled));
        }
        let mut samples = vec![self.communities(whole, first, clusters)?.count()];
        let affordable = match effort {
            Effort::Thorough => (SAMPLE_BUDGET / (nodes * clusters)).max(FEWEST_SAMPLES),
            Effort::Brief => 1,
        };
        for i in 1..self.config.evaluation.samples.min(affordable) as u64 {
            let pass = Pass::evaluation(self.config.seed, EVALUATION_STEPS + i);
            let (s, _) = memberships(model.pool.membership(level, &pass))?;
            samples.push(self.communities(whole, &s, clusters)?.count());
            filled.push(non_empty(&s));
        }
        Ok(CommunityCount::new(communities, samples, &filled))
    }
}

/// Returns the memberships, [nodes, clusters], and the number of clusters. Hard
/// assignments have memberships of zero or one.
pub(super) fn memberships(membership: Membership) -> Result<(Vec<f32>, usize), TaskError> {
    match membership {
        Membership::Soft(assignments) => {
            let [_, clusters] = assignments.dims();
            Ok((values(assignments), clusters))
        }
        other => {
            let assignment = other.assignment().ok_or(TaskError::NothingToTrain)?;
            let (nodes, clusters) = (assignment.clusters().len(), assignment.supernodes());
            let what = format!("the membership matrix of {nodes} nodes and {clusters} clusters");
            check(what, bytes_of::<f32>(&[4, nodes, clusters])).map_err(|source| {
                TaskError::Memory {
                    field: "pooler.name",
                    source,
                }
            })?;
            let mut s = vec![0.0; nodes * clusters];
            for (row, &c) in s.chunks_exact_mut(clusters).zip(assignment.clusters()) {
                row[c as usize] = 1.0;
            }
            Ok((s, clusters))
        }
    }
}

fn values<const D: usize>(x: Tensor<D>) -> Vec<f32> {
    x.into_data().iter::<f32>().collect()
}

pub(super) fn entropy(row: &[f32]) -> f32 {
    let sum: f64 = row
        .iter()
        .filter(|&&s| s > 0.0)
        .map(|&s| -f64::from(s) * f64::from(s).ln())
        .sum();
    sum as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entropy_is_in_nats() {
        assert!((entropy(&[0.5, 0.5, 0.0]) - 2.0_f32.ln()).abs() < 1e-6);
        assert_eq!(entropy(&[0.0, 1.0]), 0.0);
    }
}
