//! Network of a configuration.

use super::{LearnConfig, LearnData, Objective};
use bnpool::model::{GraphModelConfig, InputKind};
use bnpool::pool::PoolSettings;

/// Returns the network for some data.
pub(super) fn model_config<C: PoolSettings>(
    data: &LearnData,
    config: &LearnConfig<C>,
) -> GraphModelConfig<C> {
    network(config, data.input(), data.mean_nodes(), data.objective)
}

/// Returns the network for an input, a mean size of graphs, and an objective.
pub(super) fn network<C: PoolSettings>(
    config: &LearnConfig<C>,
    input: InputKind,
    nodes: f64,
    objective: Objective,
) -> GraphModelConfig<C> {
    let model = &config.model;
    let numbers = matches!(objective, Objective::Numbers { .. });
    GraphModelConfig {
        input,
        layer: model.layer,
        standardise: model.standardise,
        standardise_targets: model.standardise_targets && numbers,
        hidden: model.hidden,
        before: model.before,
        after: model.after,
        levels: model.levels,
        norm: model.norm,
        dropout: model.dropout,
        readout: model.readout,
        nodes,
        outputs: objective.outputs(),
        pooler: config.pooler.clone(),
        seed: config.seed,
    }
}
