//! A figure of a run, whatever its kind.

/// A figure with a name, for the table of metrics.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metric {
    /// What it is called.
    pub name: String,
    /// Its value as text.
    pub value: String,
    /// One line on what it means.
    pub explanation: String,
}
