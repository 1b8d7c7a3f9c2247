//! Our own container of one graph or many: a safetensors file.
//!
//! All graphs lie behind one another in a few flat tensors, and small tensors
//! with a number for each graph say how long its part is, so that a set of
//! 40 000 graphs has no more tensors than a single one. Everything that a
//! [`Graph`] holds survives exactly. The metadata have one key, which names the
//! version; files of a newer version are refused.

mod decode;
mod encode;
mod header;
mod parts;

use std::io;
use std::path::Path;

use bnpool_math::memory;
use safetensors::Dtype;

use super::report::ReadReport;
use crate::bytes::atomic::{WriteError, write_atomically};
use crate::bytes::error::ReadError;
use crate::bytes::ledger::Ledger;
use crate::bytes::limits::Limits;
use crate::bytes::source::Source;
use crate::format::options::ReadOptions;
use crate::format::read::Opened;
use crate::format::table::{Format, Graphs, Holds, Read, Traits, Writer};
use bnpool_graph::Graph;

use header::OpenContainer;
pub use parts::ContainerParts;

pub(crate) const FORMAT: Traits = Traits {
    endings: &["safetensors"],
    // The length of the header comes before it.
    starts: |start| {
        let bytes = start.bytes();
        bytes.get(8) == Some(&b'{') && bytes[..8].contains(&0)
    },
    holds: Holds::WEIGHTS,
    write: Some(Writer::Many(write_container)),
    ..Traits::of("safetensors", "bnpool container", Read::Many(read))
};

/// The key of the metadata.
const VERSION_KEY: &str = "bnpool_graphs_version";

/// The version that is written, and the newest that is read.
const VERSION: u32 = 1;

/// Tensors of elements of 4 bytes, those of one graph behind those of another.
#[derive(Debug, Clone, Copy)]
enum Words {
    RowLengths,
    Columns,
    Weights,
    Features,
    FeatureRowLengths,
    FeatureColumns,
    EdgeFeatures,
    TargetClasses,
    TargetValues,
    NodeLabels,
}

/// Names and types of [`Words`], in their order.
const WORDS: [(&str, Dtype); 10] = [
    ("row_lengths", Dtype::U32),
    ("columns", Dtype::U32),
    ("weights", Dtype::F32),
    ("features", Dtype::F32),
    ("feature_row_lengths", Dtype::U32),
    ("feature_columns", Dtype::U32),
    ("edge_features", Dtype::F32),
    ("target_classes", Dtype::U32),
    ("target_values", Dtype::F32),
    ("node_labels", Dtype::U32),
];

/// The numbers of bytes of a tensor.
fn numbers(bytes: &[u8]) -> Vec<u32> {
    let chunks = bytes.as_chunks().0.iter();
    chunks.map(|&bytes| u32::from_le_bytes(bytes)).collect()
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    let chunks = bytes.as_chunks().0.iter();
    chunks.map(|&bytes| f32::from_le_bytes(bytes)).collect()
}

/// Sizes, of which none may be beyond any memory.
fn sizes(name: &str, bytes: &[u8]) -> Result<Vec<usize>, String> {
    let chunks = bytes.as_chunks().0.iter();
    let sizes = chunks.map(|&bytes| usize::try_from(u64::from_le_bytes(bytes)));
    let sizes: Result<_, _> = sizes.collect();
    sizes.map_err(|_| format!("`{name}` holds a size beyond any memory"))
}

/// Takes the next names off texts behind one another, by their lengths.
fn names(
    text: &mut &[u8],
    lengths: impl Iterator<Item = usize>,
) -> Result<Vec<String>, &'static str> {
    let mut names = Vec::with_capacity(lengths.size_hint().0);
    for length in lengths {
        let (name, rest) = text.split_at_checked(length).ok_or(TOO_SHORT)?;
        let name = std::str::from_utf8(name).map_err(|_| "a name is not UTF-8")?;
        names.push(name.to_owned());
        *text = rest;
    }
    Ok(names)
}

const TOO_SHORT: &str = "its tensors end too early";

/// The flags of a graph: which optional parts it has.
pub(crate) mod flag {
    pub(crate) const WEIGHTS: u8 = 1;
    pub(crate) const SPARSE_FEATURES: u8 = 2;
    pub(crate) const FEATURE_WEIGHTS: u8 = 4;
    pub(crate) const EDGE_FEATURES: u8 = 8;
    pub(crate) const TARGET_CLASS: u8 = 16;
    pub(crate) const TARGET_VALUES: u8 = 32;
    pub(crate) const NODE_LABELS: u8 = 64;
    pub(crate) const NODE_IDS: u8 = 128;
}

/// Writes graphs and, if they have classes, the names of these, whole or not
/// at all. The same graphs always give the same bytes.
///
/// # Errors
///
/// When the file cannot be written.
///
/// # Complexity
///
/// Time and extra memory linear in the graphs.
///
/// ```
/// use bnpool_io::format::container::{read_container, write_container};
/// use bnpool_io::format::Limits;
/// use bnpool_graph::{Csr, Graph};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("edge.safetensors");
/// let graph = Graph::builder(Csr::from_edges(2, [(0, 1), (1, 0)])?).build()?;
/// write_container(&path, std::slice::from_ref(&graph), None)?;
/// let (graphs, classes) = read_container(&path, &Limits::default())?;
/// assert_eq!((graphs, classes), (vec![graph], None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_container(
    path: &Path,
    graphs: &[Graph],
    classes: Option<&[String]>,
) -> Result<(), WriteError> {
    let failed = |source| WriteError {
        path: path.to_owned(),
        source,
    };
    let bytes = encode_container(graphs, classes).map_err(failed)?;
    write_atomically(path, |file| file.write_all(&bytes))
}

/// The bytes of a container, which [`parse_container`] reads.
///
/// # Errors
///
/// When the memory does not hold them.
pub fn encode_container(graphs: &[Graph], classes: Option<&[String]>) -> io::Result<Vec<u8>> {
    // The arrays, the bytes of the file, and room for either to grow.
    let needed = graphs.iter().map(encode::size).sum::<u64>();
    memory::check("the content of the file", needed.saturating_mul(3))
        .map_err(|e| io::Error::new(io::ErrorKind::OutOfMemory, e))?;
    encode::encode(graphs, classes)
}

/// Reads the graphs of a container and the names of their classes.
///
/// # Errors
///
/// When the file cannot be read, is no such container or is of a newer version,
/// or its parts do not fit one another.
///
/// # Complexity
///
/// Time linear in the bytes.
pub fn read_container(
    path: &Path,
    limits: &Limits,
) -> Result<(Vec<Graph>, Option<Vec<String>>), ReadError> {
    let source = Source::open(path, limits)?;
    parse_container(path, source.bytes(), limits)
}

/// As [`read_container`], from bytes in memory; the path is only a name for
/// messages.
///
/// # Errors
///
/// As [`read_container`].
pub fn parse_container(
    path: &Path,
    bytes: &[u8],
    limits: &Limits,
) -> Result<(Vec<Graph>, Option<Vec<String>>), ReadError> {
    decode::decode(path, bytes, limits)
}

fn read(opened: Opened, options: &ReadOptions, _: &Ledger) -> Result<Graphs, ReadError> {
    let source = opened.open(options)?.into_source()?;
    let (graphs, classes) = parse_container(source.path(), source.bytes(), &options.limits)?;
    let mut report = ReadReport::new(Format::Container);
    report.classes = classes;
    Ok((graphs, report))
}

#[cfg(test)]
mod tests;
