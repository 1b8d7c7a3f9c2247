//! Coarsenings of levels without precomputed ones.

use super::Membership;
use super::assigned::prepared;
use crate::batch::{Assignment, Level, Prepared};
use crate::pool::Coarsen;
use bnpool_graph::Csr;
use bnpool_graph::coarsen::CoarsenError;
use burn::tensor::Tensor;

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
