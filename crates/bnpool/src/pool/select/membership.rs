//! SEL: which node belongs to which supernode.

use crate::batch::{Assignment, PreparedLevel};
use crate::pool::Losses;
use burn::tensor::{Int, Tensor};
use std::sync::Arc;

/// Which node belongs to which supernode. RED, CON and LIFT follow from it.
#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant)] // One per pooler: a box would only hide the tensors.
pub enum Membership {
    /// S, [nodes, C]: every node belongs to all supernodes of its graph, more
    /// or less.
    Soft(Tensor<2>),
    /// Some nodes are kept, and stand for themselves.
    Kept {
        /// The nodes, in the order of the pooled rows.
        nodes: Vec<usize>,
        /// Graph b keeps the rows `offsets[b]..offsets[b + 1]`.
        offsets: Vec<usize>,
        /// Their weights, [kept, 1].
        weights: Tensor<2>,
    },
    /// Every node belongs to one supernode.
    Assigned {
        /// The supernode of every node.
        assignment: Assignment,
        /// Weights of the nodes, [nodes, 1]; one each if there are none.
        weights: Option<Tensor<2>>,
        /// Edges between supernodes, if they were computed beforehand.
        prepared: Option<Arc<PreparedLevel>>,
    },
    /// Several linear maps onto the same supernodes: a supernode has a row of
    /// features from every map.
    Maps {
        /// The supernode of every node.
        assignment: Assignment,
        /// Values of the maps, [nodes, maps].
        values: Tensor<2>,
        /// Edges between supernodes.
        prepared: Arc<PreparedLevel>,
    },
    /// Nothing is pooled.
    Same,
}

impl Membership {
    /// S, [nodes, C], if the assignments are soft.
    #[must_use]
    pub fn soft(&self) -> Option<&Tensor<2>> {
        match self {
            Self::Soft(assignments) => Some(assignments),
            _ => None,
        }
    }

    /// The supernode of every node, if every node belongs to one.
    #[must_use]
    pub fn assignment(&self) -> Option<&Assignment> {
        match self {
            Self::Assigned { assignment, .. } | Self::Maps { assignment, .. } => Some(assignment),
            _ => None,
        }
    }

    /// The kept nodes as an index of rows.
    pub(in crate::pool) fn rows(nodes: &[usize], like: &Tensor<2>) -> Tensor<1, Int> {
        let rows: Vec<i64> = nodes.iter().map(|&u| u as i64).collect();
        let shape = [rows.len()];
        Tensor::from_data(burn::tensor::TensorData::new(rows, shape), &like.device())
    }
}

/// What SEL gives.
#[derive(Debug, Clone)]
pub struct Selection {
    /// Which node belongs to which supernode.
    pub membership: Membership,
    /// The auxiliary losses. BN-Pool's are `rec` (L_rec), `kl` (γ L_π) and `k`
    /// (L_K).
    pub losses: Losses,
    /// Sᵀ A S, [graphs, C, C], if a loss needed it already.
    pub coarse: Option<Tensor<3>>,
}

impl Selection {
    /// A membership without auxiliary losses.
    #[must_use]
    pub fn of(membership: Membership) -> Self {
        Self {
            membership,
            losses: Losses::default(),
            coarse: None,
        }
    }

    /// Soft assignments with their losses.
    #[must_use]
    pub fn soft(assignments: Tensor<2>, losses: Losses) -> Self {
        Self {
            losses,
            ..Self::of(Membership::Soft(assignments))
        }
    }
}
