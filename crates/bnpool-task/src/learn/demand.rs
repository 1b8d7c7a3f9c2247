//! Memory demand of the training of a network.

use super::data::pool_site;
use super::{LearnConfig, LearnData, Objective};
use crate::TaskError;
use crate::demand::Demand;
use bnpool::model::InputKind;
use bnpool::pool::PoolSettings;

/// Lower bound of the number of categories of atoms and bonds in the Open Graph
/// Benchmark.
const CATEGORIES: usize = 100;

/// Returns an error if the network does not fit into memory.
pub(super) fn check_network<C: PoolSettings>(
    config: &LearnConfig<C>,
    input: InputKind,
    nodes: f64,
    objective: Objective,
) -> Result<Demand, TaskError> {
    let mut demand = Demand::default();
    let model = &config.model;
    let hidden = model.hidden;
    let inputs = match input {
        InputKind::Numbers { nodes, edges } => nodes.saturating_add(edges),
        InputKind::Molecule { width } => {
            let what = format!("an encoder of width {width}");
            demand.parameters("model.encoder_width", what, &[CATEGORIES, width])?;
            width
        }
    };
    let layers = model
        .after
        .saturating_mul(model.levels)
        .saturating_add(model.before);
    let what = format!("a network of {layers} layers of width {hidden}");
    demand.parameters("model.hidden", &what, &[inputs, hidden])?;
    demand.parameters("model.hidden", &what, &[hidden, hidden])?;
    demand.parameters("model.levels", &what, &[layers, hidden, hidden])?;
    demand.parameters("model.hidden", &what, &[hidden, objective.outputs()])?;
    demand.pooler(&config.pooler, &pool_site(config, nodes), 1)?;
    Ok(demand)
}

/// Returns an error if batches do not fit into memory.
pub(super) fn check_training<C: PoolSettings>(
    data: &LearnData,
    config: &LearnConfig<C>,
) -> Result<(), TaskError> {
    let mut demand = check_network(config, data.input(), data.mean_nodes(), data.objective)?;
    let graphs = config.training.batch_size.min(data.len());
    let nodes = (data.mean_nodes() * graphs as f64) as usize;
    let hidden = config.model.hidden;
    if let (InputKind::Numbers { nodes: width, .. }, false) = (data.input(), data.is_sparse()) {
        let what = format!("a batch of {graphs} graphs with {width} features a node");
        demand.activations("training.batch_size", what, &[nodes, width])?;
    }
    let layers = config.model.before.saturating_add(1);
    let what = format!("a batch of {graphs} graphs in layers of width {hidden}");
    demand.activations("model.hidden", what, &[layers, nodes, hidden])?;
    demand.pooler(
        &config.pooler,
        &pool_site(config, data.mean_nodes()),
        graphs,
    )
}
