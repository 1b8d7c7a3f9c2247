//! Figures of runs.

/// A figure with a name, for the table of metrics.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metric {
    /// Name.
    pub name: String,
    /// Value as text.
    pub value: String,
    /// One-line explanation.
    pub explanation: String,
}
