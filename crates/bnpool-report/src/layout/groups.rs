//! Layout of groups, before that of nodes.

use std::collections::BTreeMap;

use bnpool_math::stream::Stream;

use super::{PURPOSE, Point};

/// Number of rounds; fewer for very many groups, because each round visits all
/// pairs.
const ROUNDS: usize = 300;
const VISITS: usize = 30_000_000;
/// Distance between the discs of two groups, as a multiple of their radii.
const CLEARANCE: f64 = 1.1;

/// The disc of a group of nodes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Disc {
    pub(super) middle: Point,
    pub(super) radius: f64,
}

/// Computes a disc for each group: joined groups are close, and discs hardly
/// overlap. There are usually few groups, so all pairs are visited.
pub(super) fn arrange(edges: &[(u32, u32)], groups: &[usize], seed: u64) -> BTreeMap<usize, Disc> {
    let mut sizes = BTreeMap::<usize, usize>::new();
    for &group in groups {
        *sizes.entry(group).or_default() += 1;
    }
    let place: BTreeMap<usize, usize> = sizes.keys().enumerate().map(|(i, &g)| (g, i)).collect();
    let radii: Vec<f64> = sizes.values().map(|&n| (n as f64).sqrt()).collect();
    let mut joined = BTreeMap::<(usize, usize), f64>::new();
    for &(u, v) in edges {
        let (a, b) = (place[&groups[u as usize]], place[&groups[v as usize]]);
        if a != b {
            *joined.entry((a.min(b), a.max(b))).or_default() += 1.0;
        }
    }
    let middles = relax(&radii, &joined, seed);
    sizes
        .keys()
        .zip(middles)
        .zip(&radii)
        .map(|((&group, middle), &radius)| (group, Disc { middle, radius }))
        .collect()
}

/// Pulls joined discs together and pushes overlapping ones apart.
fn relax(radii: &[f64], joined: &BTreeMap<(usize, usize), f64>, seed: u64) -> Vec<Point> {
    let extent = 2.0 * radii.iter().map(|r| r * r).sum::<f64>().sqrt();
    let stream = Stream::new(seed, PURPOSE, 0);
    let mut places: Vec<Point> = (0..radii.len() as u64)
        .map(|i| {
            let mut draws = stream.draws(i);
            [(); 2].map(|()| (draws.uniform() - 0.5) * extent)
        })
        .collect();
    let strongest = joined.values().copied().fold(1.0, f64::max);
    let rounds = (VISITS / radii.len().pow(2).max(1)).clamp(20, ROUNDS);
    for round in 0..rounds {
        let cooling = 1.0 - round as f64 / rounds as f64;
        // Pairs are visited in the order of the map.
        let mut bonds = joined.iter().peekable();
        let mut moves = vec![[0.0; 2]; places.len()];
        for a in 0..places.len() {
            for b in a + 1..places.len() {
                let d = [places[b][0] - places[a][0], places[b][1] - places[a][1]];
                let away = (d[0] * d[0] + d[1] * d[1]).sqrt().max(1e-9);
                let overlap = CLEARANCE * (radii[a] + radii[b]) - away;
                let bond = bonds.next_if(|(pair, _)| **pair == (a, b));
                let bond = bond.map_or(0.0, |(_, n)| n / strongest);
                // Attract along a bond, and repel if they overlap; unconnected
                // groups keep twice the distance of connected ones.
                let stranger = ((1.0 - bond) * (radii[a] + radii[b]) - away).max(0.0);
                let pull = if overlap > 0.0 {
                    -0.4 * overlap
                } else {
                    cooling * (0.15 * bond * -overlap - 0.1 * stranger)
                };
                for axis in 0..2 {
                    let step = pull * d[axis] / away;
                    moves[a][axis] += step;
                    moves[b][axis] -= step;
                }
            }
        }
        for (place, step) in places.iter_mut().zip(&moves) {
            for axis in 0..2 {
                place[axis] += step[axis] - 0.04 * cooling * place[axis];
            }
        }
    }
    places
}

/// Places nodes at random positions in the discs of their groups.
pub(super) fn scatter(
    discs: &BTreeMap<usize, Disc>,
    groups: &[usize],
    stream: &Stream,
) -> Vec<Point> {
    let place = |(node, group): (usize, &usize)| {
        let mut draws = stream.draws(node as u64);
        let disc = discs[group];
        // Rejection sampling needs no sine, and more than half of the draws are
        // accepted.
        loop {
            let [x, y] = [(); 2].map(|()| 2.0 * draws.uniform() - 1.0);
            if x * x + y * y <= 1.0 {
                let radius = 0.8 * disc.radius;
                return [disc.middle[0] + radius * x, disc.middle[1] + radius * y];
            }
        }
    };
    groups.iter().enumerate().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn discs_keep_apart() {
        let groups: Vec<usize> = (0..200).map(|i| i % 8).collect();
        let edges: Vec<(u32, u32)> = (0..199).map(|i| (i, i + 1)).collect();
        let discs: Vec<Disc> = arrange(&edges, &groups, 5).into_values().collect();
        for (i, a) in discs.iter().enumerate() {
            for b in &discs[..i] {
                let d = [a.middle[0] - b.middle[0], a.middle[1] - b.middle[1]];
                let away = (d[0] * d[0] + d[1] * d[1]).sqrt();
                assert!(away > 0.9 * (a.radius + b.radius), "{a:?} {b:?}");
            }
        }
    }
}
