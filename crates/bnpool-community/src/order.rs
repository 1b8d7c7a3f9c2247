//! Node orders that keep neighbours close to each other.

use crate::Links;
use crate::leiden::{LeidenConfig, leiden};
use bnpool_graph::Graph;
use bnpool_graph::structure::NodeOrder;

/// Orders nodes by community, largest community first, and by number within a
/// community. Communities are found by modularity, so contiguous parts of the
/// graph have few edges between them.
///
/// # Complexity
///
/// About O(E log N) time, O(N + E) memory.
///
/// ```
/// use bnpool_community::order_by_neighbours;
/// use bnpool_graph::{Csr, Graph};
///
/// // Two edges, crossed.
/// let edges = [(0, 2), (2, 0), (1, 3), (3, 1)];
/// let graph = Graph::builder(Csr::from_edges(4, edges)?).build()?;
/// assert_eq!(order_by_neighbours(&graph).nodes(), [0, 2, 1, 3]);
/// # Ok::<(), bnpool_graph::GraphError>(())
/// ```
#[must_use]
pub fn order_by_neighbours(graph: &Graph) -> NodeOrder {
    let mut nodes: Vec<u32> = (0..graph.nodes() as u32).collect();
    let adjacency = graph.adjacency().without_weights();
    let links = if adjacency.is_symmetric() {
        Links::new(&adjacency)
    } else {
        Links::directed(&adjacency)
    };
    let config = LeidenConfig {
        iterations: 1,
        ..LeidenConfig::default()
    };
    // Without edges, any order is fine.
    if let Ok(found) = links.and_then(|links| leiden(&links, &config)) {
        nodes.sort_by_key(|&u| found.labels()[u as usize]);
    }
    NodeOrder::new(nodes).expect("a permutation of all nodes")
}

#[cfg(test)]
mod tests {
    use super::*;
    use bnpool_graph::Csr;
    use bnpool_graph::divide::Cuts;
    use bnpool_graph::generate::Sbm;
    use bnpool_math::stream::{Purpose, Stream};

    /// Number of entries between different quarters.
    fn crossing(graph: &Graph) -> usize {
        let adjacency = graph.adjacency();
        let lengths: Vec<u32> = (0..graph.nodes())
            .map(|u| adjacency.degree(u) as u32)
            .collect();
        let parts = Cuts::new(&lengths, usize::MAX);
        let part = |u: u32| parts.part_of(u as usize);
        let entries = adjacency.iter();
        entries.filter(|&(u, v, _)| part(u) != part(v)).count()
    }

    #[test]
    fn neighbours_end_up_in_the_same_part() {
        let graph = Sbm::with_degree(2000, 20, 10.0, 0.9).unwrap();
        let graph = graph.generate(0).unwrap();
        let mut nodes: Vec<u32> = (0..2000).collect();
        let stream = Stream::new(0, Purpose::Other(1), 0);
        stream.draws(0).shuffle(&mut nodes);
        let shuffled = NodeOrder::new(nodes).unwrap().apply(&graph);
        let ordered = order_by_neighbours(&shuffled).apply(&shuffled);
        let (before, after) = (crossing(&shuffled), crossing(&ordered));
        assert!(after * 4 < before, "{after} of {before}");
    }

    #[test]
    fn graphs_without_edges_stay_as_they_are() {
        let graph = Graph::builder(Csr::from_edges(3, []).unwrap());
        let order = order_by_neighbours(&graph.build().unwrap());
        assert_eq!(order.nodes(), [0, 1, 2]);
    }
}
