//! Local moves: moves single nodes while the quality increases.

use super::level::Level;
use bnpool_math::stream::Draws;
use std::collections::VecDeque;

/// Gains below this fraction of the weight of a node count as rounding errors:
/// volumes are updated incrementally, and without a bound a node could move
/// back and forth forever.
const ROUNDING: f64 = 1e-10;

/// Moves nodes to the best adjacent group, or to a new group, until no move
/// helps. A node is visited again if a neighbour leaves its group. Labels are
/// below the number of nodes, before and after. Returns whether any node moved.
pub(super) fn run(level: &Level, labels: &mut [u32], penalty: f64, draws: &mut Draws) -> bool {
    let nodes = level.nodes();
    let mut volumes = vec![0.0; nodes];
    let mut members = vec![0_u32; nodes];
    for (u, &label) in labels.iter().enumerate() {
        volumes[label as usize] += level.sizes[u];
        members[label as usize] += 1;
    }
    let mut empty: Vec<u32> = (0..nodes as u32)
        .rev()
        .filter(|&g| members[g as usize] == 0)
        .collect();
    let mut order: Vec<u32> = (0..nodes as u32).collect();
    draws.shuffle(&mut order);
    let mut queue: VecDeque<u32> = order.into();
    let mut waiting = vec![true; nodes];
    let mut weights = vec![0.0; nodes];
    let mut around: Vec<u32> = Vec::new();
    let mut moved = false;
    while let Some(u) = queue.pop_front() {
        let u = u as usize;
        waiting[u] = false;
        let (own, size) = (labels[u], level.sizes[u]);
        let mut strength = 0.0;
        for (v, w) in level.entries(u) {
            strength += w;
            let group = labels[v];
            if weights[group as usize] == 0.0 {
                around.push(group);
            }
            weights[group as usize] += w;
        }
        volumes[own as usize] -= size;
        members[own as usize] -= 1;
        let gain = |g: u32| weights[g as usize] - penalty * size * volumes[g as usize];
        let least = ROUNDING * strength;
        let (mut best, mut best_gain) = (own, gain(own));
        for &g in &around {
            let gain = gain(g);
            if gain > best_gain + least {
                (best, best_gain) = (g, gain);
            }
        }
        // A new group has a gain of zero.
        if best_gain < -least && members[own as usize] > 0 {
            best = empty.pop().expect("fewer groups than nodes");
        }
        for g in around.drain(..) {
            weights[g as usize] = 0.0;
        }
        volumes[best as usize] += size;
        members[best as usize] += 1;
        if best != own {
            moved = true;
            labels[u] = best;
            if members[own as usize] == 0 {
                volumes[own as usize] = 0.0;
                empty.push(own);
            }
            for (v, _) in level.entries(u) {
                if labels[v] != best && !waiting[v] {
                    waiting[v] = true;
                    queue.push_back(v as u32);
                }
            }
        }
    }
    moved
}
