//! Nodes in single supernodes: by a coarsening, computed before or now, or by scores.

use bnpool_graph::Csr;
use bnpool_graph::coarsen::{Assigned, CoarsenError};
use burn::tensor::{Tensor, TensorData};

use super::{Membership, rank_of};
use crate::batch::{Assignment, Coarsening, Level, Prepared};
use crate::pool::{Coarsen, DrawKey};

/// Returns the precomputed coarsening of a level, or computes it now,
/// independently for each graph.
///
/// A graph that cannot be coarsened by this method, for example because of
/// negative weights, is left unchanged with NaN features: a forward pass cannot
/// return an error, and training stops at NaN. Precomputing the coarsening of
/// such a graph returns an error.
#[must_use]
pub fn prepared_or_now(level: &Level, coarsen: &dyn Coarsen) -> Membership {
    if let Some(membership) = prepared(level) {
        return membership;
    }
    match prepare_now(level, coarsen) {
        Ok(ready) => prepared(&level.clone().with_prepared(ready)),
        Err(_) => None,
    }
    .unwrap_or_else(|| unusable(level))
}

fn prepare_now(level: &Level, coarsen: &dyn Coarsen) -> Result<Prepared, CoarsenError> {
    let topology = level.structure.topology();
    let ranges = topology.segments.ranges();
    let graphs = ranges
        .map(|range| coarsen.prepare(&block(&topology.adjacency, range.start, range.end)?, 1))
        .collect::<Result<Vec<_>, _>>()?;
    let graphs: Vec<_> = graphs.iter().map(Vec::as_slice).collect();
    Ok(Prepared::join(&graphs)?)
}

/// Coarsens a graph level by level; `one` gets the graph of a level and its seed.
pub(in crate::pool) fn coarsen_levels(
    adjacency: &Csr,
    levels: usize,
    seed: u64,
    mut one: impl FnMut(&Csr, u64) -> Result<Coarsening, CoarsenError>,
) -> Result<Vec<Coarsening>, CoarsenError> {
    let mut found: Vec<Coarsening> = Vec::with_capacity(levels);
    for depth in 0..levels as u32 {
        let graph = found.last().map_or(adjacency, |above| &above.adjacency);
        let key = DrawKey {
            depth,
            ..DrawKey::new(seed)
        };
        let next = one(graph, key.seed())?;
        found.push(next);
    }
    Ok(found)
}

/// Extracts the graph of the nodes `start..end`, which only have edges among
/// each other.
fn block(adjacency: &Csr, start: usize, end: usize) -> Result<Csr, CoarsenError> {
    let offsets = adjacency.offsets();
    let entries = offsets[start]..offsets[end];
    let rows = offsets[start..=end].iter().map(|o| o - entries.start);
    let columns = adjacency.columns()[entries.clone()].iter();
    Ok(Csr::new(
        end - start,
        end - start,
        rows.collect(),
        columns.map(|c| c - start as u32).collect(),
        adjacency.weights().map(|w| w[entries].to_vec()),
    )?)
}

/// A membership with single nodes of weight NaN.
fn unusable(level: &Level) -> Membership {
    let like = level.x();
    let nodes = level.segments().nodes();
    let offsets = level.segments().offsets().to_vec();
    let weights = Tensor::full([nodes, 1], f32::NAN, (&like.device(), like.dtype()));
    Membership::Assigned {
        assignment: Assignment::new((0..nodes as u32).collect(), offsets)
            .expect("every node is its own supernode"),
        weights: Some(weights),
        prepared: None,
    }
}

/// Converts an assignment of the whole batch, with supernodes numbered graph by
/// graph, to a membership.
///
/// # Shapes
///
/// - weights: [nodes, 1]
///
/// # Panics
///
/// Panics if the number of nodes differs from that of the level.
#[must_use]
pub fn assign(level: &Level, assigned: &Assigned, weights: Option<Tensor<2>>) -> Membership {
    let clusters = assigned.clusters();
    level.segments().check(clusters.len());
    let mut offsets = vec![0_usize];
    for range in level.segments().ranges() {
        let last = clusters[range].iter().max().map_or(0, |&c| c as usize + 1);
        offsets.push(last.max(offsets[offsets.len() - 1]));
    }
    Membership::Assigned {
        assignment: Assignment::new(clusters.to_vec(), offsets).expect("an assignment is checked"),
        weights,
        prepared: None,
    }
}

/// Returns the precomputed membership, with several maps if there are any;
/// `None` if nothing was precomputed.
#[must_use]
pub fn prepared(level: &Level) -> Option<Membership> {
    let prepared = level.prepared.next()?;
    let assignment = prepared.assignment.clone();
    Some(match &prepared.maps {
        None => Membership::Assigned {
            assignment,
            weights: None,
            prepared: Some(prepared.clone()),
        },
        Some(maps) => {
            let like = level.x();
            let shape = [maps.rows(), maps.columns()];
            let data = TensorData::new(maps.as_slice().to_vec(), shape);
            Membership::Maps {
                assignment,
                values: Tensor::from_data(data, (&like.device(), like.dtype())),
                prepared: prepared.clone(),
            }
        }
    })
}

/// Keeps the ⌈κ n⌉ nodes of highest score of each graph, best first; ties go to
/// the earlier node. Scores are the weights of the kept nodes.
///
/// # Shapes
///
/// - scores: [nodes, 1]
///
/// # Complexity
///
/// O(n log n) for a graph with n nodes.
#[must_use]
pub fn keep_best(level: &Level, scores: Tensor<2>, ratio: f64) -> Membership {
    let values: Vec<f32> = scores.clone().detach().into_data().iter::<f32>().collect();
    let (mut kept, mut offsets) = (Vec::new(), vec![0]);
    for range in level.segments().ranges() {
        let count = (ratio * range.len() as f64).ceil() as usize;
        let mut nodes: Vec<usize> = range.collect();
        nodes.sort_by(|&u, &v| rank_of(values[v]).total_cmp(&rank_of(values[u])));
        kept.extend(&nodes[..count.min(nodes.len())]);
        offsets.push(kept.len());
    }
    let weights = scores.clone().select(0, Membership::rows(&kept, &scores));
    Membership::Kept {
        nodes: kept,
        offsets,
        weights,
    }
}
