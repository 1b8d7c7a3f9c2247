//! Structural entropy pooling (Wu et al., 2022).

use crate::batch::{Coarsening, Level};
use crate::nn::Initialiser;
use crate::pool::registry::Registered;
use crate::pool::select::prepared_or_now;
use crate::pool::{Coarsen, Pass, Pool, PoolError, PoolSite, PoolTraits, PoolerConfig, Selection};
use bnpool_graph::Csr;
use bnpool_graph::coarsen::{CoarsenError, Connect, EdgeWeight, coarsen_graph, coding_tree};
use burn::module::Module;
use std::sync::Arc;

/// Supernodes are the levels of a coding tree of low structural entropy, of
/// height 2 for one pooler, plus one per further pooler.
#[derive(Module, Debug)]
pub struct Sep {
    #[module(skip)]
    tree: Tree,
}

/// Coding trees of graphs.
#[derive(Debug, Clone, Copy)]
struct Tree;

impl Coarsen for Tree {
    fn prepare(&self, adjacency: &Csr, levels: usize) -> Result<Vec<Coarsening>, CoarsenError> {
        let plain = Connect {
            weight: EdgeWeight::Stored,
            ..Connect::default()
        };
        let normalised = Connect {
            degree_norm: true,
            ..plain
        };
        // Message passing uses normalised edges; the next level is built from
        // plain ones.
        let mut graph = adjacency.clone();
        coding_tree(adjacency, levels + 1)?
            .iter()
            .map(|assigned| {
                let pooled = coarsen_graph(&graph, assigned, &normalised)?;
                graph = coarsen_graph(&graph, assigned, &plain)?;
                Ok(Coarsening::assigned(assigned, pooled))
            })
            .collect()
    }

    fn cache_key(&self) -> Option<String> {
        Some("sep-1".to_owned())
    }
}

impl Pool for Sep {
    fn select(&self, level: &Level, _: &Pass) -> Selection {
        Selection::of(prepared_or_now(level, &self.tree))
    }

    fn nodes_after(&self, nodes: f64) -> f64 {
        // Of the order of the square root in a balanced tree of height 2.
        nodes.sqrt().ceil()
    }
}

impl Registered for Sep {
    const TRAITS: PoolTraits = PoolTraits {
        name: "sep",
        title: "SEP",
        summary: "SEP: clusters of a coding tree of low structural entropy",
        prepared: true,
        complexity: "about O(E log E), once",
        ..PoolTraits::FIRM
    };

    fn make(_: &PoolerConfig, _: &PoolSite, _: &mut Initialiser) -> Result<Self, PoolError> {
        Ok(Self { tree: Tree })
    }

    fn coarsen(_: &PoolerConfig, _: &PoolSite) -> Option<Arc<dyn Coarsen>> {
        Some(Arc::new(Tree))
    }
}
