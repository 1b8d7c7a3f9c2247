//! Input and output that do not depend on the kind of run.

use std::borrow::Cow;

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

/// One picture in both forms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Name without an ending, as `block_matrix` or `sample_1_graph`.
    pub name: Cow<'static, str>,
    /// The SVG.
    pub svg: String,
    /// The PNG, two pixels to a unit of the SVG.
    pub png: Vec<u8>,
}
