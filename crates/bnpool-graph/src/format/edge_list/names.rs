//! Edge lists whose node ids are text, or numbers beyond 32 bits.

use std::collections::HashMap;
use std::path::Path;

use foldhash::fast::RandomState;

use super::layout::Layout;
use super::parse_line;
use crate::error::GraphError;
use crate::format::edge_table::{EdgeTable, NodeIds};
use crate::format::error::ReadError;
use crate::format::text::DataLines;

/// Reads all lines and numbers the nodes.
pub(super) fn parse(
    path: &Path,
    lines: DataLines<'_>,
    layout: &Layout,
) -> Result<EdgeTable, ReadError> {
    let mut names = Names::default();
    // An id is never empty, so that this is no one's.
    let mut last = (String::new(), 0);
    let mut edges = Vec::new();
    let mut weights = layout.weight.map(|_| Vec::new());
    let mut fields = Vec::new();
    for line in lines {
        let line = parse_line(path, line, layout, &mut fields)?;
        // Files are mostly sorted by source: then half of the searches are saved.
        if line.source != last.0 {
            last.0.clear();
            last.0.push_str(line.source);
            last.1 = names.number(line.source);
        }
        edges.push((last.1, names.number(line.target)));
        if let (Some(weights), Some(weight)) = (&mut weights, line.weight) {
            weights.push(weight);
        }
    }
    GraphError::check_limit("nodes", names.list.len())
        .map_err(|error| ReadError::graph(path, error))?;
    let ids = NodeIds::of_names(names.list, &mut edges);
    Ok(EdgeTable {
        ids,
        edges,
        weights,
    })
}

/// Names and their numbers, in the order of appearance.
#[derive(Default)]
struct Names {
    /// Short names are keys by value: finding one touches no other memory.
    short: HashMap<u128, u32, RandomState>,
    long: HashMap<String, u32, RandomState>,
    list: Vec<String>,
}

impl Names {
    fn number(&mut self, name: &str) -> u32 {
        // More than fit are refused when all are known.
        let next = self.list.len() as u32;
        let number = match short_key(name.as_bytes()) {
            Some(key) => *self.short.entry(key).or_insert(next),
            None => match self.long.get(name) {
                Some(&number) => number,
                None => {
                    self.long.insert(name.to_owned(), next);
                    next
                }
            },
        };
        if number == next {
            self.list.push(name.to_owned());
        }
        number
    }
}

/// A name of up to 15 bytes as a number, with its length in the last byte.
fn short_key(name: &[u8]) -> Option<u128> {
    let mut key = [0; 16];
    let (text, length) = key.split_at_mut(15);
    text.get_mut(..name.len())?.copy_from_slice(name);
    length[0] = name.len() as u8;
    Some(u128::from_le_bytes(key))
}
