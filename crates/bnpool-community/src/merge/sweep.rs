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
        let spare = state.spare();
        let around = state.look_around(u).len();
        let alone = state.is_alone();
        if around == 0 || (alone && state.count() <= fewest) {
            continue;
        }
        let (mut best, mut best_change) = (own, -LEAST);
        for i in 0..around + usize::from(!alone) {
            let target = state.groups_around().get(i).copied().unwrap_or(spare);
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
