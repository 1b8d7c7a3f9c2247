//! Random graphs with the same degrees.

use crate::Links;
use bnpool_math::stream::{Purpose, Stream};
use foldhash::fast::FixedState;
use std::collections::HashSet;

/// Random stream of the swaps.
const STREAM: Purpose = Purpose::Other(0x6e75_6c6c);

/// Number of attempted swaps per edge.
const SWAPS: usize = 10;

/// Randomises the graph by many swaps of the ends of two edges, excluding those
/// that create self-loops or double edges. Degrees are preserved, everything
/// else is random. Weights move with their edges.
///
/// # Complexity
///
/// O(E) time and memory.
pub(super) fn rewired(links: &Links, seed: u64, replica: u64) -> Links {
    let mut edges: Vec<(u32, u32, f32)> = Vec::with_capacity(links.edges());
    for u in 0..links.nodes() {
        let start = links.offsets()[u];
        for (i, &v) in links.neighbours(u).iter().enumerate() {
            if (v as usize) < u {
                edges.push((u as u32, v, links.weights().map_or(1.0, |w| w[start + i])));
            }
        }
    }
    let key = |u: u32, v: u32| (u64::from(u.min(v)) << 32) | u64::from(u.max(v));
    let mut present: HashSet<u64, FixedState> = edges.iter().map(|&(u, v, _)| key(u, v)).collect();
    let mut draws = Stream::new(seed, STREAM, replica).draws(0);
    for _ in 0..SWAPS * edges.len() {
        let i = draws.below(edges.len() as u64) as usize;
        let j = draws.below(edges.len() as u64) as usize;
        let ((a, b, _), (mut c, mut d, _)) = (edges[i], edges[j]);
        if draws.next_u32() & 1 == 1 {
            (c, d) = (d, c);
        }
        // a–b and c–d become a–d and c–b.
        if a == d || b == c || i == j {
            continue;
        }
        if present.contains(&key(a, d)) || present.contains(&key(c, b)) {
            continue;
        }
        present.remove(&key(a, b));
        present.remove(&key(c, d));
        present.insert(key(a, d));
        present.insert(key(c, b));
        edges[i] = (a, d, edges[i].2);
        edges[j] = (c, b, edges[j].2);
    }
    let mut rows: Vec<Vec<(u32, f32)>> = vec![Vec::new(); links.nodes()];
    for (u, v, w) in edges {
        rows[u as usize].push((v, w));
        rows[v as usize].push((u, w));
    }
    let mut offsets = vec![0];
    let (mut targets, mut weights) = (Vec::new(), Vec::new());
    for row in &mut rows {
        row.sort_unstable_by_key(|entry| entry.0);
        targets.extend(row.iter().map(|e| e.0));
        weights.extend(row.iter().map(|e| e.1));
        offsets.push(targets.len());
    }
    Links::trusted(offsets, targets, links.weights().map(|_| weights))
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
}
