//! Moves of single nodes under the planted partition.

use crate::description_length::Planted;
use bnpool_math::stream::{Purpose, Stream};
use std::collections::VecDeque;

/// Random stream of the visiting orders.
const STREAM: Purpose = Purpose::Other(0x7377_6570);

/// Smallest decrease of Σ by a move; smaller ones count as rounding errors.
pub(crate) const LEAST: f64 = 1e-7;

/// Moves single nodes to adjacent or new groups while Σ decreases. A node is
/// visited again if a neighbour moved, at most `visits` times per node on
/// average. At least `fewest` groups are kept, if there are that many. Returns
/// the change of Σ.
///
/// # Complexity
///
/// O(E) time for one visit of all nodes.
pub fn settle(state: &mut Planted<'_>, visits: usize, fewest: usize, seed: u64) -> f64 {
    let links = state.links();
    let nodes = links.nodes();
    let mut order: Vec<u32> = (0..nodes as u32).collect();
    Stream::new(seed, STREAM, 0).draws(0).shuffle(&mut order);
    let mut queue: VecDeque<u32> = order.into();
    let mut waiting = vec![true; nodes];
    let mut sum = 0.0;
    let mut left = nodes.saturating_mul(visits);
    while let Some(u) = queue.pop_front() {
        let u = u as usize;
        waiting[u] = false;
        if left == 0 {
            break;
        }
        left -= 1;
        let own = state.labels()[u];
        let own_size = state.groups[own as usize].size;
        if links.degree(u) == 0 || (own_size == 1 && state.count() <= fewest) {
            continue;
        }
        let spare = state.spare();
        state.look_around(u);
        let (mut best, mut best_change) = (own, -LEAST);
        for i in 0..state.groups_around().len() + 1 {
            let target = match state.groups_around().get(i) {
                Some(&g) => g,
                None if own_size > 1 => spare,
                None => break,
            };
            let change = state.change(u, target);
            if change < best_change {
                (best, best_change) = (target, change);
            }
        }
        if best != own {
            state.apply(u, best);
            sum += best_change;
            for &v in links.neighbours(u) {
                if !waiting[v as usize] && state.labels()[v as usize] != best {
                    waiting[v as usize] = true;
                    queue.push_back(v);
                }
            }
        }
    }
    sum
}
