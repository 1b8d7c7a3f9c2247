//! Reading the fixtures.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::path::PathBuf;

/// A matrix as a list of rows.
pub(crate) type Rows = Vec<Vec<Number>>;

/// A float; `nan` and `inf` are strings in the files.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Number(pub f64);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Either {
            Float(f64),
            Text(String),
        }
        match Either::deserialize(deserializer)? {
            Either::Float(x) => Ok(Self(x)),
            Either::Text(text) => text.parse().map(Self).map_err(serde::de::Error::custom),
        }
    }
}

/// Directory of the fixtures.
fn folder() -> PathBuf {
    std::env::var_os("BNPOOL_FIXTURES").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures"),
        PathBuf::from,
    )
}

/// Reads a fixture; panics with its name if it is missing or malformed.
pub(crate) fn read<T: DeserializeOwned>(name: &str) -> T {
    let path = folder().join(name);
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|e| panic!("fixture {} cannot be read: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| {
        panic!(
            "fixture {} is not of the expected form: {e}",
            path.display()
        )
    })
}

/// Flattens rows into a row-major vector.
pub(crate) fn flat(rows: &[Vec<Number>]) -> Vec<f64> {
    rows.iter().flatten().map(|x| x.0).collect()
}

/// Transposes rows: PyTorch stores weights as [outputs, inputs].
pub(crate) fn transposed(rows: &[Vec<Number>]) -> Rows {
    (0..rows[0].len())
        .map(|j| rows.iter().map(|row| row[j]).collect())
        .collect()
}
