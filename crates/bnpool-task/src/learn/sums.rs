//! Sums of the losses of an epoch over its batches.

use std::collections::BTreeMap;

/// Statistics of a training epoch.
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
    /// Adds a batch: its number of graphs, its losses, its clusters and the number
    /// of graphs in which they were counted.
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

    /// Returns the means.
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
