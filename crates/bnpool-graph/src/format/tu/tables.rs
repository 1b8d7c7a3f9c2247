//! The files of a TU data set as arrays.

use super::scan::Scanner;
use crate::format::error::ReadError;
use crate::format::source::Source;

/// Rows of equal length.
pub(super) struct Table<T> {
    pub(super) width: usize,
    pub(super) values: Vec<T>,
}

impl<T> Table<T> {
    pub(super) fn row(&self, row: usize) -> &[T] {
        &self.values[row * self.width..(row + 1) * self.width]
    }
}

/// The graph of every node, counted from 0, and the number of graphs.
pub(super) fn graph_indicator(
    source: &Source,
    graphs: Option<usize>,
) -> Result<(Vec<u32>, usize), ReadError> {
    let mut scanner = Scanner::new(source)?;
    // Without a file that says how many, no graph can exceed the nodes.
    let most = graphs.unwrap_or_else(|| scanner.most_lines());
    let mut graph_of = Vec::with_capacity(scanner.most_lines());
    let mut greatest = 0;
    while scanner.next_line() {
        let graph = scanner.unsigned()?;
        if graph == 0 || graph as usize > most {
            return Err(scanner.error(
                format!("graph {graph} is out of range: there are {most} graphs, counted from 1"),
                "check that the files belong to one data set",
            ));
        }
        scanner.end_line()?;
        greatest = greatest.max(graph as usize);
        graph_of.push(graph - 1);
    }
    Ok((graph_of, graphs.unwrap_or(greatest)))
}

/// The edges, nodes counted from 0; both ends must lie in one graph.
pub(super) fn edges(source: &Source, graph_of: &[u32]) -> Result<Vec<(u32, u32)>, ReadError> {
    let mut scanner = Scanner::new(source)?;
    let mut edges = Vec::with_capacity(scanner.most_lines());
    while scanner.next_line() {
        let u = scanner.unsigned()?;
        if !scanner.separator() {
            return Err(scanner.wrong("a second node"));
        }
        let v = scanner.unsigned()?;
        let (u_place, v_place) = (u.wrapping_sub(1), v.wrapping_sub(1));
        let graph = |place: u32| graph_of.get(place as usize);
        match (graph(u_place), graph(v_place)) {
            (Some(first), Some(second)) if first == second => {}
            (Some(first), Some(second)) => {
                return Err(scanner.error(
                    format!(
                        "the edge {u}, {v} joins graph {} and graph {}",
                        first + 1,
                        second + 1
                    ),
                    "check that the files belong to one data set",
                ));
            }
            _ => {
                return Err(scanner.error(
                    format!(
                        "the edge {u}, {v} is out of range: there are {} nodes, counted from 1",
                        graph_of.len()
                    ),
                    "check that the files belong to one data set",
                ));
            }
        }
        scanner.end_line()?;
        edges.push((u_place, v_place));
    }
    Ok(edges)
}

/// Rows of whole numbers, one for each of `expected` owners.
pub(super) fn labels(
    source: &Source,
    expected: usize,
    owners: &str,
) -> Result<Table<i64>, ReadError> {
    table(source, expected, owners, Scanner::whole)
}

/// Rows of finite numbers, one for each of `expected` owners.
pub(super) fn attributes(
    source: &Source,
    expected: usize,
    owners: &str,
) -> Result<Table<f32>, ReadError> {
    table(source, expected, owners, Scanner::float)
}

/// Rows of numbers to regress on, NaN where one is missing.
pub(super) fn target_values(source: &Source) -> Result<Table<f32>, ReadError> {
    let mut scanner = Scanner::new(source)?;
    rows(&mut scanner, 0, Scanner::target)
}

/// The label of every graph, as text.
pub(super) fn target_labels(source: &Source) -> Result<Vec<String>, ReadError> {
    let lines = source.text()?.lines().map(str::trim_ascii);
    let labels = lines.filter(|line| !line.is_empty());
    Ok(labels.map(str::to_owned).collect())
}

fn table<'a, T>(
    source: &'a Source,
    expected: usize,
    owners: &str,
    parse: impl Fn(&mut Scanner<'a>) -> Result<T, ReadError>,
) -> Result<Table<T>, ReadError> {
    let mut scanner = Scanner::new(source)?;
    let most = expected.min(scanner.most_lines());
    let table = rows(&mut scanner, most, parse)?;
    let found = table.values.len() / table.width.max(1);
    if found == expected {
        return Ok(table);
    }
    Err(ReadError::in_file(
        source.path(),
        format!("{found} lines for {expected} {owners}"),
        "check that the files belong to one data set",
    ))
}

fn rows<'a, T>(
    scanner: &mut Scanner<'a>,
    expected: usize,
    parse: impl Fn(&mut Scanner<'a>) -> Result<T, ReadError>,
) -> Result<Table<T>, ReadError> {
    let mut values = Vec::new();
    let mut width = 0;
    while scanner.next_line() {
        let start = values.len();
        values.push(parse(scanner)?);
        while scanner.separator() {
            values.push(parse(scanner)?);
        }
        let found = values.len() - start;
        if start == 0 {
            width = found;
            let more = expected.saturating_sub(1).saturating_mul(width);
            values.reserve_exact(more.min(scanner.most_numbers()));
        } else if found != width {
            return Err(scanner.error(
                format!("{found} numbers, but the first line has {width}"),
                "mend the line or fetch the file again",
            ));
        }
        scanner.end_line()?;
    }
    Ok(Table { width, values })
}
