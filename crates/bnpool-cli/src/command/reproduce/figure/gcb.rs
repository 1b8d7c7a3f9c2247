//! A graph of GCB-H, pooled by four poolers.

use super::Drawn;
use crate::command::reproduce::cell::Run;
use crate::command::reproduce::place::{Data, Place};
use crate::command::reproduce::result::attachment;
use crate::message::Failure;
use bnpool::pool::find_pooler;
use bnpool_report::compare::PooledBy;
use bnpool_report::reproduce::pooled_graph;
use bnpool_task::Preset;
use bnpool_task::learn::run::{SetSource, base};
use bnpool_task::learn::{LearnConfig, TrainedModel};

pub const POOLERS: [&str; 4] = ["bn", "mincut", "topk", "kmis"];

/// The first test graph of the first fold.
pub fn draw(runs: &[Run], place: &Place, data: &Data) -> Result<Drawn, Failure> {
    let mut drawings = Vec::new();
    let mut remarks = Vec::new();
    for group in runs.chunk_by(|a, b| a.cell.preset == b.cell.preset) {
        let Some(first) = group.first() else { continue };
        let preset = &first.cell.preset;
        let source = SetSource {
            dataset: Some(first.cell.dataset.clone()),
            ..SetSource::default()
        };
        let config: LearnConfig = base(
            Preset::find(preset).map_err(Failure::input)?,
            source.dataset.as_deref(),
        )?;
        let input = source.read(&config, data.folder(), crate::flag)?;
        let splits = input.data.splits(&config)?;
        let number = splits.first().and_then(|split| split.test.first().copied());
        let number = number.ok_or_else(|| Failure::running("there is no test graph"))?;
        let graph = &input.originals[number];
        let mut pooled = Vec::new();
        for run in group {
            let name = "model.fold-0.safetensors";
            let model: TrainedModel = TrainedModel::load(&attachment(&place.results(), run, name))?;
            let mut said = model
                .predictor()?
                .with_pooled_graphs()
                .predict(vec![graph.clone()])?;
            let found = said.pop().and_then(|prediction| prediction.pooled);
            pooled.push(found.ok_or_else(|| {
                Failure::running(format!("{}: the graph was not pooled", run.words()))
            })?);
        }
        let mut panels = Vec::new();
        let names: Vec<String> = group
            .iter()
            .map(|run| format!("{}-{preset}", run.cell.pooler))
            .collect();
        for ((run, found), name) in group.iter().zip(&pooled).zip(&names) {
            let traits =
                find_pooler(&run.cell.pooler).map_err(|e| Failure::running(e.to_string()))?;
            panels.push((
                name.as_str(),
                PooledBy {
                    pooler: traits.title,
                    summary: traits.summary,
                    assignments: &found.assignments,
                    kept: &found.kept,
                    clusters: found.supernodes,
                    pooled_adjacency: &found.adjacency,
                    pooled_features: &found.features,
                    feature_maps: found.maps,
                },
            ));
        }
        let own = pooled_graph(graph, &panels);
        // The graph itself is the same for all presets.
        drawings.extend(own.into_iter().skip(usize::from(!drawings.is_empty())));
        let sizes: Vec<String> = panels
            .iter()
            .map(|(_, panel)| format!("{} {}", panel.pooler, panel.clusters))
            .collect();
        remarks.push(format!(
            "graph {number}, the first test graph of fold 0, {} nodes, preset {preset}; supernodes: {}",
            graph.nodes(),
            sizes.join(", ")
        ));
    }
    Ok(Drawn { drawings, remarks })
}
