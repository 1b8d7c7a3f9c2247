//! Rows of a file matched to the nodes of a graph by their ids.

use std::collections::HashMap;
use std::path::Path;

use foldhash::fast::RandomState;

use crate::bytes::error::{ReadError, quote};
use crate::format::text::parse_u32;
use crate::remedy::Change;
use bnpool_graph::Graph;

/// Finds nodes by their ids.
#[derive(Debug)]
pub(crate) enum NodeIndex<'a> {
    /// The ids are the numbers from 0 on.
    Numbers(usize),
    /// The ids are names.
    Names(HashMap<&'a str, usize, RandomState>),
}

impl<'a> NodeIndex<'a> {
    pub(crate) fn new(graph: &'a Graph) -> Self {
        match graph.node_ids() {
            None => Self::Numbers(graph.nodes()),
            Some(ids) => {
                let places = ids.iter().enumerate();
                Self::Names(places.map(|(node, id)| (id.as_str(), node)).collect())
            }
        }
    }

    pub(crate) fn find(&self, id: &str) -> Option<usize> {
        match self {
            Self::Numbers(nodes) => {
                let (node, length) = parse_u32(id.as_bytes())?;
                (length == id.len() && (node as usize) < *nodes).then_some(node as usize)
            }
            Self::Names(names) => names.get(id).copied(),
        }
    }
}

/// The ids of the rows of a file, and the lines they stand on.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct RowIds {
    pub(crate) ids: Vec<String>,
    pub(crate) lines: Vec<usize>,
}

impl RowIds {
    pub(crate) fn push(&mut self, id: &str, line: usize) {
        self.ids.push(id.to_owned());
        self.lines.push(line);
    }

    /// For every node of the graph the row with its id.
    pub(crate) fn rows(
        &self,
        path: &Path,
        graph: &Graph,
        index: &NodeIndex,
    ) -> Result<Vec<usize>, ReadError> {
        let rows = self.some_rows(path, graph, index)?;
        let missing = rows.iter().filter(|row| row.is_none()).count();
        match rows.iter().position(Option::is_none) {
            None => Ok(rows.into_iter().flatten().collect()),
            Some(node) => {
                let id = match graph.node_ids() {
                    Some(ids) => quote(ids[node].as_bytes()),
                    None => quote(node.to_string().as_bytes()),
                };
                Err(ReadError::in_file(
                    path,
                    format!("{missing} nodes have no line, the first of them {id}"),
                    "give one line a node",
                ))
            }
        }
    }

    /// For every node of the graph the row with its id, if there is one.
    pub(crate) fn some_rows(
        &self,
        path: &Path,
        graph: &Graph,
        index: &NodeIndex,
    ) -> Result<Vec<Option<usize>>, ReadError> {
        let mut rows: Vec<Option<usize>> = vec![None; graph.nodes()];
        for (row, (id, &line)) in self.ids.iter().zip(&self.lines).enumerate() {
            let Some(node) = index.find(id) else {
                return Err(ReadError::at_line(
                    path,
                    line,
                    format!("no node of the graph is called {}", quote(id.as_bytes())),
                    (
                        "drop the line or add an edge of the node",
                        Change::AddIsolated,
                    ),
                ));
            };
            if let Some(first) = rows[node] {
                let first = self.lines[first];
                return Err(ReadError::at_line(
                    path,
                    line,
                    format!(
                        "node {} stood on line {first} already",
                        quote(id.as_bytes())
                    ),
                    "give one line a node",
                ));
            }
            rows[node] = Some(row);
        }
        Ok(rows)
    }
}

/// Refuses rows in order that are not as many as the nodes.
pub(super) fn check_row_count(path: &Path, rows: usize, nodes: usize) -> Result<(), ReadError> {
    if rows == nodes {
        return Ok(());
    }
    Err(ReadError::in_file(
        path,
        format!("{rows} rows for {nodes} nodes"),
        "give one row a node in the order of the nodes, or a first column `id` with their ids",
    ))
}
