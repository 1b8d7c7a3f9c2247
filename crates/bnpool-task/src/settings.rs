//! Settings in layers: preset, configuration file, `--set`, flags.

use crate::Failure;
use crate::run::RunConfig;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;
use toml::{Table, Value};

/// Largest number of parts of a key; `pooler.mincut.cut` has three.
const DEEPEST: usize = 4;

/// Builder of settings; later layers override earlier ones.
#[derive(Clone)]
pub struct Settings {
    table: Table,
}

/// One layer: its values, and its name in messages.
struct Layer<'a> {
    values: Table,
    origin: &'a str,
}

impl Settings {
    /// Starts from the values of a preset.
    ///
    /// # Errors
    ///
    /// Returns an error if a value cannot be represented in TOML.
    pub fn new(preset: &impl Serialize) -> Result<Self, Failure> {
        let table = Table::try_from(preset)
            .map_err(|e| Failure::running(format!("the preset cannot be written: {e}")))?;
        Ok(Self { table })
    }

    /// Adds the layer of a configuration file.
    ///
    /// # Errors
    ///
    /// As [`Settings::set`].
    pub fn file(&mut self, path: &Path, values: Table) -> Result<(), Failure> {
        let origin = path.display().to_string();
        self.overlay(Layer {
            values,
            origin: &origin,
        })
    }

    /// Adds the layer of one `KEY=VALUE`. A value that is not valid TOML is a string.
    /// `origin` is its name in messages.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such setting, or the value has another
    /// type.
    pub fn set(&mut self, assignment: &str, origin: &str) -> Result<(), Failure> {
        let Some((key, value)) = assignment.split_once('=') else {
            return Err(Failure::input(format!(
                "{origin}: there is no `=`; write KEY=VALUE, such as pooler.alpha_dp=10"
            )));
        };
        let value = value.trim();
        let value = format!("x = {value}")
            .parse::<Table>()
            .ok()
            .and_then(|mut t| t.remove("x"))
            .unwrap_or_else(|| Value::String(value.to_owned()));
        self.value(key.trim(), value, origin)
    }

    /// Adds the layer of a flag, if given.
    ///
    /// # Errors
    ///
    /// As [`Settings::set`].
    pub fn flag(
        &mut self,
        key: &str,
        value: Option<impl Into<Value>>,
        flag: &str,
    ) -> Result<(), Failure> {
        match value {
            Some(value) => self.value(key, value.into(), flag),
            None => Ok(()),
        }
    }

    fn value(&mut self, key: &str, value: Value, origin: &str) -> Result<(), Failure> {
        // Each part is a nested table.
        if key.split('.').nth(DEEPEST).is_some() {
            let start: String = key.chars().take(40).collect();
            return Err(Failure::input(format!(
                "there is no setting `{start}…`: a key has at most {DEEPEST} parts, as in pooler.alpha_dp"
            )));
        }
        let values = key.rsplit('.').fold(value, |inner, part| {
            Value::Table(Table::from_iter([(part.to_owned(), inner)]))
        });
        let Value::Table(values) = values else {
            return Err(Failure::input(format!("{origin}: the key is empty")));
        };
        self.overlay(Layer { values, origin })
    }

    fn overlay(&mut self, layer: Layer) -> Result<(), Failure> {
        merge(&mut self.table, layer.values, "", layer.origin)
    }

    /// Returns the finished settings.
    ///
    /// # Errors
    ///
    /// Returns an error if a string is not one of the allowed ones.
    pub fn finish<C: DeserializeOwned>(self) -> Result<C, Failure> {
        Value::Table(self.table)
            .try_into()
            .map_err(|e| Failure::input(format!("settings: {}", e.to_string().trim())))
    }
}

/// Reads a configuration file.
///
/// # Errors
///
/// Returns an error if the file cannot be read or is not valid TOML.
pub fn read_file(path: &Path) -> Result<Table, Failure> {
    let text = std::fs::read_to_string(path)
        .map_err(|e| Failure::input(format!("{}: cannot read: {e}", path.display())))?;
    text.parse::<Table>().map_err(|e| {
        Failure::input(format!(
            "{}: it is not valid TOML: {}",
            path.display(),
            e.to_string().trim()
        ))
    })
}

/// Merges `over` into `under`; all keys must exist, with values of the same
/// type.
fn merge(under: &mut Table, over: Table, prefix: &str, origin: &str) -> Result<(), Failure> {
    for (key, value) in over {
        let path = format!("{prefix}{key}");
        let known = || under.keys().cloned().collect::<Vec<_>>().join(", ");
        match (under.get(&key), value) {
            (None, _) => {
                return Err(Failure::input(format!(
                    "{origin}: there is no setting `{path}`; here are: {}",
                    known()
                )));
            }
            (Some(Value::Table(_)), Value::Table(inner)) => {
                if let Some(Value::Table(table)) = under.get_mut(&key) {
                    merge(table, inner, &format!("{path}."), origin)?;
                }
            }
            (Some(old), new) => {
                let value = same_kind(old, new).map_err(|(wanted, found)| {
                    Failure::input(format!(
                        "{origin}: `{path}` should be {wanted}, but is {found}"
                    ))
                })?;
                under.insert(key, value);
            }
        }
    }
    Ok(())
}

/// Returns the new value if it has the type of the old one; integers are
/// accepted as numbers.
fn same_kind(old: &Value, new: Value) -> Result<Value, (&'static str, &'static str)> {
    match (old, new) {
        (Value::Float(_), Value::Integer(x)) => Ok(Value::Float(x as f64)),
        (old, new) if std::mem::discriminant(old) == std::mem::discriminant(&new) => Ok(new),
        (old, new) => Err((kind(old), kind(&new))),
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::String(_) => "a word",
        Value::Integer(_) => "a whole number",
        Value::Float(_) => "a number",
        Value::Boolean(_) => "true or false",
        Value::Datetime(_) => "a date",
        Value::Array(_) => "a list",
        Value::Table(_) => "a section",
    }
}

/// A setting given by the user.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// Dotted key, as in `run.toml`.
    pub key: String,
    /// Value.
    pub value: Value,
    /// Name given by the user, for messages.
    pub origin: String,
}

/// Merges settings into the values of a preset.
pub(crate) fn overlay<C: RunConfig>(preset: &C, settings: Vec<Setting>) -> Result<C, Failure> {
    let mut all = Settings::new(preset)?;
    for Setting { key, value, origin } in settings {
        all.flag(&key, Some(value), &origin)?;
        // Settings are tried one by one, because the joint error does not name
        // the wrong setting.
        all.clone()
            .finish::<C>()
            .map_err(|problem| of_setting(&origin, &problem))?;
    }
    let config: C = all.finish()?;
    config.check()?;
    Ok(config)
}

/// Describes the problem with the value of a setting, with the name given by
/// the user.
fn of_setting(origin: &str, problem: &Failure) -> Failure {
    let problem = problem.to_string();
    // `settings: SECTION: …` does not come from the user.
    let words = match problem.rsplit_once("`: ") {
        Some((_, words)) => words,
        None => problem.trim_start_matches("settings: "),
    };
    let words = if words.contains("expected usize") || words.contains("expected u") {
        "a whole number of at least 0 is needed"
    } else {
        words
    };
    Failure::input(format!("{origin}: {words}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Preset;
    use crate::cluster::ClusterConfig;

    fn settings() -> Settings {
        Settings::new(&ClusterConfig::preset(Preset::Paper)).expect("a table")
    }

    #[test]
    fn later_layers_win() {
        let mut s = settings();
        let file = "seed = 4\n[pooler]\nalpha_dp = 3\nmu_k = 2.5"
            .parse()
            .expect("TOML");
        s.file(Path::new("a.toml"), file).expect("known keys");
        s.set("pooler.alpha_dp = 7", "here").expect("a known key");
        s.set("pooler.loss=sparse", "here").expect("a word");
        s.flag("seed", Some(9_i64), "--seed").expect("a known key");
        let config: ClusterConfig = s.finish().expect("complete");
        assert_eq!(config.pooler.alpha_dp, 7.0);
        assert_eq!(config.pooler.mu_k, 2.5);
        assert_eq!(config.seed, 9);
        assert_eq!(config.pooler.loss, bnpool::pool::Reconstruction::Sparse);
    }

    #[test]
    fn what_cannot_be_is_named() {
        let message = |assignment: &str| {
            let refused = settings().set(assignment, "here").expect_err(assignment);
            refused.to_string()
        };
        assert!(message("pooler.alpha=1").contains("no setting `pooler.alpha`"));
        assert!(message("pooler.alpha=1").contains("alpha_dp"));
        assert!(message("pooler.alpha_dp=many").contains("should be a number, but is a word"));
        assert!(message("training.epochs=1.5").contains("a whole number"));
        assert!(message("seed").contains("no `=`"));
        let deep = format!("a{}=1", ".b".repeat(60_000));
        assert!(message(&deep).contains("at most 4 parts"));
        assert!(message(&deep).len() < 200);
    }
}
