//! Stress layout of small graphs.

use super::{Point, force_directed};

/// Approximate number of visited pairs over all rounds.
const VISITS: usize = 8_000_000;
/// Smallest and largest number of rounds.
const ROUNDS: [usize; 2] = [30, 300];

/// Positions of nodes with distances that match the number of steps between
/// them: chains become straight and rings round, whereas forces would fold
/// them.
///
/// Stress is majorised one node at a time (Gansner, Koren and North, 2004),
/// starting from the force-directed layout. `edges` are pairs of nodes below
/// `nodes` (others are ignored). Only correctly rounded operations are used.
///
/// # Complexity
///
/// Time and memory O(N²), with a factor of at least 30 for time: intended for a
/// few hundred nodes.
///
/// ```
/// use bnpool_report::layout::stress;
///
/// let places = stress(3, &[(0, 1), (1, 2)], 7);
/// let apart = |a: [f64; 2], b: [f64; 2]| ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)).sqrt();
/// assert!((apart(places[0], places[2]) - 2.0).abs() < 0.05);
/// ```
#[must_use]
pub fn stress(nodes: usize, edges: &[(u32, u32)], seed: u64) -> Vec<Point> {
    let mut places = force_directed(edges, &vec![0; nodes], seed);
    let distances = all_steps(nodes, edges);
    let rounds = (VISITS / nodes.pow(2).max(1)).clamp(ROUNDS[0], ROUNDS[1]);
    for _ in 0..rounds {
        for u in 0..nodes {
            places[u] = settled(u, &places, &distances[u * nodes..(u + 1) * nodes]);
        }
    }
    places
}

/// Optimal position of a node with all others fixed: the mean of the positions
/// preferred by each of them, with larger weights for near ones.
fn settled(u: usize, places: &[Point], distances: &[f64]) -> Point {
    let here = places[u];
    let (mut sum, mut weights) = ([0.0; 2], 0.0);
    for (v, (&there, &wanted)) in places.iter().zip(distances).enumerate() {
        if v == u {
            continue;
        }
        let d = [here[0] - there[0], here[1] - there[1]];
        let away = (d[0] * d[0] + d[1] * d[1]).sqrt().max(1e-9);
        let weight = 1.0 / (wanted * wanted);
        for axis in 0..2 {
            sum[axis] += weight * (there[axis] + wanted * d[axis] / away);
        }
        weights += weight;
    }
    if weights > 0.0 {
        sum.map(|x| x / weights)
    } else {
        here
    }
}

/// Number of steps between all pairs [nodes × nodes]. The distance between
/// disconnected components is the radius of the largest component plus one
/// step.
fn all_steps(nodes: usize, edges: &[(u32, u32)]) -> Vec<f64> {
    let mut neighbours = vec![Vec::new(); nodes];
    for &(u, v) in edges {
        let (u, v) = (u as usize, v as usize);
        if u != v && u < nodes && v < nodes {
            neighbours[u].push(v);
            neighbours[v].push(u);
        }
    }
    let mut distances = vec![f64::INFINITY; nodes * nodes];
    let mut longest = 0.0_f64;
    let mut reached = vec![usize::MAX; nodes];
    for source in 0..nodes {
        let row = &mut distances[source * nodes..(source + 1) * nodes];
        row[source] = 0.0;
        reached[source] = source;
        let mut queue = vec![source];
        let mut next = 0;
        while let Some(&u) = queue.get(next) {
            next += 1;
            for &v in &neighbours[u] {
                if reached[v] != source {
                    reached[v] = source;
                    row[v] = row[u] + 1.0;
                    longest = row[v].max(longest);
                    queue.push(v);
                }
            }
        }
    }
    let apart = 1.0 + longest / 2.0;
    for distance in distances.iter_mut().filter(|d| d.is_infinite()) {
        *distance = apart;
    }
    distances
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apart(a: Point, b: Point) -> f64 {
        ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)).sqrt()
    }

    #[test]
    fn a_ring_is_round() {
        let ring: Vec<(u32, u32)> = (0..12).map(|u| (u, (u + 1) % 12)).collect();
        let places = stress(12, &ring, 0);
        let middle = [0, 1].map(|axis| places.iter().map(|p| p[axis]).sum::<f64>() / 12.0);
        let radii: Vec<f64> = places.iter().map(|&p| apart(p, middle)).collect();
        let (low, high) = (
            radii.iter().copied().fold(f64::MAX, f64::min),
            radii.iter().copied().fold(0.0, f64::max),
        );
        assert!(low > 0.9 * high, "radii between {low} and {high}");
    }

    #[test]
    fn odd_graphs_have_places_too() {
        for (nodes, edges) in [
            (0, vec![]),
            (1, vec![(0, 0)]),
            (5, vec![]),
            (4, vec![(0, 1), (2, 3), (9, 1)]),
        ] {
            let places = stress(nodes, &edges, 0);
            assert_eq!(places.len(), nodes);
            for (u, &a) in places.iter().enumerate() {
                assert!(a.iter().all(|x| x.is_finite()));
                assert!(places[..u].iter().all(|&b| apart(a, b) > 0.1), "{places:?}");
            }
        }
    }
}
