//! Layers of the settings of a run: preset, configuration file, `--set`, flags.

use crate::flags::run::RunFlags;
use crate::flags::setting::{SettingFlags, whole};
use crate::terminal::message::Failure;
use bnpool_task::Preset;
use bnpool_task::run::{RunConfig, without_run_section};
use bnpool_task::settings::{Settings, read_file};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Returns the parser of `--preset`.
pub fn presets() -> impl TypedValueParser<Value = Preset> {
    let value = |preset: Preset| PossibleValue::new(preset.name()).help(preset.meaning());
    PossibleValuesParser::new(Preset::ALL.map(value)).try_map(|name| Preset::find(&name))
}

/// Merges all layers: the preset of the flag, of the configuration file or the default,
/// whose values `base` returns; the file; `--set`; the flags, with the `further` ones of
/// the command.
pub fn config<C: RunConfig, const TASK: u8>(
    run: &RunFlags,
    flags: &SettingFlags<TASK>,
    preset: Option<Preset>,
    base: impl FnOnce(Preset) -> Result<C, Failure>,
    further: impl FnOnce(&mut Settings) -> Result<(), Failure>,
) -> Result<C, Failure> {
    let read = |path| Ok::<_, Failure>((path, without_run_section(read_file(path)?)));
    let file = run.config.as_deref().map(read).transpose()?;
    let named = file
        .as_ref()
        .and_then(|(_, values)| values.get("preset")?.as_str());
    let preset = match (preset, named) {
        (Some(preset), _) => preset,
        (None, Some(name)) => Preset::find(name).map_err(Failure::input)?,
        (None, None) => Preset::default(),
    };
    let mut settings = Settings::new(&base(preset)?)?;
    if preset.follows_code() && flags.is_sparse() {
        // The authors' configuration for the sparse loss uses another concentration.
        settings.set("pooler.alpha_dp=1.0", "--loss")?;
    }
    if let Some((path, mut values)) = file {
        values.remove("preset");
        settings.file(path, values)?;
    }
    for assignment in &run.sets {
        settings.set(assignment, &format!("--set {assignment}"))?;
    }
    settings.flag("seed", run.seed_setting()?, "--seed")?;
    settings.flag("training.epochs", whole(run.epochs), "--epochs")?;
    flags.apply(&mut settings)?;
    further(&mut settings)?;
    let config: C = settings.finish()?;
    config.check()?;
    Ok(config)
}
