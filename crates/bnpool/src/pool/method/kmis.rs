//! k-MIS pooling (Bacciu, Conte and Landolfi, 2023).

use crate::batch::Level;
use crate::nn::Initialiser;
use crate::pool::registry::{Checked, Registered};
use crate::pool::select::{assign, rank_of};
use crate::pool::{
    ConnectConfig, Pass, Pool, PoolError, PoolSite, PoolTraits, PoolerConfig, Selection,
};
use bnpool_graph::coarsen::{Assigned, independent_set, scores_by_neighbourhood};
use burn::module::Module;
use burn::nn::Linear;
use burn::tensor::activation;
use serde::{Deserialize, Serialize};

/// Distance between the centres of supernodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct KMisConfig {
    /// k: centres are more than k hops apart, and a node joins one within k hops.
    /// 0 means 1/κ, rounded.
    pub order: usize,
}

impl Checked for KMisConfig {
    fn check(&self) -> Result<(), PoolError> {
        if self.order <= 1000 {
            return Ok(());
        }
        Err(PoolError::OutOfRange {
            name: "pooler.kmis.order",
            value: self.order as f64,
            bound: "at most 1000",
        })
    }
}

/// Supernodes form around a maximal set of nodes of high score that are more
/// than k hops apart. The score of a node is learned and weights its features.
#[derive(Module, Debug)]
pub struct KMis {
    /// Node features → score, before the sigmoid.
    pub score: Linear,
    #[module(skip)]
    order: usize,
}

impl Pool for KMis {
    fn select(&self, level: &Level, _: &Pass) -> Selection {
        let scores = activation::sigmoid(self.score.forward(level.x()));
        let values: Vec<f32> = scores
            .clone()
            .detach()
            .into_data()
            .iter::<f32>()
            .map(rank_of)
            .collect();
        let adjacency = &level.structure.topology().adjacency;
        let assigned = scores_by_neighbourhood(adjacency, &values, self.order)
            .and_then(|ranked| independent_set(adjacency, &ranked, self.order))
            .map_or_else(|_| Assigned::identity(values.len()), |set| set.assigned);
        Selection::of(assign(level, &assigned, Some(scores)))
    }

    fn connect(&self) -> ConnectConfig {
        ConnectConfig::new().with_degree_norm(false)
    }

    fn nodes_after(&self, nodes: f64) -> f64 {
        (nodes / self.order as f64).ceil().max(1.0)
    }
}

impl Registered for KMis {
    const TRAITS: PoolTraits = PoolTraits {
        name: "kmis",
        title: "k-MIS",
        summary: "k-MIS: supernodes around an independent set of nodes of high score",
        trainable: true,
        complexity: "O(N log N + k E)",
        ..PoolTraits::FIRM
    };

    fn make(
        config: &PoolerConfig,
        site: &PoolSite,
        init: &mut Initialiser,
    ) -> Result<Self, PoolError> {
        let order = match config.rivals.kmis.order {
            0 => (1.0 / config.ratio).round().max(1.0) as usize,
            order => order,
        };
        Ok(Self {
            score: init.linear(site.inputs, 1, true),
            order,
        })
    }
}
