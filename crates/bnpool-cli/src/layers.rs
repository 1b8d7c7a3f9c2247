//! Layers of the settings of a run: preset, configuration file, `--set`, flags.

use crate::message::Failure;
use crate::pooler::{LossName, PoolerFlags, whole};
use crate::run::RunFlags;
use bnpool_task::run::{RunConfig, without_run_section};
use bnpool_task::settings::{Settings, read_file};
use std::path::Path;
use toml::Table;

/// Layers above the preset.
pub struct Layers<'a> {
    run: &'a RunFlags,
    pooler: &'a PoolerFlags,
    file: Option<(&'a Path, Table)>,
}

impl<'a> Layers<'a> {
    /// Reads the configuration file, if given.
    pub fn read(run: &'a RunFlags, pooler: &'a PoolerFlags) -> Result<Self, Failure> {
        let path = run.config.as_deref();
        let file = path
            .map(|p| read_file(p).map(|table| (p, without_run_section(table))))
            .transpose()?;
        Ok(Self { run, pooler, file })
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
        if authors && self.pooler.loss == Some(LossName::Sparse) {
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
        self.pooler.apply(&mut settings)?;
        flags(&mut settings)?;
        let config: C = settings.finish()?;
        config.check()?;
        Ok(config)
    }
}
