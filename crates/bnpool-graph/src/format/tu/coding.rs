//! How labels and attributes became features.

use serde::{Deserialize, Serialize};

/// What another TU data set has to be read with so that its features mean the
/// same: the columns of a model's training graphs, to be kept with the model.
///
/// One-hot columns count from the smallest label of a set to its greatest, so
/// sets with other labels would have other columns, or worse, as many that mean
/// something else.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TuCoding {
    /// Whether node attributes are features.
    pub node_attributes: bool,
    /// Whether the first of them is left out.
    pub drop_first_attribute: bool,
    /// The smallest and the greatest label of every column of node labels.
    pub node_labels: Vec<(i64, i64)>,
    /// Whether edge attributes are edge features.
    pub edge_attributes: bool,
    /// The smallest and the greatest label of every column of edge labels.
    pub edge_labels: Vec<(i64, i64)>,
}
