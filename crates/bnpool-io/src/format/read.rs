//! One way in for all formats.

use std::path::{Path, PathBuf};

use super::nodes::code;
use super::nodes::tables::{Content, Tables};
use super::options::ReadOptions;
use super::report::ReadReport;
use super::report::understood::examples;
use super::table::{Format, Graphs, Read, names};
use crate::bytes::error::ReadError;
use crate::bytes::intake::Intake;
use crate::bytes::ledger::{Ledger, Record};
use crate::bytes::source::Source;
use crate::remedy::Change;
use bnpool_graph::Graph;

/// Bytes of a file that are read to find its format.
pub(crate) const START: usize = 1 << 10;

/// Reads one graph, with the features and labels that the options name.
///
/// Features and labels of their own files replace those of the graph's file.
/// Every file is opened and read once, so that pipes will do, and the path `-`
/// stands for standard input. If neither the options nor the name give the
/// format, the start of the file does.
///
/// # Errors
///
/// When a file cannot be read, is too large, or is not what its format demands,
/// and when the file holds many graphs; see [`ReadError`].
///
/// # Complexity
///
/// Time linear in the bytes of the files.
pub fn read_graph(path: &Path, options: &ReadOptions) -> Result<(Graph, ReadReport), ReadError> {
    let ledger = Ledger::default();
    let read = read_one(path, options, &FileNames::default(), &ledger)?;
    finish(path, read, options, ledger)
}

/// Reads one graph from a file that is in memory already, with the features and
/// labels that the options name.
///
/// # Errors
///
/// As [`read_graph`].
pub fn read_source(
    source: Source,
    format: Format,
    options: &ReadOptions,
) -> Result<(Graph, ReadReport), ReadError> {
    let ledger = Ledger::default();
    let path = source.path().to_owned();
    if format == Format::Folder {
        let problem = "a file in memory cannot be a folder";
        return Err(ReadError::in_file(path, problem, "give its path"));
    }
    let opened = Opened {
        path: path.clone(),
        format,
        intake: Some(Intake::of_source(source, &options.limits)),
        record: Record::NONE,
    };
    let read = opened.one(options, &FileNames::default(), &ledger)?;
    finish(&path, read, options, ledger)
}

/// Reads many graphs: a TU data set, a folder of edge lists or a container.
/// A file of one graph gives one.
///
/// Of TU data sets everything is taken: attributes, labels, and the constant
/// feature 1 if there are no others, unless the options ask for the coding of
/// another set. For a choice see [`read_tu`](super::tu::read_tu).
///
/// # Errors
///
/// As [`read_graph`].
///
/// # Complexity
///
/// Time linear in the bytes of the files.
pub fn read_graphs(path: &Path, options: &ReadOptions) -> Result<Graphs, ReadError> {
    let ledger = Ledger::default();
    // Chosen once: a pipe cannot be looked at again.
    let opened = Opened::choose(path, options, || ledger.entry("graph"))?;
    if let Read::Many(read) = opened.format.traits().read {
        let (graphs, mut report) = read(opened, options, &ledger)?;
        report.files = ledger.into_files();
        return Ok((graphs, report));
    }
    let read = opened.one(options, &FileNames::default(), &ledger)?;
    let (graph, report) = finish(path, read, options, ledger)?;
    Ok((vec![graph], report))
}

/// The names of the files of one graph in the ledger.
pub(super) struct FileNames<'n> {
    pub(super) graph: &'n str,
    pub(super) features: &'n str,
    pub(super) labels: &'n str,
}

impl Default for FileNames<'_> {
    fn default() -> Self {
        Self {
            graph: "graph",
            features: "features",
            labels: "labels",
        }
    }
}

/// As [`read_graph`], with the files listed in a ledger and features that are text
/// left to the caller.
pub(super) fn read_one(
    path: &Path,
    options: &ReadOptions,
    names: &FileNames<'_>,
    ledger: &Ledger,
) -> Result<(Graph, ReadReport), ReadError> {
    let opened = Opened::choose(path, options, || ledger.entry(names.graph))?;
    opened.one(options, names, ledger)
}

/// Codes the features of one graph that are text, and lists the files.
fn finish(
    path: &Path,
    (graph, mut report): (Graph, ReadReport),
    options: &ReadOptions,
    ledger: Ledger,
) -> Result<(Graph, ReadReport), ReadError> {
    let texts = vec![std::mem::take(&mut report.text)];
    let coded = code(&[path], vec![graph], texts, options, &mut report)?;
    report.files = ledger.into_files();
    let graph = only(path, coded)?;
    if report.examples.is_empty() {
        report.examples = examples(&graph);
    }
    Ok((graph, report))
}

fn only(path: &Path, mut graphs: Vec<Graph>) -> Result<Graph, ReadError> {
    match (graphs.pop(), graphs.len()) {
        (Some(graph), 0) => Ok(graph),
        (last, others) => Err(ReadError::in_file(
            path,
            format!("it holds {} graphs", others + usize::from(last.is_some())),
            "give a file of one graph",
        )),
    }
}

/// A file whose format is known. It is open already if only its start gave the
/// format.
pub(crate) struct Opened {
    pub(crate) path: PathBuf,
    format: Format,
    intake: Option<Intake>,
    record: Record,
}

impl Opened {
    /// Finds the format: the one asked for, else that of a folder, of the name or
    /// of the content.
    ///
    /// # Errors
    ///
    /// When there is none, and when an option means nothing for it: it would be
    /// ignored without a word.
    fn choose(
        path: &Path,
        options: &ReadOptions,
        record: impl FnOnce() -> Record,
    ) -> Result<Self, ReadError> {
        let known = match options.format {
            Some(format) => Some(format),
            None if path.is_dir() => Some(Format::detect_folder(path)?),
            None => Format::known_name(path)?,
        };
        // The files of a folder have records of their own.
        let is_folder = path.is_dir() || known == Some(Format::Folder);
        let record = if is_folder { Record::NONE } else { record() };
        let (format, intake) = match known {
            Some(format) => (format, None),
            None => {
                let mut intake = Intake::open(path, &options.limits, &record)?;
                let start = intake.peek(START)?;
                (Format::of_start(path, start)?, Some(intake))
            }
        };
        options.check_effect(path, &[format])?;
        Ok(Self {
            path: path.to_owned(),
            format,
            intake,
            record,
        })
    }

    /// The open file.
    pub(crate) fn open(self, options: &ReadOptions) -> Result<Intake, ReadError> {
        match self.intake {
            Some(intake) => Ok(intake),
            None => Intake::open(&self.path, &options.limits, &self.record),
        }
    }

    /// Reads the only graph.
    fn one(
        self,
        options: &ReadOptions,
        names: &FileNames<'_>,
        ledger: &Ledger,
    ) -> Result<(Graph, ReadReport), ReadError> {
        let (format, path) = (self.format, self.path.clone());
        let tables = || Tables::open(options, names, ledger);
        let (content, tables, mut report) = match format.traits().read {
            Read::One(read) => {
                let intake = self.open(options)?;
                let tables = tables()?;
                let mut report = ReadReport::new(format);
                (read(intake, options, &mut report)?, tables, report)
            }
            Read::Many(read) => {
                let (graphs, report) = read(self, options, ledger)?;
                (Content::Graph(only(&path, graphs)?), tables()?, report)
            }
        };
        let graph = tables.attach(&path, content, options, &mut report)?;
        Ok((graph, report))
    }
}

impl ReadOptions {
    /// Refuses an option that means nothing for any of the formats of the files.
    pub(super) fn check_effect(&self, path: &Path, formats: &[Format]) -> Result<(), ReadError> {
        let Some((change, part)) = self.without_effect(formats) else {
            return Ok(());
        };
        let what = match change {
            Change::NodeAttributes => "no node attributes",
            Change::Weight => "no named weights",
            Change::SkipBad => "no lines to leave out, and no columns",
            _ => "no columns",
        };
        Err(ReadError::in_file(
            path,
            format!(
                "the format {} has {what} to choose from; such formats are: {}",
                names(formats.iter().copied()),
                names(Format::with(part))
            ),
            "leave the choice out",
        ))
    }
}

/// Reads a text in a format.
#[cfg(test)]
pub(crate) fn read_text(
    name: &str,
    format: Format,
    text: &str,
    options: &ReadOptions,
) -> Result<(Graph, ReadReport), ReadError> {
    let source = Source::from_bytes(name, text.into(), &options.limits)?;
    read_source(source, format, options)
}
