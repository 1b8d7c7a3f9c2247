//! Losses of an epoch, added up batch by batch.

use std::collections::BTreeMap;

/// What an epoch of training left behind.
pub(super) struct Trained {
    pub loss: f64,
    pub losses: BTreeMap<String, f64>,
    pub clusters: Option<f64>,
    pub gradient_norm: f64,
}

/// Sums over the graphs of an epoch.
#[derive(Default)]
pub(super) struct Sums {
    graphs: usize,
    loss: f64,
    losses: BTreeMap<String, f64>,
    clusters: usize,
    counted: usize,
    /// Largest global norm of the gradients.
    pub norm: f64,
}

impl Sums {
    /// Adds a batch: its graphs, its losses, its clusters and the graphs they were
    /// counted in.
    pub fn add(
        &mut self,
        graphs: usize,
        task: f64,
        losses: &BTreeMap<String, f64>,
        [clusters, counted]: [usize; 2],
    ) {
        let weight = graphs as f64;
        self.graphs += graphs;
        self.loss += weight * task;
        for (name, value) in losses {
            *self.losses.entry(name.clone()).or_default() += weight * value;
        }
        self.clusters += clusters;
        self.counted += counted;
    }

    /// The means.
    pub fn finish(self) -> Trained {
        let graphs = self.graphs.max(1) as f64;
        let mean = |(name, sum): (String, f64)| (name, sum / graphs);
        Trained {
            loss: self.loss / graphs,
            losses: self.losses.into_iter().map(mean).collect(),
            clusters: (self.counted > 0).then(|| self.clusters as f64 / self.counted as f64),
            gradient_norm: self.norm,
        }
    }
}
