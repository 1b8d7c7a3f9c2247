//! Runs on a graph in parts: on all ranks of the job, or with less memory than
//! the whole graph needs.

use super::Plan;
use super::source::{GraphSource, Input};
use crate::Failure;
use crate::TaskError;
use crate::cluster::{ClusterConfig, Room, SearchObserver, Trainer};
use crate::front::Context;
use crate::ranks::{Order, Ranks};
use crate::run::{Source, checkpoint_of_bytes, read_bytes};
use bnpool_graph::divide::{Held, PART_WORK, PartSource};
use bnpool_graph::{Csr, Graph};
use bnpool_io::dataset::sha256_file;
use bnpool_io::format::container::ContainerParts;
use std::num::Wrapping;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Parts of the graph may use 1 / KEPT of the memory.
const KEPT: u64 = 4;

impl GraphSource {
    /// Opens a container whose graph is processed in parts, without reading all of it;
    /// `None` if the file is no container or the graph is not processed in parts.
    pub(super) fn open_parts(
        &self,
        config: &ClusterConfig,
        memory: Option<u64>,
    ) -> Result<Option<Input>, Failure> {
        let Some(path) = &self.graph else {
            return Ok(None);
        };
        let plain = self.features.is_none() && self.labels.is_none() && self.input.is_default();
        let container = path.extension().is_some_and(|e| e == "safetensors") && path.is_file();
        if !plain || !container || config.undivided().is_some() {
            return Ok(None);
        }
        // The usual reader reports why a file cannot be opened.
        let Ok(parts) = ContainerParts::open(path, PART_WORK, kept(memory)) else {
            return Ok(None);
        };
        let (nodes, entries) = (parts.nodes(), parts.entries());
        let (columns, weighted) = (parts.features(), parts.is_weighted());
        // The comparison with known classes needs the memberships of all nodes.
        let labelled = parts.node_labels(0)?.is_some();
        let plain = columns == 0 && !weighted && !labelled;
        if !config.is_beyond(nodes, entries) || !plain || !is_symmetric(&parts)? {
            return Ok(None);
        }
        Ok(Some(Input {
            graph: nothing()?,
            parts: Some(Arc::new(parts)),
            name: self.name(),
            class_names: Vec::new(),
            sha256: Some(sha256_file(path)?.0),
            understood: Some(format!(
                "a container of one graph, {nodes} nodes and {} undirected edges, read in parts",
                entries / 2
            )),
            notes: Vec::new(),
        }))
    }
}

/// Returns the number of bytes for parts of the graph.
fn kept(memory: Option<u64>) -> u64 {
    memory.unwrap_or_else(bnpool_math::memory::free) / KEPT
}

/// Creates a graph without nodes.
fn nothing() -> Result<Graph, Failure> {
    let none = Csr::from_edges(0, []).and_then(|rows| Graph::builder(rows).build());
    none.map_err(|e| Failure::running(e.to_string()))
}

fn is_symmetric(parts: &ContainerParts) -> Result<bool, Failure> {
    let mut sum = Wrapping(0);
    for p in 0..parts.cuts().parts() {
        sum += parts.part(p)?.asymmetry();
    }
    Ok(sum.0 == 0)
}

impl Input {
    /// Returns the graph in parts, if it is processed in parts.
    pub(super) fn divided(&self, config: &ClusterConfig) -> Option<Arc<dyn PartSource>> {
        match &self.parts {
            Some(parts) => Some(Arc::clone(parts)),
            None if config.divides(&self.graph) => {
                Some(Arc::new(Held::new(self.graph.clone(), PART_WORK)))
            }
            None => None,
        }
    }
}

/// Returns the nearest existing folder, for rows that do not fit into memory.
fn folder_for_rows(directory: &Path) -> PathBuf {
    let there = directory.ancestors().find(|folder| folder.is_dir());
    let folder = there.filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
}

/// Starts or continues a training in parts on all ranks. Returns the trainer and the
/// previous duration in seconds.
pub(super) fn begin(
    plan: &Plan,
    input: &Input,
    parts: Arc<dyn PartSource>,
    (memory, checkpoint): (Option<u64>, Option<&Path>),
    observer: SearchObserver<'_>,
    context: Context<'_>,
) -> Result<(Trainer, f64), Failure> {
    let ranks = context.ranks;
    let room = Room::new(memory, folder_for_rows(plan.directory.path()));
    ranks.order(&Order::Cluster {
        config: Box::new(plan.config.clone()),
        source: Box::new(plan.source.absolute()),
        parts: input.parts.is_some(),
        memory,
        folder: room.folder.clone().unwrap_or_default(),
    });
    ranks.agree(Ok(fingerprint(&*parts)))?;
    let saved = match checkpoint {
        Some(path) => read_bytes(path)?,
        None => Vec::new(),
    };
    ranks.engine().broadcast(&saved);
    let made = make(parts, &plan.config, &room, &saved, observer, ranks);
    settle(made, context)
}

/// Returns a summary that must be equal on all ranks.
pub(super) fn fingerprint(parts: &dyn PartSource) -> String {
    format!("{} nodes, {} entries", parts.nodes(), parts.entries())
}

/// Creates a trainer, new or from the bytes of a checkpoint.
pub(super) fn make(
    parts: Arc<dyn PartSource>,
    config: &ClusterConfig,
    room: &Room,
    saved: &[u8],
    observer: SearchObserver<'_>,
    ranks: &Ranks,
) -> Result<(Trainer, f64), Unmade> {
    let engine = ranks.engine();
    if saved.is_empty() {
        return Ok((
            Trainer::divided(parts, engine, config, room, observer)?,
            0.0,
        ));
    }
    let (saved, seconds) = checkpoint_of_bytes(saved, Path::new("the checkpoint of rank 0"))?;
    let trainer = Trainer::resume_divided(parts, engine, config, room, observer, saved)?;
    Ok((trainer, seconds))
}

/// An error on all ranks, or on this rank only.
pub(super) enum Unmade {
    Task(TaskError),
    Failure(Failure),
}

impl From<TaskError> for Unmade {
    fn from(error: TaskError) -> Self {
        Self::Task(error)
    }
}

impl From<Failure> for Unmade {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

/// Ensures that all ranks have a trainer, or none. If a part cannot be read, only
/// its owner has the error and the others wait for it, so it ends the job.
pub(super) fn settle<T>(made: Result<T, Unmade>, context: Context<'_>) -> Result<T, Failure> {
    let made = match made {
        Ok(made) => Ok(made),
        Err(Unmade::Task(error @ TaskError::Read(_))) if context.ranks.several() => {
            context.end_all_ranks(&Failure::from(error))
        }
        Err(Unmade::Task(error)) => Err(Failure::from(error)),
        Err(Unmade::Failure(failure)) => Err(failure),
    };
    let agreed = context.agree(&made, String::new());
    let made = made?;
    agreed.map(|()| made)
}
