//! The network that a configuration asks for.

use super::{LearnConfig, LearnData, Objective};
use bnpool::model::{GraphModelConfig, InputKind};
use bnpool::pool::PoolSettings;

/// The network for some data.
pub(super) fn model_config<C: PoolSettings>(
    data: &LearnData,
    config: &LearnConfig<C>,
) -> GraphModelConfig<C> {
    network(config, data.input(), data.mean_nodes(), data.objective)
}

/// The network for an input, graphs of a mean size and what it is to predict.
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
