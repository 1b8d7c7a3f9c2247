//! The table of formats, a line each.
//!
//! A format is a file with a reader and the constant `FORMAT`, and a line in the
//! table below. Detection, the values and the help of `--format`, error messages,
//! the guide, the tests and the fuzz target walk the table.

use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::foreign::Foreign;
use super::options::ReadOptions;
use super::read::{Opened, START};
use super::report::ReadReport;
use super::start::Start;
use super::{container, edge_list, folder, json, language, list, matrix, tu, xml};
use crate::bytes::atomic::WriteError;
use crate::bytes::error::ReadError;
use crate::bytes::intake::Intake;
use crate::bytes::ledger::{Ledger, Record};
use crate::bytes::limits::Limits;
use crate::bytes::packing::ENDINGS;
use crate::format::nodes::tables::Content;
use crate::remedy::Change;
use crate::shown::quote;
use bnpool_graph::Graph;

/// The properties of a format.
pub(crate) struct Traits {
    /// The name on the command line.
    pub(crate) name: &'static str,
    /// The name in prose.
    pub(crate) title: &'static str,
    /// Endings of the names of its files, in small letters.
    pub(crate) endings: &'static [&'static str],
    /// Whether a file that starts like this is one. No two formats claim the same
    /// start.
    pub(crate) starts: fn(&Start) -> bool,
    pub(crate) holds: Holds,
    pub(crate) read: Read,
    pub(crate) write: Option<Writer>,
}

impl Traits {
    /// A format whose files hold nodes and edges only, and are not written.
    pub(crate) const fn of(name: &'static str, title: &'static str, read: Read) -> Self {
        Self {
            name,
            title,
            endings: &[],
            starts: |_| false,
            holds: Holds::EDGES,
            read,
            write: None,
        }
    }
}

/// The parts of a graph that files of a format hold beside nodes and edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Holds {
    /// Weights of edges.
    pub weights: bool,
    /// Several columns or attributes that may be the weight, of which an option
    /// names one.
    pub named_weights: bool,
    /// A mark for edges that have a direction. Without it an edge goes one way if
    /// the file does not list it the other way too.
    pub directions: bool,
    /// Attributes of nodes, of which an option names the features.
    pub attributes: bool,
    /// Columns for the two nodes of an edge, which options name.
    pub columns: bool,
    /// A first line that may name the columns.
    pub header: bool,
}

/// A part of a graph that a format may hold.
pub(crate) type Part = fn(Holds) -> bool;

impl Holds {
    /// Nodes and edges only.
    pub(crate) const EDGES: Self = Self {
        weights: false,
        named_weights: false,
        directions: false,
        attributes: false,
        columns: false,
        header: false,
    };

    /// Weights beside nodes and edges.
    pub(crate) const WEIGHTS: Self = Self {
        weights: true,
        ..Self::EDGES
    };

    /// Weights, directions and attributes, all by name.
    pub(crate) const ATTRIBUTES: Self = Self {
        named_weights: true,
        directions: true,
        attributes: true,
        ..Self::WEIGHTS
    };

    /// Everything that an option asks for.
    pub(crate) const ANYTHING: Self = Self {
        columns: true,
        header: true,
        ..Self::ATTRIBUTES
    };
}

/// Graphs and a report on them.
pub type Graphs = (Vec<Graph>, ReadReport);

/// The reader of a format.
pub(crate) enum Read {
    /// One graph from an open file.
    One(fn(Intake, &ReadOptions, &mut ReadReport) -> Result<Content, ReadError>),
    /// Any number of graphs from a file or a folder.
    Many(fn(Opened, &ReadOptions, &Ledger) -> Result<Graphs, ReadError>),
}

/// Writes graphs and the names of their classes.
pub type WriteMany = fn(&Path, &[Graph], Option<&[String]>) -> Result<(), WriteError>;

/// The writer of a format. The file appears whole or not at all.
#[derive(Debug, Clone, Copy)]
pub enum Writer {
    /// One graph.
    One(fn(&Path, &Graph) -> Result<(), WriteError>),
    /// Any number of graphs, with the names of their classes.
    Many(WriteMany),
}

macro_rules! formats {
    ($($(#[$doc:meta])* $format:ident: $($room:ident)::+;)*) => {
        /// A format of graph files.
        ///
        /// A text file that is named like an edge list may hold a dense adjacency
        /// matrix; it is recognised by its content.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(into = "String", try_from = "String")]
        pub enum Format {
            $($(#[$doc])* $format,)*
        }

        impl Format {
            /// All formats.
            pub const ALL: &'static [Self] = &[$(Self::$format,)*];

            pub(crate) fn traits(self) -> &'static Traits {
                match self {
                    $(Self::$format => &$($room::)+FORMAT,)*
                }
            }
        }
    };
}

formats! {
    /// Text with an edge a line.
    EdgeList: edge_list;
    /// Text with a dense adjacency matrix, a row a line.
    Matrix: matrix::dense;
    /// An `.npz` of one graph in compressed rows ([`csr_bundle`](super::csr_bundle)),
    /// or a sparse matrix of `scipy.sparse.save_npz`.
    CsrBundle: matrix::csr_bundle;
    /// Matrix Market coordinates.
    MatrixMarket: matrix::market;
    /// METIS adjacency lists.
    Metis: list::metis;
    /// GraphML.
    GraphMl: xml::graphml;
    /// GML.
    Gml: language::gml;
    /// GEXF.
    Gexf: xml::gexf;
    /// Node-link JSON of networkx and D3.
    NodeLink: json;
    /// A Pajek network.
    Pajek: list::pajek;
    /// A graph in the DOT language of Graphviz.
    Dot: language::dot;
    /// Text with a node and its neighbours a line.
    AdjacencyList: list::adjacency_list;
    /// A dense adjacency matrix in a `.npy` array.
    NpyMatrix: matrix::npy;
    /// Our own safetensors [`container`] of one graph or many.
    Container: container;
    /// A [TU data set](super::tu) of many graphs, as a folder or a zip.
    Tu: tu;
    /// A folder of graph files with a table of targets.
    Folder: folder;
}

impl Format {
    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.traits().name
    }

    /// The name in prose.
    #[must_use]
    pub fn title(self) -> &'static str {
        self.traits().title
    }

    /// The endings of the names of its files, without the dot.
    #[must_use]
    pub fn endings(self) -> &'static [&'static str] {
        self.traits().endings
    }

    /// The parts of a graph that its files hold.
    #[must_use]
    pub fn holds(self) -> Holds {
        self.traits().holds
    }

    /// Whether files of this format hold many graphs.
    #[must_use]
    pub fn holds_many(self) -> bool {
        matches!(self.traits().read, Read::Many(_))
    }

    /// Its writer, if there is one.
    #[must_use]
    pub fn writer(self) -> Option<Writer> {
        self.traits().write
    }

    /// The formats that hold this part of a graph.
    pub fn with(part: fn(Holds) -> bool) -> impl Iterator<Item = Self> {
        let all = Self::ALL.iter().copied();
        all.filter(move |format| part(format.holds()))
    }

    /// The names of all formats, with commas between them.
    #[must_use]
    pub fn names() -> String {
        names(Self::ALL.iter().copied())
    }

    /// The format that the name of a file stands for (the ending of a packed file set
    /// aside), or else its content, or that the files in a folder stand for.
    ///
    /// # Errors
    ///
    /// When neither tells; the message lists the formats to choose from. A pipe can be
    /// read only once, so that its content is not looked at.
    pub fn detect(path: &Path) -> Result<Self, ReadError> {
        if path.is_dir() {
            return Self::detect_folder(path);
        }
        if let Some(format) = Self::known_name(path)? {
            return Ok(format);
        }
        // A misspelt path has no ending either.
        let metadata = fs::metadata(path).map_err(|error| ReadError::io(path, error))?;
        if !metadata.is_file() {
            return Err(Self::unknown(path));
        }
        let mut intake = Intake::open(path, &Limits::default(), &Record::NONE)?;
        Self::of_start(path, intake.peek(START)?)
    }

    /// The format that the ending of a name stands for, if there is one.
    ///
    /// # Errors
    ///
    /// When it is the ending of files that are not read.
    pub(crate) fn known_name(path: &Path) -> Result<Option<Self>, ReadError> {
        match Foreign::of_name(path) {
            Some(foreign) => Err(foreign.refuse(path)),
            None => Ok(Self::of_name(path)),
        }
    }

    /// The format that the ending of a name stands for.
    #[must_use]
    pub fn of_name(path: &Path) -> Option<Self> {
        let ending = lower_extension(&unpacked_name(path))?;
        let mut all = Self::ALL.iter().copied();
        all.find(|format| format.endings().contains(&&*ending))
    }

    /// The format that the start of a file stands for. Text that is nothing else
    /// is an edge list; METIS and adjacency lists cannot be told from one.
    pub(crate) fn of_start(path: &Path, start: &[u8]) -> Result<Self, ReadError> {
        if let Some(foreign) = Foreign::of_start(start) {
            return Err(foreign.refuse(path));
        }
        let start = Start::new(start);
        let mut all = Self::ALL.iter().copied();
        match all.find(|format| (format.traits().starts)(&start)) {
            Some(format) => Ok(format),
            None if start.is_text() => Ok(Self::EdgeList),
            None => Err(Self::unknown(path)),
        }
    }

    fn unknown(path: &Path) -> ReadError {
        ReadError::in_file(
            path,
            format!(
                "the name does not tell the format; there are: {}",
                Self::names()
            ),
            Change::Format,
        )
    }

    /// The format of the files in a folder.
    pub(crate) fn detect_folder(path: &Path) -> Result<Self, ReadError> {
        // A pipe will do as well.
        let table = path.join(folder::TABLE);
        if table.exists() && !table.is_dir() {
            return Ok(Self::Folder);
        }
        if tu::is_tu_folder(path) {
            return Ok(Self::Tu);
        }
        Err(ReadError::in_file(
            path,
            "the folder holds neither `graphs.csv` nor a file `…_A.txt`",
            "name the folder of a TU data set, or add `graphs.csv` with the columns `file,target`",
        ))
    }
}

/// The names of formats, with commas between them.
pub(crate) fn names(formats: impl IntoIterator<Item = Format>) -> String {
    let names: Vec<_> = formats.into_iter().map(Format::name).collect();
    names.join(", ")
}

/// The name without the ending of a packed file.
pub(crate) fn unpacked_name(path: &Path) -> PathBuf {
    let mut name = path.to_owned();
    if lower_extension(&name).is_some_and(|ending| ENDINGS.contains(&&*ending)) {
        name.set_extension("");
    }
    name
}

pub(crate) fn lower_extension(path: &Path) -> Option<String> {
    let extension = path.extension().and_then(OsStr::to_str)?;
    Some(extension.to_ascii_lowercase())
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl From<Format> for String {
    fn from(format: Format) -> Self {
        format.name().to_owned()
    }
}

impl TryFrom<String> for Format {
    type Error = UnknownFormat;

    fn try_from(name: String) -> Result<Self, UnknownFormat> {
        name.parse()
    }
}

/// A name that no format has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no format {}; choose one: {}", quote(.0.as_bytes()), Format::names())]
pub struct UnknownFormat(pub String);

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        let mut all = Self::ALL.iter().copied();
        all.find(|format| format.name().eq_ignore_ascii_case(name))
            .ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_endings_are_of_one_format() {
        let mut endings = std::collections::HashSet::new();
        for &format in Format::ALL {
            assert_eq!(format.to_string().parse(), Ok(format));
            for ending in format.endings() {
                assert!(endings.insert(ending), "{ending}");
                let name = format!("x/a.b.{}.gz", ending.to_ascii_uppercase());
                assert_eq!(Format::detect(name.as_ref()).unwrap(), format);
            }
        }
        for name in ["a", "a.gz", "a.pdf", ""] {
            assert!(Format::detect(Path::new(name)).is_err(), "{name}");
        }
        let error = "xyz".parse::<Format>().unwrap_err().to_string();
        let start = "there is no format `xyz`; choose one: edge-list, matrix, npz, mtx";
        assert!(error.starts_with(start), "{error}");
    }

    #[test]
    fn the_start_of_a_file_tells_the_format() {
        let path = Path::new("stdin");
        let mut npz = b"PK\x03\x04".to_vec();
        npz.resize(26, 0);
        npz.extend(b"\x05\0\0\0a.npy");
        let tu = [&npz[..26], b"\x05\0\0\0a.txt"].concat();
        for (start, format) in [
            (&b"%%MatrixMarket matrix"[..], Format::MatrixMarket),
            (b"\xef\xbb\xbf<?xml", Format::GraphMl),
            (b"\n graph\n[ node", Format::Gml),
            (b"Creator \"me\"", Format::Gml),
            (b"graph,other\n", Format::EdgeList),
            (b"graph node {x}\n", Format::Dot),
            (b"graph other\nnode {x}\n", Format::EdgeList),
            (b"# c\n// d\nstrict digraph \"g h\" {", Format::Dot),
            (b"graph\n{", Format::Dot),
            (b"%c\n*Vertices 3", Format::Pajek),
            (b" {\"nodes\": [", Format::NodeLink),
            (b"<?xml?>\n<GEXF version", Format::Gexf),
            (b"\x93NUMPY\x01\0", Format::NpyMatrix),
            (b"0 1\n1 2\xc3", Format::EdgeList),
            (b"", Format::EdgeList),
            (b"\x40\0\0\0\0\0\0\0{\"a\"", Format::Container),
            (&npz, Format::CsrBundle),
            (&tu, Format::Tu),
        ] {
            assert_eq!(Format::of_start(path, start).unwrap(), format, "{start:?}");
            let start = Start::new(start);
            let claims = Format::ALL
                .iter()
                .filter(|format| (format.traits().starts)(&start));
            assert!(claims.count() < 2, "{format}");
        }
        for start in [&b"\x89PNG\r\n\x1a\n"[..], b"a\0b"] {
            let error = Format::of_start(path, start).unwrap_err().to_string();
            assert!(error.contains("does not tell the format"), "{error}");
        }
    }
}
