//! Training on a graph in parts: groups, network, start and steps.

use super::network::{Network, Shape};
use super::room::Room;
use super::weights::Weights;
use crate::TaskError;
use crate::cluster::ClusterConfig;
use crate::cluster::body::Step;
use crate::cluster::evidence::{Groups, SearchObserver};
use crate::cluster::features::Codes;
use crate::cluster::setup::{ModelSite, fitted};
use crate::cluster::start::{RATE, log_odds, steps};
use crate::optim::{Adam, AdamConfig};
use bnpool::model::ClusterModel;
use bnpool::pool::{Pass, Pool, PoolSettings, kl_weight};
use bnpool_community::divided::{DividedError, find_divided};
use bnpool_community::search::SearchConfig;
use bnpool_graph::divide::{Part, PartSource};
use bnpool_parallel::Collective;
use burn::tensor::{Device, Tensor, TensorData};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A graph in parts, with its groups.
#[derive(Debug)]
pub(in crate::cluster) struct Divided {
    pub groups: Groups,
    /// Number of features.
    inputs: usize,
    /// The network, whose rows change in each phase of a step.
    network: Mutex<Network<f32>>,
}

impl Divided {
    /// Searches for groups and prepares the network. Also returns the settings
    /// adapted to the groups.
    pub fn new<C: PoolSettings>(
        source: Arc<dyn PartSource>,
        engine: Arc<dyn Collective>,
        config: &ClusterConfig<C>,
        room: &Room,
        observer: SearchObserver<'_>,
    ) -> Result<(Self, ClusterConfig<C>), TaskError> {
        let (nodes, entries) = (source.nodes(), source.entries());
        if nodes < 2 {
            return Err(TaskError::TooSmall { nodes });
        }
        if let Some(what) = config.undivided() {
            return Err(TaskError::Undivided { what });
        }
        room.check_search(&*source, &*engine)?;
        let search = SearchConfig {
            structure: config.search.structure.into(),
            seed: config.seed,
            replicas: config.search.replicas,
            given: Vec::new(),
        };
        let mut evidence = find_divided(&*source, &*engine, &search, observer)?;
        // Partitions and merges of all nodes, which are no longer needed.
        evidence.candidates.clear();
        let found = (evidence.partition.clone(), evidence.best.path.clone());
        let groups = Groups::decided(evidence, found, false, config)?;
        let config = fitted(config.clone(), Some(&groups), entries);
        let codes = Codes::new(groups.width(), config.seed);
        let inputs = codes.width();
        let clusters = config.pooler.max_clusters();
        let hidden = config.model.hidden;
        let spill = room.spill(&*source, &*engine, [inputs, hidden, hidden, clusters])?;
        let shape = Shape {
            inputs,
            hidden,
            clusters,
            delta: config.delta(),
            spill,
        };
        let (labels, columns) = (groups.partition.labels(), &groups.columns);
        let describe = |part: &Part, i: usize, row: &mut [f32]| {
            let node = (part.range().start + i) as u32;
            let others = part.row(i).iter().filter(|&&v| v != node);
            let around = others.map(|&v| (columns[labels[v as usize] as usize], 1.0));
            codes.mix(around, row);
        };
        let network = Network::new(source, engine, &shape, describe)?;
        let divided = Self {
            inputs,
            network: Mutex::new(network),
            groups,
        };
        Ok((divided, config))
    }

    /// Returns the properties of the graph that a model depends on.
    pub fn site(&self) -> ModelSite {
        ModelSite {
            inputs: self.inputs,
            nodes: self.groups.partition.nodes(),
            classes: None,
        }
    }

    pub(super) fn network(&self) -> MutexGuard<'_, Network<f32>> {
        self.network.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the column of S of a node.
    fn column(&self, node: usize) -> usize {
        self.groups.columns[self.groups.partition.labels()[node] as usize] as usize
    }

    /// Computes the losses of a pass and their gradients.
    pub fn step<P: Pool>(&self, model: &ClusterModel<P>, pass: &Pass) -> Result<Step, TaskError> {
        let (weights, config) = Weights::of(model).ok_or(TaskError::NothingToTrain)?;
        let sample = (pass.key.seed(), pass.step);
        let gamma = kl_weight(pass.progress);
        let step = self
            .network()
            .reconstruct(&weights, config, sample, gamma, true)?;
        Ok(Step {
            losses: step.losses(),
            clusters: step.active,
            gradients: weights.cut(&step.gradient, config.train_k),
        })
    }

    /// Returns the model after it was trained to imitate the groups, with K in
    /// closed form.
    pub fn warm_start<P: Pool>(
        &self,
        mut model: ClusterModel<P>,
    ) -> Result<ClusterModel<P>, TaskError> {
        let mut network = self.network();
        let mut adam = Adam::new(AdamConfig::default());
        for _ in 0..steps(network.nodes()) {
            let (weights, config) = Weights::of(&model).ok_or(TaskError::NothingToTrain)?;
            let column = |node| self.column(node);
            let (_, gradient) = network.imitate(&weights, config, column)?;
            let gradients = weights.cut(&gradient, false);
            (model, _) = adam
                .step_by(RATE, model, gradients)
                .map_err(|bad| TaskError::diverged(0, bad))?;
        }
        let Some(clusters) = model.pool.block_matrix().map(|k| k.dims()[0]) else {
            return Ok(model);
        };
        let (edges, sizes) = self.between_columns(&network, clusters)?;
        let data = TensorData::new(log_odds(&edges, &sizes), [clusters, clusters]);
        let k = Tensor::from_data(data, &Device::flex().autodiff());
        Ok(ClusterModel {
            pool: model.pool.with_block_matrix(k),
            ..model
        })
    }

    /// Counts entries between columns, [C, C], and the nodes of each column.
    fn between_columns(
        &self,
        network: &Network<f32>,
        clusters: usize,
    ) -> Result<(Vec<f32>, Vec<f32>), TaskError> {
        let mut counts = vec![0_u64; clusters * clusters + clusters];
        network.spread.visit(|p| {
            let part = network.source.part(p)?;
            for (i, u) in part.range().enumerate() {
                let own = self.column(u);
                counts[clusters * clusters + own] += 1;
                for &v in part.row(i) {
                    counts[own * clusters + self.column(v as usize)] += 1;
                }
            }
            Ok(())
        })?;
        let counts = network.spread.total(counts);
        let numbers: Vec<f32> = counts.into_iter().map(|n| n as f32).collect();
        let (edges, sizes) = numbers.split_at(clusters * clusters);
        Ok((edges.to_vec(), sizes.to_vec()))
    }
}

impl From<DividedError> for TaskError {
    fn from(error: DividedError) -> Self {
        match error {
            DividedError::Read(error) => error.into(),
            DividedError::Community(error) => error.into(),
            // There are no other errors yet.
            other => Self::Search(other.to_string()),
        }
    }
}
