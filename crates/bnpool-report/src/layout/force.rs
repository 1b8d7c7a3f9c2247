//! Force iterations of the layout.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::Point;
use super::groups::Disc;
use super::quadtree::Quadtree;

/// Strength of repulsion; gives distances of about one unit.
const REPULSION: f64 = 0.5;
/// Strength of an edge inside a group.
const WITHIN: f64 = 0.12;
/// Strength of an edge between groups: enough to orient nodes towards their
/// neighbours, too little to tear groups apart.
const ACROSS: f64 = 0.012;
/// Strength of the pull towards the middle of the group.
const BELONGING: f64 = 0.06;
/// Fraction of the force applied in the first round; it decreases to zero.
const FIRST_STEP: f64 = 0.5;

/// Moves nodes from their initial positions until forces balance.
pub(super) fn relax(
    mut places: Vec<Point>,
    edges: &[(u32, u32)],
    groups: &[usize],
    discs: &BTreeMap<usize, Disc>,
) -> Vec<Point> {
    let nodes = places.len();
    if nodes < 2 {
        return places;
    }
    let neighbours = Neighbours::new(nodes, edges, groups);
    let masses = vec![1.0; nodes];
    let rounds = if nodes <= 1000 { 300 } else { 160 };
    for round in 0..rounds {
        let cooling = 1.0 - round as f64 / rounds as f64;
        let tree = Quadtree::new(&places, &masses);
        // Chunks are long enough to process small graphs on one thread.
        let next = places
            .par_iter()
            .enumerate()
            .with_min_len(256)
            .map(|(u, &p)| {
                let push = tree.repulsion(u as u32, &places, &masses);
                let mut force = [REPULSION * push[0], REPULSION * push[1]];
                neighbours.pull(u, &places, &mut force);
                let disc = discs[&groups[u]];
                let step = |axis: usize| {
                    let home = BELONGING * (disc.middle[axis] - p[axis]);
                    FIRST_STEP * cooling * (force[axis] + home)
                };
                let step = [step(0), step(1)];
                let length = (step[0] * step[0] + step[1] * step[1]).sqrt();
                // Steps are bounded by a fraction of the size of the group.
                let most = cooling * (0.25 * disc.radius + 0.5);
                let scale = if length > most { most / length } else { 1.0 };
                [p[0] + scale * step[0], p[1] + scale * step[1]]
            });
        places = next.collect();
    }
    places
}

/// Neighbours of each node, with the strength of the edge.
struct Neighbours {
    offsets: Vec<usize>,
    ends: Vec<(u32, f64)>,
}

impl Neighbours {
    fn new(nodes: usize, edges: &[(u32, u32)], groups: &[usize]) -> Self {
        let mut degrees = vec![0_usize; nodes];
        for &(u, v) in edges {
            degrees[u as usize] += 1;
            degrees[v as usize] += 1;
        }
        let mut offsets = vec![0; nodes + 1];
        for u in 0..nodes {
            offsets[u + 1] = offsets[u] + degrees[u];
        }
        let mut next = offsets.clone();
        let mut ends = vec![(0, 0.0); offsets[nodes]];
        for &(u, v) in edges {
            let same = groups[u as usize] == groups[v as usize];
            let strength = if same { WITHIN } else { ACROSS };
            // The pull of an edge is divided by the larger degree of its ends;
            // otherwise hubs would contract their group to a point.
            let busy = degrees[u as usize].max(degrees[v as usize]) as f64;
            let strength = strength * (4.0 / busy).min(1.0);
            for (from, to) in [(u, v), (v, u)] {
                ends[next[from as usize]] = (to, strength);
                next[from as usize] += 1;
            }
        }
        Self { offsets, ends }
    }

    fn pull(&self, u: usize, places: &[Point], force: &mut Point) {
        let p = places[u];
        for &(v, strength) in &self.ends[self.offsets[u]..self.offsets[u + 1]] {
            let q = places[v as usize];
            force[0] += strength * (q[0] - p[0]);
            force[1] += strength * (q[1] - p[1]);
        }
    }
}
