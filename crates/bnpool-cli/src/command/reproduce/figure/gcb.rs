//! A graph of GCB-H, pooled by four poolers.

use super::{Drawn, Source};
use crate::command::reproduce::item::MODEL;
use crate::terminal::message::Failure;
use bnpool::pool::find_pooler;
use bnpool_report::compare::PooledBy;
use bnpool_report::reproduce::pooled_graph;
use bnpool_task::Preset;
use bnpool_task::learn::run::base;
use bnpool_task::learn::{LearnConfig, TrainedModel};

/// The first test graph of the first fold.
pub fn draw(from: &Source<'_>) -> Result<Drawn, Failure> {
    let mut drawn = Drawn::default();
    let groups = from.runs.chunk_by(|a, b| a.cell.preset == b.cell.preset);
    for group in groups {
        let preset = &group[0].cell.preset;
        let source = group[0].cell.graphs();
        let config: LearnConfig = base(
            Preset::find(preset).map_err(Failure::input)?,
            source.dataset.as_deref(),
        )?;
        let input = source.read(&config, from.data.folder(), crate::flag)?;
        let splits = input.data.splits(&config)?;
        let number = splits.first().and_then(|split| split.test.first().copied());
        let number = number.ok_or_else(|| Failure::running("there is no test graph"))?;
        let graph = &input.originals[number];
        let mut pooled = Vec::new();
        for run in group {
            let model = from.store.file(run, MODEL);
            let model: TrainedModel = TrainedModel::load(&model)?;
            let predictor = model.predictor()?;
            let mut predictions = predictor
                .with_pooled_graphs()
                .predict(vec![graph.clone()])?;
            let found = predictions.pop().and_then(|prediction| prediction.pooled);
            pooled.push(found.ok_or_else(|| {
                Failure::running(format!("{}: the graph was not pooled", run.words()))
            })?);
        }
        let mut panels = Vec::new();
        let mut sizes = Vec::new();
        let name = |pooler: &str| format!("{pooler}-{preset}");
        let names: Vec<String> = group.iter().map(|run| name(&run.cell.pooler)).collect();
        for ((run, found), name) in group.iter().zip(&pooled).zip(&names) {
            let traits =
                find_pooler(&run.cell.pooler).map_err(|e| Failure::running(e.to_string()))?;
            sizes.push(format!("{} {}", traits.title, found.supernodes));
            let panel = PooledBy {
                pooler: traits.title,
                summary: traits.summary,
                assignments: &found.assignments,
                kept: &found.kept,
                clusters: found.supernodes,
                pooled_adjacency: &found.adjacency,
                pooled_features: &found.features,
                feature_maps: found.maps,
            };
            panels.push((name.as_str(), panel));
        }
        let own = pooled_graph(graph, &panels).into_iter();
        // The graph itself is the same for all presets.
        let known = usize::from(!drawn.drawings.is_empty());
        drawn.drawings.extend(own.skip(known));
        drawn.remarks.push(format!(
            "graph {number}, the first test graph of fold 0, {} nodes, preset {preset}; supernodes: {}",
            graph.nodes(),
            sizes.join(", ")
        ));
    }
    Ok(drawn)
}
