//! Every node in one supernode.

use super::Membership;
use crate::batch::{Assignment, Level};
use bnpool_graph::coarsen::Assigned;
use burn::tensor::{Tensor, TensorData};

/// Every node in the supernode that an algorithm on the whole batch found. It
/// numbers supernodes graph after graph.
///
/// # Shapes
///
/// - weights: [nodes, 1]
///
/// # Panics
///
/// When the assignment is not of the nodes of the level.
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

/// Every node in the supernode that was prepared for it, or by several maps if
/// there are some. None if nothing was prepared.
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
