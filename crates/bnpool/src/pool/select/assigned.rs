//! Assignments of nodes to single supernodes.

use super::Membership;
use crate::batch::{Assignment, Level};
use bnpool_graph::coarsen::Assigned;
use burn::tensor::{Tensor, TensorData};

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
