//! Graph layout.
//!
//! Nodes repel each other, edges pull their ends together (based on
//! ForceAtlas2: Jacomy et al., 2014), and each node is attracted to the middle
//! of its group. Groups are first laid out as single heavy nodes, which gives a
//! good initial arrangement. Repulsion is summed over a quadtree (Barnes and
//! Hut, 1986). Small graphs look better if distances match the number of steps
//! between nodes: see [`stress`].
//!
//! Forces on different nodes are independent sums, and only correctly rounded
//! operations are used, so the result depends neither on threads nor on the
//! machine.

mod fit;
mod force;
mod frame;
mod groups;
mod quadtree;
mod stress;

pub use fit::{extent, fit, turn};
pub use frame::sample;
pub(crate) use frame::{Bounds, Frame, SEED, Sheet, node_name, thinned};
pub use stress::stress;

use bnpool_math::stream::{Purpose, Stream};

/// Random stream of the initial positions.
const PURPOSE: Purpose = Purpose::Other(0x1A_70);

/// A point in the plane.
pub type Point = [f64; 2];

/// Force-directed positions of nodes, around the origin.
///
/// `edges` are pairs of nodes below `groups.len()` (others are ignored), each
/// once in either direction; `groups` contains the group of each node.
///
/// # Complexity
///
/// Time O(N log N + E) in each of a few hundred rounds: about a second for five
/// thousand nodes on one core. Memory O(N + E).
///
/// ```
/// use bnpool_report::layout::force_directed;
///
/// let places = force_directed(&[(0, 1), (2, 3)], &[0, 0, 1, 1], 7);
/// assert_eq!(places.len(), 4);
/// ```
#[must_use]
pub fn force_directed(edges: &[(u32, u32)], groups: &[usize], seed: u64) -> Vec<Point> {
    let nodes = groups.len();
    let edges: Vec<(u32, u32)> = edges
        .iter()
        .copied()
        .filter(|&(u, v)| u != v && (u as usize) < nodes && (v as usize) < nodes)
        .collect();
    let centres = groups::arrange(&edges, groups, seed);
    let start = groups::scatter(&centres, groups, &Stream::new(seed, PURPOSE, 1));
    force::relax(start, &edges, groups, &centres)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bnpool_graph::generate::Sbm;

    /// A planted graph: its edges, each once, and its blocks.
    fn planted() -> (Vec<(u32, u32)>, Vec<usize>) {
        let graph = Sbm::planted(300, 6, 0.15, 0.01)
            .unwrap()
            .generate(3)
            .unwrap();
        let edges = graph.adjacency().iter();
        let once = edges.filter(|(u, v, _)| u < v).map(|(u, v, _)| (u, v));
        let labels = graph.node_labels().unwrap();
        (once.collect(), labels.iter().map(|&l| l as usize).collect())
    }

    fn distance(a: Point, b: Point) -> f64 {
        ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)).sqrt()
    }

    #[test]
    fn communities_are_seen() {
        let (edges, groups) = planted();
        let places = force_directed(&edges, &groups, 1);
        let (mut inside, mut outside) = ((0.0, 0.0), (0.0, 0.0));
        for (u, &a) in places.iter().enumerate() {
            for (v, &b) in places.iter().enumerate().skip(u + 1) {
                let sum = if groups[u] == groups[v] {
                    &mut inside
                } else {
                    &mut outside
                };
                sum.0 += distance(a, b);
                sum.1 += 1.0;
            }
        }
        let (inside, outside) = (inside.0 / inside.1, outside.0 / outside.1);
        assert!(inside < 0.5 * outside, "{inside} inside, {outside} outside");
    }

    #[test]
    fn threads_change_no_bit_and_seeds_do() {
        let (edges, groups) = planted();
        let run = |threads, seed| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| force_directed(&edges, &groups, seed))
        };
        assert_eq!(run(1, 1), run(2, 1));
        assert_ne!(run(1, 1), run(1, 2));
    }

    #[test]
    fn odd_graphs_have_places_too() {
        type Case<'a> = (&'a [(u32, u32)], &'a [usize]);
        let cases: [Case<'_>; 5] = [
            (&[], &[]),
            (&[], &[0]),
            (&[(0, 0), (0, 1), (9, 1)], &[0, 0]),
            (&[], &[0, 1, 2, 3, 4]),
            (&[(0, 1)], &[7, 7]),
        ];
        for (edges, groups) in cases {
            let places = force_directed(edges, groups, 0);
            assert_eq!(places.len(), groups.len());
            assert!(places.iter().flatten().all(|x| x.is_finite()), "{places:?}");
            for (u, &a) in places.iter().enumerate() {
                assert!(
                    places[..u].iter().all(|&b| distance(a, b) > 1e-3),
                    "{places:?}"
                );
            }
        }
    }
}
