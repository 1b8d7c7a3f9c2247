//! The verdict on a divided graph.

use super::DividedError;
use super::descend::{complete, improve};
use super::group_graph::{self, GroupGraph};
use super::local_move::communities;
use super::pieces::in_one_piece;
use super::ranks::Ranks;
use super::world::World;
use crate::description_length::{Density, WeightModel, Whole};
use crate::search::{
    Candidate, CountInterval, Evidence, Judge, Origin, Plan, Progress, STRONG, SearchConfig, Stage,
    Structure, Verdict, is_community, preference_of,
};
use crate::{CommunityError, Partition};
use bnpool_graph::divide::PartSource;
use bnpool_parallel::Collective;
use std::ops::ControlFlow;

/// Searches for communities in a graph in parts. All ranks of the job call it
/// collectively and get the same result.
///
/// The observer is called on each rank at every synchronisation, some ten times per
/// sweep over the nodes. If the observer of one rank requests a stop, all ranks stop.
///
/// Unlike [`search::find`](crate::search::find), it uses a single start by modularity
/// (besides those given), does not search for blocks, and does not compare with random
/// graphs: if the evidence is weak, the result has no communities. The dendrogram of the
/// best partition goes down to one group, those of other candidates end at about half of
/// their groups.
///
/// # Errors
///
/// Returns an error on all ranks if the graph has no edges, or has weights or
/// directions, if blocks are requested, if a given partition has a different number of
/// nodes, or if an observer requests a stop. Returns an error on the owner of a part if
/// that part cannot be read; the owner must then abort the job, because the other ranks
/// wait for it.
///
/// # Complexity
///
/// Some hundred times O(E) time, divided by ranks and threads, and O(P log P) on each
/// rank for P pairs of adjacent groups. Each rank holds some arrays of 4 or 8 bytes
/// per node, the graph of groups, and one part per thread.
///
/// ```
/// use bnpool_community::divided::find_divided;
/// use bnpool_community::search::{SearchConfig, Verdict};
/// use bnpool_graph::divide::Held;
/// use bnpool_graph::generate::Sbm;
/// use bnpool_parallel::Alone;
/// use std::ops::ControlFlow;
///
/// let graph = Sbm::with_degree(200, 4, 12.0, 0.9)?.generate(0)?;
/// let source = Held::new(graph, 500);
/// let config = SearchConfig::default();
/// let found = find_divided(&source, &Alone, &config, &|_| ControlFlow::Continue(()))?;
/// assert_eq!(found.verdict, Verdict::Communities);
/// assert_eq!(found.partition.groups(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn find_divided(
    source: &dyn PartSource,
    engine: &dyn Collective,
    config: &SearchConfig,
    observer: &(dyn Fn(Progress) -> ControlFlow<()> + Sync),
) -> Result<Evidence, DividedError> {
    if config.structure == Structure::Blocks {
        return Err(CommunityError::Divided { what: "blocks" }.into());
    }
    for partition in &config.given {
        partition.check(source.nodes())?;
    }
    let world = World::new(source, Ranks::new(engine, observer))?;
    let plan = Plan::new(usize::MAX);
    let (resolution, densities) = (plan.resolutions[0], plan.densities);
    let (one, trivial) = trivial(&world)?;
    let tasks = 1 + densities.len() + config.given.len();
    let done = |stage, done| world.ranks.at(stage, done, tasks);
    done(Stage::Starts, 0);
    let labels = communities(&world, None, resolution, config.seed)?;
    let mut starts = vec![(Origin::Leiden(resolution), in_one_piece(&world, &labels)?)];
    drop(labels);
    for given in &config.given {
        starts.push((Origin::Given, in_one_piece(&world, given.labels())?));
    }
    let mut candidates: Vec<Candidate> = Vec::new();
    for (i, (origin, start)) in starts.into_iter().enumerate() {
        done(Stage::Communities, 1 + i);
        candidates.push(lower(
            &world,
            densities[0],
            origin,
            &start,
            &plan,
            config.seed,
        )?);
    }
    for (i, &density) in densities.iter().enumerate().skip(1) {
        done(Stage::Communities, candidates.len() + i);
        // The result of one model is a good start for another.
        candidates.sort_by(|a, b| a.total.total_cmp(&b.total));
        let start = candidates[0].partition.clone();
        let (origin, seed) = (Origin::OtherModel, config.seed);
        candidates.push(lower(&world, density, origin, &start, &plan, seed)?);
    }
    candidates.sort_by(|a, b| a.total.total_cmp(&b.total));
    let best = candidates.iter().find(|c| is_community(c));
    let mut best = best.unwrap_or(&candidates[0]).clone();
    if let Judge::Planted(density) = best.judge {
        complete(&world, &world.code(density), &mut best.path)?;
    }
    let nats = trivial - best.total;
    let (verdict, partition) = if nats >= STRONG && is_community(&best) {
        (Verdict::Communities, best.partition.clone())
    } else {
        (Verdict::None, Partition::trivial(world.nodes))
    };
    let interval = match verdict {
        Verdict::None => CountInterval::exactly(1),
        _ => {
            let alike: Vec<&Candidate> = candidates.iter().filter(|c| is_community(c)).collect();
            CountInterval::new(&alike, None, best.partition.groups(), world.nodes)
        }
    };
    Ok(Evidence {
        verdict,
        partition,
        nats: match verdict {
            Verdict::None => nats.min(0.0),
            _ => nats,
        },
        trivial,
        one,
        best,
        candidates,
        interval,
        null: None,
        weights: None,
        agreement: None,
        pieces: Vec::new(),
        isolated: world.isolated.len(),
    })
}

/// Σ without groups: that of one group, and that of the connected components if it is
/// larger.
fn trivial(world: &World<'_>) -> Result<(f64, f64), DividedError> {
    let code = world.code(Density::Own);
    let mut found = [0.0; 2];
    let one = Partition::trivial(world.nodes);
    let pieces = in_one_piece(world, one.labels())?;
    for (length, partition) in found.iter_mut().zip([one, pieces]) {
        let groups = group_graph::groups(world, partition.labels(), partition.groups())?;
        *length = Whole::of(&groups).total(&code, &groups);
    }
    Ok((found[0], found[0].max(found[1])))
}

/// Lowers Σ under one model from one start.
fn lower(
    world: &World<'_>,
    density: Density,
    origin: Origin,
    start: &Partition,
    plan: &Plan,
    seed: u64,
) -> Result<Candidate, DividedError> {
    let found = improve(world, &world.code(density), start, &plan.effort, seed)?;
    let partition = found.partition;
    let graph = GroupGraph::new(world, partition.labels(), partition.groups(), None)?;
    let volumes: Vec<f64> = graph.groups.iter().map(|g| g.volume as f64).collect();
    let inside = graph.groups.iter().map(|g| 2.0 * g.inside.count as f64);
    let inside: Vec<f64> = inside.collect();
    let between = graph.pairs().map(|(pair, n)| (pair, f64::from(n)));
    let (preference, assortativity) = preference_of(&volumes, &inside, between);
    Ok(Candidate {
        partition,
        total: found.total,
        judge: Judge::Planted(density),
        weights: WeightModel::Ignored,
        origin,
        preference,
        assortativity,
        path: found.path,
    })
}
