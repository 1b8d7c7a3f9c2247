//! Differences between two configurations.

use crate::terminal::message::Failure;
use serde::Serialize;
use toml::{Table, Value};

/// A setting with different values in two configurations.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// Key, such as `pooler.alpha_dp`.
    pub key: String,
    /// Values in the first and in the second configuration.
    pub values: [Option<Value>; 2],
}

impl Difference {
    /// Returns the second value as an assignment for `--set`.
    pub fn assignment(&self) -> Option<String> {
        let value = self.values[1].as_ref()?;
        Some(format!("{}={value}", self.key))
    }

    /// Describes the difference.
    pub fn words(&self) -> String {
        let [there, here] = self.values.each_ref().map(|value| match value {
            Some(value) => value.to_string(),
            None => "not set".to_owned(),
        });
        format!("{} is {there} there and {here} here", self.key)
    }
}

/// Returns the differences between two configurations, in the order of their
/// keys.
pub fn between(
    first: &impl Serialize,
    second: &impl Serialize,
) -> Result<Vec<Difference>, Failure> {
    let cannot =
        |e: toml::ser::Error| Failure::running(format!("the settings cannot be written down: {e}"));
    let [first, second] = [
        Table::try_from(first).map_err(cannot)?,
        Table::try_from(second).map_err(cannot)?,
    ];
    let mut differences = Vec::new();
    collect("", &first, &second, &mut differences);
    Ok(differences)
}

fn collect(prefix: &str, first: &Table, second: &Table, into: &mut Vec<Difference>) {
    let both = first.keys().chain(second.keys());
    let keys: std::collections::BTreeSet<&String> = both.collect();
    for key in keys {
        let path = format!("{prefix}{key}");
        match (first.get(key), second.get(key)) {
            (Some(Value::Table(a)), Some(Value::Table(b))) => {
                collect(&format!("{path}."), a, b, into);
            }
            (a, b) if a == b => {}
            (a, b) => into.push(Difference {
                key: path,
                values: [a.cloned(), b.cloned()],
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_named_by_their_keys() {
        let table = |text: &str| text.parse::<Table>().expect("TOML");
        let first = table("seed = 0\n[pooler]\nname = 'bn'\nratio = 0.5\nloss = 'auto'");
        let second = table("seed = 3\n[pooler]\nname = 'bn'\nratio = 0.25\nloss = 'dense'");
        let found = between(&first, &second).expect("tables");
        let sets: Vec<_> = found.iter().filter_map(Difference::assignment).collect();
        assert_eq!(
            sets,
            ["pooler.loss=\"dense\"", "pooler.ratio=0.25", "seed=3"]
        );
        assert_eq!(found[2].words(), "seed is 0 there and 3 here");
        assert_eq!(between(&first, &first).expect("tables"), []);
    }
}
