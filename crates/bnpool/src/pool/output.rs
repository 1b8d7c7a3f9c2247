//! Output of poolers.

use super::connect::connect_level;
use super::{ConnectConfig, Membership, Selection, lift, reduce};
use crate::batch::{Level, Segments, Structure};
use burn::tensor::Tensor;

/// Auxiliary losses by name, to be added to the loss of the task.
#[derive(Debug, Clone, Default)]
pub struct Losses(Vec<(&'static str, Tensor<1>)>);

impl Losses {
    /// Wraps terms of one value each.
    #[must_use]
    pub fn new(terms: impl Into<Vec<(&'static str, Tensor<1>)>>) -> Self {
        Self(terms.into())
    }

    /// The terms, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Tensor<1>)> {
        self.0.iter().map(|(name, value)| (*name, value))
    }

    /// The term with a name.
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

    /// Sum of the terms; `None` if the pooler has no losses.
    #[must_use]
    pub fn total(&self) -> Option<Tensor<1>> {
        self.0
            .iter()
            .map(|term| term.1.clone())
            .reduce(|sum, term| sum + term)
    }
}

/// A pooled batch.
#[derive(Debug, Clone)]
pub struct Pooled {
    /// The pooled graphs.
    pub level: Level,
    /// Membership of the original nodes.
    pub membership: Membership,
    /// The auxiliary losses.
    pub losses: Losses,
    /// Rows of each graph before pooling.
    pub segments: Segments,
}

impl Pooled {
    /// Applies RED and CON to the result of SEL.
    #[must_use]
    pub fn of(before: &Level, selection: Selection, connect: ConnectConfig) -> Self {
        let features = reduce(before, &selection.membership);
        let connected = connect_level(before, &selection, connect);
        // Propagate the overflow as in a dense tensor, so that training stops
        // with an error.
        let features = if connected.overflow {
            features * f32::NAN
        } else {
            features
        };
        Self {
            level: Level::new(features, connected.structure)
                .with_edge_features(connected.edge_features)
                .with_prepared(before.prepared.rest()),
            membership: selection.membership,
            losses: selection.losses,
            segments: before.segments().clone(),
        }
    }

    /// X_pool of soft assignments, [graphs, C, F].
    ///
    /// # Panics
    ///
    /// Panics if the pooled graphs differ in size.
    #[must_use]
    pub fn features(&self) -> Tensor<3> {
        let adjacency = self.adjacency();
        let [graphs, clusters, _] = adjacency.dims();
        let x = self.level.x();
        let [_, width] = x.dims();
        x.reshape([graphs, clusters, width])
    }

    /// A_pool of soft assignments, [graphs, C, C].
    ///
    /// # Panics
    ///
    /// Panics if the pooled graphs differ in size.
    #[must_use]
    pub fn adjacency(&self) -> Tensor<3> {
        match &self.level.structure {
            Structure::Dense(dense) => dense.adjacency.clone(),
            Structure::Sparse(_) => panic!("only soft assignments give dense pooled graphs"),
        }
    }

    /// S, [nodes, C], if the assignments are soft.
    #[must_use]
    pub fn assignments(&self) -> Option<Tensor<2>> {
        self.membership.soft().cloned()
    }

    /// LIFT: maps features of supernodes back to the nodes, X = S X_pool.
    /// Dropped nodes get zeros.
    ///
    /// # Shapes
    ///
    /// - pooled: [supernodes, F] → [nodes, F]
    ///
    /// # Panics
    ///
    /// Panics if the number of rows is not the number of supernodes.
    #[must_use]
    pub fn lift(&self, pooled: Tensor<2>) -> Tensor<2> {
        self.level.segments().check(pooled.dims()[0]);
        lift(&self.segments, &self.membership, pooled)
    }
}
