//! Moves of single nodes under the planted partition, in turns.

use super::DividedError;
use super::turn::{Fresh, Turn, tally};
use super::world::{World, neighbours};
use crate::description_length::{Group, Moments, PlantedCode, Taken, Whole};
use crate::merge::{Effort, LEAST};
use crate::search::probability;
use bnpool_graph::divide::Part;

/// Target of a move to a new group.
const SPARE: u32 = u32::MAX;

/// Sweeps end when fewer than one in this many nodes move.
const STILL: usize = 1000;

/// Labels and the statistics of the groups.
#[derive(Debug, Clone)]
pub(super) struct State {
    pub(super) labels: Vec<u32>,
    pub(super) groups: Vec<Group>,
}

/// A proposed move of a node, with its effect.
struct Wish {
    node: u32,
    target: u32,
    degree: u64,
    /// Edges to the group it leaves, and to the one it enters.
    from: u64,
    to: u64,
}

/// Proposed moves of the nodes of a part.
#[derive(Default)]
struct Wishes {
    moves: Vec<Wish>,
    /// Pairs of neighbours in the same turn, the first of which moves.
    close: Vec<[u32; 2]>,
}

/// Inputs of the decisions in a turn, besides labels and groups.
struct Known<'a> {
    turn: Turn,
    fresh: &'a Fresh,
    whole: &'a Whole,
    code: &'a PlantedCode,
    fewest: usize,
}

/// Change of a group by moves: nodes, volume and internal edges.
type Change = [i64; 3];

impl State {
    /// Moves nodes to adjacent or new groups while Σ decreases, in at most as
    /// many sweeps as the allowed visits of a node.
    ///
    /// # Complexity
    ///
    /// O(E) time per sweep; ranks exchange 8 bytes per move and 32 per changed
    /// group.
    pub(super) fn settle(
        &mut self,
        world: &World<'_>,
        code: &PlantedCode,
        effort: &Effort,
        seed: u64,
    ) -> Result<(), DividedError> {
        let fewest = effort.fewest;
        let mut fresh = Fresh::new(world.nodes);
        for sweep in 0..effort.visits {
            let mut count = 0;
            for turn in Turn::sweep(seed, sweep) {
                let whole = Whole::of(&self.groups);
                let known = Known {
                    turn,
                    fresh: &fresh,
                    whole: &whole,
                    code,
                    fewest,
                };
                let wishes = world.each(|part| self.wishes(part, &known))?;
                let own = wishes.iter().flat_map(|w| &w.moves);
                let own: Vec<[u32; 2]> = own.map(|wish| [wish.node, wish.target]).collect();
                let mut moves = world.ranks.gather(own)?;
                // Parts, and hence moves, are in the order of nodes, so all ranks give
                // new groups the same names.
                let old = self.groups.len();
                let spares = moves.iter_mut().filter(|m| m[1] == SPARE);
                for (name, entry) in (old as u32..).zip(spares) {
                    entry[1] = name;
                    self.groups.push(Group::default());
                }
                let changes = world.ranks.gather(self.changes(&wishes, &moves))?;
                for &[group, size, volume, inside] in &changes {
                    let group = &mut self.groups[group as usize];
                    group.size = group.size.wrapping_add_signed(size);
                    group.volume = group.volume.wrapping_add_signed(volume);
                    group.inside.count = group.inside.count.wrapping_add_signed(inside);
                }
                if self.groups.iter().filter(|g| g.size > 0).count() < fewest {
                    // Too few groups would be left, so no node moves.
                    for &[group, size, volume, inside] in &changes {
                        let group = &mut self.groups[group as usize];
                        group.size = group.size.wrapping_add_signed(-size);
                        group.volume = group.volume.wrapping_add_signed(-volume);
                        group.inside.count = group.inside.count.wrapping_add_signed(-inside);
                    }
                    continue;
                }
                count += moves.len();
                for [u, target] in moves {
                    self.labels[u as usize] = target;
                    fresh.moved(u as usize);
                }
            }
            if count * STILL <= world.nodes {
                break;
            }
            fresh.next();
        }
        Ok(())
    }

    /// Proposes moves for the nodes of a part that have their turn.
    fn wishes(&self, part: &Part, known: &Known<'_>) -> Wishes {
        let &Known {
            turn,
            fresh,
            whole,
            code,
            fewest,
        } = known;
        let mut wishes = Wishes::default();
        let (mut around, mut counts) = (Vec::new(), Vec::new());
        for (i, u) in part.range().enumerate() {
            if !turn.has(u) || !fresh.has(u, part.row(i)) {
                continue;
            }
            around.extend(neighbours(part, i).map(|v| self.labels[v]));
            let degree = around.len() as u64;
            let own = self.labels[u];
            let left = self.groups[own as usize];
            if degree == 0 || (left.size == 1 && whole.count <= fewest) {
                around.clear();
                continue;
            }
            tally(&mut around, &mut counts);
            let from = edges_to(&counts, own);
            let mut best = (SPARE, -LEAST, 0);
            let taken = Taken::new(
                code,
                (whole, code.global(whole.count, whole.inside, whole.squares)),
                (left, code.local(&left)),
                (Group::node(degree), Moments::edges(u64::from(from))),
            );
            let mut weigh = |target: u32, group: Group, to: u32| {
                let edges = Moments::edges(u64::from(to));
                let change = taken.change(code, (group, code.local(&group)), edges);
                if change < best.1 {
                    best = (target, change, to);
                }
            };
            for &(g, n) in counts.iter().filter(|entry| entry.0 != own) {
                weigh(g, self.groups[g as usize], n);
            }
            if left.size > 1 {
                weigh(SPARE, Group::default(), 0);
            }
            if best.1 < -LEAST {
                wishes.moves.push(Wish {
                    node: u as u32,
                    target: best.0,
                    degree,
                    from: u64::from(from),
                    to: u64::from(best.2),
                });
                let close = neighbours(part, i).filter(|&v| u < v && turn.has(v));
                wishes.close.extend(close.map(|v| [u as u32, v as u32]));
            }
        }
        wishes
    }

    /// Probability of each node of a part to belong to its group rather than to an
    /// adjacent one, given the groups of all other nodes.
    pub(super) fn own_probability(&self, code: &PlantedCode, part: &Part) -> Vec<f32> {
        let whole = Whole::of(&self.groups);
        let shared = code.global(whole.count, whole.inside, whole.squares);
        let nodes: u64 = self.groups.iter().map(|g| g.size).sum();
        let (mut around, mut counts) = (Vec::new(), Vec::new());
        let mut sure = Vec::with_capacity(part.len());
        for (i, u) in part.range().enumerate() {
            let own = self.labels[u];
            let left = self.groups[own as usize];
            around.extend(neighbours(part, i).map(|v| self.labels[v]));
            let degree = around.len() as u64;
            tally(&mut around, &mut counts);
            if degree == 0 {
                sure.push(left.size as f32 / nodes as f32);
                continue;
            }
            let from = edges_to(&counts, own);
            let groups: Vec<u32> = counts.iter().map(|entry| entry.0).collect();
            let taken = Taken::new(
                code,
                (&whole, shared),
                (left, code.local(&left)),
                (Group::node(degree), Moments::edges(u64::from(from))),
            );
            sure.push(probability(&groups, own, |g| {
                let group = self.groups[g as usize];
                let edges = Moments::edges(u64::from(edges_to(&counts, g)));
                taken.change(code, (group, code.local(&group)), edges)
            }));
        }
        sure
    }

    /// Changes by the moves of this rank, per group. Labels are those before the
    /// moves.
    fn changes(&self, wishes: &[Wishes], moves: &[[u32; 2]]) -> Vec<[i64; 4]> {
        let mut sums: Vec<Change> = vec![[0; 3]; self.groups.len()];
        let target = |u: u32| {
            let place = moves.binary_search_by_key(&u, |entry| entry[0]).ok()?;
            Some(moves[place][1])
        };
        for wish in wishes.iter().flat_map(|w| &w.moves) {
            let old = self.labels[wish.node as usize];
            let new = match wish.target {
                SPARE => target(wish.node).unwrap_or(old),
                group => group,
            };
            let (degree, from, to) = (wish.degree as i64, wish.from as i64, wish.to as i64);
            add(&mut sums, old, [-1, -degree, -from]);
            add(&mut sums, new, [1, degree, to]);
        }
        // Both ends of an edge counted the other one in its old group.
        for &[u, v] in wishes.iter().flat_map(|w| &w.close) {
            let (Some(new_u), Some(new_v)) = (target(u), target(v)) else {
                continue;
            };
            let (old_u, old_v) = (self.labels[u as usize], self.labels[v as usize]);
            if old_u == old_v {
                // Both have subtracted the edge.
                add(&mut sums, old_u, [0, 0, 1]);
            }
            if old_v == new_u {
                add(&mut sums, new_u, [0, 0, -1]);
            }
            if old_u == new_v {
                add(&mut sums, new_v, [0, 0, -1]);
            }
            if new_u == new_v {
                add(&mut sums, new_u, [0, 0, 1]);
            }
        }
        let changed = sums.iter().enumerate().filter(|(_, c)| **c != [0; 3]);
        changed
            .map(|(g, &[size, volume, inside])| [g as i64, size, volume, inside])
            .collect()
    }
}

fn add(sums: &mut [Change], group: u32, change: Change) {
    let sum = &mut sums[group as usize];
    for (sum, change) in sum.iter_mut().zip(change) {
        *sum += change;
    }
}

/// Number of edges to a group.
fn edges_to(around: &[(u32, u32)], group: u32) -> u32 {
    let place = around.binary_search_by_key(&group, |entry| entry.0);
    place.map_or(0, |i| around[i].1)
}
