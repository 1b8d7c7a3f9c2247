//! A folder of edge lists with a table of targets.
//!
//! `graphs.csv` names a file of the folder and, optionally, its target on every
//! line. Targets that are all numbers with a fraction somewhere are values to
//! regress on; whole numbers and text are classes, numbered in sorted order.

use std::borrow::Cow;
use std::path::{Component, Path};

use super::classes::number_classes;
use super::edge_list;
use super::error::{ReadError, quote};
use super::names::Format;
use super::options::ReadOptions;
use super::report::{Note, ReadReport};
use super::source::Source;
use super::text::{DataLines, Delimiter, TextBlocks, is_whole_number, parse_f32, split_fields};
use crate::graph::Graph;
use crate::target::Target;

/// The table of targets in the folder.
pub(crate) const TABLE: &str = "graphs.csv";

/// Reads all graphs of a folder.
pub(crate) fn read(
    folder: &Path,
    options: &ReadOptions,
) -> Result<(Vec<Graph>, ReadReport), ReadError> {
    let source = Source::open(folder.join(TABLE), &options.limits)?;
    let rows = parse_table(&source)?;
    let mut report = ReadReport::new(Format::Folder);
    let targets = targets(source.path(), &rows, &mut report)?;
    let mut graphs = Vec::with_capacity(rows.len());
    let mut notes = Vec::new();
    for (row, target) in rows.iter().zip(targets) {
        let path = folder.join(&row.file);
        let graph = TextBlocks::open(&path, &options.limits)
            .and_then(|blocks| edge_list::read(blocks, options, &mut notes))
            .and_then(|table| table.into_graph(&path, options, &mut notes))?;
        let graph = graph
            .into_builder()
            .target(target)
            .build()
            .map_err(|error| ReadError::graph(&path, error))?;
        graphs.push(graph);
    }
    report.notes.extend(sum_up(&notes));
    Ok((graphs, report))
}

struct Row {
    line: usize,
    file: String,
    target: Option<String>,
}

fn parse_table(source: &Source) -> Result<Vec<Row>, ReadError> {
    let path = source.path();
    let mut rows: Vec<Row> = Vec::new();
    let mut fields = Vec::new();
    let mut delimiter = None;
    for (place, (line, text)) in DataLines::new(source.text()?).enumerate() {
        let wrong = |problem: String, remedy: &'static str| {
            Err(ReadError::at_line(path, line, problem, remedy))
        };
        let delimiter = *delimiter.get_or_insert_with(|| match Delimiter::sniff(text) {
            // Names of files may hold blanks, and a table of one column has no delimiter.
            Delimiter::Blank => Delimiter::Comma,
            other => other,
        });
        if split_fields(text, delimiter, &mut fields).is_err() || fields.len() > 2 {
            return wrong(
                "this is not a file and its target".to_owned(),
                "give `file,target` a line, with names in quotes where they hold commas",
            );
        }
        let Some(file) = fields.first().filter(|file| !file.is_empty()) else {
            return wrong(
                "there is no file name".to_owned(),
                "name a file of the folder",
            );
        };
        let named = ["file", "graph", "name", "path"]
            .iter()
            .any(|name| name.eq_ignore_ascii_case(file));
        if place == 0 && named {
            continue;
        }
        let inside = Path::new(&**file)
            .components()
            .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        if !inside || file.contains('\\') {
            return wrong(
                format!(
                    "the file {} lies outside the folder",
                    quote(file.as_bytes())
                ),
                "name files inside the folder only",
            );
        }
        rows.push(Row {
            line,
            file: file.to_string(),
            target: fields.get(1).map(|target| target.to_string()),
        });
    }
    if rows.is_empty() {
        return Err(ReadError::in_file(
            path,
            "there is no graph in the table",
            "give `file,target` a line",
        ));
    }
    Ok(rows)
}

/// The target of every row: all of one kind, or none at all.
fn targets(
    path: &Path,
    rows: &[Row],
    report: &mut ReadReport,
) -> Result<Vec<Option<Target>>, ReadError> {
    let labels: Vec<&str> = rows
        .iter()
        .filter_map(|row| row.target.as_deref())
        .collect();
    if labels.is_empty() {
        return Ok(vec![None; rows.len()]);
    }
    if let Some(row) = rows.iter().find(|row| row.target.is_none()) {
        return Err(ReadError::at_line(
            path,
            row.line,
            format!(
                "{} has no target, but others have",
                quote(row.file.as_bytes())
            ),
            "give every graph a target, or none",
        ));
    }
    let values: Option<Vec<_>> = labels.iter().map(|label| parse_f32(label)).collect();
    match values {
        Some(values) if !labels.iter().all(|label| is_whole_number(label)) => {
            if let Some(place) = values.iter().position(|value| value.is_infinite()) {
                return Err(ReadError::at_line(
                    path,
                    rows[place].line,
                    "the target is infinite",
                    "give a number, or nan for a missing one",
                ));
            }
            let target = |value| Some(Target::Values(vec![value]));
            Ok(values.into_iter().map(target).collect())
        }
        _ => {
            let (classes, names) = number_classes(labels.into_iter().map(Cow::Borrowed));
            report.classes = Some(names);
            let target = |class| Some(Target::Class(class));
            Ok(classes.into_iter().map(target).collect())
        }
    }
}

/// The repairs of all files together; what was merely found out is left out.
fn sum_up(notes: &[Note]) -> Vec<Note> {
    let (mut dropped, mut loops, mut added) = (0, 0, 0);
    let mut sum = Vec::new();
    for note in notes {
        match note {
            Note::DuplicatesMerged { dropped: more, .. } => dropped += more,
            Note::SelfLoops { count, .. } => loops += count,
            Note::Symmetrised { added: more } => added += more,
            _ => {}
        }
    }
    let summed = notes
        .iter()
        .any(|note| matches!(note, Note::DuplicatesMerged { summed: true, .. }));
    let loops_dropped = notes
        .iter()
        .any(|note| matches!(note, Note::SelfLoops { dropped: true, .. }));
    if loops > 0 {
        sum.push(Note::SelfLoops {
            count: loops,
            dropped: loops_dropped,
        });
    }
    if dropped > 0 {
        sum.push(Note::DuplicatesMerged { dropped, summed });
    }
    if added > 0 {
        sum.push(Note::Symmetrised { added });
    }
    if notes.contains(&Note::DirectionsKept) {
        sum.push(Note::DirectionsKept);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        folder
    }

    fn refusal(table: &str) -> String {
        let folder = folder(&[(TABLE, table), ("a.csv", "0,1")]);
        let error = read(folder.path(), &ReadOptions::default()).unwrap_err();
        error
            .to_string()
            .replace(&folder.path().display().to_string(), "F")
    }

    #[test]
    fn reads_classes_and_values() {
        let table = "file,target\na.csv,yes\nb c.tsv,no\n";
        let folder = folder(&[
            (TABLE, table),
            ("a.csv", "0,1\n1,1\n"),
            ("b c.tsv", "x\ty\n"),
        ]);
        let (graphs, report) = read(folder.path(), &ReadOptions::default()).unwrap();
        assert_eq!(graphs[0].target(), Some(&Target::Class(1)));
        assert_eq!(graphs[1].node_ids().unwrap(), ["x", "y"]);
        assert_eq!(
            report.classes.as_deref(),
            Some(&["no".into(), "yes".into()][..])
        );
        assert_eq!(
            report.notes,
            [
                Note::SelfLoops {
                    count: 1,
                    dropped: false
                },
                Note::Symmetrised { added: 2 }
            ]
        );
        std::fs::write(folder.path().join(TABLE), "a.csv,0.5\nb c.tsv,nan\n").unwrap();
        let (graphs, report) = read(folder.path(), &ReadOptions::default()).unwrap();
        assert_eq!(graphs[0].target(), Some(&Target::Values(vec![0.5])));
        assert_eq!(report.classes, None);
        std::fs::write(folder.path().join(TABLE), "a.csv\nb c.tsv\n").unwrap();
        let (graphs, _) = read(folder.path(), &ReadOptions::default()).unwrap();
        assert_eq!(graphs[1].target(), None);
    }

    #[test]
    fn wrong_tables_are_refused() {
        for (table, message) in [
            (
                "",
                "F/graphs.csv: there is no graph in the table; give `file,target` a line",
            ),
            (
                "../a.csv,1\n",
                "F/graphs.csv, line 1: the file `../a.csv` lies outside the folder; name files inside the folder only",
            ),
            (
                "/etc/passwd,1\n",
                "F/graphs.csv, line 1: the file `/etc/passwd` lies outside the folder; name files inside the folder only",
            ),
            (
                "a.csv,1\na.csv\n",
                "F/graphs.csv, line 2: `a.csv` has no target, but others have; give every graph a target, or none",
            ),
        ] {
            assert_eq!(refusal(table), message);
        }
        assert!(refusal("b.csv,1\n").starts_with("F/b.csv: cannot read: "));
    }
}
