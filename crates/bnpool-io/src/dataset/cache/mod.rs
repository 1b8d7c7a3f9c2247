//! Parsed data sets, kept for the next time.
//!
//! A kept set is found by a key made of the checksum of its source files, of the
//! options that shape it and of the version of the format; if any of them
//! changes, another file is looked for. The content has a checksum of its own,
//! and everything read passes the checks of any other graph. A cache that is
//! damaged, or cannot be read or written, only costs time.
//!
//! The graphs are a [container](crate::format::container); what a data set has
//! beside them stands before it as JSON.

use std::io;
use std::path::{Path, PathBuf};

use super::entry::{Entry, Reader};
use super::load::{Cache, LoadOptions, Parsed};
use super::locate::cache_dir;
use crate::bytes::hash::sha256_bytes;
use crate::format::container::{encode_container, parse_container};
use crate::format::{Limits, WriteError, write_atomically};

/// Changes whenever the format or what a reader makes of its files does.
const VERSION: u32 = 4;
const MAGIC: &[u8] = b"bnpool-cache-1\n";
/// Digits of a SHA-256.
const DIGEST: usize = 64;
/// Smaller sources are parsed as fast as a cache is read.
const LEAST_SOURCE_BYTES: u64 = 1 << 20;

/// The place of one data set in the cache.
pub(super) struct Slot {
    folder: PathBuf,
    /// Start of the file name: the same for all contents of the sources.
    stem: String,
    key: String,
}

impl Slot {
    /// The place of a data set, or `None` if it is not worth keeping or there
    /// is no cache.
    pub(super) fn find(
        entry: &Entry,
        cleaned: bool,
        options: &LoadOptions,
        sha256: &str,
        source_bytes: u64,
    ) -> Option<Self> {
        // Its edges follow from a few numbers, and take a hundred times more.
        if source_bytes < LEAST_SOURCE_BYTES || entry.reader == Reader::Multipartite {
            return None;
        }
        let folder = match &options.cache {
            Cache::Off => return None,
            Cache::Folder(folder) => folder.clone(),
            Cache::User => cache_dir()?,
        };
        let flags = [cleaned, options.node_attributes, options.attention_column];
        let flags: String = flags
            .map(|flag| if flag { '1' } else { '0' })
            .iter()
            .collect();
        let stem = format!("{}-{flags}-", entry.name);
        let program = env!("CARGO_PKG_VERSION");
        let key = sha256_bytes(format!("{VERSION} {program} {stem} {sha256}").as_bytes());
        Some(Self { folder, stem, key })
    }

    fn path(&self) -> PathBuf {
        let short = &self.key[..16.min(self.key.len())];
        self.folder.join(format!("{}{short}.bin", self.stem))
    }

    /// The data set that is kept here, if it is whole.
    pub(super) fn read(&self) -> Option<Parsed> {
        let bytes = std::fs::read(self.path()).ok()?;
        let rest = bytes.strip_prefix(MAGIC)?;
        let (key, rest) = rest.split_at_checked(DIGEST)?;
        let (digest, payload) = rest.split_at_checked(DIGEST)?;
        let whole = key == self.key.as_bytes() && digest == sha256_bytes(payload).as_bytes();
        whole.then(|| decode(payload)).flatten()
    }

    /// Keeps a data set, and drops what was kept of older sources.
    pub(super) fn write(&self, parsed: &Parsed) -> Result<(), WriteError> {
        let path = self.path();
        let payload = encode(parsed).map_err(|source| WriteError {
            path: path.clone(),
            source,
        })?;
        std::fs::create_dir_all(&self.folder).map_err(|source| WriteError {
            path: self.folder.clone(),
            source,
        })?;
        write_atomically(&path, |file| {
            file.write_all(MAGIC)?;
            file.write_all(self.key.as_bytes())?;
            file.write_all(sha256_bytes(&payload).as_bytes())?;
            file.write_all(&payload)
        })?;
        self.drop_others(&path);
        Ok(())
    }

    fn drop_others(&self, path: &Path) {
        for entry in std::fs::read_dir(&self.folder)
            .into_iter()
            .flatten()
            .flatten()
        {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let short = name.strip_prefix(&self.stem);
            let is_older = short.is_some_and(|short| short.ends_with(".bin"));
            if is_older && entry.path() != path {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }
}

/// What is known of the graphs as JSON after its length, and the graphs.
fn encode(parsed: &Parsed) -> io::Result<Vec<u8>> {
    let known = serde_json::to_vec(parsed)?;
    let graphs = encode_container(&parsed.graphs, None)?;
    let length = (known.len() as u64).to_le_bytes();
    Ok([&length[..], &known, &graphs].concat())
}

fn decode(bytes: &[u8]) -> Option<Parsed> {
    let (length, rest) = bytes.split_first_chunk::<8>()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    let (known, graphs) = rest.split_at_checked(length)?;
    let (graphs, _) = parse_container(Path::new("cache"), graphs, &Limits::default()).ok()?;
    let known: Parsed = serde_json::from_slice(known).ok()?;
    Some(Parsed { graphs, ..known })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::find;
    use crate::format::tu::TuCoding;
    use bnpool_graph::Csr;
    use bnpool_graph::Graph;
    use bnpool_graph::Matrix;
    use bnpool_graph::Target;
    use bnpool_graph::split::Split;

    fn sample() -> Parsed {
        let path = Csr::from_edges(3, [(0, 1), (1, 0), (1, 2), (2, 1)]).unwrap();
        let full = Graph::builder(path.clone())
            .features(Csr::from_entries(3, 9, [(0, 8, 0.5), (2, 1, 2.0)]).unwrap())
            .edge_features(Matrix::from_rows([[1.0], [2.0], [3.0], [4.0]]).unwrap())
            .target(Target::Values(vec![1.0, f32::INFINITY.recip()]))
            .node_labels(vec![0, 1, 0])
            .node_ids(vec!["a".to_owned(), "é".to_owned(), String::new()])
            .build()
            .unwrap();
        let weighted = Csr::from_weighted_edges(2, [(0, 1, 0.5)]).unwrap();
        let plain = Graph::builder(weighted)
            .features(Matrix::from_rows([[1.0, 2.0], [3.0, 4.0]]).unwrap())
            .target(Target::Class(7))
            .build()
            .unwrap();
        let empty = Graph::builder(Csr::from_edges(0, []).unwrap())
            .build()
            .unwrap();
        Parsed {
            graphs: vec![full, plain, empty],
            classes: 3,
            class_names: vec!["x".to_owned()],
            split: Some(Split {
                train: vec![2],
                validation: vec![],
                test: vec![0, 1],
            }),
            coding: Some(TuCoding {
                node_attributes: true,
                node_labels: vec![(-3, 5), (0, i64::MAX)],
                ..TuCoding::default()
            }),
        }
    }

    fn slot(folder: &Path, sha256: &str) -> Slot {
        let options = LoadOptions {
            cache: Cache::Folder(folder.to_path_buf()),
            ..LoadOptions::paper()
        };
        Slot::find(find("mutag").unwrap(), false, &options, sha256, 1 << 30).unwrap()
    }

    #[test]
    fn a_round_trip_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let slot = slot(folder.path(), "a");
        assert_eq!(slot.read(), None);
        slot.write(&sample()).unwrap();
        assert_eq!(slot.read(), Some(sample()));
    }

    #[test]
    fn stale_and_damaged_files_are_not_trusted() {
        let folder = tempfile::tempdir().unwrap();
        let (old, new) = (slot(folder.path(), "a"), slot(folder.path(), "b"));
        old.write(&sample()).unwrap();
        assert_eq!(new.read(), None);
        new.write(&sample()).unwrap();
        assert_eq!(old.read(), None, "the older one is dropped");
        // A file under the name of another key.
        std::fs::copy(new.path(), old.path()).unwrap();
        assert_eq!(old.read(), None);

        let good = std::fs::read(new.path()).unwrap();
        for place in [
            0,
            MAGIC.len(),
            MAGIC.len() + DIGEST,
            good.len() / 2,
            good.len() - 1,
        ] {
            let mut bad = good.clone();
            bad[place] ^= 1;
            std::fs::write(new.path(), bad).unwrap();
            assert_eq!(new.read(), None, "byte {place}");
        }
        for length in [0, 10, 100, good.len() - 1] {
            std::fs::write(new.path(), &good[..length]).unwrap();
            assert_eq!(new.read(), None, "cut to {length}");
        }
    }

    #[test]
    fn damaged_payloads_never_panic() {
        let good = encode(&sample()).unwrap();
        assert_eq!(decode(&good), Some(sample()));
        for place in 0..good.len() {
            for value in [0, 1, 0x7f, 0xff] {
                let mut bad = good.clone();
                bad[place] = value;
                let _ = decode(&bad);
            }
            let _ = decode(&good[..place]);
        }
    }
}
