//! Top-k pooling (Gao and Ji, 2019; Cangea et al., 2018).

use super::registry::{Pool, PoolSite};
use super::{
    Level, Losses, Membership, PoolError, PoolPass, Pooled, PoolerConfig, Selection, Structure,
};
use crate::nn::Initialiser;
use burn::module::{Module, Param};
use burn::tensor::{Int, Tensor, TensorData};

/// Keeps the share κ of the nodes of every graph whose features point most into
/// a learned direction, and the edges between them.
#[derive(Module, Debug)]
pub struct TopK {
    /// p: the direction, [F, 1].
    pub direction: Param<Tensor<2>>,
    #[module(skip)]
    ratio: f64,
}

impl TopK {
    /// tanh(x·p / ‖p‖), [nodes, 1].
    fn scores(&self, x: Tensor<2>) -> Tensor<2> {
        let p = self.direction.val();
        let norm = (p.clone() * p.clone()).sum_dim(0).sqrt();
        (x.matmul(p) / norm).tanh()
    }
}

/// The ⌈κ n⌉ best nodes of every graph, best first; the earlier node wins a tie.
/// A score that is NaN comes first, so that it is not left out unnoticed.
fn best_nodes(level: &Level, scores: &[f32], ratio: f64) -> (Vec<usize>, Vec<usize>) {
    let (mut kept, mut offsets) = (Vec::new(), vec![0]);
    for range in level.segments().ranges() {
        let count = (ratio * range.len() as f64).ceil() as usize;
        let mut nodes: Vec<usize> = range.collect();
        // Not every NaN is the largest to `total_cmp`: that depends on its sign.
        let key = |u: usize| {
            if scores[u].is_nan() {
                f32::NAN.abs()
            } else {
                scores[u]
            }
        };
        nodes.sort_by(|&u, &v| key(v).total_cmp(&key(u)));
        kept.extend(&nodes[..count.min(nodes.len())]);
        offsets.push(kept.len());
    }
    (kept, offsets)
}

impl Pool for TopK {
    const NAME: &'static str = "topk";
    const TITLE: &'static str = "Top-k";
    const SUMMARY: &'static str = "Top-k: the nodes of highest score and the edges between them";
    const SOFT: bool = false;

    fn make(
        config: &PoolerConfig,
        site: &PoolSite,
        init: &mut Initialiser,
    ) -> Result<Self, PoolError> {
        PoolError::check_ratio(config.ratio)?;
        let bound = 1.0 / (site.inputs.max(1) as f64).sqrt();
        Ok(Self {
            direction: init.uniform([site.inputs, 1], bound),
            ratio: config.ratio,
        })
    }

    fn pool(&self, level: &Level, _: &PoolPass) -> Pooled {
        let x = level.features.clone();
        let scores = self.scores(x.clone());
        let values: Vec<f32> = scores.clone().detach().into_data().iter::<f32>().collect();
        let (kept, offsets) = best_nodes(level, &values, self.ratio);
        let index = |rows: &[usize]| {
            let rows: Vec<i64> = rows.iter().map(|&u| u as i64).collect();
            let shape = [rows.len()];
            Tensor::<1, Int>::from_data(TensorData::new(rows, shape), &x.device())
        };
        let nodes = index(&kept);
        let weights = scores.select(0, nodes.clone());
        // A pooled graph as a whole has no sparse edges to choose from, so they
        // are taken as they are now, without their gradient.
        let (topology, entries) = level.structure.topology().induced(&kept, offsets);
        let edge_features = level
            .edge_features
            .as_ref()
            .map(|e| e.clone().select(0, index(&entries)));
        Pooled {
            level: Level::new(
                x.clone().select(0, nodes.clone()) * weights.clone(),
                Structure::Sparse(topology),
            )
            .with_edge_features(edge_features),
            membership: Membership::Kept {
                nodes,
                weights,
                of: level.segments().nodes(),
            },
            losses: Losses::default(),
            segments: level.segments().clone(),
        }
    }

    fn select(&self, _: &Level, _: &PoolPass) -> Option<Selection> {
        None
    }

    fn nodes_after(&self, nodes: f64) -> f64 {
        (nodes * self.ratio).ceil()
    }
}
