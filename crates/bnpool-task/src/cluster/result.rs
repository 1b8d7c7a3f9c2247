//! What was found: communities, how sure they are, and how well they agree
//! with known classes.

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

/// Variates that the samples of the posterior may cost in all; large graphs get
/// fewer samples than asked for.
const SAMPLE_BUDGET: usize = 100_000_000;
/// Most cells of the matrix of memberships in communities.
const MOST_CELLS: usize = 200_000_000;
/// Samples that every graph gets.
const FEWEST_SAMPLES: usize = 5;

/// Communities and how they were found. Nodes are in the order of the graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Communities {
    /// The pooler that found them.
    #[serde(with = "super::saved::pooler")]
    pub pooler: PoolTraits,
    /// Community of every node: 0 is the largest, then by size.
    pub labels: Vec<u32>,
    /// What the communities are like, largest first.
    pub communities: Vec<Community>,
    /// How many there are, and how sure that is.
    pub count: CommunityCount,
    /// Posterior mean of the memberships in the communities, [nodes,
    /// communities]; empty if there are too many for the network or the memory.
    /// The largest of a row is that of the node's label. A row sums to at most one:
    /// mass of clusters that no node prefers belongs to no community.
    #[serde(skip)]
    pub assignments: Vec<f32>,
    /// K of the communities, [communities, communities]: entries of
    /// [`raw_block_matrix`](Self::raw_block_matrix) at their columns.
    #[serde(skip)]
    pub block_matrix: Vec<f32>,
    /// How sure the community of every node is. If it was found by evidence in the
    /// links, the probability of its community given those of all other nodes; else
    /// its entry of [`assignments`](Self::assignments).
    #[serde(skip)]
    pub confidence: Vec<f32>,
    /// Entropy of every node's row of [`raw_assignments`](Self::raw_assignments)
    /// in nats.
    #[serde(skip)]
    pub entropy: Vec<f32>,
    /// C: the columns of S.
    pub clusters: usize,
    /// Posterior mean of S, [nodes, C].
    #[serde(skip)]
    pub raw_assignments: Vec<f32>,
    /// K, [C, C]. For poolers without a block model that of the one that S fits
    /// best: the log odds of an edge between two clusters.
    #[serde(skip)]
    pub raw_block_matrix: Vec<f32>,
    /// Agreement of one posterior sample with known classes, the paper's
    /// protocol.
    pub sample_agreement: Option<Agreement>,
    /// Agreement of the posterior mean with known classes.
    pub mean_agreement: Option<Agreement>,
    /// Modularity of the labels.
    pub modularity: f64,
    /// The auxiliary losses of the sample at γ = 1, such as `loss_rec`.
    pub losses: BTreeMap<String, f64>,
    /// The start that won, from 1.
    pub start: usize,
    /// Its best epoch, from 1.
    pub best_epoch: usize,
    /// The trained parameters.
    #[serde(skip)]
    pub parameters: Vec<NamedTensor>,
    /// The training was stopped before its end.
    pub unfinished: bool,
    /// What speaks for the communities, if they were found by evidence.
    pub evidence: Option<FoundEvidence>,
    /// What is known of the communities as a whole, if the graph was worked on in parts:
    /// then there are no memberships of single nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_parts: Option<InParts>,
}

/// Communities of a graph in parts, each as a whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct InParts {
    /// Entries between different communities, by rising numbers; empty if there are
    /// too many communities.
    pub between: Vec<(u32, u32, f32)>,
    /// Mean of the rows of S over the nodes of every community, [communities, C].
    pub assignments: Vec<f32>,
}

impl Communities {
    /// The graph of the communities and what is known of its nodes, if the graph was
    /// worked on in parts: a node for each community, and edges that weigh as many edges
    /// as there are between them.
    ///
    /// # Errors
    ///
    /// When there are too many communities for a graph.
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

    /// The group of every community in a coarser level.
    fn level_of(&self, level: &[u32]) -> Vec<u32> {
        let mut groups = vec![0; self.communities.len()];
        for (&label, &group) in self.labels.iter().zip(level) {
            groups[label as usize] = group;
        }
        groups
    }
}

/// What speaks for communities that were found by evidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FoundEvidence {
    /// Communities, blocks, weak evidence or none.
    pub verdict: Verdict,
    /// By how many nats the division shortens the description of the graph;
    /// negative if no groups at all are shorter.
    pub nats: f64,
    /// The chance of so much evidence in a random graph of the same degrees, if
    /// evidence was weak enough to ask.
    pub p_value: Option<f64>,
    /// Mean agreement (AMI) with the divisions from other starts.
    pub agreement: Option<f64>,
    /// How weights are explained by the groups; `Ignored` if they say nothing more
    /// about them, none if the graph has no weights.
    pub weights: Option<WeightModel>,
    /// Whether directions are explained by the groups; none if the graph has none.
    pub directions: Option<bool>,
    /// Whether given features decided on the communities.
    pub by_features: bool,
    /// Whether training the network shortened the description further.
    pub refined: bool,
    /// Communities that the evidence asks for, if a limit allowed fewer.
    pub beyond_limit: Option<usize>,
    /// Nodes without edges; they are in the largest community.
    pub isolated: usize,
    /// Coarser divisions, the finest first: the group of every node, 0 being the
    /// largest.
    pub levels: Vec<Vec<u32>>,
    /// Groups that the features of the nodes tell apart.
    pub around: usize,
    /// Merges of the communities, down to one.
    pub merges: Vec<Merge>,
}

impl FoundEvidence {
    /// Number of groups of every coarser division.
    #[must_use]
    pub fn level_sizes(&self) -> Vec<usize> {
        let groups = |level: &Vec<u32>| level.iter().max().map_or(0, |&g| g as usize + 1);
        self.levels.iter().map(groups).collect()
    }

    /// The same without the coarser divisions, which have a number for every node.
    pub(super) fn without_levels(&self) -> Self {
        Self {
            levels: Vec::new(),
            merges: self.merges.clone(),
            ..*self
        }
    }
}

/// The answer of the evidence.
struct ByEvidence<'a> {
    groups: Cow<'a, Groups>,
    /// Column of S of every node.
    columns: Vec<u32>,
    /// Whether the groups are those of the trained network.
    refined: bool,
}

/// A community.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Community {
    /// The column of S that most of its nodes belong to.
    pub column: usize,
    /// Mean confidence of its nodes.
    pub confidence: f64,
    /// Size, density, conductance and connectedness.
    pub statistics: CommunityStatistics,
}

impl<C: PoolSettings> Trainer<C> {
    /// Evaluates the best model so far; of a training that has come to its end,
    /// that of the best start. A training that was stopped is evaluated briefly:
    /// without ACC, and with one posterior sample for the interval.
    ///
    /// # Errors
    ///
    /// When there is no finished epoch yet, or the classes cannot be compared.
    pub fn finish(&self) -> Result<Communities, TaskError> {
        // Whoever stops a training does not want to wait for its evaluation.
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
        // On a huge graph with many communities the matrix would not fit, and if
        // communities share a column there is none.
        let cells = whole.graph.nodes().saturating_mul(found.count());
        let complete = by_evidence
            .as_ref()
            .is_none_or(|by| by.groups.is_complete());
        let assignments = if cells <= MOST_CELLS && complete {
            found.memberships(&mean)
        } else {
            Vec::new()
        };
        // The network does not tell communities apart that share a column, and about
        // features the links say little.
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
            // Samples of the columns say nothing about the number.
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
        // Back to the order in which the nodes were given.
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

    /// The groups of the evidence, or those of the trained network if their
    /// description is shorter.
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

    /// The communities of groups.
    fn given(
        &self,
        whole: &Whole,
        by: &ByEvidence<'_>,
        clusters: usize,
    ) -> Result<Partition, TaskError> {
        Partition::given(
            by.groups.division.labels(),
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

    /// Communities of memberships, split and merged as configured.
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

    /// The number of communities, with those of several samples, the first of
    /// which is given. Without a posterior there is nothing to sample.
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

/// Memberships, [nodes, clusters], and the number of clusters. Those of firm
/// assignments are zero or one.
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
