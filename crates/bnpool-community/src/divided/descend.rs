//! Moves, merges and splits until nothing helps.

use super::DividedError;
use super::group_graph::{self, GroupGraph};
use super::local_move::{Within, communities};
use super::pieces::in_one_piece;
use super::settle::State;
use super::world::World;
use crate::Partition;
use crate::description_length::{PlantedCode, Whole};
use crate::merge::{
    Dendrogram, Effort, Grouped, LEAST, RESOLUTIONS, Until, contract, merge_groups,
};

/// A partition, its Σ, and the merges that led to it.
pub(super) struct Found {
    pub(super) partition: Partition,
    pub(super) total: f64,
    pub(super) path: Dendrogram,
}

/// Lowers Σ of a partition into connected groups, like
/// [`merge::improve`](crate::merge::improve) for a whole graph.
pub(super) fn improve(
    world: &World<'_>,
    code: &PlantedCode,
    start: &Partition,
    effort: &Effort,
    seed: u64,
) -> Result<Found, DividedError> {
    let mut best = descend(world, code, start, effort, seed)?;
    for attempt in 0..effort.splits as u64 {
        let within = Within {
            labels: best.partition.labels(),
            count: best.partition.groups(),
        };
        let resolution = RESOLUTIONS[attempt as usize % RESOLUTIONS.len()];
        let split_seed = (seed ^ 0x5eed).wrapping_add(attempt);
        let pieces = communities(world, Some(&within), resolution, split_seed)?;
        let pieces = in_one_piece(world, &pieces)?;
        let found = descend(world, code, &pieces, effort, seed ^ (attempt + 1))?;
        if found.total < best.total - LEAST {
            best = found;
        }
    }
    Ok(best)
}

/// Alternates moves and merges until neither lowers Σ.
fn descend(
    world: &World<'_>,
    code: &PlantedCode,
    start: &Partition,
    effort: &Effort,
    seed: u64,
) -> Result<Found, DividedError> {
    let mut from = start.clone();
    let mut best: Option<Found> = None;
    for round in 0..effort.rounds.max(1) as u64 {
        let mut state = State {
            groups: group_graph::groups(world, from.labels(), from.groups())?,
            labels: from.labels().to_vec(),
        };
        state.settle(world, code, effort, seed.wrapping_add(round))?;
        // Moves may disconnect a group.
        let whole = in_one_piece(world, &state.labels)?;
        drop(state);
        let path = merged(world, code, &whole)?;
        let groups = path.best(effort.fewest.max(path.coarsest_adjacent()));
        let (Some(partition), Some(total)) = (path.cut(groups), path.total(groups)) else {
            break;
        };
        if best.as_ref().is_some_and(|b| total >= b.total - LEAST) {
            break;
        }
        from = partition.clone();
        best = Some(Found {
            partition,
            total,
            path,
        });
    }
    // The first round finds a partition: merges start from one.
    match best {
        Some(found) => Ok(found),
        None => Ok(Found {
            path: merged(world, code, &from)?,
            total: f64::INFINITY,
            partition: from,
        }),
    }
}

/// Continues the merges that led to a partition, down to one group.
pub(super) fn complete(
    world: &World<'_>,
    code: &PlantedCode,
    path: &mut Dendrogram,
) -> Result<(), DividedError> {
    let Some(of_finest) = path.names(path.coarsest()) else {
        return Ok(());
    };
    let mut names = of_finest.clone();
    names.sort_unstable();
    names.dedup();
    let number = |g: u32| names.partition_point(|&name| name < of_finest[g as usize]) as u32;
    let labels: Vec<u32> = path.labels().iter().map(|&g| number(g)).collect();
    let graph = GroupGraph::new(world, &labels, names.len(), None)?;
    let pairs = graph.pairs().map(|(pair, n)| (pair, u64::from(n)));
    let pairs = pairs.collect();
    contract(path, names, graph.groups, pairs, code);
    Ok(())
}

/// Merges the groups of a partition until Σ is past its minimum.
fn merged(
    world: &World<'_>,
    code: &PlantedCode,
    partition: &Partition,
) -> Result<Dendrogram, DividedError> {
    // The rest of the group graph is dropped before merging.
    let (groups, around) = {
        let graph = GroupGraph::new(world, partition.labels(), partition.groups(), None)?;
        let around = graph.around();
        (graph.groups, around)
    };
    let whole = Whole::of(&groups);
    let total = whole.total(code, &groups);
    let start = Grouped {
        labels: partition.labels().to_vec(),
        groups,
        around,
        total,
    };
    Ok(merge_groups(start, code, &whole, Until::PastBest))
}
