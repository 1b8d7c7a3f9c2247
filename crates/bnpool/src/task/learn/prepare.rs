//! What a pooler computes of every graph before training.

use super::cache;
use crate::batch::{Coarsening, Prepared};
use crate::pool::{PoolSettings, PoolSite};
use crate::task::TaskError;
use bnpool_graph::Csr;
use rayon::prelude::*;
use std::path::Path;

/// The coarsenings of the graphs of some data, in their order.
#[derive(Debug, Clone, Default)]
pub(super) struct PreparedGraphs {
    /// What they were computed by; empty if the pooler needs none.
    of: String,
    graphs: Vec<Vec<Coarsening>>,
}

impl PreparedGraphs {
    /// Computes the coarsenings of all graphs, in parallel.
    pub fn new<C: PoolSettings>(
        graphs: &[&Csr],
        pooler: &C,
        site: &PoolSite,
        levels: usize,
        folder: Option<&Path>,
    ) -> Result<Self, TaskError> {
        let Some(coarsen) = pooler.coarsen(site) else {
            return Ok(Self::default());
        };
        let of = identity(pooler, site, levels);
        let kept = coarsen
            .cache_key()
            .zip(folder)
            .map(|(key, folder)| cache::Entry::new(folder, &key, levels, graphs));
        if let Some(graphs) = kept.as_ref().and_then(cache::Entry::read) {
            return Ok(Self { of, graphs });
        }
        let one = |(number, graph): (usize, &&Csr)| {
            coarsen
                .prepare(graph, levels)
                .map_err(|source| TaskError::Coarsening {
                    graph: number,
                    source,
                })
        };
        let graphs = graphs
            .par_iter()
            .enumerate()
            .map(one)
            .collect::<Result<Vec<_>, _>>()?;
        if let Some(entry) = kept {
            entry.write(&graphs);
        }
        Ok(Self { of, graphs })
    }

    /// Whether they are what this pooler would compute.
    pub fn is_for<C: PoolSettings>(&self, pooler: &C, site: &PoolSite, levels: usize) -> bool {
        self.of == identity(pooler, site, levels)
    }

    /// Those of some graphs, side by side.
    pub fn batch(&self, chosen: &[usize]) -> Result<Prepared, TaskError> {
        if self.graphs.is_empty() {
            return Ok(Prepared::default());
        }
        let chosen: Vec<&[Coarsening]> = chosen.iter().map(|&g| &*self.graphs[g]).collect();
        Ok(Prepared::join(&chosen)?)
    }
}

/// What a pooler's coarsenings depend on beside the graphs; empty if it computes
/// none.
fn identity<C: PoolSettings>(pooler: &C, site: &PoolSite, levels: usize) -> String {
    pooler
        .coarsen(site)
        .map_or_else(String::new, |coarsen| format!("{coarsen:?} × {levels}"))
}
