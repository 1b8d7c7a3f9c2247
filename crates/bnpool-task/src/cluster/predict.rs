//! Communities of new nodes by a trained network.

use super::features::Surroundings;
use super::input::ClusterInput;
use super::previous::carry_over;
use super::result::memberships;
use super::setup::fresh_model;
use super::{ClusterConfig, Communities};
use crate::optim::load_parameters;
use crate::run::NamedTensor;
use crate::{TaskError, in_pool};
use bnpool::pool::{Pass, Pool, PoolSettings, PoolerConfig};
use bnpool_graph::Graph;
use burn::module::Module;
use burn::tensor::Device;

/// The network of a finished run, with its communities.
///
/// It describes a node by the communities of its neighbours. So it can label
/// new nodes if the communities of some of their neighbours are known.
#[derive(Debug, Clone)]
pub struct CommunityModel {
    /// Settings of the run.
    pub config: ClusterConfig<PoolerConfig>,
    /// C: number of columns of S.
    pub clusters: usize,
    /// Column of S of each community.
    pub columns: Vec<usize>,
    /// Number of groups that are distinguished by the features of the nodes
    /// ([`FoundEvidence::around`](super::FoundEvidence::around)).
    pub around: usize,
    /// Whether those features distinguish outgoing and incoming edges
    /// ([`FoundEvidence::directions`](super::FoundEvidence::directions) is true).
    pub directed: bool,
    /// Trained parameters.
    pub parameters: Vec<NamedTensor>,
}

/// The community of a node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Labelled {
    /// Number of the community.
    pub community: u32,
    /// Membership of the node in it.
    pub confidence: f32,
}

/// Posterior mean of S, [nodes, clusters], with the known community of each node
/// or the one propagated from its neighbours.
struct Posterior {
    mean: Vec<f32>,
    clusters: usize,
    carried: Vec<Option<u32>>,
}

impl CommunityModel {
    /// Takes the network from a result with these settings.
    #[must_use]
    pub fn of(result: &Communities, config: &ClusterConfig) -> Self {
        let evidence = result.evidence.as_ref();
        Self {
            config: config.clone(),
            clusters: result.clusters,
            columns: result.communities.iter().map(|c| c.column).collect(),
            around: evidence.map_or(0, |found| found.around),
            directed: evidence.is_some_and(|found| found.directions == Some(true)),
            parameters: result.parameters.clone(),
        }
    }

    /// Labels the nodes of a graph without training. `known` holds the known
    /// communities of nodes. The others are taken from the posterior mean of the
    /// network. Nodes without a path to a node with a known community get none.
    ///
    /// # Errors
    ///
    /// Returns an error if the network does not describe nodes by the
    /// communities around them, or if its features differ from those of the
    /// graph.
    ///
    /// # Complexity
    ///
    /// One forward pass: O(E H + N H C) time for H hidden units.
    pub fn label(
        &self,
        graph: &Graph,
        known: &[Option<u32>],
    ) -> Result<Vec<Option<Labelled>>, TaskError> {
        let posterior = self.posterior(graph, known)?;
        let rows = posterior.mean.chunks_exact(posterior.clusters);
        let rows = rows.zip(&posterior.carried);
        Ok(rows
            .map(|(row, carried)| carried.map(|community| self.best(row, community)))
            .collect())
    }

    /// Returns the posterior mean of the memberships in the communities,
    /// [nodes, communities], including nodes with a known community. Rows are
    /// zero for nodes without a path to a node with a known community.
    ///
    /// # Errors
    ///
    /// As [`CommunityModel::label`].
    ///
    /// # Complexity
    ///
    /// As [`CommunityModel::label`].
    pub fn memberships(&self, graph: &Graph, known: &[Option<u32>]) -> Result<Vec<f32>, TaskError> {
        let posterior = self.posterior(graph, known)?;
        let rows = posterior.mean.chunks_exact(posterior.clusters);
        let rows = rows.zip(&posterior.carried);
        Ok(rows
            .flat_map(|(row, carried)| {
                let share = if carried.is_some() { 1.0 } else { 0.0 };
                self.columns.iter().map(move |&column| share * row[column])
            })
            .collect())
    }

    /// Computes the posterior of the nodes of a graph.
    fn posterior(&self, graph: &Graph, known: &[Option<u32>]) -> Result<Posterior, TaskError> {
        if known.len() != graph.nodes() {
            return Err(TaskError::PreviousNodes {
                labels: known.len(),
                nodes: graph.nodes(),
            });
        }
        let most = self.columns.iter().max();
        let fits = most.is_some_and(|&column| column < self.clusters);
        if !self.config.looks_for_groups() || self.around == 0 || !fits {
            return Err(TaskError::NoSurroundings);
        }
        in_pool(|| self.forward(graph, known))
    }

    fn forward(&self, graph: &Graph, known: &[Option<u32>]) -> Result<Posterior, TaskError> {
        let carried = carry_over(graph, known);
        let last = self.around - 1;
        let column = |&community: &u32| self.columns.get(community as usize).copied();
        let around = Surroundings {
            groups: carried
                .iter()
                .map(|community| Some(column(community.as_ref()?)?.min(last) as u32))
                .collect(),
            count: self.around,
            directed: self.directed,
        };
        let pooler = self.config.pooler.clone().with_max_clusters(self.clusters);
        let config = self.config.clone().with_pooler(pooler);
        let device = Device::flex().inner();
        let input = ClusterInput::new(graph, &config, Some(&around), &device.clone().autodiff())?;
        let model = fresh_model(&input.site(), &config, 0, &device)?;
        let model = load_parameters(model, &self.parameters)?.valid();
        let level = model.embed(&input.inner(), &Pass::mean());
        let (mean, clusters) = memberships(model.pool.membership(&level, &Pass::mean()))?;
        Ok(Posterior {
            mean,
            clusters,
            carried,
        })
    }

    /// Returns the community with the largest membership. If several communities
    /// share a column, the neighbours decide, otherwise the largest community is
    /// taken.
    fn best(&self, row: &[f32], carried: u32) -> Labelled {
        let mut best = Labelled {
            community: carried,
            confidence: self.columns.get(carried as usize).map_or(0.0, |&c| row[c]),
        };
        for (community, &column) in self.columns.iter().enumerate() {
            if row[column] > best.confidence {
                best = Labelled {
                    community: community as u32,
                    confidence: row[column],
                };
            }
        }
        best
    }
}
