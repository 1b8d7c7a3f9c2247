//! Graclus: pairs of nodes along the heaviest edges.

use bnpool_math::stream::{Purpose, Stream};

use super::assigned::Assigned;
use super::error::{CoarsenError, check_weights};
use super::prepare::{canonical_order, undirected};
use crate::csr::Csr;

/// Random stream of the priorities. Never renumber: seeds depend on it.
const PRIORITIES: Purpose = Purpose::Other(0x6772_6163);

/// Marks a node without a partner.
const FREE: u32 = u32::MAX;

/// Pairs nodes: nodes are visited in random order, and a node without a partner
/// is paired with the free neighbour at its heaviest edge. Supernodes are
/// numbered in the order of their smallest nodes.
///
/// The order is drawn for positions in the canonical order of the nodes
/// ([`NodeOrder::canonical`](crate::structure::NodeOrder::canonical), from edges
/// and weights alone), so the numbering matters only if colour refinement cannot
/// distinguish some nodes. Ties between equally heavy edges go to the neighbour
/// that would be visited first.
///
/// The pairs are a maximal matching of the edges with a positive weight. Edges
/// of weight zero and self-loops are ignored. A directed edge counts in both
/// directions.
///
/// # Errors
///
/// Returns an error if the matrix is not square or a weight is negative.
///
/// # Complexity
///
/// O(N log N + E) time for each of up to 32 rounds of colour refinement and for
/// the pairing; O(N + E) memory.
///
/// ```
/// use bnpool_graph::Csr;
/// use bnpool_graph::coarsen::graclus;
///
/// // Two heavy edges, joined by a light one.
/// let edges = [(0, 1, 5.0), (1, 2, 1.0), (2, 3, 5.0)];
/// let both = edges.into_iter().flat_map(|(u, v, w)| [(u, v, w), (v, u, w)]);
/// let path = Csr::from_weighted_edges(4, both)?;
/// assert_eq!(graclus(&path, 0)?.clusters(), [0, 0, 1, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn graclus(adjacency: &Csr, seed: u64) -> Result<Assigned, CoarsenError> {
    check_weights(adjacency, "graclus")?;
    let graph = undirected(adjacency)?;
    let order = canonical_order(&graph)?;
    let stream = Stream::new(seed, PRIORITIES, 0);
    // Equal draws are practically impossible; the position breaks the tie.
    let mut visits: Vec<(u64, u32, u32)> = order
        .nodes()
        .iter()
        .zip(0..)
        .map(|(&u, place)| (stream.draws(u64::from(place)).next_u64(), place, u))
        .collect();
    visits.sort_unstable();
    let mut turn = vec![0_u32; graph.rows()];
    for (&(_, _, u), at) in visits.iter().zip(0..) {
        turn[u as usize] = at;
    }
    let mut group = vec![FREE; graph.rows()];
    for &(_, _, u) in &visits {
        if group[u as usize] != FREE {
            continue;
        }
        group[u as usize] = u;
        if let Some(v) = heaviest(&graph, u as usize, &group, &turn) {
            group[v] = u;
        }
    }
    Ok(Assigned::by_smallest_node(group, graph.rows()))
}

/// Returns the free neighbour at the heaviest edge; ties go to the earliest.
fn heaviest(graph: &Csr, u: usize, group: &[u32], turn: &[u32]) -> Option<usize> {
    let mut best: Option<(f32, usize)> = None;
    for entry in graph.row_range(u) {
        let (v, weight) = (graph.columns()[entry] as usize, graph.weight(entry));
        // `u` is no longer free, so self-loops are skipped.
        if group[v] != FREE || weight <= 0.0 {
            continue;
        }
        let better = best.is_none_or(|(heaviest, earliest)| {
            weight > heaviest || weight == heaviest && turn[v] < turn[earliest]
        });
        if better {
            best = Some((weight, v));
        }
    }
    best.map(|(_, v)| v)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_graphs() {
        assert_eq!(
            graclus(&Csr::from_edges(0, []).unwrap(), 1)
                .unwrap()
                .supernodes(),
            0
        );
        assert_eq!(
            graclus(&Csr::from_edges(3, []).unwrap(), 1).unwrap(),
            Assigned::identity(3)
        );
        let complete = (0..6).flat_map(|u| (0..6).map(move |v| (u, v)));
        let complete = Csr::from_edges(6, complete).unwrap();
        assert_eq!(graclus(&complete, 1).unwrap().supernodes(), 3);
        // One direction suffices; an edge of weight zero does not count.
        let arrow = Csr::from_weighted_edges(2, [(0, 1, 2.0)]).unwrap();
        assert_eq!(graclus(&arrow, 1).unwrap().supernodes(), 1);
        let nothing = Csr::from_weighted_edges(2, [(0, 1, 0.0), (1, 0, 0.0)]).unwrap();
        assert_eq!(graclus(&nothing, 1).unwrap().supernodes(), 2);
        let negative = Csr::from_weighted_edges(2, [(0, 1, -1.0), (1, 0, -1.0)]).unwrap();
        let error = graclus(&negative, 1).unwrap_err().to_string();
        assert!(
            error.contains("weight -1 at row 0, column 1 is negative: graclus"),
            "{error}"
        );
    }

    #[test]
    fn seeds_matter() {
        let ring = (0..40).flat_map(|u| [(u, (u + 1) % 40), ((u + 1) % 40, u)]);
        let ring = Csr::from_edges(40, ring).unwrap();
        let pairs = |seed| graclus(&ring, seed).unwrap();
        assert_eq!(pairs(3), pairs(3));
        assert!((0..8).any(|seed| pairs(seed) != pairs(8)));
    }
}
