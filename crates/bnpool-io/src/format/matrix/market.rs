//! Matrix Market coordinates (`.mtx`).
//!
//! Square matrices `coordinate pattern|real|integer general|symmetric`, counted
//! from 1. Of a symmetric matrix one triangle is listed and the other implied.
//! Node ids are the numbers of the file, so the first node is called `1`.

use bnpool_math::memory::bytes_of;

use crate::bytes::error::{ReadError, quote};
use crate::bytes::intake::Intake;
use crate::bytes::limits::Limits;
use crate::bytes::source::Source;
use crate::format::build::edge_table::{EdgeTable, NodeIds};
use crate::format::nodes::tables::Content;
use crate::format::options::ReadOptions;
use crate::format::report::ReadReport;
use crate::format::table::{Holds, Read, Traits};
use crate::format::text::{DataLines, Delimiter, lines, parse_f32, parse_u32, split_fields};

pub(crate) const FORMAT: Traits = Traits {
    endings: &["mtx"],
    starts: |start| start.text().starts_with(b"%%matrixmarket"),
    holds: Holds::WEIGHTS,
    ..Traits::of("mtx", "Matrix Market", Read::One(read))
};

/// Shortest line of an entry, `1 1` and its end.
const SHORTEST_LINE: usize = 4;

/// The content of the first line.
struct Banner {
    weighted: bool,
    symmetric: bool,
}

/// Reads the graph of a file.
fn read(
    intake: Intake,
    options: &ReadOptions,
    report: &mut ReadReport,
) -> Result<Content, ReadError> {
    let source = intake.into_text()?;
    let path = source.path().to_owned();
    let mut table = parse(&source, &options.limits)?;
    drop(source);
    table.weights = table.weights.filter(|_| options.reads_weights());
    let graph = table.into_graph(&path, options, &mut report.notes)?;
    Ok(Content::Graph(graph))
}

/// The entries of a file as edges.
fn parse(source: &Source, limits: &Limits) -> Result<EdgeTable, ReadError> {
    let (path, text) = (source.path(), source.text()?);
    let banner = parse_banner(source, text)?;
    let mut lines = DataLines::new(text);
    let Some((number, line)) = lines.next() else {
        return Err(ReadError::in_file(
            path,
            "the line with rows, columns and entries is missing",
            "fetch or write the file again",
        ));
    };
    let wrong = |number: usize, problem: String, remedy: &'static str| {
        Err(ReadError::at_line(path, number, problem, remedy))
    };
    let mut fields = Vec::new();
    // Quotes mean nothing here: they fail as numbers.
    let _ = split_fields(line, Delimiter::Blank, &mut fields);
    let sizes: Vec<u64> = fields
        .iter()
        .filter_map(|field| field.parse().ok())
        .collect();
    let (&[rows, columns, entries], 3) = (&sizes[..], fields.len()) else {
        return wrong(
            number,
            format!(
                "{} does not give rows, columns and entries",
                quote(line.as_bytes())
            ),
            "fetch or write the file again",
        );
    };
    if rows != columns {
        return wrong(
            number,
            format!("the matrix has {rows} rows and {columns} columns"),
            "give a square matrix: a row and a column for each node",
        );
    }
    limits.check_announced(path, "nodes", rows, source.bytes().len())?;
    let most = (entries as usize).min(1 + text.len() / SHORTEST_LINE);
    let bytes = bytes_of::<u64>(&[rows as usize]).saturating_add(bytes_of::<u64>(&[most, 3]));
    let what = format!("a matrix of {rows} rows");
    limits.check_memory(path, &what, bytes)?;
    let mut edges = Vec::with_capacity(most);
    let mut weights = banner.weighted.then(|| Vec::with_capacity(most));
    let mut found = 0_u64;
    for (number, line) in lines {
        found += 1;
        let mut fields = line.split_ascii_whitespace();
        let mut node = || place(fields.next()?, rows);
        let (Some(row), Some(column)) = (node(), node()) else {
            return wrong(
                number,
                format!(
                    "{} does not start with a row and a column",
                    quote(line.as_bytes())
                ),
                "give whole numbers from 1 to the number of rows",
            );
        };
        let mut weight = 1.0;
        if banner.weighted {
            match fields.next().and_then(parse_f32) {
                Some(value) if value >= 0.0 && value.is_finite() => weight = value,
                _ => {
                    return wrong(
                        number,
                        format!(
                            "{} has no finite value of at least 0",
                            quote(line.as_bytes())
                        ),
                        "give every entry such a value, or write the matrix as `pattern`",
                    );
                }
            }
        }
        if fields.next().is_some() {
            return wrong(
                number,
                format!("{} has too many fields", quote(line.as_bytes())),
                "give one entry a line",
            );
        }
        for (u, v) in [(row, column), (column, row)] {
            edges.push((u, v));
            if let Some(weights) = &mut weights {
                weights.push(weight);
            }
            if !banner.symmetric || u == v {
                break;
            }
        }
    }
    if found != entries {
        return Err(ReadError::in_file(
            path,
            format!("{entries} entries are announced, but {found} follow"),
            "the file is cut off or damaged: fetch or write it again",
        ));
    }
    Ok(EdgeTable {
        ids: NodeIds::Numbers((1..=rows).collect()),
        edges,
        weights,
    })
}

/// A number from 1 to `rows`, counted from 0.
fn place(field: &str, rows: u64) -> Option<u32> {
    let (number, length) = parse_u32(field.as_bytes())?;
    let inside = number >= 1 && u64::from(number) <= rows && length == field.len();
    inside.then(|| number - 1)
}

fn parse_banner(source: &Source, text: &str) -> Result<Banner, ReadError> {
    let first = lines(text).next().unwrap_or("");
    let words: Vec<_> = first
        .split_ascii_whitespace()
        .map(str::to_ascii_lowercase)
        .collect();
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    let wrong = |problem: String, remedy: &'static str| {
        Err(ReadError::at_line(source.path(), 1, problem, remedy))
    };
    let &["%%matrixmarket", "matrix", layout, field, symmetry] = &words[..] else {
        return wrong(
            "this is not the first line of a Matrix Market file".to_owned(),
            "start with `%%MatrixMarket matrix coordinate …`",
        );
    };
    if layout != "coordinate" {
        return wrong(
            format!("the layout {} is not supported", quote(layout.as_bytes())),
            "write the matrix sparse, as `coordinate`",
        );
    }
    let weighted = match field {
        "pattern" => false,
        "real" | "integer" | "double" => true,
        _ => {
            return wrong(
                format!("the field {} is not supported", quote(field.as_bytes())),
                "write the matrix as `pattern`, `real` or `integer`",
            );
        }
    };
    let symmetric = match symmetry {
        "general" => false,
        "symmetric" => true,
        _ => {
            return wrong(
                format!(
                    "the symmetry {} is not supported",
                    quote(symmetry.as_bytes())
                ),
                "write the matrix as `general` or `symmetric`",
            );
        }
    };
    Ok(Banner {
        weighted,
        symmetric,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<EdgeTable, ReadError> {
        let limits = Limits::default();
        super::parse(&Source::from_bytes("m.mtx", text.into(), &limits)?, &limits)
    }

    #[test]
    fn reads_the_common_kinds() {
        let pattern =
            parse("%%MatrixMarket matrix coordinate pattern symmetric\n% c\n\n3 3 2\n2 1\n3 3\n")
                .unwrap();
        assert_eq!(pattern.edges, [(1, 0), (0, 1), (2, 2)]);
        assert_eq!(pattern.ids, NodeIds::Numbers(vec![1, 2, 3]));
        assert_eq!(pattern.weights, None);
        let real =
            parse("%%MatrixMarket MATRIX Coordinate Real General\r\n2 2 1\r\n1 2 0.5\r\n").unwrap();
        assert_eq!((real.edges, real.weights), (vec![(0, 1)], Some(vec![0.5])));
    }

    #[test]
    fn refuses_the_rest() {
        let general = "%%MatrixMarket matrix coordinate real general\n";
        for (text, message) in [
            ("".to_owned(), "line 1: this is not the first line"),
            (
                "%%MatrixMarket matrix array real general\n2 2\n".into(),
                "line 1: the layout `array` is not supported; write the matrix sparse",
            ),
            (
                "%%MatrixMarket matrix coordinate complex general\n".into(),
                "the field `complex` is not supported",
            ),
            (
                "%%MatrixMarket matrix coordinate real hermitian\n".into(),
                "the symmetry `hermitian`",
            ),
            (
                general.into(),
                "the line with rows, columns and entries is missing",
            ),
            (
                format!("{general}2 2\n"),
                "line 2: `2 2` does not give rows",
            ),
            (
                format!("{general}2 3 0\n"),
                "line 2: the matrix has 2 rows and 3 columns",
            ),
            (
                format!("{general}4000000000 4000000000 0\n"),
                "announcement of 4000000000 nodes",
            ),
            (
                format!("{general}2 2 1\n1 3 1\n"),
                "line 3: `1 3 1` does not start with a row",
            ),
            (
                format!("{general}2 2 1\n0 1 1\n"),
                "line 3: `0 1 1` does not start with a row",
            ),
            (
                format!("{general}2 2 1\n1 2 -1\n"),
                "line 3: `1 2 -1` has no finite value",
            ),
            (format!("{general}2 2 1\n1 2 1 1\n"), "has too many fields"),
            (
                format!("{general}2 2 18446744073709551615\n1 2 1\n"),
                "are announced, but 1 follow",
            ),
        ] {
            let error = parse(&text).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
