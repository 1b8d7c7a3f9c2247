//! Errors of pooler configurations.

use thiserror::Error;

/// Error of a pooler configuration.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum PoolError {
    /// A hyper-parameter out of range.
    #[error("{name} = {value} is out of range: it must be {bound}")]
    OutOfRange {
        /// The field of the configuration, such as `pooler.alpha_dp`.
        name: &'static str,
        /// The given value.
        value: f64,
        /// Its valid range.
        bound: &'static str,
    },
    /// A pooler that cannot find communities.
    #[error(
        "the pooler `{name}` does not divide the nodes of a graph, so it finds no communities; these do: {dividing}"
    )]
    NotDividing {
        /// Its name.
        name: String,
        /// Names of the poolers that can.
        dividing: String,
    },
    /// An unknown pooler.
    #[error("there is no pooler `{name}`; there are: {known}")]
    Unknown {
        /// The given name.
        name: String,
        /// Names of all poolers.
        known: String,
    },
}

impl PoolError {
    /// Error of an unknown name.
    pub(crate) fn unknown(name: &str) -> Self {
        let names: Vec<&str> = super::POOLERS.iter().map(|entry| entry.name).collect();
        Self::Unknown {
            name: name.to_owned(),
            known: names.join(", "),
        }
    }

    /// Error of a pooler that cannot find communities.
    #[must_use]
    pub fn not_dividing(name: &str) -> Self {
        let dividing = super::POOLERS.iter().filter(|traits| traits.divides());
        let names: Vec<&str> = dividing.map(|traits| traits.name).collect();
        Self::NotDividing {
            name: name.to_owned(),
            dividing: names.join(", "),
        }
    }

    /// Checks that a fraction of nodes is in (0, 1].
    pub(crate) fn check_ratio(ratio: f64) -> Result<(), Self> {
        if ratio > 0.0 && ratio <= 1.0 {
            return Ok(());
        }
        Err(Self::OutOfRange {
            name: "pooler.ratio",
            value: ratio,
            bound: "above 0 and at most 1",
        })
    }

    /// Checks that values are finite.
    pub(crate) fn check_finite(values: &[(&'static str, f64)]) -> Result<(), Self> {
        match values.iter().find(|value| !value.1.is_finite()) {
            Some(&(name, value)) => Err(Self::OutOfRange {
                name,
                value,
                bound: "finite",
            }),
            None => Ok(()),
        }
    }
}
