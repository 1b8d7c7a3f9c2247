//! Communities of new nodes, by a network that is trained already.

use super::ClusterConfig;
use super::features::Surroundings;
use super::input::ClusterInput;
use super::previous::carry_over;
use super::result::memberships;
use super::setup::fresh_model;
use crate::optim::load_parameters;
use crate::run::NamedTensor;
use crate::{TaskError, in_pool};
use bnpool::pool::{Pass, Pool, PoolSettings, PoolerConfig};
use bnpool_graph::Graph;
use burn::module::Module;
use burn::tensor::Device;

/// The network of a finished run, and what it calls the communities.
///
/// It describes a node by the communities around it. So it can label nodes that
/// it has never seen, if some of their neighbours are known.
#[derive(Debug, Clone)]
pub struct CommunityModel {
    /// The settings of the run.
    pub config: ClusterConfig<PoolerConfig>,
    /// C: the columns of S.
    pub clusters: usize,
    /// Column of S of every community.
    pub columns: Vec<usize>,
    /// Groups that the features of the nodes tell apart
    /// ([`FoundEvidence::around`](super::FoundEvidence::around)).
    pub around: usize,
    /// Whether those features tell edges out from edges in
    /// ([`FoundEvidence::directions`](super::FoundEvidence::directions) is true).
    pub directed: bool,
    /// The trained parameters.
    pub parameters: Vec<NamedTensor>,
}

/// The community of a node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Labelled {
    /// Its number.
    pub community: u32,
    /// The membership of the node in it.
    pub confidence: f32,
}

/// The posterior mean of S, [nodes, clusters], and the community that a node has
/// or its neighbours hand on to it.
struct Posterior {
    mean: Vec<f32>,
    clusters: usize,
    carried: Vec<Option<u32>>,
}

impl CommunityModel {
    /// Labels the nodes of a graph, without any training. `known` has the
    /// community of every node that has one already; the others get theirs from
    /// the posterior mean of the network. Nodes that no path connects with a known
    /// one get none.
    ///
    /// # Errors
    ///
    /// When the network does not describe nodes by their surroundings, or reads
    /// other features than the graph has.
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

    /// Memberships of the nodes in the communities by the posterior mean, [nodes,
    /// communities], also of those whose community is known; zeros for nodes that
    /// no path connects with a known one.
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

    /// What the network says of the nodes of a graph.
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

    /// The community with the largest membership. Communities that share a column
    /// are told apart by the neighbours, else the largest is taken.
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
