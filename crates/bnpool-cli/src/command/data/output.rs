//! Output of graphs, in the format of the extension.

use crate::terminal::destination;
use crate::terminal::message::Failure;
use bnpool_graph::Graph;
use bnpool_io::format::{Format, Writer, write_edges};
use std::fmt::Display;
use std::path::Path;

/// Returns the format of an output file by its extension.
pub fn format_of(path: &Path) -> Result<Format, Failure> {
    let named = Format::of_name(path).filter(|format| format.writer().is_some());
    let ending = path.extension().map(|ending| ending.to_string_lossy());
    if let (Some(format), Some(ending)) = (named, &ending)
        && format.endings().first() == Some(&&**ending)
    {
        return Ok(format);
    }
    let kind = match ending {
        Some(ending) => format!("`.{ending}` files"),
        None => "files without an ending".to_owned(),
    };
    let written = Format::ALL
        .iter()
        .filter(|format| format.writer().is_some());
    let endings: Vec<_> = written
        .filter_map(|format| format.endings().first())
        .map(|ending| format!(".{ending}"))
        .collect();
    Err(Failure::input(format!(
        "{}: cannot write {kind}; name the output {}",
        path.display(),
        endings.join(" or ")
    )))
}

/// Writes graphs; `source` is used in errors. An edge list may be written to
/// standard output.
pub fn write(
    format: Format,
    path: &Path,
    graphs: &[Graph],
    classes: Option<&[String]>,
    source: &dyn Display,
) -> Result<(), Failure> {
    let write = match format.writer() {
        Some(Writer::Many(write)) => return Ok(write(path, graphs, classes)?),
        Some(Writer::One(write)) => write,
        None => {
            return Err(Failure::input(format!(
                "the format {format} is not written"
            )));
        }
    };
    let [graph] = graphs else {
        return Err(Failure::input(format!(
            "{source}: holds {} graphs, and a .{} file holds one; write .safetensors instead",
            graphs.len(),
            format.endings()[0],
        )));
    };
    if format != Format::EdgeList {
        return Ok(write(path, graph)?);
    }
    if destination::is_standard_output(path) {
        note_losses(graph);
        let mut text = Vec::new();
        write_edges(&mut text, graph)
            .map_err(|e| Failure::input(format!("standard output: cannot write: {e}")))?;
        return destination::write_text(path, &String::from_utf8_lossy(&text));
    }
    write(path, graph)?;
    note_losses(graph);
    Ok(())
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
