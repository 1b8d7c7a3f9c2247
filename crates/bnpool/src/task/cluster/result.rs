//! What was found: communities, how sure they are, and how well they agree
//! with known classes.

use super::agreement::Agreement;
use super::trainer::{EVALUATION_STEPS, Trainer};
use crate::model::ClusterModel;
use crate::ops::Draw;
use crate::pool::{Level, PoolPass, Pooler, Topology, coarsen};
use crate::task::TaskError;
use crate::task::losses::loss_values;
use crate::train::NamedTensor;
use bnpool_graph::structure::{
    CommunityStatistics, community_statistics, merge_small, modularity, rank_by_size,
    split_disconnected,
};
use bnpool_math::metrics::non_empty_clusters;
use burn::tensor::{Device, Tensor, TensorData};
use std::collections::BTreeMap;

/// Variates that the samples of the posterior may cost in all; large graphs get
/// fewer samples than asked for.
const SAMPLE_BUDGET: usize = 100_000_000;
/// Samples that every graph gets.
const FEWEST_SAMPLES: usize = 5;

/// Communities and how they were found.
#[derive(Debug, Clone)]
pub struct ClusterResult {
    /// Community of every node: 0 is the largest, then by size.
    pub labels: Vec<u32>,
    /// What the communities are like, largest first.
    pub communities: Vec<Community>,
    /// Membership of every node in its community, by the posterior mean.
    pub confidence: Vec<f32>,
    /// Entropy of every node's memberships in nats, by the posterior mean.
    pub entropy: Vec<f32>,
    /// C: the columns of S.
    pub clusters: usize,
    /// Posterior mean of S, [nodes, C].
    pub assignments: Vec<f32>,
    /// K, [C, C]. For poolers without a block model that of the one that S fits
    /// best: the log odds of an edge between two clusters.
    pub block_matrix: Vec<f32>,
    /// The number of communities in samples of the posterior.
    pub counts: CommunityCounts,
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
    pub parameters: Vec<NamedTensor>,
}

/// A community.
#[derive(Debug, Clone)]
pub struct Community {
    /// The column of S that most of its nodes belong to.
    pub column: usize,
    /// Mean confidence of its nodes.
    pub confidence: f64,
    /// Size, density, conductance and connectedness.
    pub statistics: CommunityStatistics,
}

/// The number of communities, counted in two ways in each of several samples.
#[derive(Debug, Clone)]
pub struct CommunityCounts {
    /// Clusters in which some node's membership exceeds 1/C: the paper's count.
    pub non_empty: Vec<usize>,
    /// Clusters that are the largest membership of some node.
    pub argmax: Vec<usize>,
}

/// The central 90 % of counts: [low, high].
#[must_use]
pub fn interval_90(counts: &[usize]) -> [usize; 2] {
    let mut sorted = counts.to_vec();
    sorted.sort_unstable();
    match sorted.len() {
        0 => [0, 0],
        n => {
            let at = |q: f64| sorted[((n - 1) as f64 * q).round() as usize];
            [at(0.05), at(0.95)]
        }
    }
}

impl Trainer<'_> {
    /// Evaluates the best model so far; of a training that has come to its end,
    /// that of the best start.
    ///
    /// # Errors
    ///
    /// When there is no finished epoch yet, or the classes cannot be compared.
    pub fn finish(&self) -> Result<ClusterResult, TaskError> {
        let (parameters, start, best_epoch) = self.winner().ok_or(TaskError::Unfinished)?;
        let model = self.model_with(parameters)?;
        let embedded = model.embed(&self.input.normalised, &self.input.x.inner());
        let level = Level::new(embedded, self.input.topology.clone());
        let pass = PoolPass::sample(self.config.seed, EVALUATION_STEPS, 1.0);
        let sample = model.select_embedded(&level, &pass);
        let [_, clusters] = sample.assignments.dims();
        let sampled = values(sample.assignments);
        let mean = self.memberships(&model, &level, Draw::Mean);
        let columns = argmax(&mean, clusters);
        let labels = self.communities(&columns)?;
        let confidence: Vec<f32> = mean
            .chunks_exact(clusters)
            .zip(&columns)
            .map(|(row, &c)| row[c as usize])
            .collect();
        let agreement = |s: &[f32], found: &[u32]| {
            self.graph
                .node_labels()
                .map(|classes| Agreement::of(s, clusters, found, classes))
                .transpose()
        };
        Ok(ClusterResult {
            communities: self.describe(&labels, &columns, &confidence, clusters)?,
            counts: self.counts(&model, &level, &sampled, clusters),
            sample_agreement: agreement(&sampled, &argmax(&sampled, clusters))?,
            mean_agreement: agreement(&mean, &labels)?,
            modularity: modularity(self.graph.adjacency(), &labels)?,
            entropy: mean.chunks_exact(clusters).map(entropy).collect(),
            block_matrix: match &model.pool {
                Pooler::Bn(pool) => values(pool.block_matrix.val()),
                _ => fitted_block_matrix(&self.input.topology, &mean, clusters),
            },
            losses: loss_values(&sample.losses),
            clusters,
            assignments: mean,
            labels,
            confidence,
            start,
            best_epoch,
            parameters: parameters.to_vec(),
        })
    }

    fn memberships(&self, model: &ClusterModel, level: &Level, draw: Draw) -> Vec<f32> {
        values(match &model.pool {
            // The losses are not wanted, and cost more than the rest.
            Pooler::Bn(pool) => {
                pool.assignments(level.features.clone(), &self.input.topology, draw)
            }
            _ => {
                let pass = PoolPass {
                    draw,
                    ..PoolPass::mean(1.0)
                };
                model.select_embedded(level, &pass).assignments
            }
        })
    }

    /// Labels by size from columns of S, split and merged as configured.
    fn communities(&self, columns: &[u32]) -> Result<Vec<u32>, TaskError> {
        let evaluation = &self.config.evaluation;
        let adjacency = self.graph.adjacency();
        let mut labels = columns.to_vec();
        if evaluation.split_disconnected {
            labels = split_disconnected(adjacency, &labels)?;
        }
        if evaluation.min_size > 1 {
            labels = merge_small(adjacency, &labels, evaluation.min_size)?;
        }
        Ok(rank_by_size(&labels))
    }

    fn describe(
        &self,
        labels: &[u32],
        columns: &[u32],
        confidence: &[f32],
        clusters: usize,
    ) -> Result<Vec<Community>, TaskError> {
        let statistics = community_statistics(self.graph.adjacency(), labels)?;
        let mut votes = vec![vec![0_usize; clusters]; statistics.len()];
        let mut sums = vec![0.0_f64; statistics.len()];
        for ((&label, &column), &confidence) in labels.iter().zip(columns).zip(confidence) {
            votes[label as usize][column as usize] += 1;
            sums[label as usize] += f64::from(confidence);
        }
        Ok(statistics
            .into_iter()
            .zip(votes.iter().zip(&sums))
            .map(|(statistics, (votes, sum))| Community {
                column: first_largest(votes.iter()),
                confidence: sum / statistics.size.max(1) as f64,
                statistics,
            })
            .collect())
    }

    /// Counts the communities of several samples, the first of which is given.
    fn counts(
        &self,
        model: &ClusterModel,
        level: &Level,
        first: &[f32],
        clusters: usize,
    ) -> CommunityCounts {
        let nodes = self.graph.nodes();
        let affordable = (SAMPLE_BUDGET / (nodes * clusters)).max(FEWEST_SAMPLES);
        let samples = self.config.evaluation.samples.min(affordable);
        let mut counts = CommunityCounts {
            non_empty: Vec::with_capacity(samples),
            argmax: Vec::with_capacity(samples),
        };
        let mut add = |s: &[f32]| {
            counts
                .non_empty
                .extend(non_empty_clusters(s, clusters, &[0, nodes]));
            let mut used = vec![false; clusters];
            for c in argmax(s, clusters) {
                used[c as usize] = true;
            }
            counts.argmax.push(used.iter().filter(|&&u| u).count());
        };
        add(first);
        for i in 1..samples as u64 {
            let draw = Draw::Sample {
                seed: self.config.seed,
                step: EVALUATION_STEPS + i,
            };
            add(&self.memberships(model, level, draw));
        }
        counts
    }
}

/// The log odds of an edge between two clusters, given soft assignments.
fn fitted_block_matrix(topology: &Topology, s: &[f32], clusters: usize) -> Vec<f32> {
    let nodes = topology.segments.nodes();
    let data = TensorData::new(s.to_vec(), [nodes, clusters]);
    let s_tensor = Tensor::<2>::from_data(data, &Device::flex());
    let structure = topology
        .clone()
        .with_adjacency(topology.targets.clone())
        .into();
    let edges = values(coarsen(&structure, s_tensor));
    let mut sizes = vec![0.0_f32; clusters];
    for row in s.chunks_exact(clusters) {
        for (size, s) in sizes.iter_mut().zip(row) {
            *size += s;
        }
    }
    let log_odds = |(i, &edges): (usize, &f32)| {
        let pairs = sizes[i / clusters] * sizes[i % clusters];
        // Half an edge more and half a pair more keep empty clusters finite.
        let share = (edges + 0.5) / (pairs + 1.0);
        let share = share.clamp(1e-6, 1.0 - 1e-6);
        (share / (1.0 - share)).ln()
    };
    edges.iter().enumerate().map(log_odds).collect()
}

fn values<const D: usize>(x: Tensor<D>) -> Vec<f32> {
    x.into_data().iter::<f32>().collect()
}

/// The column of the largest membership of every node.
fn argmax(s: &[f32], clusters: usize) -> Vec<u32> {
    s.chunks_exact(clusters)
        .map(|row| first_largest(row.iter()) as u32)
        .collect()
}

/// The first of the largest values.
fn first_largest<'a, T: PartialOrd + 'a>(values: impl Iterator<Item = &'a T>) -> usize {
    let mut best: Option<(usize, &T)> = None;
    for (i, value) in values.enumerate() {
        if best.is_none_or(|(_, largest)| value > largest) {
            best = Some((i, value));
        }
    }
    best.map_or(0, |(i, _)| i)
}

fn entropy(row: &[f32]) -> f32 {
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
    fn interval_holds_nine_tenths() {
        let counts: Vec<usize> = (1..=101).collect();
        assert_eq!(interval_90(&counts), [6, 96]);
        assert_eq!(interval_90(&[4]), [4, 4]);
    }

    #[test]
    fn the_first_of_equals_wins() {
        assert_eq!(argmax(&[0.2, 0.4, 0.4, 1.0, 0.0, 0.0], 3), [1, 0]);
        assert!((entropy(&[0.5, 0.5, 0.0]) - 2.0_f32.ln()).abs() < 1e-6);
    }
}
