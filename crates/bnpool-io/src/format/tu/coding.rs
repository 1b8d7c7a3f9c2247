//! The coding of labels and attributes as features.

use serde::{Deserialize, Serialize};

/// The coding for other graphs, so that their features have the same meaning:
/// the columns of a model's training graphs, to be kept with the model.
///
/// In TU data sets one-hot columns count from the smallest label of a set to its greatest, so
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
    /// Of other files: the node features that are text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub text: Vec<TextColumn>,
}

/// A node feature that is text: a column of zeros and ones for every value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextColumn {
    /// Its name.
    pub name: String,
    /// Its values in the order of the columns.
    pub values: Vec<String>,
}
