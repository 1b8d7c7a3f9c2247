//! Runs on one graph, from input files to the files of a run directory.

mod bytes;
mod changes;
mod execute;
mod follow;
mod found;
mod given;
mod kept;
mod metrics;
mod output;
mod page;
mod parts;
mod previous;
mod report;
mod source;
mod warning;
mod words;

pub use changes::ChangeMetrics;
pub use execute::{Before, Done, Watch, Wishes, execute, remake_report};
pub use follow::follow;
pub use found::{Found, Pictures};
pub use given::Given;
pub use metrics::{Metrics, SCHEMA};
pub use output::ModelState;
pub use previous::Previous;
pub use report::report;
pub use source::{GraphSource, Input, Size, notes, stem};
pub use warning::{mean_confidence, warnings};
pub use words::headline;

use super::{ClusterConfig, FeatureSource};
use crate::settings::{Setting, overlay};
use crate::{Failure, Preset};
use bnpool::pool::{POOLERS, PoolSettings as _, PoolTraits};

/// Plan of a run on one graph.
pub type Plan = crate::run::Plan<ClusterConfig, GraphSource>;

/// Returns the values of a preset for these data.
#[must_use]
pub fn base(preset: Preset, source: &GraphSource) -> ClusterConfig {
    let mut values = ClusterConfig::preset(preset);
    if source.graph.is_none() {
        // The features of the paper's data sets are known to correlate with the
        // communities. This is unknown for the features of other graphs.
        values.features.source = FeatureSource::Auto;
    }
    values
}

/// Returns the settings for a graph: those of a preset, overridden by the given
/// ones.
///
/// # Errors
///
/// Returns an error if there is no such preset or setting, or a value is out of
/// range.
pub fn config(
    given: &Given,
    preset: &str,
    settings: Vec<Setting>,
) -> Result<ClusterConfig, Failure> {
    let preset = Preset::find(preset).map_err(Failure::input)?;
    let config = overlay(&base(preset, &given.source), settings)?;
    check_clusters(&config)?;
    Ok(config)
}

/// Checks that a requested number of clusters has an effect.
///
/// # Errors
///
/// Returns an error if the pooler infers the number of clusters.
pub fn check_clusters(config: &ClusterConfig) -> Result<(), Failure> {
    let infers = |traits: &PoolTraits| traits.adaptive;
    let traits = config.pooler.traits();
    if config.clusters == 0 || config.looks_for_groups() || !infers(&traits) {
        return Ok(());
    }
    let takers = POOLERS.iter().filter(|p| p.divides() && !infers(p));
    let takers: Vec<&str> = takers.map(|p| p.name).collect();
    Err(Failure::input(format!(
        "{} clusters are requested, but the pooler {} with the preset {} infers their number; leave the number out, use the pooler bn with the preset default, or one of: {}",
        config.clusters,
        traits.name,
        config.preset.name(),
        takers.join(", ")
    )))
}
