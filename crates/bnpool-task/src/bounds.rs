//! The ranges of numeric settings: one row for every number that is checked without data.
//!
//! Upper bounds keep a misspelt number from taking all of the memory, or from exceeding
//! the numbering of the random streams. They are far beyond any setting that is of use.

use crate::TaskError;
use bnpool::pool::{Assigns, PoolSettings};
use bnpool_math::memory::{bytes_of, check as check_free};
use serde::Serialize;
use serde_json::Value;

/// A setting with its lowest and highest value, and the range in words.
pub type Range = (&'static str, f64, f64, &'static str);

const POSITIVE: (f64, f64) = (f64::MIN_POSITIVE, f64::MAX);
const BELOW_ONE: f64 = 1.0 - f64::EPSILON;

/// The ranges by key.
pub const RANGES: &[Range] = &[
    // The random streams number epochs below 2⁴⁰.
    (
        "training.epochs",
        1.0,
        1e9,
        "at least 1 and at most 1000000000",
    ),
    (
        "training.starts",
        1.0,
        1e6,
        "at least 1 and at most 1000000",
    ),
    ("training.batch_size", 1.0, f64::MAX, "at least 1"),
    ("training.patience", 1.0, f64::MAX, "at least 1"),
    (
        "training.learning_rate",
        POSITIVE.0,
        POSITIVE.1,
        "positive and finite",
    ),
    (
        "training.block_rate",
        POSITIVE.0,
        POSITIVE.1,
        "positive and finite",
    ),
    ("training.clip_norm", 0.0, f64::MAX, "0 (off) or more"),
    (
        "training.plateau_factor",
        POSITIVE.0,
        1.0,
        "above 0 and at most 1",
    ),
    (
        "search.epochs",
        1.0,
        1e9,
        "at least 1 and at most 1000000000",
    ),
    ("search.patience", 1.0, f64::MAX, "at least 1"),
    (
        "search.learning_rate",
        POSITIVE.0,
        POSITIVE.1,
        "positive and finite",
    ),
    ("data.folds", 2.0, f64::MAX, "at least 2"),
    ("features.spectral", 0.0, 4096.0, "at most 4096"),
    ("features.random", 0.0, 4096.0, "at most 4096"),
    ("model.hidden", 1.0, 65536.0, "at least 1 and at most 65536"),
    (
        "model.encoder_width",
        1.0,
        65536.0,
        "at least 1 and at most 65536",
    ),
    ("model.levels", 1.0, 1000.0, "at least 1 and at most 1000"),
    ("model.before", 0.0, 1000.0, "at most 1000"),
    ("model.after", 0.0, 1000.0, "at most 1000"),
    ("model.dropout", 0.0, BELOW_ONE, "at least 0 and below 1"),
    ("model.delta", 0.0, 1.0, "between 0 (off) and 1"),
    // Each sample has a range of the random streams.
    (
        "evaluation.samples",
        1.0,
        1e6,
        "at least 1 and at most 1000000",
    ),
    ("pooler.max_clusters", 0.0, 65536.0, "at most 65536"),
    (
        "pooler.particles",
        1.0,
        1000.0,
        "at least 1 and at most 1000",
    ),
    #[cfg(test)]
    ("toy.size", 1.0, 9.0, "at least 1 and at most 9"),
];

/// Refuses a number of a section that is out of its range.
pub(super) fn check(name: &str, section: &impl Serialize) -> Result<(), TaskError> {
    let section = serde_json::to_value(section).unwrap_or_default();
    for &(key, low, high, bound) in RANGES {
        let Some((_, field)) = key.split_once('.').filter(|(of, _)| *of == name) else {
            continue;
        };
        let value = match section.get(field) {
            None => continue,
            // JSON has no other form for it.
            Some(Value::Null) => f64::NAN,
            Some(value) => value.as_f64().unwrap_or(f64::NAN),
        };
        if !(low..=high).contains(&value) {
            return Err(TaskError::OutOfRange {
                name: key,
                value,
                bound,
            });
        }
    }
    Ok(())
}

/// Refuses so many nodes at once if their memberships do not fit the memory. `field` is
/// the setting to lower.
pub(super) fn check_memory<C: PoolSettings>(
    pooler: &C,
    nodes: usize,
    field: &'static str,
) -> Result<(), TaskError> {
    let traits = pooler.traits();
    if traits.assigns != Assigns::Softly {
        return Ok(());
    }
    let clusters = pooler.max_clusters();
    // S, and two parameters of the posterior for each membership, with gradients. K with
    // its gradient and two moments.
    let memberships = bytes_of::<f32>(&[6, nodes, clusters]);
    let block_matrix = bytes_of::<f32>(&[4, clusters, clusters]);
    let bytes = if traits.posterior {
        memberships.saturating_add(block_matrix)
    } else {
        memberships
    };
    let what = format!("a posterior of {nodes} nodes and {clusters} clusters");
    check_free(what, bytes).map_err(|source| TaskError::Memory { field, source })
}
