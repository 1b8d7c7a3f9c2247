//! The table of a folder of graphs: which column is which.
//!
//! A header names the columns in any order. Without known names, the column
//! whose values are files of the folder names the graphs, and the one beside it
//! the target.

use std::collections::BTreeMap;
use std::path::{Component, Path};

use crate::bytes::error::{ReadError, quote};
use crate::bytes::source::Source;
use crate::format::report::Note;
use crate::format::table::unpacked_name;
use crate::format::text::{DataLines, Delimiter, parse_f32, split_fields};
use crate::shown;

/// A graph of the table.
pub(super) struct Row {
    pub(super) line: usize,
    pub(super) file: String,
    /// The file without its folder and endings.
    pub(super) name: String,
    /// None if there is no such column, or nothing in it.
    pub(super) target: Option<String>,
    pub(super) features: Option<String>,
}

/// Names of the columns in a header, the surest first.
const FILE: [&str; 12] = [
    "file",
    "filename",
    "file_name",
    "path",
    "filepath",
    "graph_file",
    "graph",
    "graph_name",
    "graph_id",
    "name",
    "graphid",
    "id",
];
const TARGET: [&str; 9] = [
    "target",
    "label",
    "class",
    "y",
    "category",
    "graph_label",
    "graph_class",
    "outcome",
    "value",
];
const FEATURES: [&str; 4] = ["features", "node_features", "features_file", "x"];

/// The places of the columns.
struct Columns {
    header: bool,
    file: usize,
    target: Option<usize>,
    features: Option<usize>,
}

/// A line and its fields.
type Line = (usize, Vec<String>);

/// Reads the table, and what was decided about its columns.
pub(super) fn parse(source: &Source, folder: &Path) -> Result<(Vec<Row>, Vec<Note>), ReadError> {
    let path = source.path();
    let lines = split(source)?;
    let Some(first) = lines.first() else {
        return Err(no_graph(path));
    };
    let files = Files::list(folder, path);
    let mut notes = Vec::new();
    let columns = find_columns(path, first, &lines, &files, &mut notes)?;
    let mut rows = Vec::with_capacity(lines.len());
    for (line, fields) in lines.iter().skip(usize::from(columns.header)) {
        let wrong = |(problem, remedy): (String, &'static str)| {
            ReadError::at_line(path, *line, problem, remedy)
        };
        let field = |column: Option<usize>| {
            let field = fields.get(column?)?;
            (!field.is_empty()).then_some(field)
        };
        let file = fields.get(columns.file).map_or("", |file| file);
        let file = files.resolve(&file_inside(file).map_err(wrong)?);
        let features = field(columns.features).map(|file| file_inside(file));
        rows.push(Row {
            line: *line,
            name: stem(&file),
            file,
            target: field(columns.target).cloned(),
            features: features.transpose().map_err(wrong)?,
        });
    }
    if rows.is_empty() {
        return Err(no_graph(path));
    }
    Ok((rows, notes))
}

fn no_graph(path: &Path) -> ReadError {
    ReadError::in_file(
        path,
        "there is no graph in the table",
        "give `file,target` a line",
    )
}

fn split(source: &Source) -> Result<Vec<Line>, ReadError> {
    let mut lines = Vec::new();
    let mut delimiter = None;
    for (line, text) in DataLines::new(source.text()?) {
        let delimiter = *delimiter.get_or_insert_with(|| match Delimiter::sniff(text) {
            // Names of files may hold blanks, and a table of one column has no delimiter.
            Delimiter::Blank => Delimiter::Comma,
            other => other,
        });
        let mut fields = Vec::new();
        if split_fields(text, delimiter, &mut fields).is_err() {
            return Err(bad_line(source.path(), line));
        }
        let fields = fields.into_iter().map(String::from).collect();
        lines.push((line, fields));
    }
    Ok(lines)
}

fn bad_line(path: &Path, line: usize) -> ReadError {
    ReadError::at_line(
        path,
        line,
        "this is not a file, its target and its features",
        "give `file,target` or `file,target,features` a line, with names in quotes where they hold commas",
    )
}

fn find_columns(
    path: &Path,
    (line, first): &Line,
    lines: &[Line],
    files: &Files,
    notes: &mut Vec<Note>,
) -> Result<Columns, ReadError> {
    let body = &lines[1..];
    let cell = |(_, fields): &Line, column: usize| fields.get(column).is_some_and(|f| files.has(f));
    let all_files = |column: usize| !body.is_empty() && body.iter().all(|row| cell(row, column));
    let named = |names: &[&str], skip: &[usize]| {
        let places = names.iter().flat_map(|name| {
            let mut places = first.iter().enumerate();
            places.find(|(place, f)| f.eq_ignore_ascii_case(name) && !skip.contains(place))
        });
        places.map(|(place, _)| place).collect::<Vec<_>>()
    };
    let candidates = named(&FILE, &[]);
    let candidates: Vec<usize> = candidates
        .into_iter()
        .filter(|&column| !files.has(&first[column]))
        .collect();
    let by_name = candidates
        .iter()
        .copied()
        .find(|&column| all_files(column))
        .or(candidates.first().copied().filter(|&column| {
            // A file may be missing, which is for its reader to say.
            FILE[..9]
                .iter()
                .any(|name| first[column].eq_ignore_ascii_case(name))
                || column == 0
        }));
    let by_content = || {
        let mut columns = 0..first.len();
        columns.find(|&column| all_files(column) || body.is_empty() && files.has(&first[column]))
    };
    // A field that looks like the name of a file is a missing file, and no header.
    let looks_like_file = |field: &str| {
        field.is_empty()
            || field.contains(['.', '/', '\\'])
            || parse_f32(field).is_some()
            || files.folder.join(field).exists()
            || files.has(field)
    };
    let is_first_file = first.first().is_none_or(|field| looks_like_file(field));
    let (file, header) = match (by_name, by_content()) {
        (Some(file), _) => (file, true),
        (None, Some(file)) => (file, !looks_like_file(&first[file])),
        (None, None) if is_first_file => (0, false),
        (None, None) => {
            return Err(ReadError::at_line(
                path,
                *line,
                format!(
                    "none of the columns {} names files of the folder",
                    shown::list(first)
                ),
                "call the columns `file` and `target`, and give names of files as they are in the folder",
            ));
        }
    };
    if header && by_name.is_none() {
        let remark = "the first line of the table was taken for a header";
        notes.push(Note::Remark(remark.to_owned()));
    }
    if !header {
        if let Some((line, _)) = lines.iter().find(|(_, fields)| fields.len() > 3) {
            return Err(bad_line(path, *line));
        }
        let mut others = (0..3).filter(|&column| column != file);
        return Ok(Columns {
            header,
            file,
            target: others.next(),
            features: others.next(),
        });
    }
    let target = named(&TARGET, &[file]).first().copied();
    let used: Vec<usize> = target.into_iter().chain([file]).collect();
    let features = named(&FEATURES, &used).first().copied();
    let mut columns = Columns {
        header,
        file,
        target,
        features,
    };
    let is_other = |column: &usize| !used.contains(column) && Some(*column) != features;
    let others: Vec<usize> = (0..first.len()).filter(is_other).collect();
    let names = shown::list(others.iter().map(|&column| &first[column]));
    match (target, &others[..]) {
        (_, []) => {}
        (Some(_), _) => {
            let remark = format!("columns of the table not used: {names}");
            notes.push(Note::Remark(remark));
        }
        (None, &[only]) => {
            let name = quote(first[only].as_bytes());
            let remark = format!("{name} was taken for the target of the graphs");
            notes.push(Note::Remark(remark));
            columns.target = Some(only);
        }
        (None, _) => {
            return Err(ReadError::at_line(
                path,
                *line,
                format!("which of the columns {names} is the target?"),
                "call it `target`, or leave out the others",
            ));
        }
    }
    Ok(columns)
}

/// The files of the folder.
struct Files<'a> {
    folder: &'a Path,
    /// The file of every name without endings; nothing where several share it.
    stems: BTreeMap<String, Option<String>>,
}

impl<'a> Files<'a> {
    fn list(folder: &'a Path, table: &Path) -> Self {
        let mut stems = BTreeMap::new();
        let entries = std::fs::read_dir(folder).into_iter().flatten();
        for entry in entries.filter_map(Result::ok) {
            let Ok(file) = entry.file_name().into_string() else {
                continue;
            };
            if Some(file.as_ref()) == table.file_name() {
                continue;
            }
            stems
                .entry(stem(&file))
                .and_modify(|known| *known = None)
                .or_insert(Some(file));
        }
        Self { folder, stems }
    }

    /// The file that a field means: itself, or the only one of this name.
    fn resolve(&self, field: &str) -> String {
        match self.stems.get(field) {
            Some(Some(file)) if !self.folder.join(field).exists() => file.clone(),
            _ => field.to_owned(),
        }
    }

    /// Whether a field names a file inside the folder.
    fn has(&self, field: &str) -> bool {
        file_inside(field).is_ok_and(|file| {
            let path = self.folder.join(self.resolve(&file));
            path.exists() && !path.is_dir()
        })
    }
}

/// The name of a file, refused if it leads out of the folder.
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

/// The name of the graph of a file.
fn stem(file: &str) -> String {
    let name = unpacked_name(Path::new(file)).with_extension("");
    name.to_string_lossy().into_owned()
}
