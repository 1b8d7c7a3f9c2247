//! The files of a TU data set as arrays.

use super::scan::Scanner;
use crate::bytes::error::ReadError;
use crate::format::text::{TextBlocks, lines};

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
    mut blocks: TextBlocks<'_>,
    graphs: Option<usize>,
) -> Result<(Vec<u32>, usize), ReadError> {
    let path = blocks.path().to_owned();
    let mut graph_of = Vec::new();
    let mut greatest = 0;
    while let Some(block) = blocks.next()? {
        let mut scanner = Scanner::new(&path, &block);
        while scanner.next_line() {
            let graph = scanner.unsigned()?;
            if graph == 0 || graphs.is_some_and(|most| graph as usize > most) {
                return Err(scanner.error(out_of_range(graph, graphs), REMEDY));
            }
            scanner.end_line()?;
            greatest = greatest.max(graph);
            graph_of.push(graph - 1);
        }
        graph_of.reserve_exact(blocks.expect_more(graph_of.len()));
    }
    // Without a file that says how many, no graph can exceed the nodes.
    if greatest as usize > graphs.unwrap_or(graph_of.len()) {
        let problem = out_of_range(greatest, Some(graph_of.len()));
        return Err(ReadError::in_file(path, problem, REMEDY));
    }
    Ok((graph_of, graphs.unwrap_or(greatest as usize)))
}

const REMEDY: &str = "check that the files belong to one data set";

fn out_of_range(graph: u32, graphs: Option<usize>) -> String {
    match graphs {
        Some(most) => {
            format!("graph {graph} is out of range: there are {most} graphs, counted from 1")
        }
        None => format!("graph {graph} is out of range: graphs are counted from 1"),
    }
}

/// The edges, nodes counted from 0; both ends must lie in one graph.
pub(super) fn edges(
    mut blocks: TextBlocks<'_>,
    graph_of: &[u32],
) -> Result<Vec<(u32, u32)>, ReadError> {
    let path = blocks.path().to_owned();
    let mut edges = Vec::new();
    while let Some(block) = blocks.next()? {
        let mut scanner = Scanner::new(&path, &block);
        while scanner.next_line() {
            edges.push(edge(&mut scanner, graph_of)?);
        }
        edges.reserve_exact(blocks.expect_more(edges.len()));
    }
    Ok(edges)
}

#[inline]
fn edge(scanner: &mut Scanner<'_>, graph_of: &[u32]) -> Result<(u32, u32), ReadError> {
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
                REMEDY,
            ));
        }
        _ => {
            return Err(scanner.error(
                format!(
                    "the edge {u}, {v} is out of range: there are {} nodes, counted from 1",
                    graph_of.len()
                ),
                REMEDY,
            ));
        }
    }
    scanner.end_line()?;
    Ok((u_place, v_place))
}

/// Rows of whole numbers, one for each of `expected` owners.
pub(super) fn labels(
    blocks: TextBlocks<'_>,
    expected: usize,
    owners: &str,
) -> Result<Table<i64>, ReadError> {
    table(blocks, expected, owners, |scanner| scanner.whole())
}

/// Rows of finite numbers, one for each of `expected` owners.
pub(super) fn attributes(
    blocks: TextBlocks<'_>,
    expected: usize,
    owners: &str,
) -> Result<Table<f32>, ReadError> {
    table(blocks, expected, owners, |scanner| scanner.float())
}

/// Rows of numbers to regress on, NaN if one is missing.
pub(super) fn target_values(blocks: TextBlocks<'_>) -> Result<Table<f32>, ReadError> {
    rows(blocks, |scanner| scanner.target())
}

/// The label of every graph, as text.
pub(super) fn target_labels(mut blocks: TextBlocks<'_>) -> Result<Vec<String>, ReadError> {
    let mut labels = Vec::new();
    while let Some(block) = blocks.next()? {
        let lines = lines(block.text()).map(str::trim_ascii);
        let lines = lines.filter(|line| !line.is_empty());
        labels.extend(lines.map(str::to_owned));
    }
    Ok(labels)
}

fn table<T>(
    blocks: TextBlocks<'_>,
    expected: usize,
    owners: &str,
    parse: impl Fn(&mut Scanner<'_>) -> Result<T, ReadError>,
) -> Result<Table<T>, ReadError> {
    let path = blocks.path().to_owned();
    let table = rows(blocks, parse)?;
    let found = table.values.len() / table.width.max(1);
    if found == expected {
        return Ok(table);
    }
    Err(ReadError::in_file(
        path,
        format!("{found} lines for {expected} {owners}"),
        REMEDY,
    ))
}

fn rows<T>(
    mut blocks: TextBlocks<'_>,
    parse: impl Fn(&mut Scanner<'_>) -> Result<T, ReadError>,
) -> Result<Table<T>, ReadError> {
    let path = blocks.path().to_owned();
    let mut values = Vec::new();
    let mut width = 0;
    while let Some(block) = blocks.next()? {
        let mut scanner = Scanner::new(&path, &block);
        while scanner.next_line() {
            let start = values.len();
            values.push(parse(&mut scanner)?);
            while scanner.separator() {
                values.push(parse(&mut scanner)?);
            }
            let found = values.len() - start;
            if start == 0 {
                width = found;
            } else if found != width {
                return Err(scanner.error(
                    format!("{found} numbers, but the first line has {width}"),
                    "fix the line or fetch the file again",
                ));
            }
            scanner.end_line()?;
        }
        values.reserve_exact(blocks.expect_more(values.len()));
    }
    values.shrink_to_fit();
    Ok(Table { width, values })
}
