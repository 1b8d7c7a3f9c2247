//! Precomputation of poolers before training.

use super::cache;
use crate::TaskError;
use bnpool::batch::{Coarsening, Prepared};
use bnpool::parallel::{Collective, RankProblem, agree};
use bnpool::pool::{PoolSettings, PoolSite};
use bnpool_graph::Csr;
use rayon::prelude::*;
use std::path::Path;

/// Coarsenings of graphs, in their order.
#[derive(Debug, Clone, Default)]
pub(super) struct PreparedGraphs {
    /// Identity of the pooler and its settings; empty if the pooler needs no
    /// coarsenings.
    of: String,
    graphs: Vec<Vec<Coarsening>>,
}

impl PreparedGraphs {
    /// Computes the coarsenings of all graphs, in parallel and distributed over the
    /// ranks. A rank reads its share from the folder if it is there.
    pub fn new<C: PoolSettings>(
        graphs: &[&Csr],
        pooler: &C,
        site: &PoolSite,
        levels: usize,
        folder: Option<&Path>,
        engine: &dyn Collective,
    ) -> Result<Self, TaskError> {
        let Some(coarsen) = pooler.coarsen(site) else {
            return Ok(Self::default());
        };
        let of = identity(pooler, site, levels);
        let entry = coarsen
            .cache_key()
            .zip(folder)
            .map(|(key, folder)| cache::Entry::new(folder, &key, levels, graphs));
        let kept = entry.as_ref().and_then(cache::Entry::read);
        let everywhere = engine.all_gather(&[u8::from(kept.is_some())]);
        let everywhere = everywhere.iter().all(|has| *has == [1]);
        let kept = match kept {
            Some(graphs) if everywhere => return Ok(Self { of, graphs }),
            kept => kept,
        };
        let prepare =
            |number: usize| match &kept {
                Some(kept) => Ok(kept[number].clone()),
                None => coarsen.prepare(graphs[number], levels).map_err(|source| {
                    TaskError::Coarsening {
                        graph: number,
                        source,
                    }
                }),
            };
        // Graphs are dealt out in turn, because consecutive graphs are often similar
        // in cost.
        let own: Vec<Result<_, _>> = (engine.rank()..graphs.len())
            .into_par_iter()
            .step_by(engine.size())
            .map(prepare)
            .collect();
        // Reports the first error on any number of threads.
        let own = own.into_iter().collect();
        let graphs = exchanged(own, graphs.len(), engine)?;
        if let Some(entry) = entry.filter(|_| kept.is_none()) {
            entry.write(&graphs);
        }
        Ok(Self { of, graphs })
    }

    /// Returns whether the coarsenings are those of this pooler.
    pub fn is_for<C: PoolSettings>(&self, pooler: &C, site: &PoolSite, levels: usize) -> bool {
        self.of == identity(pooler, site, levels)
    }

    /// Returns the batch of the coarsenings of some graphs.
    pub fn batch(&self, chosen: &[usize]) -> Result<Prepared, TaskError> {
        if self.graphs.is_empty() {
            return Ok(Prepared::default());
        }
        let chosen: Vec<&[Coarsening]> = chosen.iter().map(|&g| &*self.graphs[g]).collect();
        Ok(Prepared::join(&chosen)?)
    }
}

/// Exchanges the coarsenings of all ranks, in the order of the graphs.
fn exchanged(
    own: Result<Vec<Vec<Coarsening>>, TaskError>,
    graphs: usize,
    engine: &dyn Collective,
) -> Result<Vec<Vec<Coarsening>>, TaskError> {
    let ranks = engine.size();
    if ranks == 1 {
        return own;
    }
    let sent = match &own {
        Ok(own) => serde_json::to_vec(own).map_err(|e| e.to_string()),
        Err(problem) => Err(problem.to_string()),
    };
    agree(engine, sent.as_ref().err().cloned()).map_err(TaskError::OtherRank)?;
    let mut shares = Vec::with_capacity(ranks);
    for (rank, bytes) in engine
        .all_gather(&sent.unwrap_or_default())
        .iter()
        .enumerate()
    {
        let share: Vec<Vec<Coarsening>> = serde_json::from_slice(bytes).map_err(|e| {
            let problem = format!("its coarsenings are not understood: {e}");
            TaskError::OtherRank(RankProblem { rank, problem })
        })?;
        shares.push(share.into_iter());
    }
    (0..graphs)
        .map(|number| shares[number % ranks].next().ok_or(TaskError::OtherPooler))
        .collect()
}

/// Returns everything except the graphs that the coarsenings of a pooler depend
/// on; empty if it computes none.
fn identity<C: PoolSettings>(pooler: &C, site: &PoolSite, levels: usize) -> String {
    pooler
        .coarsen(site)
        .map_or_else(String::new, |coarsen| format!("{coarsen:?} × {levels}"))
}
