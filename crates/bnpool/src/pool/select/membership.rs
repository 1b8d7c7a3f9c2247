//! SEL: memberships of nodes in supernodes.

use crate::batch::{Assignment, PreparedLevel};
use crate::pool::Losses;
use burn::tensor::{Int, Tensor};
use std::sync::Arc;

/// Memberships of nodes in supernodes. RED, CON and LIFT follow from it.
#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant)] // One per pooler: a box would only hide the tensors.
pub enum Membership {
    /// S, [nodes, C]: soft memberships of each node in all supernodes of its
    /// graph.
    Soft(Tensor<2>),
    /// Some nodes are kept, each as its own supernode.
    Kept {
        /// The nodes, in the order of the pooled rows.
        nodes: Vec<usize>,
        /// Graph b keeps the rows `offsets[b]..offsets[b + 1]`.
        offsets: Vec<usize>,
        /// Weights of the kept nodes, [kept, 1].
        weights: Tensor<2>,
    },
    /// Each node belongs to one supernode.
    Assigned {
        /// Supernode of each node.
        assignment: Assignment,
        /// Weights of the nodes, [nodes, 1]; `None` means 1.
        weights: Option<Tensor<2>>,
        /// Precomputed edges between supernodes, if any.
        prepared: Option<Arc<PreparedLevel>>,
    },
    /// Several linear maps onto the same supernodes: a supernode has one row of
    /// features per map.
    Maps {
        /// Supernode of each node.
        assignment: Assignment,
        /// Values of the maps, [nodes, maps].
        values: Tensor<2>,
        /// Precomputed edges between supernodes.
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

    /// Supernode of each node, if each node belongs to one.
    #[must_use]
    pub fn assignment(&self) -> Option<&Assignment> {
        match self {
            Self::Assigned { assignment, .. } | Self::Maps { assignment, .. } => Some(assignment),
            _ => None,
        }
    }

    /// The kept nodes as row indices.
    pub(in crate::pool) fn rows(nodes: &[usize], like: &Tensor<2>) -> Tensor<1, Int> {
        let rows: Vec<i64> = nodes.iter().map(|&u| u as i64).collect();
        let shape = [rows.len()];
        Tensor::from_data(burn::tensor::TensorData::new(rows, shape), &like.device())
    }
}

/// Result of SEL.
#[derive(Debug, Clone)]
pub struct Selection {
    /// Memberships of nodes in supernodes.
    pub membership: Membership,
    /// The auxiliary losses. BN-Pool's are `rec` (L_rec), `kl` (γ L_π) and `k`
    /// (L_K).
    pub losses: Losses,
    /// Sᵀ A S, [graphs, C, C], if already computed for a loss.
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
