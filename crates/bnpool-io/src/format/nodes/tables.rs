//! Features and labels in files beside the graph.

use std::path::{Path, PathBuf};

use crate::bytes::error::ReadError;
use crate::bytes::ledger::Ledger;
use crate::format::build::edge_table::{EdgeTable, NodeIds};
use crate::format::nodes::{FeatureTable, LabelTable};
use crate::format::options::ReadOptions;
use crate::format::read::FileNames;
use crate::format::report::{Note, ReadReport};
use crate::format::text::is_whole_number;
use bnpool_graph::Graph;

/// The content of a file of one graph.
pub(crate) enum Content {
    /// Edges that alone declare their nodes. Files beside may bring more nodes.
    Edges(EdgeTable),
    /// A graph whose nodes have the order of the file.
    Graph(Graph),
    /// A graph whose nodes have the order of their names.
    Sorted(Graph),
}

/// The features and labels of the files beside the graph.
#[derive(Default)]
pub(crate) struct Tables {
    features: Option<FeatureTable>,
    labels: Option<LabelTable>,
    notes: Vec<Note>,
}

impl Tables {
    pub(crate) fn open(
        options: &ReadOptions,
        names: &FileNames<'_>,
        ledger: &Ledger,
    ) -> Result<Self, ReadError> {
        let mut notes = Vec::new();
        let mut read = |path: &Option<PathBuf>, name| {
            let path = path.as_deref();
            let open = |path| super::open(path, options, &ledger.entry(name), &mut notes);
            path.map(open).transpose()
        };
        let features = read(&options.features, names.features)?;
        let features = features.map(|source| FeatureTable::parse(source, options));
        let features = features.transpose()?;
        let labels = read(&options.labels, names.labels)?;
        let labels = labels.map(|source| LabelTable::parse(source, options));
        Ok(Self {
            features,
            labels: labels.transpose()?,
            notes,
        })
    }

    /// Refuses rows without ids if the nodes have names: the order of the
    /// nodes is that of the names, and not one that a file of rows would follow.
    fn check_order(&self, nodes: usize) -> Result<(), ReadError> {
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
    fn make_room(&self, table: &mut EdgeTable, options: &ReadOptions, report: &mut ReadReport) {
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
                // Without edges nothing else names the nodes.
                Some(ids) if options.add_isolated || table.edges.is_empty() => {
                    table.extend_with_names(&ids.ids, &mut report.notes);
                }
                Some(_) => {}
            }
        }
    }

    /// The graph of a file, with the features and labels of these files in place of
    /// its own.
    pub(crate) fn attach(
        mut self,
        path: &Path,
        content: Content,
        options: &ReadOptions,
        report: &mut ReadReport,
    ) -> Result<Graph, ReadError> {
        report.notes.append(&mut self.notes);
        let graph = match content {
            Content::Edges(table) => self.graph_of(path, table, options, report)?,
            Content::Graph(graph) => graph,
            Content::Sorted(graph) => {
                let is_name = |id: &String| !is_whole_number(id);
                if graph.node_ids().is_some_and(|ids| ids.iter().any(is_name)) {
                    self.check_order(graph.nodes())?;
                }
                graph
            }
        };
        if self.features.is_none() && self.labels.is_none() {
            return Ok(graph);
        }
        let features = self.features.map(|table| table.attach(&graph, report));
        let features = features.transpose()?;
        let labels = self.labels.map(|table| table.attach(&graph, report));
        let labels = labels.transpose()?;
        let mut builder = graph.into_builder();
        if let Some(features) = features {
            builder = builder.features(features);
        }
        if let Some(labels) = labels {
            builder = builder.node_labels(labels);
        }
        let path = Path::new("features and labels");
        builder
            .build()
            .map_err(|error| ReadError::graph(path, error))
    }

    /// The graph of a file that lists edges and no nodes.
    fn graph_of(
        &self,
        path: &Path,
        mut table: EdgeTable,
        options: &ReadOptions,
        report: &mut ReadReport,
    ) -> Result<Graph, ReadError> {
        if matches!(table.ids, NodeIds::Names(_)) {
            self.check_order(table.ids.len())?;
        }
        self.make_room(&mut table, options, report);
        if table.ids.len() == 0 {
            return Err(ReadError::in_file(
                path,
                "there is no edge in the file",
                "give at least one line with two node ids, or features of the nodes beside it",
            ));
        }
        table.into_graph(path, options, &mut report.notes)
    }
}
