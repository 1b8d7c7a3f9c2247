//! The files of a TU data set as arrays.

use std::path::Path;

use crate::bytes::error::{ReadError, quote};
use crate::format::text::{DataLines, TextBlocks, count_line_ends, lines, parse_u32};

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

/// A place in a block of lines of numbers separated by commas (or blanks).
///
/// Lines are not counted on the way: an error counts them up to its place.
pub(super) struct Scanner<'a> {
    path: &'a Path,
    bytes: &'a [u8],
    position: usize,
    /// Lines before the block.
    lines: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(path: &'a Path, block: &DataLines<'a>) -> Self {
        Self {
            path,
            bytes: block.text().as_bytes(),
            position: 0,
            lines: block.passed(),
        }
    }

    /// Goes to the next line that is not blank; false at the end.
    #[inline]
    pub(super) fn next_line(&mut self) -> bool {
        while let Some(byte) = self.bytes.get(self.position) {
            if !byte.is_ascii_whitespace() {
                return true;
            }
            self.position += 1;
        }
        false
    }

    /// A whole number without sign.
    #[inline]
    pub(super) fn unsigned(&mut self) -> Result<u32, ReadError> {
        match parse_u32(&self.bytes[self.position..]) {
            Some((number, length)) => {
                self.position += length;
                Ok(number)
            }
            None => Err(self.wrong("a whole number of 32 bits, not negative")),
        }
    }

    /// A whole number, also one written as `3.0`.
    #[inline]
    pub(super) fn whole(&mut self) -> Result<i64, ReadError> {
        const EXACT: f64 = 9_007_199_254_740_992.0;
        let (number, length) = self.number::<f64>("a whole number")?;
        if number.fract() != 0.0 || number.abs() > EXACT {
            return Err(self.wrong("a whole number"));
        }
        self.position += length;
        Ok(number as i64)
    }

    /// A finite number.
    #[inline]
    pub(super) fn float(&mut self) -> Result<f32, ReadError> {
        let (number, length) = self.number::<f32>("a finite number")?;
        if !number.is_finite() {
            return Err(self.wrong("a finite number"));
        }
        self.position += length;
        Ok(number)
    }

    /// A number that may be NaN, which marks a missing target.
    pub(super) fn target(&mut self) -> Result<f32, ReadError> {
        let (number, length) = self.number::<f32>("a number")?;
        if number.is_infinite() {
            return Err(self.wrong("a finite number, or nan for a missing one"));
        }
        self.position += length;
        Ok(number)
    }

    #[inline]
    fn number<T: fast_float2::FastFloat>(&self, wanted: &str) -> Result<(T, usize), ReadError> {
        fast_float2::parse_partial(&self.bytes[self.position..]).map_err(|_| self.wrong(wanted))
    }

    /// Passes a comma or blanks; false at the end of the line.
    #[inline]
    pub(super) fn separator(&mut self) -> bool {
        let start = self.position;
        self.pass_blanks();
        if self.bytes.get(self.position) == Some(&b',') {
            self.position += 1;
            self.pass_blanks();
            return true;
        }
        self.position > start && !self.at_line_end()
    }

    /// Passes the end of the line; anything else before it is an error.
    #[inline]
    pub(super) fn end_line(&mut self) -> Result<(), ReadError> {
        self.pass_blanks();
        if !self.at_line_end() {
            return Err(self.wrong("the end of the line"));
        }
        Ok(())
    }

    #[inline]
    fn pass_blanks(&mut self) {
        while let Some(b' ' | b'\t') = self.bytes.get(self.position) {
            self.position += 1;
        }
    }

    #[inline]
    fn at_line_end(&self) -> bool {
        matches!(self.bytes.get(self.position), None | Some(b'\n' | b'\r'))
    }

    /// An error at this place: the file has something else than what is wanted.
    #[cold]
    pub(super) fn wrong(&self, wanted: &str) -> ReadError {
        let rest = &self.bytes[self.position..];
        let end = rest
            .iter()
            .position(|byte| matches!(byte, b'\n' | b'\r' | b','));
        let found = &rest[..end.unwrap_or(rest.len())];
        let found = if found.is_empty() {
            "the line ends".to_owned()
        } else {
            format!("{} stands", quote(found.trim_ascii()))
        };
        self.error(
            format!("{found} where {wanted} should be"),
            "fix the line or fetch the file again",
        )
    }

    /// An error on this line.
    #[cold]
    pub(super) fn error(&self, problem: String, remedy: &'static str) -> ReadError {
        let before = &self.bytes[..self.position];
        let line = 1 + self.lines + count_line_ends(before);
        ReadError::at_line(self.path, line, problem, remedy)
    }
}
