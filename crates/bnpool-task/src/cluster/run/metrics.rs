//! `metrics.json` of a clustering run.

use super::Plan;
use super::changes::ChangeMetrics;
use super::source::Input;
use super::warning::{mean_confidence, warnings};
use crate::cluster::{Agreement, Changes, Communities, FoundEvidence, Verdict, WeightModel};
use crate::failure::Terms;
use crate::run::Times;
use bnpool::pool::Reconstruction;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// Version of the keys of `metrics.json`, which docs/JSON.md lists.
pub const SCHEMA: u32 = 1;

/// The metrics, in the order in which they are written.
#[derive(Debug, Clone, Serialize)]
pub struct Metrics {
    /// Version of these keys: a change of meaning or a removal raises it.
    schema: u32,
    /// The training was stopped before its end.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    unfinished: bool,
    task: &'static str,
    /// The run directory.
    output: String,
    dataset: String,
    /// Interpretation of the file, in one line.
    #[serde(skip_serializing_if = "Option::is_none")]
    understood: Option<String>,
    pooler: String,
    /// Dense or sparse; nothing for poolers that reconstruct no edges.
    loss: Option<&'static str>,
    preset: &'static str,
    seed: u64,
    nodes: usize,
    edges: usize,
    features: usize,
    max_clusters: usize,
    /// The number of communities.
    communities: usize,
    communities_interval: [usize; 2],
    /// The evidence for the communities, if they were found by evidence.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    evidence: Option<EvidenceMetrics>,
    /// Changes since an older version of the graph.
    #[serde(skip_serializing_if = "Option::is_none")]
    /// Changes since an older version of the graph.
    pub changes: Option<ChangeMetrics>,
    /// Nodes of every community, the largest first.
    sizes: Vec<usize>,
    /// Mean confidence of the nodes of every community, in the same order.
    confidence: Vec<f64>,
    /// Mean confidence of all nodes.
    mean_confidence: f64,
    /// Reasons to doubt the communities, in words.
    warnings: Vec<String>,
    /// Non-empty clusters of one sample.
    clusters: usize,
    clusters_interval: [usize; 2],
    /// Posterior samples behind the intervals; none for poolers without a
    /// posterior.
    samples: usize,
    #[serde(flatten)]
    agreement: Scores,
    modularity: f64,
    /// `loss_rec`, `loss_kl` and `loss_k` of BN-Pool, others of other poolers.
    #[serde(flatten)]
    losses: BTreeMap<String, f64>,
    /// Number of epochs of all starts.
    pub epochs: usize,
    start: usize,
    best_epoch: usize,
    /// Duration of the whole command in seconds; of the training, in Python.
    pub seconds: f64,
    /// Seconds of the stages of the command.
    #[serde(skip_serializing_if = "Times::is_empty")]
    stages: Times,
    /// Mean time of an epoch.
    pub seconds_per_epoch: f64,
    peak_rss_mb: Option<f64>,
    threads: usize,
    version: &'static str,
}

/// The evidence for the communities.
#[derive(Debug, Clone, Serialize)]
struct EvidenceMetrics {
    /// `communities`, `blocks`, `weak` or `none`.
    verdict: &'static str,
    /// By how many nats the partition shortens the description of the graph.
    evidence_nats: f64,
    /// The chance of as much evidence in a random graph, if evidence was weak.
    p_value: Option<f64>,
    /// Mean AMI with the partitions from other starts.
    start_agreement: Option<f64>,
    /// The distribution by which the groups explain weights, or `independent`; none
    /// if the graph has no weights.
    weights: Option<&'static str>,
    /// `explained` or `independent`; none if no edge has a direction.
    directions: Option<&'static str>,
    /// Whether node features decided on the groups.
    by_features: bool,
    /// Whether training the network shortened the description further.
    refined: bool,
    /// Numbers of groups of the coarser levels in `labels.csv`.
    levels: Vec<usize>,
}

impl EvidenceMetrics {
    fn of(evidence: &FoundEvidence) -> Self {
        Self {
            verdict: match evidence.verdict {
                Verdict::Communities => "communities",
                Verdict::Blocks => "blocks",
                Verdict::Weak => "weak",
                Verdict::None => "none",
            },
            evidence_nats: evidence.nats,
            p_value: evidence.p_value,
            start_agreement: evidence.agreement,
            weights: evidence.weights.map(|model| match model {
                WeightModel::Ignored => "independent",
                model => super::words::of_weights(model),
            }),
            directions: evidence.directions.map(|explained| {
                if explained {
                    "explained"
                } else {
                    "independent"
                }
            }),
            by_features: evidence.by_features,
            refined: evidence.refined,
            levels: evidence.level_sizes(),
        }
    }
}

/// Agreement with known classes, of one posterior sample and of the posterior mean.
#[derive(Debug, Clone)]
struct Scores {
    sample: Option<Agreement>,
    mean: Option<Agreement>,
}

impl Serialize for Scores {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let sample = self.sample.iter().flat_map(Agreement::iter);
        let mean = self.mean.iter().flat_map(Agreement::iter);
        let sample = sample.map(|(measure, value)| (measure.key, value));
        to.collect_map(sample.chain(mean.map(|(measure, value)| (measure.mean_key, value))))
    }
}

impl Metrics {
    /// Collects the metrics of a run of `epochs` epochs of all starts.
    pub(super) fn new(
        plan: &Plan,
        input: &Input,
        result: &Communities,
        changes: Option<&Changes>,
        (epochs, seconds): (usize, f64),
        terms: Terms,
    ) -> Self {
        let (config, size) = (&plan.config, input.size());
        let count = &result.count;
        let loss = match config.pooler.loss.resolve(size.nodes, result.clusters) {
            Reconstruction::Sparse => "sparse",
            Reconstruction::Dense | Reconstruction::Auto => "dense",
        };
        Self {
            schema: SCHEMA,
            unfinished: result.unfinished,
            task: "cluster",
            output: plan.directory.path().display().to_string(),
            dataset: input.name.clone(),
            understood: input.understood.clone(),
            pooler: config.pooler.name.clone(),
            loss: result.pooler.reconstruction.then_some(loss),
            preset: config.preset.name(),
            seed: config.seed,
            nodes: size.nodes,
            edges: size.edges,
            features: size.features,
            max_clusters: result.clusters,
            communities: count.communities,
            communities_interval: count.interval,
            evidence: result.evidence.as_ref().map(EvidenceMetrics::of),
            changes: changes.map(ChangeMetrics::of),
            sizes: result
                .communities
                .iter()
                .map(|community| community.statistics.size)
                .collect(),
            confidence: result.communities.iter().map(|c| c.confidence).collect(),
            mean_confidence: mean_confidence(result),
            warnings: warnings(result, terms),
            clusters: count.non_empty,
            clusters_interval: count.non_empty_interval,
            samples: count.samples.len(),
            agreement: Scores {
                sample: result.sample_agreement,
                mean: result.mean_agreement,
            },
            modularity: result.modularity,
            losses: result.losses.clone(),
            epochs,
            start: result.start,
            best_epoch: result.best_epoch,
            seconds,
            stages: Times::default(),
            seconds_per_epoch: seconds / epochs.max(1) as f64,
            peak_rss_mb: crate::run::peak_rss_mb(),
            threads: rayon::current_num_threads(),
            version: env!("CARGO_PKG_VERSION"),
        }
    }

    /// Sets the times of the stages of the command.
    pub(super) fn set_times(&mut self, times: Times) {
        self.seconds = times.total();
        self.stages = times;
    }

    /// Reasons to doubt the communities, in words.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Whether the training was stopped before its end.
    #[must_use]
    pub fn is_unfinished(&self) -> bool {
        self.unfinished
    }
}
