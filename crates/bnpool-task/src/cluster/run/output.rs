//! Files of a finished run.

use super::kept;
use super::metrics::Metrics;
use super::page::cluster_report;
use super::source::Input;
use super::{Before, Plan};
use crate::Failure;
use crate::cluster::{Changes, Communities, CommunityModel};
use crate::failure::Terms;
use crate::front::Front;
use crate::run::page::write_page;
use crate::run::{Checkpoint, Clock};
use crate::run::{csv_field, read_history, write_metrics};
use bnpool_graph::divide::PartSource;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A finished run and its results.
pub(super) struct Finished<'a> {
    pub(super) plan: &'a Plan,
    pub(super) input: &'a Input,
    pub(super) result: &'a Communities,
    /// Changes since an older version of the graph.
    pub(super) changes: Option<Changes>,
    pub(super) metrics: Metrics,
    pub(super) plots: Option<&'a Path>,
}

impl<'a> Finished<'a> {
    /// Creates the results of a run of `effort.0` epochs in `effort.1` seconds.
    pub(super) fn new(
        plan: &'a Plan,
        input: &'a Input,
        result: &'a Communities,
        before: Option<&Before>,
        effort: (usize, f64),
        terms: Terms,
    ) -> Self {
        let changes = before.map(|before| before.changes(result));
        Self {
            metrics: Metrics::new(plan, input, result, changes.as_ref(), effort, terms),
            plan,
            input,
            result,
            changes,
            plots: None,
        }
    }
}

/// Header of `model.safetensors`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ModelState {
    /// Name of the task.
    pub task: String,
    /// Version of bnpool.
    pub version: String,
    /// C: number of columns of S.
    pub clusters: usize,
    /// Column of S of each community.
    pub columns: Vec<usize>,
    /// Number of groups described by the features of the nodes; 0 if there are none.
    pub around: usize,
    /// Whether the features distinguish outgoing and incoming edges.
    pub directed: bool,
}

/// Writes all files. `metrics.json` is written last: if it exists, the run is
/// complete.
pub(super) fn write_results(
    run: &mut Finished,
    clock: Option<&Clock>,
    front: &dyn Front,
    terms: Terms,
) -> Result<(), Failure> {
    let directory = &run.plan.directory;
    let result = run.result;
    write_labels(run)?;
    let network = CommunityModel::of(result, &run.plan.config);
    let model = Checkpoint {
        state: ModelState {
            task: "cluster".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            clusters: network.clusters,
            columns: network.columns,
            around: network.around,
            directed: network.directed,
        },
        tensors: network.parameters,
    };
    let bytes = model
        .to_bytes()
        .map_err(|e| Failure::running(format!("model.safetensors: cannot be written: {e}")))?;
    directory.write_bytes("model.safetensors", &bytes)?;
    kept::write(directory, result, run.metrics.epochs)?;
    write_report(run, front, terms)?;
    if let Some(clock) = clock {
        run.metrics.set_times(clock.times());
    }
    write_metrics(directory, &run.metrics)
}

/// Largest number of communities of a graph in parts that are drawn.
const MOST_DRAWN: usize = 6000;

/// Writes `report.html`, and the plots if requested.
pub(super) fn write_report(run: &Finished, front: &dyn Front, terms: Terms) -> Result<(), Failure> {
    let directory = &run.plan.directory;
    if run.result.in_parts.is_some() && run.result.communities.len() > MOST_DRAWN {
        front.note(&format!(
            "{} communities are too many to draw, so there is no report",
            run.result.communities.len()
        ));
        return Ok(());
    }
    let history = read_history(&directory.file("history.jsonl"))?;
    let page = cluster_report(run, &history, terms)?;
    write_page(directory, &page, run.plots)
}

/// Writes `labels.csv`: node, cluster, confidence, entropy, the group of the node
/// in each coarser level, and the older community that the cluster continues.
fn write_labels(run: &Finished) -> Result<(), Failure> {
    let result = run.result;
    let names = Names::of(run.input);
    let directory = &run.plan.directory;
    Ok(directory.write_stream("labels.csv", |out| {
        let levels: &[Vec<u32>] = match &result.evidence {
            Some(evidence) => &evidence.levels,
            None => &[],
        };
        write!(out, "node,cluster,confidence,entropy")?;
        for level in 1..=levels.len() {
            write!(out, ",level_{level}")?;
        }
        let previous = run.changes.as_ref().map(Changes::previous);
        if previous.is_some() {
            write!(out, ",previous")?;
        }
        writeln!(out)?;
        let mut names = names;
        for (u, cluster) in result.labels.iter().enumerate() {
            match names.of_node(u)? {
                Some(name) => write!(out, "{}", csv_field(name))?,
                None => write!(out, "{u}")?,
            }
            let (confidence, entropy) = (result.confidence[u], result.entropy[u]);
            write!(out, ",{cluster},{confidence:.6},{entropy:.6}")?;
            for level in levels {
                write!(out, ",{}", level[u])?;
            }
            match previous.as_ref().map(|all| all[*cluster as usize]) {
                Some(Some(previous)) => write!(out, ",{previous}")?,
                Some(None) => write!(out, ",")?,
                None => {}
            }
            writeln!(out)?;
        }
        Ok(())
    })?)
}

/// Names of nodes in order, of the whole graph or of one part at a time.
enum Names<'a> {
    Whole(Option<&'a [String]>),
    Parts {
        source: &'a dyn PartSource,
        /// Number of the current part.
        part: usize,
        names: Option<Vec<String>>,
    },
}

impl<'a> Names<'a> {
    fn of(input: &'a Input) -> Self {
        match &input.parts {
            None => Self::Whole(input.graph.node_ids()),
            Some(source) => Self::Parts {
                source: &**source,
                part: usize::MAX,
                names: None,
            },
        }
    }

    fn of_node(&mut self, node: usize) -> std::io::Result<Option<&str>> {
        match self {
            Self::Whole(names) => Ok(names.map(|names| names[node].as_str())),
            Self::Parts {
                source,
                part,
                names,
            } => {
                let own = source.cuts().part_of(node);
                if own != *part {
                    *names = source.node_ids(own).map_err(std::io::Error::other)?;
                    *part = own;
                }
                let first = source.cuts().range(own).start;
                Ok(names.as_ref().map(|names| names[node - first].as_str()))
            }
        }
    }
}
