//! Adjacency lists, as networkx writes them (`.adjlist`): a line a node, the
//! node and then its neighbours, separated by spaces, commas or tabs.
//!
//! A node without neighbours stands alone on its line. `#` starts a comment.
//! Nodes are ordered as those of an edge list: whole numbers in rising order,
//! anything else in the order of its bytes.

use crate::format::nodes::tables::Content;
use crate::format::table::{Read, Traits};

use crate::bytes::error::{ReadError, quote};
use crate::format::build::edge_table::{EdgeTable, Names, NodeIds};
use crate::format::report::{Note, ReadReport};
use crate::format::text::sample::bad_quote;
use crate::format::text::{Delimiter, TextBlocks, is_whole_number, split_fields};

pub(crate) const FORMAT: Traits = Traits {
    endings: &["adjlist", "adj"],
    ..Traits::of(
        "adjlist",
        "adjacency list",
        Read::One(|intake, options, report| {
            let blocks = intake.into_blocks().in_encoding(options.encoding);
            read(blocks, report).map(Content::Edges)
        }),
    )
};

/// Reads the edges of a file; a file without any line gives a table without
/// nodes.
fn read(mut blocks: TextBlocks<'_>, report: &mut ReadReport) -> Result<EdgeTable, ReadError> {
    let path = blocks.path().to_owned();
    let mut nodes = Names::default();
    let mut edges = Vec::new();
    let mut delimiter = None;
    let mut is_first = true;
    loop {
        let lines = if is_first {
            blocks.first(1)?
        } else {
            match blocks.next()? {
                Some(lines) => lines,
                None => break,
            }
        };
        is_first = false;
        for (number, line) in lines {
            // A comment may follow the neighbours.
            let line = line.split('#').next().unwrap_or(line).trim_ascii_end();
            let found = Delimiter::sniff(line);
            // A node alone on its line has no delimiter.
            let delimiter = match found {
                Delimiter::Blank => delimiter.unwrap_or(found),
                found => *delimiter.get_or_insert(found),
            };
            let mut fields = Vec::new();
            split_fields(line, delimiter, &mut fields).map_err(|_| bad_quote(&path, number))?;
            let mut node = None;
            for field in &fields {
                if field.is_empty() || field.starts_with('-') && is_whole_number(field) {
                    return Err(ReadError::at_line(
                        &path,
                        number,
                        format!("{} is not the name of a node", quote(field.as_bytes())),
                        "give a node and its neighbours, each with one delimiter before it",
                    ));
                }
                let place = nodes
                    .place(field)
                    .map_err(|error| ReadError::graph(&path, error))?;
                match node {
                    None => node = Some(place),
                    Some(node) => edges.push((node, place)),
                }
            }
        }
    }
    if let Some(encoding) = blocks.other_encoding() {
        report.notes.push(Note::Encoding(encoding));
    }
    let ids = NodeIds::of_names(nodes.list, &mut edges);
    match ids {
        NodeIds::Range(_) => {}
        NodeIds::Numbers(_) => report.notes.push(Note::NumberedNodes { rising: true }),
        NodeIds::Names(_) => report.notes.push(Note::NumberedNodes { rising: false }),
    }
    Ok(EdgeTable {
        ids,
        edges,
        weights: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::intake::Intake;
    use crate::format::{Limits, Source};

    fn parse(text: &str) -> Result<EdgeTable, ReadError> {
        let source = Source::from_bytes("g.adjlist", text.into(), &Limits::default())?;
        let blocks = Intake::of_source(source, &Limits::default()).into_blocks();
        read(blocks, &mut ReadReport::default())
    }

    #[test]
    fn reads_nodes_and_their_neighbours() {
        let table = parse("# made by hand\n# GMT\n0 1 3\n1 3 # a comment\n2\n3\n").unwrap();
        assert_eq!(table.ids, NodeIds::Range(4));
        assert_eq!(table.edges, [(0, 1), (0, 3), (1, 3)]);
        let names = parse("\"b c\",a\nd\na,d\n").unwrap();
        let expected = ["a", "b c", "d"].map(str::to_owned).to_vec();
        assert_eq!(names.ids, NodeIds::Names(expected));
        assert_eq!(names.edges, [(1, 0), (0, 2)]);
        assert_eq!(parse("\n#\n").unwrap().ids.len(), 0);
    }

    #[test]
    fn errors_name_the_line() {
        for (text, message) in [
            ("0 1\n1 -2\n", "g.adjlist, line 2: `-2` is not the name"),
            ("a,b\nc,,d\n", "line 2: `` is not the name of a node"),
            ("a \"b\n", "line 1: a quote is not closed"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
