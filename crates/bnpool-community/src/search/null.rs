//! Random graphs with the same degrees.

use crate::{Direction, Links};
use bnpool_math::stream::{Purpose, Stream};
use foldhash::fast::FixedState;
use std::collections::HashSet;

/// Random stream of the swaps.
const STREAM: Purpose = Purpose::Other(0x6e75_6c6c);

/// Number of attempted swaps per edge.
const SWAPS: usize = 10;

/// Randomises the graph by many swaps of the ends of two edges, excluding those
/// that create self-loops or double edges. Degrees (for directed
/// edges, those of either way) are preserved, everything else is random. Weights move with
/// their edges.
///
/// # Complexity
///
/// O(E) time and memory.
pub(super) fn rewired(links: &Links, seed: u64, replica: u64) -> Links {
    let mut edges: Vec<Edge> = Vec::with_capacity(links.edges());
    for u in 0..links.nodes() {
        let start = links.offsets()[u];
        for (i, &v) in links.neighbours(u).iter().enumerate() {
            let way = links.directions().map_or(Direction::Both, |d| d[start + i]);
            // Once for each edge, from its tail.
            if way == Direction::Out || (way == Direction::Both && (v as usize) < u) {
                edges.push(Edge {
                    ends: (u as u32, v),
                    weight: links.weights().map_or(1.0, |w| w[start + i]),
                    way,
                });
            }
        }
    }
    let key = |u: u32, v: u32| (u64::from(u.min(v)) << 32) | u64::from(u.max(v));
    let present = edges.iter().map(|e| key(e.ends.0, e.ends.1));
    let mut present: HashSet<u64, FixedState> = present.collect();
    let mut draws = Stream::new(seed, STREAM, replica).draws(0);
    for _ in 0..SWAPS * edges.len() {
        let i = draws.below(edges.len() as u64) as usize;
        let j = draws.below(edges.len() as u64) as usize;
        let ((a, b), (mut c, mut d)) = (edges[i].ends, edges[j].ends);
        if draws.next_u32() & 1 == 1 && edges[j].way == Direction::Both {
            (c, d) = (d, c);
        }
        // a–b and c–d become a–d and c–b.
        if a == d || b == c || i == j || edges[i].way != edges[j].way {
            continue;
        }
        if present.contains(&key(a, d)) || present.contains(&key(c, b)) {
            continue;
        }
        present.remove(&key(a, b));
        present.remove(&key(c, d));
        present.insert(key(a, d));
        present.insert(key(c, b));
        edges[i].ends = (a, d);
        edges[j].ends = (c, b);
    }
    let mut rows: Vec<Vec<(u32, f32, Direction)>> = vec![Vec::new(); links.nodes()];
    for Edge {
        ends: (u, v),
        weight,
        way,
    } in edges
    {
        let back = match way {
            Direction::Both => way,
            _ => Direction::In,
        };
        rows[u as usize].push((v, weight, way));
        rows[v as usize].push((u, weight, back));
    }
    let mut offsets = vec![0];
    let (mut targets, mut weights, mut ways) = (Vec::new(), Vec::new(), Vec::new());
    for row in &mut rows {
        row.sort_unstable_by_key(|entry| entry.0);
        targets.extend(row.iter().map(|e| e.0));
        weights.extend(row.iter().map(|e| e.1));
        ways.extend(row.iter().map(|e| e.2));
        offsets.push(targets.len());
    }
    let weights = links.weights().map(|_| weights);
    let ways = links.directions().map(|_| ways);
    Links::trusted(offsets, targets, weights).with_directions(ways)
}

/// An edge, from its tail if it has one.
struct Edge {
    ends: (u32, u32),
    weight: f32,
    way: Direction,
}

#[cfg(test)]
mod tests {
    use super::*;
    use bnpool_graph::generate::Sbm;

    #[test]
    fn degrees_stay_and_edges_do_not() {
        let graph = Sbm::with_degree(300, 3, 8.0, 0.9)
            .unwrap()
            .generate(1)
            .unwrap();
        let links = Links::new(graph.adjacency()).unwrap();
        let other = rewired(&links, 0, 3);
        assert_eq!(other.edges(), links.edges());
        let mut same = 0;
        for u in 0..300 {
            assert_eq!(links.degree(u), other.degree(u));
            let row = other.neighbours(u);
            assert!(row.windows(2).all(|w| w[0] < w[1]) && !row.contains(&(u as u32)));
            same += row
                .iter()
                .filter(|v| links.neighbours(u).contains(v))
                .count();
        }
        assert!(same < links.edges() / 4, "{same}");
    }

    #[test]
    fn directed_degrees_stay() {
        let mut draws = Stream::new(3, Purpose::Other(1), 0).draws(0);
        let mut node = || draws.below(60) as u32;
        let edges: Vec<(u32, u32)> = (0..300).map(|_| (node(), node())).collect();
        let edges: std::collections::BTreeSet<_> = edges.into_iter().collect();
        let links = Links::directed(&bnpool_graph::Csr::from_edges(60, edges).unwrap()).unwrap();
        let other = rewired(&links, 0, 1);
        assert_ne!(other.view().columns, links.view().columns);
        let ways = |links: &Links, u: usize| {
            let row = &links.directions().unwrap()[links.offsets()[u]..links.offsets()[u + 1]];
            [Direction::Both, Direction::Out, Direction::In]
                .map(|way| row.iter().filter(|&&d| d == way).count())
        };
        for u in 0..60 {
            assert_eq!(ways(&links, u), ways(&other, u));
        }
    }
}
