//! Output of graphs, in the format of the extension.

use crate::destination;
use crate::message::Failure;
use bnpool_graph::Graph;
use bnpool_io::format::container::write_container;
use bnpool_io::format::csr_bundle::write_csr_bundle;
use bnpool_io::format::{write_edge_list, write_edges};
use std::fmt::Display;
use std::path::Path;

/// Format of a file of graphs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Any number of graphs with all of their data.
    Container,
    /// One graph as NumPy arrays.
    Bundle,
    /// The edges of one graph as text.
    EdgeList,
}

impl Kind {
    /// Returns the format of a file by its extension.
    pub fn of(path: &Path) -> Result<Self, Failure> {
        let kind = match path.extension().map(|ending| ending.to_string_lossy()) {
            Some(ending) if ending == "safetensors" => return Ok(Self::Container),
            Some(ending) if ending == "npz" => return Ok(Self::Bundle),
            Some(ending) if ending == "csv" => return Ok(Self::EdgeList),
            Some(ending) => format!("`.{ending}` files"),
            None => "files without an ending".to_owned(),
        };
        Err(Failure::input(format!(
            "{}: cannot write {kind}; name the output .safetensors, .npz or .csv",
            path.display()
        )))
    }

    /// Writes graphs; `source` is used in errors. An edge list may be written to
    /// standard output.
    pub fn write(
        self,
        path: &Path,
        graphs: &[Graph],
        classes: Option<&[String]>,
        source: &dyn Display,
    ) -> Result<(), Failure> {
        let ending = match self {
            Self::Container => return Ok(write_container(path, graphs, classes)?),
            Self::Bundle => ".npz",
            Self::EdgeList => ".csv",
        };
        let [graph] = graphs else {
            return Err(Failure::input(format!(
                "{source}: holds {} graphs, and a {ending} file holds one; write .safetensors instead",
                graphs.len()
            )));
        };
        if self == Self::Bundle {
            return Ok(write_csr_bundle(path, graph)?);
        }
        if destination::is_standard_output(path) {
            note_losses(graph);
            let mut text = Vec::new();
            write_edges(&mut text, graph)
                .map_err(|e| Failure::input(format!("standard output: cannot write: {e}")))?;
            return destination::write_text(path, &String::from_utf8_lossy(&text));
        }
        write_edge_list(path, graph)?;
        note_losses(graph);
        Ok(())
    }
}

/// Prints a note about data that an edge list cannot contain.
fn note_losses(graph: &Graph) {
    let adjacency = graph.adjacency();
    let mut has_edge = vec![false; graph.nodes()];
    for (source, target, _) in adjacency.iter() {
        has_edge[source as usize] = true;
        has_edge[target as usize] = true;
    }
    let lonely = has_edge.iter().filter(|has_edge| !**has_edge).count();
    let mut losses = Vec::new();
    if lonely > 0 {
        losses.push(format!("{lonely} nodes without edges"));
    }
    if graph.features().width() > 0 {
        losses.push("the features".to_owned());
    }
    if graph.node_labels().is_some() {
        losses.push("the labels".to_owned());
    }
    if !losses.is_empty() {
        tell!(
            "note: an edge list does not hold {}; write .safetensors to keep everything",
            losses.join(", ")
        );
    }
    if !adjacency.is_symmetric() {
        tell!("note: the edges go one way; read the file with --directed");
    }
}
