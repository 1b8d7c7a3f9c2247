//! Parts of a graph in a file.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use bnpool_math::memory;
use safetensors::Dtype;

use super::{OpenContainer, flag, names};
use crate::format::ReadError;
use bnpool_graph::divide::{Cuts, Cutter, Part, PartError, PartSource};
use bnpool_graph::{Csr, GraphError};

/// Nodes whose sizes are read at a time.
const BLOCK: usize = 1 << 20;

/// The one graph of a container on disk. Rows of a part are read when they are asked
/// for, and checked; the whole graph is never in memory.
///
/// Parts are kept as long as they fit the memory that was granted for that, first
/// come first served: whoever walks over all parts again and again would find nothing
/// in a cache that keeps the latest.
///
/// ```
/// use bnpool_graph::divide::PartSource;
/// use bnpool_io::format::container::{ContainerParts, write_container};
/// use bnpool_graph::generate::Sbm;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("graph.safetensors");
/// let graph = Sbm::with_degree(1000, 5, 8.0, 0.9)?.generate(0)?;
/// write_container(&path, std::slice::from_ref(&graph), None)?;
/// let source = ContainerParts::open(&path, 2000, 0)?;
/// let part = source.part(2)?;
/// assert_eq!(part.row(5), graph.adjacency().row(part.range().start + 5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ContainerParts {
    file: OpenContainer,
    cuts: Cuts,
    flags: u8,
    entries: usize,
    features: usize,
    /// Bytes of node names before every part, and all of them.
    names: Vec<usize>,
    kept: Mutex<Kept>,
}

#[derive(Debug)]
struct Kept {
    parts: HashMap<usize, Arc<Part>>,
    /// Bytes that may still be taken.
    room: u64,
}

impl ContainerParts {
    /// Opens a container of one graph, cut into parts of about `work` nodes and
    /// entries. Parts of up to `keep` bytes in all stay in memory.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, is no such container, or holds another number of
    /// graphs than one.
    ///
    /// # Complexity
    ///
    /// Reads the header and the lengths of the rows, 4 bytes a node (12 with names);
    /// O(parts) memory.
    pub fn open(path: &Path, work: usize, keep: u64) -> Result<Self, ReadError> {
        let file = OpenContainer::open(path)?;
        let graphs = file.elements("flags", Dtype::U8)?;
        if graphs != 1 {
            return Err(ReadError::in_file(
                path,
                format!("it holds {graphs} graphs, and one can be divided"),
                "give a file of one graph",
            ));
        }
        let flags = file.read("flags", Dtype::U8, 0..1)?[0];
        let [nodes, entries, features, ..] = file.sizes("sizes", 0..6)?[..] else {
            return Err(file.damaged("`sizes` does not hold six numbers a graph"));
        };
        GraphError::check_limit("nodes", nodes).map_err(|e| ReadError::graph(path, e))?;
        let has = |flag: u8| flags & flag != 0;
        let mut expected = vec![("row_lengths", Dtype::U32, nodes)];
        expected.push(("columns", Dtype::U32, entries));
        if has(flag::WEIGHTS) {
            expected.push(("weights", Dtype::F32, entries));
        }
        if has(flag::NODE_LABELS) {
            expected.push(("node_labels", Dtype::U32, nodes));
        }
        if has(flag::NODE_IDS) {
            expected.push(("node_id_lengths", Dtype::U64, nodes));
        }
        for (name, dtype, wanted) in expected {
            let found = file.elements(name, dtype)?;
            if found != wanted {
                return Err(
                    file.damaged(format!("`{name}` has {found} elements instead of {wanted}"))
                );
            }
        }
        let mut cutter = Cutter::new(nodes, entries, work);
        let mut sum = 0_usize;
        for block in blocks(0..nodes) {
            for length in file.numbers("row_lengths", block)? {
                sum += length as usize;
                cutter.push(length);
            }
        }
        if sum != entries {
            return Err(file.damaged(format!("its rows have {sum} entries of {entries}")));
        }
        let cuts = cutter.finish();
        let mut names = vec![0];
        if has(flag::NODE_IDS) {
            let mut end = 0_usize;
            for p in 0..cuts.parts() {
                for block in blocks(cuts.range(p)) {
                    for length in file.sizes("node_id_lengths", block)? {
                        end = end.saturating_add(length);
                    }
                }
                names.push(end);
            }
            if end != file.elements("node_ids", Dtype::U8)? {
                return Err(file.damaged("its names are of another length than announced"));
            }
        }
        Ok(Self {
            file,
            cuts,
            flags,
            entries,
            features,
            names,
            kept: Mutex::new(Kept {
                parts: HashMap::new(),
                room: keep,
            }),
        })
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Columns of the node features of the file; they are not read.
    #[must_use]
    pub fn features(&self) -> usize {
        self.features
    }

    fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read(&self, part: usize, bytes: u64) -> Result<Part, ReadError> {
        let (range, entries) = (self.cuts.range(part), self.cuts.entries(part));
        // The bytes of the file, and the arrays made of them.
        memory::check("a part of the graph", 2 * bytes).map_err(|source| ReadError::Memory {
            path: self.path().to_owned(),
            source,
        })?;
        let mut offsets = Vec::with_capacity(range.len() + 1);
        let mut end = 0;
        offsets.push(end);
        for length in self.file.numbers("row_lengths", range.clone())? {
            end += length as usize;
            offsets.push(end);
        }
        let columns = self.file.numbers("columns", entries.clone())?;
        let weights = self
            .has(flag::WEIGHTS)
            .then(|| self.file.floats("weights", entries))
            .transpose()?;
        let nodes = self.cuts.nodes();
        let rows = Csr::new(range.len(), nodes, offsets, columns, weights).map_err(|error| {
            let start = range.start;
            self.file
                .damaged(format!("in the rows from node {start} on, {error}"))
        })?;
        Ok(Part::own(rows, range))
    }

    fn names_of(&self, part: usize) -> Result<Option<Vec<String>>, ReadError> {
        if !self.has(flag::NODE_IDS) {
            return Ok(None);
        }
        let lengths = self.file.sizes("node_id_lengths", self.cuts.range(part))?;
        let text = self.names[part]..self.names[part + 1];
        let text = self.file.read("node_ids", Dtype::U8, text)?;
        let names = names(&mut &text[..], lengths.into_iter());
        names
            .map(Some)
            .map_err(|problem| self.file.damaged(problem))
    }
}

/// A range in blocks that are small enough to be read at once.
fn blocks(range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let end = range.end;
    range
        .step_by(BLOCK)
        .map(move |start| start..(start + BLOCK).min(end))
}

impl PartSource for ContainerParts {
    fn entries(&self) -> usize {
        self.entries
    }

    fn is_weighted(&self) -> bool {
        self.has(flag::WEIGHTS)
    }

    fn cuts(&self) -> &Cuts {
        &self.cuts
    }

    fn part(&self, part: usize) -> Result<Arc<Part>, PartError> {
        if let Some(kept) = self.kept().parts.get(&part) {
            return Ok(Arc::clone(kept));
        }
        let entry = if self.is_weighted() { 8 } else { 4 };
        let bytes = 8 * (self.cuts.range(part).len() as u64 + 1)
            + entry * self.cuts.entries(part).len() as u64;
        let read = Arc::new(self.read(part, bytes).map_err(PartError::new)?);
        let mut kept = self.kept();
        if kept.room >= bytes && !kept.parts.contains_key(&part) {
            kept.room -= bytes;
            kept.parts.insert(part, Arc::clone(&read));
        }
        Ok(read)
    }

    fn node_labels(&self, part: usize) -> Result<Option<Vec<u32>>, PartError> {
        let range = self.cuts.range(part);
        self.has(flag::NODE_LABELS)
            .then(|| self.file.numbers("node_labels", range))
            .transpose()
            .map_err(PartError::new)
    }

    fn node_ids(&self, part: usize) -> Result<Option<Vec<String>>, PartError> {
        self.names_of(part).map_err(PartError::new)
    }
}
