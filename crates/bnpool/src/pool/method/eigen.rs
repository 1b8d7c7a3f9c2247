//! EigenPooling (Ma et al., 2019).
//!
//! Clusters are computed by spectral clustering with the seed of the run; in
//! the reference they differ between processes.

use crate::batch::{Coarsening, Level};
use crate::nn::Initialiser;
use crate::pool::registry::{Checked, Registered};
use crate::pool::select::{coarsen_levels, prepared_or_now};
use crate::pool::{Coarsen, Pass, Pool, PoolError, PoolSite, PoolTraits, PoolerConfig, Selection};
use bnpool_graph::Csr;
use bnpool_graph::coarsen::{CoarsenError, SpectralClustering, local_modes, spectral_clusters};
use burn::module::Module;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Number of Fourier modes per cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct EigenPoolConfig {
    /// Number of modes per cluster; features become that many times as wide.
    pub modes: usize,
}

impl Default for EigenPoolConfig {
    fn default() -> Self {
        Self { modes: 3 }
    }
}

impl Checked for EigenPoolConfig {
    fn check(&self) -> Result<(), PoolError> {
        if (1..=64).contains(&self.modes) {
            return Ok(());
        }
        Err(PoolError::OutOfRange {
            name: "pooler.eigen.modes",
            value: self.modes as f64,
            bound: "at least 1 and at most 64",
        })
    }
}

/// Spectral clusters. A supernode has the features of its cluster, projected
/// onto the smoothest eigenvectors of the Laplacian of the cluster.
#[derive(Module, Debug)]
pub struct EigenPool {
    #[module(skip)]
    fourier: Fourier,
}

/// Spectral clusters and their modes.
#[derive(Debug, Clone, Copy)]
struct Fourier {
    clusters: usize,
    ratio: f64,
    modes: usize,
    seed: u64,
}

impl Fourier {
    fn new(config: &PoolerConfig, site: &PoolSite) -> Self {
        Self {
            clusters: site.fixed_clusters(config.ratio),
            ratio: config.ratio,
            modes: config.rivals.eigen.modes,
            seed: site.seed,
        }
    }
}

impl Coarsen for Fourier {
    fn prepare(&self, adjacency: &Csr, levels: usize) -> Result<Vec<Coarsening>, CoarsenError> {
        let mut clusters = self.clusters;
        coarsen_levels(adjacency, levels, self.seed, |graph, seed| {
            let config = SpectralClustering {
                seed,
                ..SpectralClustering::new(clusters)
            };
            let assigned = spectral_clusters(graph, &config)?;
            let modes = local_modes(graph, &assigned, self.modes)?;
            clusters = ((clusters as f64 * self.ratio) as usize).max(1);
            Ok(Coarsening {
                maps: modes.values.iter().map(|&v| v as f32).collect(),
                ..Coarsening::assigned(&assigned, modes.adjacency)
            })
        })
    }

    fn cache_key(&self) -> Option<String> {
        Some(format!(
            "eigen-1 clusters={} ratio={} modes={} seed={}",
            self.clusters, self.ratio, self.modes, self.seed
        ))
    }
}

impl Pool for EigenPool {
    fn select(&self, level: &Level, _: &Pass) -> Selection {
        Selection::of(prepared_or_now(level, &self.fourier))
    }

    fn nodes_after(&self, nodes: f64) -> f64 {
        (self.fourier.clusters as f64).min(nodes)
    }

    fn width_after(&self, width: usize) -> usize {
        width * self.fourier.modes
    }
}

impl Registered for EigenPool {
    const TRAITS: PoolTraits = PoolTraits {
        name: "eigen",
        title: "EigenPool",
        summary: "EigenPool: spectral clusters with their Fourier modes, their number fixed",
        adaptive: false,
        prepared: true,
        complexity: "O(N K²) a round of k-means, once",
        ..PoolTraits::FIRM
    };

    fn make(
        config: &PoolerConfig,
        site: &PoolSite,
        _: &mut Initialiser,
    ) -> Result<Self, PoolError> {
        Ok(Self {
            fourier: Fourier::new(config, site),
        })
    }

    fn coarsen(config: &PoolerConfig, site: &PoolSite) -> Option<Arc<dyn Coarsen>> {
        Some(Arc::new(Fourier::new(config, site)))
    }
}
