//! Merges and moves under the block model.

use super::Dendrogram;
use super::sweep::LEAST;
use crate::description_length::Blocks;
use crate::{Partition, description_length::WeightModel};
use bnpool_math::stream::{Purpose, Stream};

/// Random stream of visiting orders and proposals.
const STREAM: Purpose = Purpose::Other(0x626c_6f63);

/// Up to this number of groups, all of them are tried for a node, and all pairs
/// for a merge; otherwise this many are drawn.
const ALL_TARGETS: usize = 32;
const ALL_PAIRS: usize = 160;

/// Moves single nodes between groups while Σ decreases, in at most `visits`
/// sweeps. Groups need not be adjacent: nodes of disassortative groups have no
/// neighbours in their own group. Returns the change of Σ.
///
/// # Complexity
///
/// O(E · min(B, 32)) time per sweep.
pub fn settle_blocks(state: &mut Blocks<'_>, visits: usize, seed: u64) -> f64 {
    let links = state.links();
    let nodes = links.nodes();
    let mut order: Vec<u32> = (0..nodes as u32).collect();
    let mut sum = 0.0;
    for visit in 0..visits as u64 {
        let stream = Stream::new(seed, STREAM, visit);
        stream.draws(u64::MAX).shuffle(&mut order);
        let mut moved = 0;
        for &u in &order {
            let u = u as usize;
            let own = state.labels()[u];
            if links.degree(u) == 0 || state.groups[own as usize].size == 1 {
                continue;
            }
            state.look_around(u);
            let (mut best, mut best_change) = (own, -LEAST);
            let mut weigh = |state: &Blocks<'_>, target: u32| {
                if target != own && state.groups[target as usize].size > 0 {
                    let change = state.change(u, target);
                    if change < best_change {
                        (best, best_change) = (target, change);
                    }
                }
            };
            if state.count() <= ALL_TARGETS {
                for target in 0..state.groups.len() as u32 {
                    weigh(state, target);
                }
            } else {
                // Proposes a group adjacent to the group of a neighbour, by
                // stepping through nodes.
                let mut draws = stream.draws(u as u64);
                let near = links.neighbours(u);
                for _ in 0..ALL_TARGETS {
                    let v = near[draws.below(near.len() as u64) as usize];
                    let far = links.neighbours(v as usize);
                    // Any member of the neighbour's group would do; use the
                    // neighbour itself.
                    let w = far[draws.below(far.len() as u64) as usize];
                    weigh(state, state.labels()[w as usize]);
                    weigh(state, state.labels()[v as usize]);
                }
            }
            if best != own {
                state.apply(u, best);
                sum += best_change;
                moved += 1;
            }
        }
        if moved * 1000 <= nodes {
            break;
        }
    }
    sum
}

/// Merges groups in pairs down to one group, always the pair that lowers Σ most
/// among the pairs tried.
///
/// # Complexity
///
/// O(B³) time for up to 160 groups B; for more groups, 32 partners of each are
/// tried.
#[must_use]
pub fn agglomerate_blocks(state: &Blocks<'_>, seed: u64) -> Dendrogram {
    let mut state = state.clone();
    let first = Partition::new(state.labels());
    // Names of the finest partition, largest group first, as expected by the
    // cuts.
    let mut names = vec![0_u32; state.groups.len()];
    for (&label, &name) in state.labels().iter().zip(first.labels()) {
        names[label as usize] = name;
    }
    let mut total = state.total();
    let mut path = Dendrogram::new(first.labels().to_vec(), first.groups(), total);
    let mut alive: Vec<u32> = (0..state.groups.len() as u32)
        .filter(|&g| state.groups[g as usize].size > 0)
        .collect();
    while alive.len() > 1 {
        let mut found: Vec<(f64, u32, u32)> = Vec::new();
        let step = alive.len() as u64;
        let stream = Stream::new(seed, STREAM, step | 1 << 40);
        for (i, &r) in alive.iter().enumerate() {
            if alive.len() <= ALL_PAIRS {
                for &s in &alive[..i] {
                    found.push((state.merge_change(s, r), s, r));
                }
            } else {
                let mut draws = stream.draws(u64::from(r));
                for _ in 0..ALL_TARGETS {
                    let s = alive[draws.below(alive.len() as u64) as usize];
                    if s != r {
                        found.push((state.merge_change(s.min(r), s.max(r)), s.min(r), s.max(r)));
                    }
                }
            }
        }
        found.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        // Many merges at once while there are many groups; one by one at the
        // end.
        let merges = if alive.len() > 40 {
            alive.len() / 10
        } else {
            1
        };
        let mut touched = vec![false; state.groups.len()];
        let mut done = 0;
        for (_, r, s) in found {
            if done == merges {
                break;
            }
            if touched[r as usize] || touched[s as usize] {
                continue;
            }
            (touched[r as usize], touched[s as usize]) = (true, true);
            total += state.merge_change(r, s);
            state.merge(r, s);
            path.push(names[r as usize], names[s as usize], total, true);
            done += 1;
        }
        alive.retain(|&g| state.groups[g as usize].size > 0);
    }
    path
}

/// Lowers Σ of a partition under the block model by alternating moves and
/// merges until neither helps. Returns the best partition into at least
/// `fewest` groups, its Σ and the dendrogram.
///
/// # Complexity
///
/// A few times that of [`settle_blocks`] and [`agglomerate_blocks`].
#[must_use]
pub fn improve_blocks(
    state: Blocks<'_>,
    model: WeightModel,
    fewest: usize,
    seed: u64,
) -> (Partition, f64, Dendrogram) {
    let links = state.links();
    let mut best: Option<(Partition, f64, Dendrogram)> = None;
    let mut state = state;
    // Merge in steps, so that nodes can move in between.
    loop {
        settle_blocks(&mut state, 5, seed);
        let path = agglomerate_blocks(&state, seed);
        let groups = path.best(fewest);
        let (Some(partition), Some(total)) = (path.cut(groups), path.total(groups)) else {
            break;
        };
        let better = best.as_ref().is_none_or(|b| total < b.1 - LEAST);
        let coarser = (state.count() * 2 / 3).max(groups);
        let next = if coarser < state.count() {
            path.cut(coarser)
        } else {
            None
        };
        if better {
            best = Some((partition, total, path));
        }
        match next {
            Some(next) => {
                state = Blocks::new(links, &next, model).expect("a label for every node");
            }
            None if better => {
                let partition = &best.as_ref().expect("just found").0;
                state = Blocks::new(links, partition, model).expect("a label for every node");
            }
            None => break,
        }
    }
    best.expect("the first round finds a partition")
}
