//! A folder of graph files with a table of targets.
//!
//! `graphs.csv` has a line a graph: the name of its file in the folder (in any
//! format of one graph), its target and, optionally, the name of a file of node
//! features ([`table`] finds the columns). Targets
//! that are all numbers with a fraction somewhere are values to regress on, of
//! which some may be missing (`nan`, or nothing); whole numbers and text are
//! classes, numbered in sorted order.

mod table;

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use crate::bytes::error::{ReadError, quote};
use crate::bytes::intake::Intake;
use crate::bytes::ledger::Ledger;
use crate::format::build::classes::number_classes;
use crate::format::nodes::code;
use crate::format::options::ReadOptions;
use crate::format::read::{FileNames, Opened, read_one};
use crate::format::report::{Note, ReadReport};
use crate::format::table::{Format, Graphs, Holds, Read, Traits};
use crate::format::text::{is_whole_number, parse_f32};
use bnpool_graph::Target;
use table::Row;

pub(crate) const FORMAT: Traits = Traits {
    holds: Holds::ANYTHING,
    ..Traits::of("folder", "folder of graph files", Read::Many(read))
};

/// The table of targets in the folder.
pub(crate) const TABLE: &str = "graphs.csv";

/// Reads all graphs of a folder.
fn read(opened: Opened, options: &ReadOptions, ledger: &Ledger) -> Result<Graphs, ReadError> {
    let folder = opened.path.as_path();
    let table = folder.join(TABLE);
    let source = Intake::open(&table, &options.limits, &ledger.entry(TABLE))?.into_text()?;
    let (rows, understood) = table::parse(&source, folder)?;
    let mut report = ReadReport::new(Format::Folder);
    report.notes.extend(understood);
    let targets = targets(source.path(), &rows, &mut report)?;
    let mut graphs = Vec::with_capacity(rows.len());
    let mut notes = Vec::new();
    let mut formats = Vec::new();
    let mut texts = Vec::with_capacity(rows.len());
    let paths: Vec<_> = rows.iter().map(|row| folder.join(&row.file)).collect();
    for ((row, target), path) in rows.iter().zip(targets).zip(&paths) {
        let format = format_of(path)?;
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
        let (graph, found) = read_one(path, &own, &names, ledger)?;
        let graph = graph
            .into_builder()
            .target(target)
            .build()
            .map_err(|error| ReadError::graph(path, error))?;
        graphs.push(graph);
        texts.push(found.text);
        notes.extend(found.notes);
        report.feature_names = report.feature_names.or(found.feature_names);
    }
    options.check_effect(folder, &formats)?;
    let paths: Vec<&Path> = paths.iter().map(|path| path.as_path()).collect();
    let graphs = code(&paths, graphs, texts, options, &mut report)?;
    report.notes.extend(sum_up(&notes));
    report.graph_names = Some(rows.into_iter().map(|row| row.name).collect());
    Ok((graphs, report))
}

/// The files of node features that the table of a folder names.
///
/// # Errors
///
/// When there is no such table, or it cannot be read.
pub fn feature_files(folder: &Path, options: &ReadOptions) -> Result<Vec<PathBuf>, ReadError> {
    let ledger = Ledger::default();
    let source = Intake::open(&folder.join(TABLE), &options.limits, &ledger.entry(TABLE))?;
    let (rows, _) = table::parse(&source.into_text()?, folder)?;
    let named = rows.into_iter().filter_map(|row| row.features);
    Ok(named.map(|file| folder.join(file)).collect())
}

/// The format of a file of the folder: that of its name, an edge list if the
/// name tells nothing, and none that holds many graphs (a folder may even name
/// itself).
fn format_of(path: &Path) -> Result<Format, ReadError> {
    match Format::known_name(path)? {
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
pub(crate) fn sum_up(notes: &[Note]) -> Vec<Note> {
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
    use bnpool_graph::Graph;

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
    fn columns_are_found_by_name_and_by_content() {
        let no_notes: &[&str] = &[];
        for (table, notes) in [
            ("filename,class\na.csv,yes\nb.csv,no\n", no_notes),
            ("target,file\nyes,a.csv\nno,b.csv\n", no_notes),
            ("Graph_ID;Label\na;yes\nb;no\n", no_notes),
            ("yes,a.csv\nno,b.csv\n", no_notes),
            (
                "split,y,name,size\ntrain,yes,a.csv,3\ntest,no,b.csv,4\n",
                &["columns of the table not used: split, size"],
            ),
            (
                "id,path,label\n1,a.csv,yes\n2,b.csv,no\n",
                &["columns of the table not used: id"],
            ),
            (
                "Datei,Farbe\na.csv,yes\nb.csv,no\n",
                &[
                    "the first line of the table was taken for a header",
                    "`Farbe` was taken for the target of the graphs",
                ],
            ),
        ] {
            let folder = folder(&[(TABLE, table), ("a.csv", "0,1\n"), ("b.csv", "0,1\n1,2\n")]);
            let (graphs, report) = read_graphs(folder.path(), &ReadOptions::default())
                .unwrap_or_else(|error| panic!("{table}: {error}"));
            let targets: Vec<_> = graphs.iter().map(|graph| graph.target().cloned()).collect();
            assert_eq!(
                targets,
                [1, 0].map(|class| Some(Target::Class(class))),
                "{table}"
            );
            assert_eq!(graphs[1].nodes(), 3);
            assert_eq!(report.graph_names.unwrap(), ["a", "b"]);
            let remarks = report
                .notes
                .iter()
                .filter(|note| matches!(note, Note::Remark(_)));
            let remarks: Vec<_> = remarks.map(ToString::to_string).collect();
            assert_eq!(remarks, notes, "{table}");
        }
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
                "file,colour,size\na.csv,yes,2\n",
                "F/graphs.csv, line 1: which of the columns colour, size is the target?; call it `target`, or leave out the others",
            ),
            (
                "who,colour\nann,yes\n",
                "F/graphs.csv, line 1: none of the columns who, colour names files of the folder; call the columns `file` and `target`, and give names of files as they are in the folder",
            ),
            (
                "a.csv,1,/x.csv\n",
                "F/graphs.csv, line 1: the file `/x.csv` lies outside the folder; name files inside the folder only",
            ),
        ] {
            assert_eq!(refusal(table), message);
        }
        assert!(refusal("b.csv,1\n").starts_with("F/b.csv: cannot read: "));
        // A file that is missing on the first line is no header.
        assert!(refusal("b.csv,1\na.csv,2\n").starts_with("F/b.csv: cannot read: "));
    }
}
