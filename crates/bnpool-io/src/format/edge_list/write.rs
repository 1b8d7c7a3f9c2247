//! Edge lists written as csv.

use std::borrow::Cow;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::bytes::atomic::{WriteError, write_atomically};
use bnpool_graph::Graph;

/// Writes the edges of a graph as `source,target` or `source,target,weight`,
/// whole or not at all. Nodes are called by their ids, or by their numbers from
/// 0 on. An edge that goes both ways with one weight stands once, if all do.
///
/// Nodes without edges, features and labels have no place in an edge list.
///
/// # Errors
///
/// When the file cannot be written, and when the id of a node holds a line
/// break, which no edge list can hold.
///
/// # Complexity
///
/// Linear in the edges.
pub fn write_edge_list(path: &Path, graph: &Graph) -> Result<(), WriteError> {
    write_atomically(path, |file| write_edges(file, graph))
}

/// As [`write_edge_list`], to any writer; what was written before an error stays.
///
/// # Errors
///
/// As [`write_edge_list`].
pub fn write_edges(out: impl Write, graph: &Graph) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    let weighted = graph.adjacency().weights().is_some();
    let header = if weighted {
        "source,target,weight"
    } else {
        "source,target"
    };
    writeln!(out, "{header}")?;
    let name = |node: u32| match graph.node_ids() {
        Some(ids) => field(&ids[node as usize]),
        None => Ok(Cow::Owned(node.to_string())),
    };
    let once = graph.adjacency().is_symmetric();
    for (source, target, weight) in graph.adjacency().iter() {
        if once && source > target {
            continue;
        }
        write!(out, "{},{}", name(source)?, name(target)?)?;
        if weighted {
            writeln!(out, ",{weight}")?
        } else {
            writeln!(out)?
        }
    }
    out.flush()
}

/// A name as a field, in quotes if it needs some.
fn field(name: &str) -> io::Result<Cow<'_, str>> {
    if name.contains(['\n', '\r']) {
        let problem = "the id of a node holds a line break, which no edge list can hold";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
    }
    let plain = !name.is_empty()
        && name.trim_ascii() == name
        && !name.starts_with(['#', '%'])
        && !name.contains([',', ';', '\t', '"']);
    Ok(if plain {
        name.into()
    } else {
        format!("\"{}\"", name.replace('"', "\"\"")).into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{ReadOptions, read_graph};
    use bnpool_graph::Csr;

    fn round(graph: &Graph, directed: bool) -> (String, Graph) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("e.csv");
        write_edge_list(&path, graph).unwrap();
        let options = ReadOptions {
            directed,
            ..ReadOptions::default()
        };
        let text = std::fs::read_to_string(&path).unwrap();
        (text, read_graph(&path, &options).unwrap().0)
    }

    #[test]
    fn graphs_round_trip() {
        let edges = [
            (0, 1, 0.1),
            (1, 0, 0.1),
            (1, 2, 3.0),
            (2, 1, 3.0),
            (2, 2, 1.0),
        ];
        let names = [" x", "a, \"b\"", "plain"].map(str::to_owned).to_vec();
        let graph = Graph::builder(Csr::from_weighted_edges(3, edges).unwrap())
            .node_ids(names)
            .build()
            .unwrap();
        let (text, read) = round(&graph, false);
        assert_eq!(
            text,
            "source,target,weight\n\" x\",\"a, \"\"b\"\"\",0.1\n\"a, \"\"b\"\"\",plain,3\nplain,plain,1\n"
        );
        assert_eq!(read, graph);
        let plain = Graph::builder(Csr::from_edges(3, [(0, 1), (1, 2)]).unwrap())
            .build()
            .unwrap();
        let (text, read) = round(&plain, true);
        assert_eq!(text, "source,target\n0,1\n1,2\n");
        assert_eq!(read, plain);
    }

    #[test]
    fn line_breaks_are_refused_before_anything_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("e.csv");
        let graph = Graph::builder(Csr::from_edges(2, [(0, 1)]).unwrap())
            .node_ids(vec!["a\nb".to_owned(), "c".to_owned()])
            .build()
            .unwrap();
        let error = write_edge_list(&path, &graph).unwrap_err().to_string();
        assert!(error.contains("line break"), "{error}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
