//! Settings by name.

use super::Given;
use crate::command::cluster::base;
use crate::message::Failure;
use crate::plan::RunConfig;
use crate::preset::named;
use crate::settings::Settings;
use bnpool_task::cluster::ClusterConfig;
use toml::Value;

/// One setting that the user gave.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// Its dotted key, as in `run.toml`.
    pub key: String,
    /// Its value.
    pub value: Value,
    /// What the user called it, for messages.
    pub origin: String,
}

/// The settings for a graph: those of a preset, and over them what the user gave.
///
/// # Errors
///
/// When there is no such preset or setting, or a value is out of range.
pub fn cluster_config(
    given: &Given,
    preset: &str,
    settings: Vec<Setting>,
) -> Result<ClusterConfig, Failure> {
    overlay(&base(named(preset)?, &given.source), settings)
}

/// Lays settings over the values of a preset.
pub(super) fn overlay<C: RunConfig>(preset: &C, settings: Vec<Setting>) -> Result<C, Failure> {
    let mut all = Settings::new(preset)?;
    for Setting { key, value, origin } in settings {
        all.flag(&key, Some(value), &origin)?;
        // One by one, because it does not say which of all cannot be used.
        all.clone()
            .finish::<C>()
            .map_err(|problem| of_setting(&origin, &problem))?;
    }
    let config: C = all.finish()?;
    config.check()?;
    Ok(config)
}

/// What is wrong with the value of a setting, by the name that the user gave it.
fn of_setting(origin: &str, problem: &Failure) -> Failure {
    let problem = problem.problem();
    // `settings: SECTION: …`, which the user did not write.
    let words = match problem.rsplit_once("`: ") {
        Some((_, words)) => words,
        None => problem.trim_start_matches("settings: "),
    };
    let words = if words.contains("expected usize") || words.contains("expected u") {
        "a whole number of at least 0 is needed"
    } else {
        words
    };
    Failure::Input(format!("{origin}: {words}"))
}
