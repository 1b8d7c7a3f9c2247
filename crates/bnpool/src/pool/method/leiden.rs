//! Leiden (Traag, Waltman and van Eck, 2019): communities of high modularity.

use crate::batch::{Coarsening, Level};
use crate::nn::Initialiser;
use crate::pool::registry::{Checked, Registered};
use crate::pool::select::{coarsen_levels, prepared_or_now};
use crate::pool::{
    Coarsen, ConnectConfig, Pass, Pool, PoolError, PoolSite, PoolTraits, PoolerConfig, Selection,
};
use bnpool_community::leiden::{LeidenConfig, Quality, leiden};
use bnpool_community::{CommunityError, Links, Partition};
use bnpool_graph::coarsen::{Assigned, CoarsenError, Connect, coarsen_graph};
use bnpool_graph::structure::NodeOrder;
use bnpool_graph::{Csr, Graph, GraphError, transform};
use burn::module::Module;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Size of the communities.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LeidenPoolConfig {
    /// γ of the modularity: 1 is the standard value; larger values give smaller
    /// communities.
    pub resolution: f64,
}

impl Default for LeidenPoolConfig {
    fn default() -> Self {
        Self { resolution: 1.0 }
    }
}

impl Checked for LeidenPoolConfig {
    fn check(&self) -> Result<(), PoolError> {
        if self.resolution >= 0.0 && self.resolution.is_finite() {
            return Ok(());
        }
        Err(PoolError::OutOfRange {
            name: "pooler.leiden.resolution",
            value: self.resolution,
            bound: "finite and at least 0",
        })
    }
}

/// Each community becomes a supernode. Nodes without edges stay alone.
#[derive(Module, Debug)]
pub struct Leiden {
    #[module(skip)]
    communities: Communities,
}

/// Communities of communities.
#[derive(Debug, Clone, Copy)]
struct Communities {
    resolution: f64,
    seed: u64,
}

impl Communities {
    fn new(config: &PoolerConfig, site: &PoolSite) -> Self {
        Self {
            resolution: config.rivals.leiden.resolution,
            seed: site.seed,
        }
    }

    /// Finds the communities of one graph. Visiting orders are drawn for
    /// positions in the canonical order, so the numbering of the nodes does not
    /// matter.
    fn of(&self, adjacency: &Csr, seed: u64) -> Result<Assigned, CoarsenError> {
        let graph = Graph::builder(adjacency.clone()).build()?;
        let graph = transform::undirect(&graph);
        let order = NodeOrder::canonical(&graph);
        let links = match Links::new(order.apply(&graph).adjacency()) {
            Ok(links) => links,
            Err(CommunityError::NoEdges) => return Ok(Assigned::identity(adjacency.rows())),
            Err(error) => return Err(refusal(&error, order.nodes())),
        };
        let config = LeidenConfig {
            quality: Quality::Modularity {
                resolution: self.resolution,
            },
            seed,
            ..LeidenConfig::default()
        };
        let found = leiden(&links, &config).map_err(|error| refusal(&error, order.nodes()))?;
        // Renumbered, so that ties between communities of equal size are broken by
        // the smallest node.
        let found = Partition::new(&order.restore(found.labels(), 1));
        Assigned::new(found.labels().to_vec(), found.groups())
    }
}

/// Converts an error of Leiden to an error of coarsening. `nodes` are the
/// original numbers of the nodes.
fn refusal(error: &CommunityError, nodes: &[u32]) -> CoarsenError {
    match *error {
        CommunityError::Weight {
            row,
            column,
            weight,
        } if weight < 0.0 => CoarsenError::NegativeWeight {
            method: "leiden",
            row: nodes[row],
            column: nodes[column],
            weight,
        },
        CommunityError::Weight {
            row,
            column,
            weight,
        } => CoarsenError::Graph(GraphError::NonFiniteWeight {
            row: nodes[row] as usize,
            column: nodes[column] as usize,
            value: f64::from(weight),
        }),
        CommunityError::Setting { value, .. } => CoarsenError::NonFinite {
            what: "resolution",
            position: 0,
            value,
        },
        _ => unreachable!("the graph is undirected: {error}"),
    }
}

impl Coarsen for Communities {
    fn prepare(&self, adjacency: &Csr, levels: usize) -> Result<Vec<Coarsening>, CoarsenError> {
        coarsen_levels(adjacency, levels, self.seed, |graph, seed| {
            let assigned = self.of(graph, seed)?;
            let pooled = coarsen_graph(graph, &assigned, &Connect::default())?;
            Ok(Coarsening::assigned(&assigned, pooled))
        })
    }
}

impl Pool for Leiden {
    fn select(&self, level: &Level, _: &Pass) -> Selection {
        Selection::of(prepared_or_now(level, &self.communities))
    }

    fn connect(&self) -> ConnectConfig {
        ConnectConfig::new().with_degree_norm(false)
    }

    fn nodes_after(&self, nodes: f64) -> f64 {
        // A rough estimate for sparse graphs without much structure.
        nodes.sqrt().ceil()
    }
}

impl Registered for Leiden {
    const TRAITS: PoolTraits = PoolTraits {
        name: "leiden",
        title: "Leiden",
        summary: "Leiden: communities of high modularity",
        prepared: true,
        complexity: "about O(N log N + E log N), once",
        ..PoolTraits::FIRM
    };

    fn make(
        config: &PoolerConfig,
        site: &PoolSite,
        _: &mut Initialiser,
    ) -> Result<Self, PoolError> {
        Ok(Self {
            communities: Communities::new(config, site),
        })
    }

    fn coarsen(config: &PoolerConfig, site: &PoolSite) -> Option<Arc<dyn Coarsen>> {
        Some(Arc::new(Communities::new(config, site)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two triangles joined by an edge, and a node without edges.
    fn triangles(weight: f32) -> Csr {
        let pairs = [(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (3, 5), (4, 5)];
        let both = pairs
            .into_iter()
            .flat_map(|(u, v)| [(u, v, weight), (v, u, weight)]);
        Csr::from_weighted_edges(7, both).unwrap()
    }

    fn communities(resolution: f64) -> Communities {
        Communities {
            resolution,
            seed: 0,
        }
    }

    #[test]
    fn communities_become_supernodes_level_by_level() {
        let found = communities(1.0).prepare(&triangles(1.0), 2).unwrap();
        assert_eq!(found[0].adjacency.rows(), 3);
        // Merging the two triangles gains nothing.
        assert!(found[1].adjacency.rows() >= 2);
        let assigned = communities(1.0).of(&triangles(1.0), 0).unwrap();
        assert_eq!(assigned.clusters(), [0, 0, 0, 1, 1, 1, 2]);
        let finest = communities(100.0).of(&triangles(1.0), 0).unwrap();
        assert_eq!(finest.supernodes(), 7);
    }

    #[test]
    fn directed_edges_count_in_both_directions() {
        let one_way = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)];
        let directed = Csr::from_edges(6, one_way).unwrap();
        let assigned = communities(1.0).of(&directed, 0).unwrap();
        assert_eq!(assigned.clusters(), [0, 0, 0, 1, 1, 1]);
    }

    #[test]
    fn negative_weights_and_resolutions_are_refused() {
        let refused = communities(1.0).of(&triangles(-2.0), 0).unwrap_err();
        assert!(matches!(
            refused,
            CoarsenError::NegativeWeight {
                method: "leiden",
                ..
            }
        ));
        for resolution in [-1.0, f64::NAN, f64::INFINITY] {
            assert!(LeidenPoolConfig { resolution }.check().is_err());
        }
        assert!(LeidenPoolConfig { resolution: 0.0 }.check().is_ok());
    }
}
