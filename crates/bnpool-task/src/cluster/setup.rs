//! Setup of a training: settings for its groups, model and optimiser.

use super::ClusterConfig;
use super::evidence::Groups;
use crate::TaskError;
use crate::optim::{Adam, AdamConfig, ParameterGroup};
use bnpool::model::{ClusterModel, ClusterModelConfig};
use bnpool::nn::Initialiser;
use bnpool::pool::{DrawKey, Membership, Pool, PoolSettings};
use bnpool_math::metrics::non_empty_clusters;
use burn::tensor::Device;

/// Limit of edges × clusters over all epochs after a start by evidence, and the
/// minimum number of epochs. Large graphs get fewer epochs.
const EPOCH_BUDGET: usize = 1_000_000_000;
const FEWEST_EPOCHS: usize = 5;

/// Adapts the settings to the groups that were found: one cluster per column, the
/// schedule of the search, and fewer epochs for large graphs.
pub(super) fn fitted<C: PoolSettings>(
    config: ClusterConfig<C>,
    groups: Option<&Groups>,
    edges: usize,
) -> ClusterConfig<C> {
    let Some(groups) = groups else {
        return config;
    };
    let clusters = groups.width().max(2);
    let mut pooler = config.pooler.clone().with_max_clusters(clusters);
    if groups.is_disassortative() {
        pooler = pooler.for_blocks();
    }
    let affordable = (EPOCH_BUDGET / (edges.max(1) * clusters)).max(FEWEST_EPOCHS);
    let mut config = config.with_pooler(pooler);
    let (training, search) = (&mut config.training, &config.search);
    training.epochs = training.epochs.min(search.epochs).min(affordable);
    training.learning_rate = search.learning_rate;
    training.patience = search.patience;
    training.annealing = 0;
    config
}

pub(super) fn adam_config<C>(config: &ClusterConfig<C>) -> AdamConfig {
    AdamConfig {
        clip_norm: config.training.clip_norm,
        ..AdamConfig::default()
    }
}

/// Returns the parameter groups: the block model has its own learning rate.
pub(super) fn groups<C, P: Pool>(
    config: &ClusterConfig<C>,
    model: &ClusterModel<P>,
) -> Vec<ParameterGroup> {
    vec![ParameterGroup {
        parameters: model.pool.block_parameters(),
        rate: config.training.block_rate,
    }]
}

pub(super) fn adam<C, P: Pool>(config: &ClusterConfig<C>, model: &ClusterModel<P>) -> Adam {
    Adam::new(adam_config(config)).with_groups(groups(config, model))
}

/// Returns the key of the random draws of a start.
pub(super) fn draw_key<C>(config: &ClusterConfig<C>, start: usize) -> DrawKey {
    DrawKey {
        start: u32::try_from(start).unwrap_or(u32::MAX),
        ..DrawKey::new(config.seed)
    }
}

/// Properties of the graph that a model depends on.
#[derive(Debug, Clone, Copy)]
pub(super) struct ModelSite {
    /// Number of features.
    pub inputs: usize,
    pub nodes: usize,
    /// Number of known classes of the nodes.
    pub classes: Option<usize>,
}

pub(super) fn fresh_model<C: PoolSettings>(
    site: &ModelSite,
    config: &ClusterConfig<C>,
    start: usize,
    device: &Device,
) -> Result<ClusterModel<C::Pool>, TaskError> {
    let seed = draw_key(config, start).seed();
    let model = ClusterModelConfig {
        inputs: site.inputs,
        hidden: config.model.hidden,
        layer: config.model.layer,
        nodes: site.nodes,
        pool: config.pooler.clone(),
        clusters: config.fixed_clusters(site.classes),
        seed: config.seed,
    };
    Ok(model.init(&mut Initialiser::new(seed, &device.clone().autodiff()))?)
}

/// Returns the number of non-empty clusters of one graph.
pub(super) fn active(membership: &Membership) -> usize {
    match membership {
        Membership::Soft(assignments) => {
            let [nodes, clusters] = assignments.dims();
            let data = assignments.clone().inner().into_data();
            data.as_slice::<f32>()
                .map_or(0, |s| non_empty_clusters(s, clusters, &[0, nodes])[0])
        }
        firm => firm.assignment().map_or(0, |a| a.supernodes()),
    }
}
