//! Layers of the settings of a run: preset, configuration file, `--set`, flags.

use crate::flags::run::RunFlags;
use crate::flags::setting::{SettingFlags, whole};
use crate::terminal::message::Failure;
use bnpool_task::run::{RunConfig, without_run_section};
use bnpool_task::settings::{Settings, read_file};
use std::path::Path;
use toml::Table;

/// Layers above the preset.
pub struct Layers<'a, const TASK: u8> {
    run: &'a RunFlags,
    flags: &'a SettingFlags<TASK>,
    file: Option<(&'a Path, Table)>,
}

impl<'a, const TASK: u8> Layers<'a, TASK> {
    /// Reads the configuration file, if given.
    pub fn read(run: &'a RunFlags, flags: &'a SettingFlags<TASK>) -> Result<Self, Failure> {
        let path = run.config.as_deref();
        let file = path
            .map(|p| read_file(p).map(|table| (p, without_run_section(table))))
            .transpose()?;
        Ok(Self { run, flags, file })
    }

    /// Returns the preset named in the file.
    pub fn preset(&self) -> Option<&str> {
        self.file.as_ref()?.1.get("preset")?.as_str()
    }

    /// Merges all layers into the values of a preset; `flags` adds those of the
    /// command. `authors` is true for the preset of the authors' code.
    pub fn over<C: RunConfig>(
        self,
        preset: &C,
        authors: bool,
        flags: impl FnOnce(&mut Settings) -> Result<(), Failure>,
    ) -> Result<C, Failure> {
        let mut settings = Settings::new(preset)?;
        if authors && self.flags.is_sparse() {
            // Their configuration for the sparse loss uses another
            // concentration.
            settings.set("pooler.alpha_dp=1.0", "--loss")?;
        }
        if let Some((path, mut values)) = self.file {
            values.remove("preset");
            settings.file(path, values)?;
        }
        for assignment in &self.run.sets {
            settings.set(assignment, &format!("--set {assignment}"))?;
        }
        settings.flag("seed", self.run.seed_setting()?, "--seed")?;
        settings.flag("training.epochs", whole(self.run.epochs), "--epochs")?;
        self.flags.apply(&mut settings)?;
        flags(&mut settings)?;
        let config: C = settings.finish()?;
        config.check()?;
        Ok(config)
    }
}
