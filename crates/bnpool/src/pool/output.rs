//! What every pooler returns.

use super::{DenseStructure, Level, Structure};
use crate::ops::{Segments, lift, reduce};
use burn::tensor::{IndexingUpdateOp, Int, Tensor};

/// Auxiliary losses by name, to be added to the loss of the task.
#[derive(Debug, Clone, Default)]
pub struct Losses(Vec<(&'static str, Tensor<1>)>);

impl Losses {
    /// These terms, one value each.
    #[must_use]
    pub fn new(terms: impl Into<Vec<(&'static str, Tensor<1>)>>) -> Self {
        Self(terms.into())
    }

    /// The terms in their order.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Tensor<1>)> {
        self.0.iter().map(|(name, value)| (*name, value))
    }

    /// The term of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Tensor<1>> {
        self.0
            .iter()
            .find(|term| term.0 == name)
            .map(|term| &term.1)
    }

    /// `loss` plus all terms.
    #[must_use]
    pub fn add_to(&self, loss: Tensor<1>) -> Tensor<1> {
        self.0.iter().fold(loss, |sum, term| sum + term.1.clone())
    }

    /// The sum of the terms; none where a pooler has no loss of its own.
    #[must_use]
    pub fn total(&self) -> Option<Tensor<1>> {
        self.0
            .iter()
            .map(|term| term.1.clone())
            .reduce(|sum, term| sum + term)
    }
}

/// SEL: which node belongs to which supernode.
#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant)] // One a pooler: a box would only hide the tensors.
pub enum Membership {
    /// S, [nodes, C]: every node belongs to all supernodes of its graph, more
    /// or less.
    Soft(Tensor<2>),
    /// Some nodes are kept, and stand for themselves.
    Kept {
        /// The nodes, in the order of the pooled rows.
        nodes: Tensor<1, Int>,
        /// Their weights, [kept, 1].
        weights: Tensor<2>,
        /// Number of nodes before.
        of: usize,
    },
    /// Nothing is pooled.
    Same,
}

/// A pooled batch.
#[derive(Debug, Clone)]
pub struct Pooled {
    /// The pooled graphs.
    pub level: Level,
    /// How they came from the graphs before.
    pub membership: Membership,
    /// The auxiliary losses.
    pub losses: Losses,
    /// Which rows belonged to which graph before.
    pub segments: Segments,
}

impl Pooled {
    /// RED and the pooled structure of soft assignments.
    ///
    /// # Shapes
    ///
    /// - assignments: [nodes, C], adjacency: [graphs, C, C]
    #[must_use]
    pub fn soft(
        before: &Level,
        assignments: Tensor<2>,
        adjacency: Tensor<3>,
        losses: Losses,
    ) -> Self {
        let segments = before.segments();
        let features = reduce(segments, assignments.clone(), before.features.clone());
        let [graphs, clusters, width] = features.dims();
        let dense = DenseStructure::new(adjacency, segments.keys());
        Self {
            level: Level::new(
                features.reshape([graphs * clusters, width]),
                Structure::Dense(dense),
            ),
            membership: Membership::Soft(assignments),
            losses,
            segments: segments.clone(),
        }
    }

    /// X_pool of soft assignments, [graphs, C, F].
    ///
    /// # Panics
    ///
    /// When the pooled graphs are not all of one size.
    #[must_use]
    pub fn features(&self) -> Tensor<3> {
        let adjacency = self.adjacency();
        let [graphs, clusters, _] = adjacency.dims();
        let width = self.level.features.dims()[1];
        self.level
            .features
            .clone()
            .reshape([graphs, clusters, width])
    }

    /// A_pool of soft assignments, [graphs, C, C].
    ///
    /// # Panics
    ///
    /// When the pooled graphs are not all of one size.
    #[must_use]
    pub fn adjacency(&self) -> Tensor<3> {
        match &self.level.structure {
            Structure::Dense(dense) => dense.adjacency.clone(),
            Structure::Sparse(_) => panic!("only soft assignments give dense pooled graphs"),
        }
    }

    /// S, [nodes, C], where the assignments are soft.
    #[must_use]
    pub fn assignments(&self) -> Option<Tensor<2>> {
        match &self.membership {
            Membership::Soft(assignments) => Some(assignments.clone()),
            Membership::Kept { .. } | Membership::Same => None,
        }
    }

    /// LIFT: features of supernodes back to the nodes, X = S X_pool. A node that
    /// was left out gets zeros.
    ///
    /// # Shapes
    ///
    /// - pooled: [supernodes, F] → [nodes, F]
    ///
    /// # Panics
    ///
    /// When there is not a row for every supernode.
    #[must_use]
    pub fn lift(&self, pooled: Tensor<2>) -> Tensor<2> {
        let [rows, width] = pooled.dims();
        self.level.segments().check(rows);
        match &self.membership {
            Membership::Same => pooled,
            Membership::Soft(assignments) => {
                let [_, clusters] = assignments.dims();
                let pooled = pooled.reshape([self.segments.graphs(), clusters, width]);
                lift(&self.segments, assignments.clone(), pooled)
            }
            Membership::Kept { nodes, weights, of } => {
                let zeros = Tensor::zeros([*of, width], (&pooled.device(), pooled.dtype()));
                let rows = pooled * weights.clone();
                zeros.select_assign(0, nodes.clone(), rows, IndexingUpdateOp::Add)
            }
        }
    }
}
