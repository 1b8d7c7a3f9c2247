//! Flags of the pooler, in every command that trains one.

use crate::message::Failure;
use bnpool::pool::POOLERS;
use bnpool_task::settings::Settings;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, ValueEnum};

/// Which pairs of nodes the reconstruction looks at.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LossName {
    /// All pairs of nodes, exactly.
    Dense,
    /// Edges and as many sampled non-edges: for large graphs.
    Sparse,
}

/// The pooler and its values.
#[derive(Args)]
pub struct PoolerFlags {
    /// The pooler.
    #[arg(long, value_name = "NAME", value_parser = names(), hide_default_value = true)]
    pub pooler: Option<String>,
    /// Which pairs of nodes the reconstruction looks at.
    #[arg(long, value_enum)]
    pub loss: Option<LossName>,
    /// C: the largest number of clusters.
    #[arg(long, value_name = "C")]
    max_clusters: Option<usize>,
    /// α_DP: concentration; more allows more clusters.
    #[arg(long, value_name = "X")]
    alpha_dp: Option<f64>,
    /// μ_K: prior mean of the block matrix.
    #[arg(long, value_name = "X")]
    mu_k: Option<f64>,
    /// σ_K: prior variance of the block matrix.
    #[arg(long, value_name = "X")]
    sigma_k: Option<f64>,
    /// η_K: initial value of the block matrix.
    #[arg(long, value_name = "X")]
    eta_k: Option<f64>,
    /// T: samples that a training step averages over.
    #[arg(long, value_name = "T")]
    particles: Option<usize>,
}

/// Returns the names of all poolers, with descriptions.
fn names() -> PossibleValuesParser {
    POOLERS
        .iter()
        .map(|entry| PossibleValue::new(entry.name).help(entry.summary))
        .into()
}

/// Converts a count to the type of settings.
pub fn whole(x: Option<usize>) -> Option<i64> {
    x.map(|x| i64::try_from(x).unwrap_or(i64::MAX))
}

impl PoolerFlags {
    /// Merges the flags into the settings.
    pub fn apply(&self, settings: &mut Settings) -> Result<(), Failure> {
        settings.flag("pooler.name", self.pooler.clone(), "--pooler")?;
        let loss = self.loss.map(|loss| match loss {
            LossName::Dense => "dense",
            LossName::Sparse => "sparse",
        });
        settings.flag("pooler.loss", loss, "--loss")?;
        for (key, value, flag) in [
            ("pooler.max_clusters", self.max_clusters, "--max-clusters"),
            ("pooler.particles", self.particles, "--particles"),
        ] {
            settings.flag(key, whole(value), flag)?;
        }
        for (key, value, flag) in [
            ("pooler.alpha_dp", self.alpha_dp, "--alpha-dp"),
            ("pooler.mu_k", self.mu_k, "--mu-k"),
            ("pooler.sigma_k", self.sigma_k, "--sigma-k"),
            ("pooler.eta_k", self.eta_k, "--eta-k"),
        ] {
            settings.flag(key, value, flag)?;
        }
        Ok(())
    }
}
