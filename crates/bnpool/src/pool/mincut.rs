//! MinCut pooling (Bianchi, Grattarola and Alippi, 2020).

use super::connect::coarsen;
use super::registry::{Pool, PoolSite};
use super::{Level, Losses, PoolError, PoolPass, Pooled, PoolerConfig, Selection};
use crate::nn::Initialiser;
use crate::ops::{pooled_adjacency, reduce, segment_sum};
use burn::module::Module;
use burn::nn::Linear;
use burn::tensor::{Tensor, activation};
use serde::{Deserialize, Serialize};

/// Keeps quotients away from zero.
const EPSILON: f64 = 1e-8;

/// Squares of norms below this count as this.
const SMALLEST_SQUARE: f64 = 1e-24;

/// Weights of the losses.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MinCutConfig {
    /// Of the cut.
    pub cut: f64,
    /// Of the orthogonality.
    pub ortho: f64,
}

impl MinCutConfig {
    /// Refuses weights that are not finite.
    pub(super) fn check(&self) -> Result<(), PoolError> {
        let weights = [
            ("pooler.mincut.cut", self.cut),
            ("pooler.mincut.ortho", self.ortho),
        ];
        match weights.into_iter().find(|weight| !weight.1.is_finite()) {
            Some((name, value)) => Err(PoolError::OutOfRange {
                name,
                value,
                bound: "finite",
            }),
            None => Ok(()),
        }
    }
}

impl Default for MinCutConfig {
    fn default() -> Self {
        Self {
            cut: 1.0,
            ortho: 0.5,
        }
    }
}

/// S = softmax(X W + b) for a fixed number of clusters, trained to cut few
/// edges and to keep clusters apart and of equal size.
#[derive(Module, Debug)]
pub struct MinCut {
    /// Node features → clusters, before the softmax.
    pub affine: Linear,
    #[module(skip)]
    config: MinCutConfig,
}

impl MinCut {
    /// The losses of given assignments.
    ///
    /// # Shapes
    ///
    /// - assignments: [nodes, K]
    #[must_use]
    pub fn losses(&self, level: &Level, assignments: &Tensor<2>, coarse: &Tensor<3>) -> Losses {
        Losses::new([
            (
                "cut",
                cut_loss(level, assignments, coarse.clone()) * self.config.cut,
            ),
            (
                "ortho",
                orthogonality_loss(level, assignments) * self.config.ortho,
            ),
        ])
    }

    fn assignments(&self, x: Tensor<2>) -> Tensor<2> {
        activation::softmax(self.affine.forward(x), 1)
    }
}

/// −tr(SᵀAS) / tr(SᵀDS), the mean over graphs.
///
/// # Shapes
///
/// - assignments: [nodes, K], coarse (SᵀAS): [graphs, K, K] → one value
#[must_use]
pub fn cut_loss(level: &Level, assignments: &Tensor<2>, coarse: Tensor<3>) -> Tensor<1> {
    let degrees = level.structure.degrees(assignments);
    let volume = (assignments.clone() * assignments.clone()).sum_dim(1) * degrees;
    let volume = segment_sum(level.segments(), volume) + EPSILON;
    (trace(coarse) / volume).mean().neg()
}

/// ‖SᵀS / ‖SᵀS‖ − I/√K‖, the mean over graphs.
///
/// # Shapes
///
/// - assignments: [nodes, K] → one value
#[must_use]
pub fn orthogonality_loss(level: &Level, assignments: &Tensor<2>) -> Tensor<1> {
    let [_, clusters] = assignments.dims();
    let overlap = reduce(level.segments(), assignments.clone(), assignments.clone());
    let eye = identity(clusters, &overlap) / (clusters as f64).sqrt();
    let difference = overlap.clone() / norm(overlap) - eye;
    norm(difference).mean()
}

/// The trace of every matrix, [graphs, 1].
fn trace(matrices: Tensor<3>) -> Tensor<2> {
    let [graphs, clusters, _] = matrices.dims();
    let eye = identity(clusters, &matrices);
    (matrices * eye).sum_dim(2).sum_dim(1).reshape([graphs, 1])
}

fn identity(clusters: usize, like: &Tensor<3>) -> Tensor<3> {
    let eye = Tensor::<2>::eye(clusters, &like.device());
    eye.cast(like.dtype()).unsqueeze()
}

/// Frobenius norms, [graphs, 1, 1].
fn norm(matrices: Tensor<3>) -> Tensor<3> {
    let squares = (matrices.clone() * matrices).sum_dim(2).sum_dim(1);
    // The root of zero has no slope to go on with.
    squares.clamp_min(SMALLEST_SQUARE).sqrt()
}

impl Pool for MinCut {
    const NAME: &'static str = "mincut";
    const TITLE: &'static str = "MinCut";
    const SUMMARY: &'static str = "MinCut: soft clusters that cut few edges, their number fixed";
    const SOFT: bool = true;

    fn make(
        config: &PoolerConfig,
        site: &PoolSite,
        init: &mut Initialiser,
    ) -> Result<Self, PoolError> {
        PoolError::check_ratio(config.ratio)?;
        Ok(Self {
            affine: init.linear(site.inputs, site.fixed_clusters(config.ratio), true),
            config: config.rivals.mincut,
        })
    }

    fn pool(&self, level: &Level, _: &PoolPass) -> Pooled {
        let assignments = self.assignments(level.features.clone());
        let coarse = coarsen(&level.structure, assignments.clone());
        let losses = self.losses(level, &assignments, &coarse);
        let adjacency = pooled_adjacency(coarse, true, true);
        Pooled::soft(level, assignments, adjacency, losses)
    }

    fn select(&self, level: &Level, _: &PoolPass) -> Option<Selection> {
        let assignments = self.assignments(level.features.clone());
        let coarse = coarsen(&level.structure, assignments.clone());
        let losses = self.losses(level, &assignments, &coarse);
        Some(Selection {
            assignments,
            losses,
        })
    }

    fn nodes_after(&self, _: f64) -> f64 {
        self.affine.weight.dims()[1] as f64
    }
}
