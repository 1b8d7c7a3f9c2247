//! Coarsenings for levels that nothing was prepared for.

use super::Membership;
use super::assigned::prepared;
use crate::batch::{Assignment, Level, Prepared};
use crate::pool::Coarsen;
use bnpool_graph::Csr;
use bnpool_graph::coarsen::CoarsenError;
use burn::tensor::Tensor;

/// What was prepared for a level, or else is computed now, graph after graph as
/// if each stood alone.
///
/// A graph that cannot be coarsened this way, such as one with negative weights,
/// stays as it is with features that are not numbers: a forward pass has no
/// error to return, and the training stops at them. Preparing such a graph is an
/// error with a message.
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

/// The graph of the nodes `start..end`, which have edges among themselves only.
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

/// Every node alone, with a weight that is not a number.
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
