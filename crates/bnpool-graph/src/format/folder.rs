//! A folder of graph files with a table of targets.
//!
//! `graphs.csv` has a line a graph: the name of its file in the folder (in any
//! format of one graph), its target and, optionally, the name of a file of node
//! features. A first line `file,target,features` may name the columns. Targets
//! that are all numbers with a fraction somewhere are values to regress on, of
//! which some may be missing (`nan`, or nothing); whole numbers and text are
//! classes, numbered in sorted order.

use std::borrow::Cow;
use std::path::{Component, Path};

use super::classes::number_classes;
use super::error::{ReadError, quote};
use super::intake::Intake;
use super::ledger::Ledger;
use super::names::{Format, unpacked_name};
use super::options::ReadOptions;
use super::read::{FileNames, no_effect, read_one};
use super::report::{Note, ReadReport};
use super::source::Source;
use super::text::{DataLines, Delimiter, is_whole_number, parse_f32, split_fields};
use crate::graph::Graph;
use crate::target::Target;

/// The table of targets in the folder.
pub(crate) const TABLE: &str = "graphs.csv";

/// Reads all graphs of a folder.
pub(crate) fn read(
    folder: &Path,
    options: &ReadOptions,
    ledger: &Ledger,
) -> Result<(Vec<Graph>, ReadReport), ReadError> {
    let table = folder.join(TABLE);
    let source = Intake::open(&table, &options.limits, &ledger.entry(TABLE))?.into_text()?;
    let rows = parse_table(&source)?;
    let mut report = ReadReport::new(Format::Folder);
    let targets = targets(source.path(), &rows, &mut report)?;
    let mut graphs = Vec::with_capacity(rows.len());
    let mut notes = Vec::new();
    let mut formats = Vec::new();
    for (row, target) in rows.iter().zip(targets) {
        let path = folder.join(&row.file);
        let format = format_of(&path)?;
        if !formats.contains(&format) {
            formats.push(format);
        }
        let own = ReadOptions {
            // An edge list may turn out to be a matrix.
            format: (format != Format::EdgeList).then_some(format),
            labels: None,
            features: row.features.as_ref().map(|file| folder.join(file)),
            ..options.for_format(format)
        };
        let names = FileNames {
            graph: &row.file,
            features: row.features.as_deref().unwrap_or_default(),
            ..FileNames::default()
        };
        let (graph, found) = read_one(&path, &own, &names, ledger)?;
        let graph = graph
            .into_builder()
            .target(target)
            .build()
            .map_err(|error| ReadError::graph(&path, error))?;
        graphs.push(graph);
        notes.extend(found.notes);
        report.feature_names = report.feature_names.or(found.feature_names);
    }
    if let Some((change, good)) = options.without_effect(&formats) {
        return Err(no_effect(folder, &formats, change, good));
    }
    report.notes.extend(sum_up(&notes));
    report.graph_names = Some(rows.into_iter().map(|row| row.name).collect());
    Ok((graphs, report))
}

/// The format of a file of the folder: that of its name, an edge list if the
/// name tells nothing, and none that holds many graphs (a folder may even name
/// itself).
fn format_of(path: &Path) -> Result<Format, ReadError> {
    match Format::of_name(path) {
        _ if path.is_dir() => {}
        Some(format) if format.holds_many() => {}
        Some(format) => return Ok(format),
        None => return Ok(Format::EdgeList),
    }
    Err(ReadError::in_file(
        path,
        "this is not a file of one graph",
        "name a file of one graph a line",
    ))
}

struct Row {
    line: usize,
    file: String,
    /// The file without its folder and endings.
    name: String,
    /// None where there is no such column, or nothing in it.
    target: Option<String>,
    features: Option<String>,
}

/// Where the columns of the table stand; the file is always the first.
struct Columns {
    target: Option<usize>,
    features: Option<usize>,
}

impl Columns {
    const FILE: [&str; 4] = ["file", "graph", "name", "path"];
    const TARGET: [&str; 4] = ["target", "label", "class", "y"];
    const FEATURES: [&str; 3] = ["features", "node_features", "x"];

    /// The columns that a first line names; `None` where it is data.
    fn of_header(fields: &[Cow<'_, str>]) -> Option<Result<Self, String>> {
        let known =
            |names: &[&str], field: &str| names.iter().any(|n| n.eq_ignore_ascii_case(field));
        if !fields
            .first()
            .is_some_and(|field| known(&Self::FILE, field))
        {
            return None;
        }
        let mut columns = Self {
            target: None,
            features: None,
        };
        for (place, field) in fields.iter().enumerate().skip(1) {
            let column = if known(&Self::TARGET, field) {
                &mut columns.target
            } else if known(&Self::FEATURES, field) {
                &mut columns.features
            } else {
                return Some(Err(format!(
                    "there is no meaning for a column {}",
                    quote(field.as_bytes())
                )));
            };
            *column = Some(place);
        }
        Some(Ok(columns))
    }
}

fn parse_table(source: &Source) -> Result<Vec<Row>, ReadError> {
    let path = source.path();
    let mut rows: Vec<Row> = Vec::new();
    let mut fields = Vec::new();
    let mut delimiter = None;
    let mut columns = Columns {
        target: Some(1),
        features: Some(2),
    };
    for (place, (line, text)) in DataLines::new(source.text()?).enumerate() {
        let wrong = |problem: String, remedy: &'static str| {
            Err(ReadError::at_line(path, line, problem, remedy))
        };
        let delimiter = *delimiter.get_or_insert_with(|| match Delimiter::sniff(text) {
            // Names of files may hold blanks, and a table of one column has no delimiter.
            Delimiter::Blank => Delimiter::Comma,
            other => other,
        });
        if split_fields(text, delimiter, &mut fields).is_err() || fields.len() > 3 {
            return wrong(
                "this is not a file, its target and its features".to_owned(),
                "give `file,target` or `file,target,features` a line, with names in quotes where they hold commas",
            );
        }
        match Columns::of_header(&fields) {
            Some(Ok(named)) if place == 0 => {
                columns = named;
                continue;
            }
            Some(Err(problem)) if place == 0 => {
                return wrong(problem, "call the columns file, target and features");
            }
            _ => {}
        }
        let file = match file_inside(fields.first().map_or("", |file| file)) {
            Ok(file) => file,
            Err((problem, remedy)) => return wrong(problem, remedy),
        };
        let field = |column: Option<usize>| {
            let field = fields.get(column?)?;
            (!field.is_empty()).then(|| field.to_string())
        };
        let features = match field(columns.features).map(|file| file_inside(&file)) {
            Some(Err((problem, remedy))) => return wrong(problem, remedy),
            Some(Ok(file)) => Some(file),
            None => None,
        };
        rows.push(Row {
            line,
            name: stem(&file),
            file,
            target: field(columns.target),
            features,
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

/// The name of a file, refused where it leads out of the folder.
fn file_inside(file: &str) -> Result<String, (String, &'static str)> {
    if file.is_empty() {
        return Err((
            "there is no file name".to_owned(),
            "name a file of the folder",
        ));
    }
    let inside = Path::new(file)
        .components()
        .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if !inside || file.contains('\\') {
        return Err((
            format!(
                "the file {} lies outside the folder",
                quote(file.as_bytes())
            ),
            "name files inside the folder only",
        ));
    }
    Ok(file.to_owned())
}

/// What to call the graph of a file.
fn stem(file: &str) -> String {
    let name = unpacked_name(Path::new(file)).with_extension("");
    name.to_string_lossy().into_owned()
}

/// The target of every row: all of one kind, or none at all.
fn targets(
    path: &Path,
    rows: &[Row],
    report: &mut ReadReport,
) -> Result<Vec<Option<Target>>, ReadError> {
    /// The word itself, unless it stands for a missing number.
    fn given(row: &Row) -> Option<&str> {
        let target = row.target.as_deref()?;
        (!target.eq_ignore_ascii_case("nan")).then_some(target)
    }
    if rows.iter().all(|row| row.target.is_none()) {
        return Ok(vec![None; rows.len()]);
    }
    let there: Vec<&str> = rows.iter().filter_map(given).collect();
    let missing = rows.iter().find(|row| given(row).is_none());
    let numbers = there.iter().all(|target| parse_f32(target).is_some());
    let classes = match missing {
        // Yes or no may be unknown, as in sets of several labels.
        Some(_) => {
            there.iter().all(|target| is_whole_number(target))
                && !there.iter().all(|target| matches!(*target, "0" | "1"))
        }
        None => there.iter().all(|target| is_whole_number(target)),
    };
    if numbers && !classes {
        let value = |row: &Row| match given(row).map(parse_f32) {
            Some(Some(value)) if value.is_infinite() => Err(ReadError::at_line(
                path,
                row.line,
                "the target is infinite",
                "give a number, or nan for a missing one",
            )),
            value => Ok(Some(Target::Values(vec![
                value.flatten().unwrap_or(f32::NAN),
            ]))),
        };
        return rows.iter().map(value).collect();
    }
    if let Some(row) = missing {
        return Err(ReadError::at_line(
            path,
            row.line,
            format!(
                "{} has no target, but others have",
                quote(row.file.as_bytes())
            ),
            "give every graph its class, or leave it out of the table",
        ));
    }
    let (classes, names) = number_classes(there.into_iter().map(Cow::Borrowed));
    report.classes = Some(names);
    let target = |class| Some(Target::Class(class));
    Ok(classes.into_iter().map(target).collect())
}

/// The repairs of all files together; what was merely found out is left out.
fn sum_up(notes: &[Note]) -> Vec<Note> {
    let (mut dropped, mut loops, mut added, mut isolated) = (0, 0, 0, 0);
    let (mut summed, mut loops_dropped) = (false, false);
    let mut rest: Vec<Note> = Vec::new();
    let mut left_out: Vec<String> = Vec::new();
    for note in notes {
        match note {
            Note::DuplicatesMerged {
                dropped: more,
                summed: so,
            } => {
                dropped += more;
                summed |= so;
            }
            Note::SelfLoops { count, dropped: so } => {
                loops += count;
                loops_dropped |= so;
            }
            Note::Symmetrised { added: more } => added += more,
            Note::IsolatedNodes { added: more } => isolated += more,
            Note::AttributesLeftOut(names) => {
                left_out.extend(
                    names
                        .iter()
                        .filter(|name| !left_out.contains(name))
                        .cloned()
                        .collect::<Vec<_>>(),
                );
            }
            Note::DirectionsKept
            | Note::FeatureLeftOut { .. }
            | Note::TakenForMatrix
            | Note::NoHeader { .. }
            | Note::Remark(_)
                if !rest.contains(note) =>
            {
                rest.push(note.clone());
            }
            _ => {}
        }
    }
    let sums = [
        (loops > 0).then_some(Note::SelfLoops {
            count: loops,
            dropped: loops_dropped,
        }),
        (dropped > 0).then_some(Note::DuplicatesMerged { dropped, summed }),
        (isolated > 0).then_some(Note::IsolatedNodes { added: isolated }),
        (added > 0).then_some(Note::Symmetrised { added }),
        (!left_out.is_empty()).then_some(Note::AttributesLeftOut(left_out)),
    ];
    sums.into_iter().flatten().chain(rest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::read_graphs;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        folder
    }

    fn refusal(table: &str) -> String {
        let folder = folder(&[(TABLE, table), ("a.csv", "0,1")]);
        let error = read_graphs(folder.path(), &ReadOptions::default()).unwrap_err();
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
        let (graphs, report) = read_graphs(folder.path(), &ReadOptions::default()).unwrap();
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
        let (graphs, report) = read_graphs(folder.path(), &ReadOptions::default()).unwrap();
        assert_eq!(graphs[0].target(), Some(&Target::Values(vec![0.5])));
        assert_eq!(report.classes, None);
        for unknown in ["a.csv,0\nb c.tsv,nan\n", "file,target\na.csv,0\nb c.tsv,\n"] {
            std::fs::write(folder.path().join(TABLE), unknown).unwrap();
            let (graphs, _) = read_graphs(folder.path(), &ReadOptions::default()).unwrap();
            assert_eq!(graphs[0].target(), Some(&Target::Values(vec![0.0])));
            let unknown = graphs[1].target();
            assert!(matches!(unknown, Some(Target::Values(x)) if x[0].is_nan()));
        }
        std::fs::write(folder.path().join(TABLE), "a.csv\nb c.tsv\n").unwrap();
        let (graphs, _) = read_graphs(folder.path(), &ReadOptions::default()).unwrap();
        assert_eq!(graphs[1].target(), None);
    }

    #[test]
    fn graphs_may_have_features_names_and_other_formats() {
        let folder = folder(&[
            (
                TABLE,
                "file,features,target\nsub/a.csv,xa.csv,1\nb.gml,,0\nlone.csv,xl.csv,1\n",
            ),
            ("xa.csv", "3,4\n5,6\n7,8\n"),
            (
                "b.gml",
                "graph [ node [ id 0 w 1 v 2 ] node [ id 1 w 2 v 1 ] edge [ source 0 target 1 ] ]",
            ),
            ("lone.csv", "source,target\n"),
            ("xl.csv", "id,p,q\nme,1,2\n"),
        ]);
        std::fs::create_dir(folder.path().join("sub")).unwrap();
        std::fs::write(folder.path().join("sub/a.csv"), "0,1\n").unwrap();
        let options = ReadOptions {
            node_attributes: vec!["w".into(), "v".into()],
            ..ReadOptions::default()
        };
        let (graphs, report) = read_graphs(folder.path(), &options).unwrap();
        let shape = |graph: &Graph| (graph.nodes(), graph.edges(), graph.features().width());
        assert_eq!(shape(&graphs[0]), (3, 2, 2), "a row makes room for a node");
        assert_eq!(
            shape(&graphs[1]),
            (2, 2, 2),
            "attributes of GML are features if they are named"
        );
        assert_eq!(shape(&graphs[2]), (1, 0, 2), "one atom and no bond");
        assert_eq!(graphs[2].target(), Some(&Target::Class(1)));
        assert_eq!(report.graph_names.unwrap(), ["sub/a", "b", "lone"]);
        assert!(report.notes.contains(&Note::IsolatedNodes { added: 2 }));
        let (graphs, report) = read_graphs(folder.path(), &ReadOptions::default()).unwrap();
        assert_eq!(graphs[1].features().width(), 0);
        let left_out = Note::AttributesLeftOut(vec!["w".into(), "v".into()]);
        assert!(report.notes.contains(&left_out), "{:?}", report.notes);
    }

    #[test]
    fn an_option_must_mean_something_for_a_file() {
        let folder = folder(&[(TABLE, "a.csv,1\n"), ("a.csv", "0,1\n")]);
        let options = ReadOptions {
            node_attributes: vec!["w".into()],
            ..ReadOptions::default()
        };
        let error = read_graphs(folder.path(), &options)
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("edge-list has no node attributes"),
            "{error}"
        );
    }

    #[test]
    fn a_name_need_not_tell_the_format_but_one_graph_there_must_be() {
        let named = |row: &str| {
            let folder = folder(&[
                (TABLE, &format!("{row},1\nb.csv,2\n")),
                ("a", "0,1\n"),
                ("a.dat", "0 1\n"),
                ("b.csv", "0,1\n"),
                ("many.zip", "x"),
            ]);
            std::fs::create_dir(folder.path().join("sub")).unwrap();
            let read = read_graphs(folder.path(), &ReadOptions::default());
            read.map(|(graphs, _)| graphs.len())
                .map_err(|e| e.to_string())
        };
        assert_eq!(named("a"), Ok(2));
        assert_eq!(named("a.dat"), Ok(2));
        // The folder itself would be read for ever.
        for row in [".", "./", "sub", "many.zip"] {
            let message = named(row).unwrap_err();
            assert!(
                message.contains("not a file of one graph"),
                "{row}: {message}"
            );
        }
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
                "a.csv,3\na.csv\n",
                "F/graphs.csv, line 2: `a.csv` has no target, but others have; give every graph its class, or leave it out of the table",
            ),
            (
                "a.csv,yes\na.csv,nan\n",
                "F/graphs.csv, line 2: `a.csv` has no target, but others have; give every graph its class, or leave it out of the table",
            ),
            (
                "a.csv,0.5\na.csv,inf\n",
                "F/graphs.csv, line 2: the target is infinite; give a number, or nan for a missing one",
            ),
            (
                "file,colour\na.csv,yes\n",
                "F/graphs.csv, line 1: there is no meaning for a column `colour`; call the columns file, target and features",
            ),
            (
                "a.csv,1,/x.csv\n",
                "F/graphs.csv, line 1: the file `/x.csv` lies outside the folder; name files inside the folder only",
            ),
        ] {
            assert_eq!(refusal(table), message);
        }
        assert!(refusal("b.csv,1\n").starts_with("F/b.csv: cannot read: "));
    }
}
