//! The target of every graph.

use std::borrow::Cow;

use super::files::TuFiles;
use super::tables::{self, Table};
use super::{TuOptions, TuTarget};
use crate::bytes::error::ReadError;
use crate::format::build::classes::number_classes;
use bnpool_graph::Target;

/// The targets of all graphs, as they stand in the files.
pub(super) enum TargetFile {
    Absent,
    Labels(Vec<String>),
    Values(Table<f32>),
}

impl TargetFile {
    pub(super) fn read(files: &mut TuFiles<'_>, options: &TuOptions) -> Result<Self, ReadError> {
        let limits = &options.limits;
        let values = |blocks| Ok(Self::Values(tables::target_values(blocks)?));
        let labels = |blocks| Ok(Self::Labels(tables::target_labels(blocks)?));
        match options.target {
            TuTarget::None => Ok(Self::Absent),
            TuTarget::Labels => labels(files.required("graph_labels", limits)?),
            TuTarget::Attributes => values(files.required("graph_attributes", limits)?),
            TuTarget::Auto => {
                if let Some(blocks) = files.read("graph_attributes", limits)? {
                    return values(blocks);
                }
                match files.read("graph_labels", limits)? {
                    Some(blocks) => labels(blocks),
                    None => Ok(Self::Absent),
                }
            }
        }
    }

    /// Number of graphs, if there are targets.
    pub(super) fn graphs(&self) -> Option<usize> {
        match self {
            Self::Absent => None,
            Self::Labels(labels) => Some(labels.len()),
            Self::Values(table) => Some(table.values.len() / table.width.max(1)),
        }
    }

    /// The targets of the graphs that are kept, and the names of their classes.
    pub(super) fn of(&self, kept: &[usize]) -> (Vec<Option<Target>>, Option<Vec<String>>) {
        match self {
            Self::Absent => (vec![None; kept.len()], None),
            Self::Values(table) => {
                let values = |&graph: &usize| Some(Target::Values(table.row(graph).to_vec()));
                (kept.iter().map(values).collect(), None)
            }
            Self::Labels(labels) => {
                let labels = kept
                    .iter()
                    .map(|&graph| Cow::Borrowed(labels[graph].as_str()));
                let (classes, names) = number_classes(labels);
                let classes = classes.into_iter().map(|class| Some(Target::Class(class)));
                (classes.collect(), Some(names))
            }
        }
    }
}
