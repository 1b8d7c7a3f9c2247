//! Cache of coarsenings on disk, so that expensive ones are only computed once.
//!
//! The name of a file is a hash of everything that its content depends on: the
//! graphs, the settings of the pooler and the version of bnpool. The content has
//! a checksum. A file that is missing, damaged or of another shape is recomputed.
//! A read-only folder is not an error.

use crate::run::Checksum;
use bnpool::batch::Coarsening;
use bnpool_graph::Csr;
use bnpool_io::format::write_atomically;
use std::path::{Path, PathBuf};

/// Cache entry of the coarsenings of some graphs.
pub(super) struct Entry {
    path: PathBuf,
    /// Number of nodes of each graph, to validate the content.
    nodes: Vec<usize>,
    levels: usize,
}

impl Entry {
    /// Creates the entry for these graphs and this key in a folder.
    pub fn new(folder: &Path, key: &str, levels: usize, graphs: &[&Csr]) -> Self {
        let mut hash = Checksum::default();
        hash.add(env!("CARGO_PKG_VERSION").as_bytes());
        hash.add(key.as_bytes());
        hash.add(&(levels as u64).to_le_bytes());
        for graph in graphs {
            let offsets: Vec<u64> = graph.offsets().iter().map(|&o| o as u64).collect();
            hash.add(bytemuck::cast_slice(&offsets));
            hash.add(bytemuck::cast_slice(graph.columns()));
            hash.add(bytemuck::cast_slice(graph.weights().unwrap_or_default()));
        }
        Self {
            path: folder.join(format!("{}.json", hash.finish())),
            nodes: graphs.iter().map(|graph| graph.rows()).collect(),
            levels,
        }
    }

    /// Reads the coarsenings, if the file is valid and matches the graphs.
    pub fn read(&self) -> Option<Vec<Vec<Coarsening>>> {
        let bytes = std::fs::read(&self.path).ok()?;
        let (checksum, content) = bytes.split_at_checked(CHECKSUM)?;
        if checksum != checksum_of(content).as_bytes() {
            return None;
        }
        let graphs: Vec<Vec<Coarsening>> = serde_json::from_slice(content).ok()?;
        let fits = graphs.len() == self.nodes.len()
            && graphs.iter().zip(&self.nodes).all(|(graph, &nodes)| {
                let first = graph.first().map(|c| c.clusters.len());
                graph.len() == self.levels && (first == Some(nodes) || self.levels == 0)
            });
        fits.then_some(graphs)
    }

    /// Writes the coarsenings, if possible.
    pub fn write(&self, graphs: &[Vec<Coarsening>]) {
        let Ok(content) = serde_json::to_vec(graphs) else {
            return;
        };
        let checksum = checksum_of(&content);
        if let Some(folder) = self.path.parent() {
            // If this fails, writing the file fails as well.
            let _ = std::fs::create_dir_all(folder);
        }
        let _ = write_atomically(&self.path, |out| {
            out.write_all(checksum.as_bytes())?;
            out.write_all(&content)
        });
    }
}

/// Length of a checksum in hexadecimal digits.
const CHECKSUM: usize = 64;

fn checksum_of(content: &[u8]) -> String {
    let mut checksum = Checksum::default();
    checksum.add(content);
    checksum.finish()
}
