//! The formats and what they are called.

use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use memchr::memmem;
use serde::{Deserialize, Serialize};

use super::error::ReadError;
use super::foreign::Foreign;
use super::intake::ZIP_MAGIC;
use super::nodes::ARRAY_MAGIC as NPY_MAGIC;
use super::packing::ENDINGS;
use super::source::BYTE_ORDER_MARK;
use super::text::split_line;
use crate::remedy::Change;
use crate::shown::quote;

/// A format of graph files.
///
/// A text file that is named like an edge list may hold a dense adjacency
/// matrix; it is recognised by its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Format {
    /// Text with an edge a line.
    EdgeList,
    /// Text with a dense adjacency matrix.
    Matrix,
    /// An `.npz` of one graph in compressed rows.
    CsrBundle,
    /// Matrix Market coordinates.
    MatrixMarket,
    /// METIS adjacency lists.
    Metis,
    /// GraphML.
    GraphMl,
    /// GML.
    Gml,
    /// GEXF.
    Gexf,
    /// Node-link JSON.
    NodeLink,
    /// A Pajek network.
    Pajek,
    /// A graph in the DOT language of Graphviz.
    Dot,
    /// Text with a node and its neighbours a line.
    AdjacencyList,
    /// A dense adjacency matrix in a `.npy` array.
    NpyMatrix,
    /// Our own safetensors container of one graph or many.
    Container,
    /// A TU data set of many graphs, as a folder or a zip.
    Tu,
    /// A folder of graph files with a table of targets.
    Folder,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 16] = [
        Self::EdgeList,
        Self::Matrix,
        Self::CsrBundle,
        Self::MatrixMarket,
        Self::Metis,
        Self::GraphMl,
        Self::Gml,
        Self::Gexf,
        Self::NodeLink,
        Self::Pajek,
        Self::Dot,
        Self::AdjacencyList,
        Self::NpyMatrix,
        Self::Container,
        Self::Tu,
        Self::Folder,
    ];

    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::EdgeList => "edge-list",
            Self::Matrix => "matrix",
            Self::CsrBundle => "npz",
            Self::MatrixMarket => "mtx",
            Self::Metis => "metis",
            Self::GraphMl => "graphml",
            Self::Gml => "gml",
            Self::Gexf => "gexf",
            Self::NodeLink => "json",
            Self::Pajek => "pajek",
            Self::Dot => "dot",
            Self::AdjacencyList => "adjlist",
            Self::NpyMatrix => "npy",
            Self::Container => "safetensors",
            Self::Tu => "tu",
            Self::Folder => "folder",
        }
    }

    /// Whether files of this format hold many graphs.
    #[must_use]
    pub fn holds_many(self) -> bool {
        matches!(self, Self::Container | Self::Tu | Self::Folder)
    }

    /// The format that the name of a file stands for (`.gz`, `.zst` and `.xz` set aside), or that
    /// the files in a folder stand for.
    ///
    /// # Errors
    ///
    /// When the name is unknown; the message lists the formats to choose from.
    pub fn detect(path: &Path) -> Result<Self, ReadError> {
        if path.is_dir() {
            return Self::detect_folder(path);
        }
        if let Some(format) = Self::known_name(path)? {
            return Ok(format);
        }
        // A misspelt path has no ending either.
        fs::metadata(path).map_err(|error| ReadError::io(path, error))?;
        Err(Self::unknown(path))
    }

    /// The format that the ending of a name stands for, if it tells one.
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
    pub(crate) fn of_name(path: &Path) -> Option<Self> {
        Some(match lower_extension(&unpacked_name(path))?.as_str() {
            "csv" | "tsv" | "txt" | "edges" | "edgelist" | "el" | "ssv" => Self::EdgeList,
            "npz" => Self::CsrBundle,
            "mtx" => Self::MatrixMarket,
            "graph" | "metis" => Self::Metis,
            "graphml" => Self::GraphMl,
            "gml" => Self::Gml,
            "gexf" => Self::Gexf,
            "json" => Self::NodeLink,
            "net" | "paj" => Self::Pajek,
            "dot" | "gv" => Self::Dot,
            "adjlist" | "adj" => Self::AdjacencyList,
            "npy" => Self::NpyMatrix,
            "safetensors" => Self::Container,
            "zip" => Self::Tu,
            _ => return None,
        })
    }

    /// The format that the start of a file stands for. Text that is nothing else
    /// is an edge list; METIS and adjacency lists cannot be told from one.
    pub(crate) fn of_start(path: &Path, start: &[u8]) -> Result<Self, ReadError> {
        if let Some(foreign) = Foreign::of_start(start) {
            return Err(foreign.refuse(path));
        }
        if start.starts_with(ZIP_MAGIC) {
            // The name of the first member begins at byte 30.
            let length = start.get(26).map_or(0, |&length| length as usize);
            let name = start.get(30..30 + length).unwrap_or_default();
            return Ok(if name.ends_with(b".npy") {
                Self::CsrBundle
            } else {
                Self::Tu
            });
        }
        if start.get(8) == Some(&b'{') && start[..8].contains(&0) {
            return Ok(Self::Container);
        }
        if start.starts_with(NPY_MAGIC) {
            return Ok(Self::NpyMatrix);
        }
        let text = start.strip_prefix(BYTE_ORDER_MARK).unwrap_or(start);
        let is_text = match std::str::from_utf8(text) {
            Ok(_) => true,
            // A character may be cut at the end.
            Err(error) => error.error_len().is_none(),
        };
        if !is_text || text.contains(&0) {
            return Err(Self::unknown(path));
        }
        let lower = text.trim_ascii_start().to_ascii_lowercase();
        let is_gml = |rest: &[u8]| rest.trim_ascii_start().starts_with(b"[");
        let pajek = after_comments(&lower, b"%");
        let dot = after_comments(&lower, b"#");
        Ok(if lower.starts_with(b"%%matrixmarket") {
            Self::MatrixMarket
        } else if lower.starts_with(b"{") {
            Self::NodeLink
        } else if pajek.starts_with(b"*vertices") || pajek.starts_with(b"*network") {
            Self::Pajek
        } else if is_dot(after_comments(dot, b"//")) {
            Self::Dot
        } else if lower.starts_with(b"<") && memmem::find(&lower, b"<gexf").is_some() {
            Self::Gexf
        } else if lower.starts_with(b"<") {
            Self::GraphMl
        } else if lower.starts_with(b"creator \"")
            || lower.strip_prefix(b"graph").is_some_and(is_gml)
        {
            Self::Gml
        } else {
            Self::EdgeList
        })
    }

    fn unknown(path: &Path) -> ReadError {
        ReadError::in_file(
            path,
            format!("the name does not tell the format; there are: {}", names()),
            Change::Format,
        )
    }

    /// The format of the files in a folder.
    pub(crate) fn detect_folder(path: &Path) -> Result<Self, ReadError> {
        // A pipe will do as well.
        let table = path.join(super::folder::TABLE);
        if table.exists() && !table.is_dir() {
            return Ok(Self::Folder);
        }
        if super::tu::is_tu_folder(path) {
            return Ok(Self::Tu);
        }
        Err(ReadError::in_file(
            path,
            "the folder holds neither `graphs.csv` nor a file `…_A.txt`",
            "name the folder of a TU data set, or add `graphs.csv` with the columns `file,target`",
        ))
    }
}

/// The text behind the lines at its start that are blank or start with `mark`.
fn after_comments<'a>(text: &'a [u8], mark: &[u8]) -> &'a [u8] {
    let mut rest = text.trim_ascii_start();
    while rest.starts_with(mark) {
        rest = split_line(rest).1.trim_ascii_start();
    }
    rest
}

/// Whether a text starts like `strict graph name {`, in lower case.
fn is_dot(text: &[u8]) -> bool {
    let rest = match text.strip_prefix(b"strict") {
        Some(rest) => rest.trim_ascii_start(),
        None => text,
    };
    let rest = rest.strip_prefix(b"di").unwrap_or(rest);
    let Some(rest) = rest.strip_prefix(b"graph") else {
        return false;
    };
    // The name, in quotes or without, stands on the same line or is missing.
    let Some(end) = memchr::memchr3(b'{', b'[', b',', rest) else {
        return false;
    };
    let name = rest[..end].trim_ascii();
    let blank = rest.first().is_some_and(|byte| byte.is_ascii_whitespace());
    rest[end] == b'{' && (name.is_empty() || blank && !name.contains(&b'\n'))
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

fn names() -> String {
    Format::ALL.map(Format::name).join(", ")
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
#[error("there is no format {}; choose one: {names}", quote(.0.as_bytes()), names = names())]
pub struct UnknownFormat(pub String);

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        Self::ALL
            .into_iter()
            .find(|format| format.name().eq_ignore_ascii_case(name))
            .ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for format in Format::ALL {
            assert_eq!(format.to_string().parse(), Ok(format));
        }
        assert_eq!(
            "xyz".parse::<Format>().unwrap_err().to_string(),
            "there is no format `xyz`; choose one: edge-list, matrix, npz, mtx, metis, graphml, gml, \
             gexf, json, pajek, dot, adjlist, npy, safetensors, tu, folder"
        );
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
        }
        for start in [&b"\x89PNG\r\n"[..], b"a\0b"] {
            let error = Format::of_start(path, start).unwrap_err().to_string();
            assert!(error.contains("does not tell the format"), "{error}");
        }
    }

    #[test]
    fn extensions_tell_the_format() {
        for (name, format) in [
            ("a.csv", Format::EdgeList),
            ("a.b.TSV.gz", Format::EdgeList),
            ("x/a.mtx.gz", Format::MatrixMarket),
            ("a.graphml", Format::GraphMl),
            ("a.zip", Format::Tu),
            ("a.json", Format::NodeLink),
            ("a.NET", Format::Pajek),
            ("a.gexf.zst", Format::Gexf),
            ("a.csv.XZ", Format::EdgeList),
            ("a.gv", Format::Dot),
            ("a.adjlist", Format::AdjacencyList),
            ("a.npy", Format::NpyMatrix),
        ] {
            assert_eq!(Format::detect(Path::new(name)).unwrap(), format);
        }
        for name in ["a", "a.gz", "a.pdf", ""] {
            assert!(Format::detect(Path::new(name)).is_err(), "{name}");
        }
    }
}
