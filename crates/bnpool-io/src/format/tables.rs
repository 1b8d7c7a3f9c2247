//! Features and labels in files beside the graph.

use std::path::Path;

use super::edge_table::EdgeTable;
use super::error::ReadError;
use super::ledger::Ledger;
use super::nodes::{FeatureTable, LabelTable};
use super::options::ReadOptions;
use super::read::FileNames;
use super::report::ReadReport;
use bnpool_graph::Graph;

/// What the files beside the graph hold.
#[derive(Default)]
pub(super) struct Tables {
    features: Option<FeatureTable>,
    labels: Option<LabelTable>,
}

impl Tables {
    pub(super) fn open(
        options: &ReadOptions,
        names: &FileNames<'_>,
        ledger: &Ledger,
    ) -> Result<Self, ReadError> {
        let features = options.features.as_deref();
        let labels = options.labels.as_deref();
        Ok(Self {
            features: features
                .map(|path| FeatureTable::open(path, options, &ledger.entry(names.features)))
                .transpose()?,
            labels: labels
                .map(|path| LabelTable::open(path, options, &ledger.entry(names.labels)))
                .transpose()?,
        })
    }

    /// Refuses rows without ids where the nodes have names: the order of the
    /// nodes is that of the names, and not one that a file of rows would follow.
    pub(super) fn check_order(&self, nodes: usize) -> Result<(), ReadError> {
        let features = self.features.as_ref();
        let labels = self.labels.as_ref();
        let paths = [
            features.filter(|f| f.ids.is_none()).map(FeatureTable::path),
            labels
                .filter(|l| l.ids.is_none() && !l.is_one_too_long(nodes))
                .map(LabelTable::path),
        ];
        match paths.into_iter().flatten().next() {
            None => Ok(()),
            Some(path) => Err(ReadError::in_file(
                path,
                "its rows have no node ids, but the nodes have names, so nothing tells which row is whose",
                "add a first column `id` with the names of the nodes, or number the nodes from 0",
            )),
        }
    }

    /// Adds nodes that have a row here but no edge.
    pub(super) fn make_room(
        &self,
        table: &mut EdgeTable,
        options: &ReadOptions,
        report: &mut ReadReport,
    ) {
        let features = self.features.as_ref();
        let labels = self.labels.as_ref();
        let rows = [
            features.map(|features| (features.rows(), &features.ids)),
            labels
                .filter(|labels| !labels.is_one_too_long(table.ids.len()))
                .map(|labels| (labels.rows(), &labels.ids)),
        ];
        for (rows, ids) in rows.into_iter().flatten() {
            match ids {
                None => table.extend_to_rows(rows, &mut report.notes),
                // Without edges nothing else says which nodes there are.
                Some(ids) if options.add_isolated || table.edges.is_empty() => {
                    table.extend_with_names(&ids.ids, &mut report.notes);
                }
                Some(_) => {}
            }
        }
    }
}

/// The graph with the features and labels of these files in place of its own.
pub(super) fn attach(
    graph: Graph,
    tables: Tables,
    mut report: ReadReport,
) -> Result<(Graph, ReadReport), ReadError> {
    if tables.features.is_none() && tables.labels.is_none() {
        return Ok((graph, report));
    }
    let features = match tables.features {
        Some(table) => Some(table.attach(&graph, &mut report)?),
        None => None,
    };
    let labels = match tables.labels {
        Some(table) => Some(table.attach(&graph, &mut report)?),
        None => None,
    };
    let mut builder = graph.into_builder();
    if let Some(features) = features {
        builder = builder.features(features);
    }
    if let Some(labels) = labels {
        builder = builder.node_labels(labels);
    }
    let path = Path::new("features and labels");
    let graph = builder
        .build()
        .map_err(|error| ReadError::graph(path, error))?;
    Ok((graph, report))
}
