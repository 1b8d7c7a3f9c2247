//! Configurations in files, which may lack keys.

use super::Preset;
use bnpool::pool::PoolerConfig;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::any::TypeId;

/// A key that older versions did not write, with the value that reproduces
/// their behaviour.
pub(super) type Later = (&'static str, &'static str, Value);

/// A configuration as written in a file. Missing keys have the values of the
/// preset named in the file, or of the default preset. A section that only lacks
/// later keys was written by an older version, and keeps its original meaning.
#[derive(Deserialize)]
#[serde(transparent)]
pub(super) struct Written(Map<String, Value>);

/// A configuration with all of its keys.
pub(super) struct Whole(Map<String, Value>);

impl Written {
    /// Returns the preset named in the file.
    pub fn preset(&self) -> Result<Preset, String> {
        match self.0.get("preset") {
            Some(name) => parse("preset", name.clone()),
            None => Ok(Preset::default()),
        }
    }

    /// Merges it into the values of a preset. `C` are the settings of the pooler.
    /// Presets have no values for a pooler of another crate, so its section is
    /// taken unchanged.
    pub fn over<C: 'static>(
        mut self,
        preset: &impl Serialize,
        later: &[Later],
    ) -> Result<Whole, String> {
        let Ok(Value::Object(mut whole)) = serde_json::to_value(preset) else {
            return Err("the preset cannot be written down".into());
        };
        if TypeId::of::<C>() != TypeId::of::<PoolerConfig>() {
            let own = self.0.remove("pooler");
            whole.insert("pooler".into(), own.unwrap_or(Value::Object(Map::new())));
        }
        for (name, value) in &mut self.0 {
            if let (Some(Value::Object(all)), Value::Object(section)) = (whole.get(name), value) {
                complete(section, all, name, later);
            }
        }
        lay(&mut whole, self.0, "")?;
        Ok(Whole(whole))
    }
}

impl Whole {
    /// Removes and returns the value of a key.
    pub fn take<T: DeserializeOwned>(&mut self, key: &str) -> Result<T, String> {
        parse(key, self.0.remove(key).unwrap_or_default())
    }
}

fn parse<T: DeserializeOwned>(key: &str, value: Value) -> Result<T, String> {
    serde_json::from_value(value).map_err(|e| format!("`{key}`: {e}"))
}

/// Adds later keys to a section that was written by an older version.
fn complete(
    section: &mut Map<String, Value>,
    all: &Map<String, Value>,
    name: &str,
    later: &[Later],
) {
    let later = || later.iter().filter(|(of, ..)| *of == name);
    let is_later = |key: &str| later().any(|(_, later, _)| *later == key);
    // The sections of poolers are added together with the poolers.
    let is_whole = all
        .iter()
        .all(|(key, value)| section.contains_key(key) || is_later(key) || value.is_object());
    if is_whole {
        for (_, key, value) in later() {
            section
                .entry(key.to_owned())
                .or_insert_with(|| value.clone());
        }
    }
}

/// Merges `over` into `under`; all keys must exist, with values of the same
/// type.
fn lay(under: &mut Map<String, Value>, over: Map<String, Value>, path: &str) -> Result<(), String> {
    for (key, value) in over {
        let Some(old) = under.get_mut(&key) else {
            let known = under.keys().map(String::as_str).collect::<Vec<_>>();
            return Err(format!(
                "unknown field `{path}{key}`, expected one of {}",
                known.join(", ")
            ));
        };
        match (old, value) {
            (Value::Object(old), Value::Object(new)) => lay(old, new, &format!("{path}{key}."))?,
            (old, new) if std::mem::discriminant(old) == std::mem::discriminant(&new) => *old = new,
            // JSON has no NaN and no infinity.
            (Value::Number(_), Value::Null) => {
                return Err(format!("`{path}{key}` should be a finite number"));
            }
            (old, new) => {
                let (wanted, found) = (kind(old), kind(&new));
                return Err(format!("`{path}{key}` should be {wanted}, but is {found}"));
            }
        }
    }
    Ok(())
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a word",
        Value::Array(_) => "a list",
        Value::Object(_) => "a section",
    }
}
