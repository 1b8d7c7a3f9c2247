//! Groups found by evidence in the structure of a graph, before training.
//!
//! The search of `bnpool-community` minimises the description length of
//! partitions and infers the number of groups, which may be zero. The network
//! then imitates these groups and is trained by its ELBO from there. At the end,
//! description length decides between the two results, so training never makes
//! the result worse.

use super::features::{Surroundings, without_odd_weights};
use super::previous::as_start;
use super::{ClusterConfig, StructureKind};
use crate::TaskError;
use bnpool::pool::PoolSettings;
use bnpool_community::description_length::WeightModel;
use bnpool_community::merge::Dendrogram;
use bnpool_community::search::{Evidence, Judge, Progress, SearchConfig, Verdict, find};
use bnpool_community::starts::{FeatureStart, by_features};
use bnpool_community::{Links, Partition};
use bnpool_graph::structure::split_disconnected;
use bnpool_graph::{Features, Graph};
use bnpool_math::memory::{bytes_of, check};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// Receives the progress of the search from any thread, and may stop it.
pub type SearchObserver<'a> = &'a (dyn Fn(Progress) -> ControlFlow<()> + Sync);

/// Largest number of entries of S. Larger graphs get fewer columns, and their
/// smallest communities share the last one.
const CELLS: usize = 4_000_000;
const FEWEST_COLUMNS: usize = 16;
const MOST_COLUMNS: usize = 512;

/// Features are related to groups if their variance between groups exceeds that
/// expected by chance by this number of standard deviations.
const SIGMAS: f64 = 4.0;

/// Groups by features must reach this fraction of the evidence of the best
/// groups.
const PART: f64 = 0.5;

/// Groups that a training starts from, in its order of the nodes.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Groups {
    /// The links, unless the graph is in parts.
    #[serde(skip)]
    pub links: Option<Links>,
    pub evidence: Evidence,
    /// Community of each node.
    pub partition: Partition,
    /// Column of S of each community.
    pub columns: Vec<u32>,
    /// Merges of the communities, down to one.
    pub path: Dendrogram,
    /// Reduction of the description length of the graph by the partition, in
    /// nats.
    pub nats: f64,
    /// Whether the number of groups was given.
    pub asked: bool,
    /// Whether given features determined the groups.
    pub by_features: bool,
    /// Number of communities preferred by the evidence, if a limit allows
    /// fewer.
    pub beyond_limit: Option<usize>,
    /// Mean agreement (AMI) of the result with the partitions from other starts under
    /// the same model; `None` if there is no other start.
    pub agreement: Option<f64>,
}

impl Groups {
    /// Searches for groups, also starting from previous communities of the
    /// nodes.
    pub fn find<C: PoolSettings>(
        graph: &Graph,
        config: &ClusterConfig<C>,
        previous: Option<&[Option<u32>]>,
        observer: SearchObserver<'_>,
    ) -> Result<Self, TaskError> {
        let links = links(graph)?;
        let search = SearchConfig {
            structure: config.search.structure.into(),
            seed: config.seed,
            replicas: config.search.replicas,
            given: match previous {
                Some(known) => vec![Partition::new(&as_start(graph, known)?)],
                None => Vec::new(),
            },
        };
        let mut evidence = find(&links, &search, observer)?;
        let agreement = evidence.agreement;
        // There are as many partitions and dendrograms as starts.
        evidence.candidates = Vec::new();
        let mut partition = evidence.partition.clone();
        let mut path = evidence.best.path.clone();
        let mut by_features = false;
        if config.uses_given_features(graph)
            && is_informative(graph.features(), &evidence.best.partition)
            && let Some((found, merges)) = feature_groups(graph.features(), &links, config.seed)?
            && explains(&evidence, &found, &merges)
        {
            (partition, path, by_features) = (found, merges, true);
        }
        let groups = Self::decided(evidence, (partition, path), by_features, config)?;
        Ok(Self {
            links: Some(links),
            agreement,
            ..groups
        })
    }

    /// Reads the result of an earlier search on the same graph from the bytes
    /// of [`Groups::to_bytes`]; `None` if they have another format.
    pub fn of_bytes(bytes: &[u8], graph: &Graph) -> Result<Option<Self>, TaskError> {
        let saved: Option<Self> = serde_json::from_slice(bytes).ok();
        let Some(groups) = saved.filter(|groups| groups.partition.nodes() == graph.nodes()) else {
            return Ok(None);
        };
        Ok(Some(Self {
            links: Some(links(graph)?),
            ..groups
        }))
    }

    /// Serialises the result as bytes, with the nodes in canonical order.
    pub fn to_bytes(&self) -> Vec<u8> {
        // Plain data can always be serialised.
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// Returns the groups of the partition supported by evidence or, if their number
    /// is given or limited, of a partition on the path of merges.
    pub fn decided<C: PoolSettings>(
        evidence: Evidence,
        (mut partition, path): (Partition, Dendrogram),
        by_features: bool,
        config: &ClusterConfig<C>,
    ) -> Result<Self, TaskError> {
        let groups = partition.groups();
        let limit = config.pooler.max_clusters();
        let beyond_limit = (limit > 0 && groups > limit).then_some(groups);
        let asked = config.clusters > 0;
        if asked {
            partition = cut(&path, &partition, config.clusters)?;
        } else if beyond_limit.is_some() {
            partition = cut(&path, &partition, limit)?;
        }
        let nats = if partition == evidence.best.partition {
            evidence.nats
        } else {
            path.total(partition.groups())
                .map_or(evidence.nats, |total| evidence.trivial - total)
        };
        Ok(Self {
            columns: columns(&partition, &path),
            nats,
            asked,
            links: None,
            evidence,
            partition,
            path,
            by_features,
            beyond_limit,
            agreement: None,
        })
    }

    /// Returns the column of S of each node.
    pub fn node_columns(&self) -> Vec<u32> {
        let labels = self.partition.labels().iter();
        labels.map(|&g| self.columns[g as usize]).collect()
    }

    /// Returns the groups that describe the nodes.
    pub fn surroundings(&self) -> Surroundings {
        Surroundings {
            groups: self.node_columns().into_iter().map(Some).collect(),
            count: self.width(),
            directed: self.explains_directions() == Some(true),
        }
    }

    /// Returns whether the groups explain the directions of edges; `None` if no
    /// edge has one.
    pub fn explains_directions(&self) -> Option<bool> {
        self.links.as_ref()?.directions()?;
        let directed = self.evidence.best.judge == Judge::DirectedBlocks;
        Some(directed && self.has_verdict())
    }

    /// Returns whether the best partition by links is the result.
    fn has_verdict(&self) -> bool {
        self.evidence.verdict != Verdict::None && !self.by_features
    }

    /// Returns the model of the weights given the groups; `None` if edges have
    /// no weights.
    pub fn explains_weights(&self) -> Option<WeightModel> {
        self.links.as_ref()?.weights()?;
        Some(if self.has_verdict() {
            self.evidence.best.weights
        } else {
            WeightModel::Ignored
        })
    }

    /// Returns the number of columns in use.
    pub fn width(&self) -> usize {
        self.columns.iter().max().map_or(1, |&c| c as usize + 1)
    }

    /// Returns whether each community has its own column.
    pub fn is_complete(&self) -> bool {
        self.width() == self.partition.groups()
    }

    /// Returns whether groups are linked to others more than internally, or
    /// one-way.
    pub fn is_disassortative(&self) -> bool {
        let best = &self.evidence.best;
        self.evidence.verdict == Verdict::Blocks
            && (best.assortativity < 0.0 || best.judge == Judge::DirectedBlocks)
    }

    /// Returns the groups of the network, if their description is shorter than that of
    /// the initial groups.
    pub fn considering(&self, graph: &Graph, labels: &[u32]) -> Result<Option<Self>, TaskError> {
        let chosen = self.by_features || self.asked || self.beyond_limit.is_some();
        if chosen || self.evidence.verdict == Verdict::None || !self.is_complete() {
            return Ok(None);
        }
        // Communities must be connected.
        let other = match self.evidence.verdict {
            Verdict::Blocks => Partition::new(labels),
            _ => Partition::new(&split_disconnected(graph.adjacency(), labels)?),
        };
        if other.groups() < 2 || other == self.partition {
            return Ok(None);
        }
        let Some(links) = &self.links else {
            return Ok(None);
        };
        let length = |partition| self.evidence.length(links, partition);
        let shorter = length(&other)? < length(&self.partition)?;
        Ok(shorter.then(|| Self {
            columns: columns(&other, &self.path),
            partition: other,
            ..self.clone()
        }))
    }

    /// Returns the probability of each node to belong to its community, given
    /// those of all other nodes, under the model that found the communities.
    pub fn probabilities(&self, labels: &[u32]) -> Result<Vec<f32>, TaskError> {
        let Some(links) = &self.links else {
            return Ok(Vec::new());
        };
        let sure = self
            .evidence
            .probabilities(links, &Partition::new(labels))?;
        // Positive, so that every node belongs to the community of its label.
        Ok(sure.iter().map(|p| p.max(f32::MIN_POSITIVE)).collect())
    }

    /// Returns the range of the number of communities, which contains the
    /// number.
    pub fn interval(&self) -> [usize; 2] {
        let groups = self.partition.groups();
        if self.by_features || self.asked || self.beyond_limit.is_some() {
            [groups; 2]
        } else {
            let found = &self.evidence.interval;
            [found.low.min(groups), found.high.max(groups)]
        }
    }
}

/// Returns the links of a graph, as input of the search.
fn links(graph: &Graph) -> Result<Links, TaskError> {
    let adjacency = without_odd_weights(graph.adjacency());
    Ok(if graph.adjacency().is_symmetric() {
        Links::new(&adjacency)?
    } else {
        Links::directed(&adjacency)?
    })
}

/// Returns a partition into this number of groups.
fn cut(path: &Dendrogram, found: &Partition, groups: usize) -> Result<Partition, TaskError> {
    if found.groups() == groups {
        return Ok(found.clone());
    }
    path.cut(groups).ok_or(TaskError::NoSuchCut {
        groups,
        fewest: path.coarsest(),
        most: path.finest(),
    })
}

/// Assigns a column to each community. If there are too many, they share the
/// columns of a coarser partition on the path of merges. Without such a partition,
/// the smallest communities share the last column.
fn columns(partition: &Partition, path: &Dendrogram) -> Vec<u32> {
    let (groups, nodes) = (partition.groups(), partition.labels().len());
    let most = (CELLS / nodes.max(1)).clamp(FEWEST_COLUMNS, MOST_COLUMNS);
    if groups <= most {
        return (0..groups as u32).collect();
    }
    let Some(coarse) = path
        .cut(most.max(path.coarsest()))
        .filter(|c| c.groups() <= most)
    else {
        let last = most as u32 - 1;
        return (0..groups as u32).map(|g| g.min(last)).collect();
    };
    // The column of most of its nodes.
    let mut pairs: Vec<(u32, u32)> = partition
        .labels()
        .iter()
        .copied()
        .zip(coarse.labels().iter().copied())
        .collect();
    pairs.sort_unstable();
    let mut columns = vec![(0_u32, 0_usize); groups];
    for run in pairs.chunk_by(|a, b| a == b) {
        let ((group, column), nodes) = (run[0], run.len());
        if nodes > columns[group as usize].1 {
            columns[group as usize] = (column, nodes);
        }
    }
    columns.into_iter().map(|(column, _)| column).collect()
}

/// Finds groups by features that are smooth on the graph; `None` if they do not
/// fit into memory.
fn feature_groups(
    features: &Features,
    links: &Links,
    seed: u64,
) -> Result<Option<(Partition, Dendrogram)>, TaskError> {
    let (nodes, width) = (links.nodes(), features.width());
    let bytes = bytes_of::<f32>(&[4, nodes, width]);
    if check("smoothed features", bytes).is_err() {
        return Ok(None);
    }
    let rows = super::features::rows_for_groups(features);
    let config = FeatureStart {
        seed,
        ..FeatureStart::default()
    };
    let (found, path) = by_features(links, &rows, width, &config)?;
    Ok((found.groups() > 1).then_some((found, path)))
}

/// Returns whether node features are related to groups that were found without
/// them. Compares the variance between groups with that inside groups, as in an
/// analysis of variance over all columns. Unrelated columns have a ratio of 1 ±
/// √(2 / ((K − 1) columns)).
fn is_informative(features: &Features, partition: &Partition) -> bool {
    let (nodes, groups) = (partition.labels().len() as f64, partition.groups() as f64);
    if groups < 2.0 || groups >= nodes {
        return false;
    }
    let share = between_share(features, partition);
    let ratio = share / (groups - 1.0) * (nodes - groups) / (1.0 - share).max(1e-12);
    let spread = (2.0 / ((groups - 1.0) * features.width() as f64)).sqrt();
    ratio > 1.0 + SIGMAS * spread
}

/// Returns whether groups by features also explain the links, at least half as
/// well as the groups that were found from the links alone.
fn explains(evidence: &Evidence, found: &Partition, merges: &Dendrogram) -> bool {
    let (Some(total), Some(one)) = (merges.total(found.groups()), merges.total(1)) else {
        return false;
    };
    // Relative to one group, because nodes without edges count in both lengths.
    let gained = one - total + evidence.trivial - evidence.one;
    let most = evidence.trivial - evidence.best.total;
    gained > 0.0 && gained >= PART * most
}

/// Returns the fraction of the variance of all columns that is between groups.
fn between_share(features: &Features, partition: &Partition) -> f64 {
    let (labels, width) = (partition.labels(), features.width());
    let nodes = labels.len() as f64;
    let mut sums = vec![0.0_f64; partition.groups() * width];
    let (mut totals, mut squares) = (vec![0.0_f64; width], vec![0.0_f64; width]);
    let mut add = |u: usize, column: usize, x: f32| {
        let x = f64::from(x);
        sums[labels[u] as usize * width + column] += x;
        totals[column] += x;
        squares[column] += x * x;
    };
    match features {
        Features::Dense(matrix) => {
            for u in 0..matrix.rows() {
                for (column, &x) in matrix.row(u).iter().enumerate() {
                    add(u, column, x);
                }
            }
        }
        Features::Sparse(matrix) => {
            for (u, column, x) in matrix.iter() {
                add(u as usize, column as usize, x);
            }
        }
    }
    let (mut between, mut all) = (0.0, 0.0);
    for column in 0..width {
        let variance = squares[column] - totals[column].powi(2) / nodes;
        // All columns have equal weight, whatever their unit.
        if variance <= 1e-9 * squares[column].max(f64::MIN_POSITIVE) {
            continue;
        }
        let inside: f64 = (0..partition.groups())
            .map(|g| sums[g * width + column].powi(2) / partition.sizes()[g] as f64)
            .sum();
        between += (inside - totals[column].powi(2) / nodes) / variance;
        all += 1.0;
    }
    between / f64::max(all, 1.0)
}

impl From<StructureKind> for bnpool_community::search::Structure {
    fn from(kind: StructureKind) -> Self {
        match kind {
            StructureKind::Auto => Self::Auto,
            StructureKind::Communities => Self::Communities,
            StructureKind::Blocks => Self::Blocks,
        }
    }
}
