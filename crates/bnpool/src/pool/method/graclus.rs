//! Graclus (Dhillon, Guan and Kulis, 2007): pairs of nodes along heavy edges.

use crate::batch::{Coarsening, Level};
use crate::nn::Initialiser;
use crate::pool::registry::Registered;
use crate::pool::select::{coarsen_levels, prepared_or_now};
use crate::pool::{
    Coarsen, ConnectConfig, Pass, Pool, PoolError, PoolSite, PoolTraits, PoolerConfig, Selection,
};
use bnpool_graph::Csr;
use bnpool_graph::coarsen::{CoarsenError, Connect, coarsen_graph, graclus};
use burn::module::Module;
use std::sync::Arc;

/// Pairs each node with the free neighbour at its heaviest edge. Nodes are
/// visited in a random order, which depends on the seed but not on their
/// numbering.
#[derive(Module, Debug)]
pub struct Graclus {
    #[module(skip)]
    matching: Matching,
}

/// Repeated matchings.
#[derive(Debug, Clone, Copy)]
struct Matching {
    seed: u64,
}

impl Coarsen for Matching {
    fn prepare(&self, adjacency: &Csr, levels: usize) -> Result<Vec<Coarsening>, CoarsenError> {
        coarsen_levels(adjacency, levels, self.seed, |graph, seed| {
            let assigned = graclus(graph, seed)?;
            let pooled = coarsen_graph(graph, &assigned, &Connect::default())?;
            Ok(Coarsening::assigned(&assigned, pooled))
        })
    }
}

impl Pool for Graclus {
    fn select(&self, level: &Level, _: &Pass) -> Selection {
        Selection::of(prepared_or_now(level, &self.matching))
    }

    fn connect(&self) -> ConnectConfig {
        ConnectConfig::new().with_degree_norm(false)
    }

    fn nodes_after(&self, nodes: f64) -> f64 {
        (nodes / 2.0).ceil()
    }
}

impl Registered for Graclus {
    const TRAITS: PoolTraits = PoolTraits {
        name: "graclus",
        title: "Graclus",
        summary: "Graclus: pairs of nodes along heavy edges",
        prepared: true,
        complexity: "O(N log N + E), once",
        ..PoolTraits::FIRM
    };

    fn make(_: &PoolerConfig, site: &PoolSite, _: &mut Initialiser) -> Result<Self, PoolError> {
        Ok(Self {
            matching: Matching { seed: site.seed },
        })
    }

    fn coarsen(_: &PoolerConfig, site: &PoolSite) -> Option<Arc<dyn Coarsen>> {
        Some(Arc::new(Matching { seed: site.seed }))
    }
}
