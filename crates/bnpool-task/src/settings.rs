//! Settings in layers: preset, configuration file, single keys.
//!
//! A key that is missing in a layer keeps the value of the layer below. Keys that the
//! preset lacks and values of another type are rejected.

use crate::run::RunConfig;
use crate::{Failure, Preset};
use bnpool::pool::PoolerConfig;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::any::TypeId;
use std::path::Path;
use toml::Table;

/// Largest number of parts of a key; `pooler.mincut.cut` has three.
const DEEPEST: usize = 4;

/// Builder of settings; later layers override earlier ones.
#[derive(Clone)]
pub struct Settings {
    values: Map<String, Value>,
}

impl Settings {
    /// Starts from the values of a preset.
    ///
    /// # Errors
    ///
    /// Returns an error if a value cannot be represented in TOML.
    pub fn new(preset: &impl Serialize) -> Result<Self, Failure> {
        let values = values_of(preset).map_err(Failure::running)?;
        Ok(Self { values })
    }

    /// Adds the layer of a configuration file.
    ///
    /// # Errors
    ///
    /// As [`Settings::set`].
    pub fn file(&mut self, path: &Path, values: Table) -> Result<(), Failure> {
        let origin = path.display();
        let wrong = |problem: String| Failure::input(format!("{origin}: {problem}"));
        let layer = values_of(&values).map_err(wrong)?;
        lay(&mut self.values, layer, "").map_err(wrong)
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
        let table = format!("x = {value}").parse::<Table>().ok();
        let read = table.and_then(|table| values_of(&table).ok()?.remove("x"));
        let value = read.unwrap_or_else(|| Value::String(value.to_owned()));
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
        let layer = key.rsplit('.').fold(value, |inner, part| {
            Value::Object(Map::from_iter([(part.to_owned(), inner)]))
        });
        let Value::Object(layer) = layer else {
            return Err(Failure::input(format!("{origin}: the key is empty")));
        };
        lay(&mut self.values, layer, "")
            .map_err(|problem| Failure::input(format!("{origin}: {problem}")))
    }

    /// Returns the finished settings.
    ///
    /// # Errors
    ///
    /// Returns an error if a string is not one of the allowed ones.
    pub fn finish<C: RunConfig>(self) -> Result<C, Failure> {
        Whole(self.values)
            .try_into()
            .map_err(|problem: String| Failure::input(format!("settings: {problem}")))
    }
}

/// Reads a configuration file.
///
/// # Errors
///
/// Returns an error if the file cannot be read or is not valid TOML.
pub fn read_file(path: &Path) -> Result<Table, Failure> {
    let wrong = |problem: String| Failure::input(format!("{}: {problem}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|e| wrong(format!("cannot read: {e}")))?;
    text.parse::<Table>()
        .map_err(|e| wrong(format!("it is not valid TOML: {}", e.to_string().trim())))
}

/// A configuration as written in a file. Missing keys have the values of the preset named
/// in the file, or of the default preset.
#[derive(Deserialize)]
#[serde(transparent)]
pub(crate) struct Written(Map<String, Value>);

/// A configuration with all of its keys.
pub struct Whole(Map<String, Value>);

impl Written {
    /// Returns the preset named in the file.
    pub(crate) fn preset(&self) -> Result<Preset, String> {
        match self.0.get("preset") {
            Some(name) => parse("preset", name.clone()),
            None => Ok(Preset::default()),
        }
    }

    /// Merges it into the values of a preset. `C` are the settings of the pooler.
    /// Presets have no values for a pooler of another crate, so its section is taken
    /// unchanged.
    pub(crate) fn over<C: 'static>(mut self, preset: &impl Serialize) -> Result<Whole, String> {
        let mut whole = values_of(preset)?;
        if TypeId::of::<C>() != TypeId::of::<PoolerConfig>() {
            let own = self.0.remove("pooler");
            whole.insert("pooler".into(), own.unwrap_or(Value::Object(Map::new())));
        }
        lay(&mut whole, self.0, "")?;
        Ok(Whole(whole))
    }
}

impl Whole {
    /// Removes and returns the value of a key.
    pub(crate) fn take<T: DeserializeOwned>(&mut self, key: &str) -> Result<T, String> {
        parse(key, self.0.remove(key).unwrap_or_default())
    }
}

fn parse<T: DeserializeOwned>(key: &str, value: Value) -> Result<T, String> {
    serde_json::from_value(value).map_err(|e| format!("`{key}`: {e}"))
}

/// Returns the keys of a configuration with their values.
fn values_of(values: &impl Serialize) -> Result<Map<String, Value>, String> {
    match serde_json::to_value(values) {
        Ok(Value::Object(values)) => Ok(values),
        Ok(_) => Err("the settings are no table".to_owned()),
        Err(e) => Err(format!("the settings cannot be written: {e}")),
    }
}

/// Merges `over` into `under`; all keys must exist, with values of the same type.
fn lay(under: &mut Map<String, Value>, over: Map<String, Value>, path: &str) -> Result<(), String> {
    for (key, value) in over {
        let Some(old) = under.get_mut(&key) else {
            let known: Vec<&str> = under.keys().map(String::as_str).collect();
            return Err(format!(
                "there is no setting `{path}{key}`; here are: {}",
                known.join(", ")
            ));
        };
        if let (Value::Object(old), Value::Object(new)) = (&mut *old, &value) {
            lay(old, new.clone(), &format!("{path}{key}."))?;
            continue;
        }
        // JSON has no other form for it.
        if value.is_null() {
            return Err(format!("`{path}{key}` should be a finite number"));
        }
        *old = same_kind(old, value).map_err(|(wanted, found)| {
            format!("`{path}{key}` should be {wanted}, but is {found}")
        })?;
    }
    Ok(())
}

/// Returns the new value if it has the type of the old one; integers are
/// accepted as numbers.
fn same_kind(old: &Value, new: Value) -> Result<Value, (&'static str, &'static str)> {
    let (wanted, found) = (kind(old), kind(&new));
    match (wanted, new.as_f64()) {
        (NUMBER, Some(number)) => Ok(number.into()),
        _ if wanted == found => Ok(new),
        _ => Err((wanted, found)),
    }
}

const NUMBER: &str = "a number";

fn kind(value: &Value) -> &'static str {
    match value {
        // JSON has no other form for NaN and infinity.
        Value::Null => "nothing",
        Value::Bool(_) => "true or false",
        Value::Number(number) if number.is_f64() => NUMBER,
        Value::Number(_) => "a whole number",
        Value::String(_) => "a word",
        Value::Array(_) => "a list",
        Value::Object(_) => "a section",
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
