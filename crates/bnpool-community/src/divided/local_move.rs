//! Communities by modularity: local moves on the parts, followed by Leiden on the
//! groups.

use super::DividedError;
use super::group_graph::GroupGraph;
use super::turn::{Fresh, Turn, tally};
use super::world::{World, neighbours};
use crate::leiden::{self, LeidenConfig, compact};
use bnpool_graph::divide::Part;

/// Largest number of sweeps over all nodes; sweeps end when fewer than one in a
/// hundred nodes move.
const SWEEPS: usize = 10;
const STILL: usize = 100;

/// Groups that are searched for communities, each as a separate graph.
pub(super) struct Within<'a> {
    /// Group of each node.
    pub(super) labels: &'a [u32],
    /// Number of groups.
    pub(super) count: usize,
}

/// Finds communities by modularity at a resolution, of the graph or inside
/// groups. Labels are below the number of nodes.
pub(super) fn communities(
    world: &World<'_>,
    within: Option<&Within<'_>>,
    resolution: f64,
    seed: u64,
) -> Result<Vec<u32>, DividedError> {
    let outer = within.map(|w| w.labels);
    // Number of edge ends inside each group, which normalises degrees.
    let volumes: Vec<f64> = match within {
        None => vec![2.0 * world.edges as f64],
        Some(w) => {
            let groups = super::group_graph::groups(world, w.labels, w.count)?;
            let inside = groups.iter().map(|g| 2.0 * g.inside.count as f64);
            inside.collect()
        }
    };
    let whole = |u: usize| outer.map_or(0, |labels| labels[u] as usize);
    let (mut labels, _) = moved(world, outer, &|u| resolution / volumes[whole(u)], seed)?;
    let count = compact(&mut labels);
    let mut first = vec![0_usize; count];
    for (u, &label) in labels.iter().enumerate().rev() {
        first[label as usize] = u;
    }
    let graph = GroupGraph::new(world, &labels, count, outer)?;
    // With these sizes, a penalty equal to the resolution gives modularity in
    // each group.
    let sizes = graph.groups.iter().zip(&first).map(|(group, &u)| {
        let volume = volumes[whole(u)].max(f64::MIN_POSITIVE);
        group.volume as f64 / volume.sqrt()
    });
    let sizes = sizes.collect();
    let config = LeidenConfig {
        seed,
        iterations: 2,
        ..LeidenConfig::default()
    };
    let found = leiden::run(&graph.level(sizes), resolution, &config);
    labels.iter_mut().for_each(|l| *l = found[*l as usize]);
    Ok(labels)
}

/// Starts with single nodes and moves them to adjacent groups while modularity
/// increases; groups are named after nodes. Returns the labels and the volume of
/// each group.
fn moved(
    world: &World<'_>,
    outer: Option<&[u32]>,
    penalty: &(dyn Fn(usize) -> f64 + Sync),
    seed: u64,
) -> Result<(Vec<u32>, Vec<u64>), DividedError> {
    let nodes = world.nodes;
    let mut labels: Vec<u32> = (0..nodes as u32).collect();
    let degrees = world.each(|part| {
        let rows = part.range().enumerate();
        rows.map(|(i, u)| inner(part, i, outer, u).count() as u32)
            .collect::<Vec<u32>>()
    })?;
    let degrees = world.ranks.gather(degrees.concat())?;
    let mut volumes: Vec<u64> = degrees.iter().map(|&k| u64::from(k)).collect();
    drop(degrees);
    let mut fresh = Fresh::new(nodes);
    for sweep in 0..SWEEPS {
        let mut count = 0;
        for turn in Turn::sweep(seed, sweep) {
            let moves = world.each(|part| {
                let mut moves: Vec<[u32; 3]> = Vec::new();
                let (mut around, mut counts) = (Vec::new(), Vec::new());
                for (i, u) in part.range().enumerate() {
                    if !turn.has(u) || !fresh.has(u, part.row(i)) {
                        continue;
                    }
                    around.extend(inner(part, i, outer, u).map(|v| labels[v]));
                    let degree = around.len() as u64;
                    if degree == 0 {
                        continue;
                    }
                    tally(&mut around, &mut counts);
                    let cost = penalty(u) * degree as f64;
                    let best = best_group(&counts, labels[u], u as u32, degree, cost, &volumes);
                    if best != labels[u] {
                        moves.push([u as u32, best, degree as u32]);
                    }
                }
                moves
            })?;
            let moves = world.ranks.gather(moves.concat())?;
            count += moves.len();
            for [u, target, degree] in moves {
                let label = &mut labels[u as usize];
                volumes[*label as usize] -= u64::from(degree);
                volumes[target as usize] += u64::from(degree);
                *label = target;
                fresh.moved(u as usize);
            }
        }
        if count * STILL < nodes {
            break;
        }
        fresh.next();
    }
    Ok((labels, volumes))
}

/// Neighbours in the group of the node in `outer`.
fn inner<'a>(
    part: &'a Part,
    i: usize,
    outer: Option<&'a [u32]>,
    u: usize,
) -> impl Iterator<Item = usize> {
    neighbours(part, i).filter(move |&v| outer.is_none_or(|labels| labels[u] == labels[v]))
}

/// Returns the best group of a node, its own if none is better. Ties go to the
/// smallest number, so that neighbours agree.
fn best_group(
    around: &[(u32, u32)],
    own: u32,
    name: u32,
    degree: u64,
    cost: f64,
    volumes: &[u64],
) -> u32 {
    let gain = |group: u32, edges: u32| {
        let others = volumes[group as usize] - if group == own { degree } else { 0 };
        f64::from(edges) - cost * others as f64
    };
    let stay = around.iter().find(|entry| entry.0 == own);
    let (mut best, mut best_gain) = (own, gain(own, stay.map_or(0, |entry| entry.1)));
    let least = 1e-10 * degree as f64;
    for &(group, edges) in around {
        let gain = gain(group, edges);
        if gain > best_gain + least {
            (best, best_gain) = (group, gain);
        }
    }
    // If the group named after the node is empty, being alone in it may be
    // better.
    if best_gain < -least && volumes[name as usize] == 0 {
        best = name;
    }
    best
}
