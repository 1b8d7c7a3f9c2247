//! Rows of all nodes, stored by the owner of their part: in memory, or in a file if
//! they do not fit.

use super::Number;
use super::spread::Spread;
use crate::TaskError;
use rayon::prelude::*;
use std::borrow::Cow;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Rows [N, width], distributed over the ranks like the parts.
#[derive(Debug)]
pub(super) struct RowStore<T> {
    spread: Spread,
    width: usize,
    place: Place<T>,
}

#[derive(Debug)]
enum Place<T> {
    Memory(Vec<T>),
    File(RowFile),
}

impl<T: Number> RowStore<T> {
    /// Creates rows of zeros: in memory, or in a file in the folder `spill`.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be created.
    pub fn new(spread: &Spread, width: usize, spill: Option<&Path>) -> Result<Self, TaskError> {
        let values = spread.own_nodes().len() * width;
        Ok(Self {
            spread: spread.clone(),
            width,
            place: match spill {
                None => Place::Memory(vec![T::ZERO; values]),
                Some(folder) => {
                    let bytes = (values * size_of::<T>()) as u64;
                    Place::File(RowFile::new(folder, bytes)?)
                }
            },
        })
    }

    /// Returns the number of values per row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the range of the values of own nodes in the store.
    fn values(&self, nodes: &Range<usize>) -> Range<usize> {
        let first = self.spread.own_nodes().start;
        (nodes.start - first) * self.width..(nodes.end - first) * self.width
    }

    /// Stores the rows of own nodes.
    pub fn put(&mut self, nodes: &Range<usize>, rows: &[T]) -> Result<(), TaskError> {
        let values = self.values(nodes);
        match &mut self.place {
            Place::Memory(all) => {
                all[values].copy_from_slice(rows);
                Ok(())
            }
            Place::File(file) => {
                let at = (values.start * size_of::<T>()) as u64;
                file.write(at, bytemuck::cast_slice(rows))
            }
        }
    }

    /// Returns the rows of own nodes.
    pub fn get(&self, nodes: &Range<usize>) -> Result<Cow<'_, [T]>, TaskError> {
        let values = self.values(nodes);
        match &self.place {
            Place::Memory(all) => Ok(Cow::Borrowed(&all[values])),
            Place::File(file) => {
                let mut rows = vec![T::ZERO; values.len()];
                let at = (values.start * size_of::<T>()) as u64;
                file.read(at, bytemuck::cast_slice_mut(&mut rows))?;
                Ok(Cow::Owned(rows))
            }
        }
    }

    /// Writes the rows of arbitrary nodes to `out`, one every `stride` values, in the
    /// order of `ids`. All ranks must call it.
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be read. The ranks have completed the
    /// exchange in this case.
    pub fn fetch(&self, ids: &[u32], out: &mut [T], stride: usize) -> Result<(), TaskError> {
        let engine = &self.spread.engine;
        let (rank, ranks) = (engine.rank(), engine.size());
        if ranks == 1 {
            return self.read(ids, out, stride);
        }
        let (mut asked, mut places) = (vec![Vec::new(); ranks], vec![Vec::new(); ranks]);
        for (i, &id) in ids.iter().enumerate() {
            let owner = self.spread.owner(id as usize);
            asked[owner].push(id);
            places[owner].push(i);
        }
        let own = std::mem::take(&mut asked[rank]);
        let bytes = |ids: &Vec<u32>| bytemuck::cast_slice(ids).to_vec();
        let requests = engine.all_to_all(asked.iter().map(bytes).collect());
        let mut problem = None;
        let mut answer = |ids: &[u32]| {
            let mut rows = vec![T::ZERO; ids.len() * self.width];
            if let Err(error) = self.read(ids, &mut rows, self.width) {
                problem.get_or_insert(error);
            }
            rows
        };
        let answers = requests.into_iter().map(|ids| {
            let ids: Vec<u32> = bytemuck::pod_collect_to_vec(&ids);
            bytemuck::cast_slice(&answer(&ids)).to_vec()
        });
        let answers = engine.all_to_all(answers.collect());
        let mine = answer(&own);
        let size = self.width * size_of::<T>();
        let mut keep = |places: &[usize], rows: &[u8]| {
            for (&place, row) in places.iter().zip(rows.chunks_exact(size.max(1))) {
                let into = &mut out[place * stride..][..self.width];
                bytemuck::cast_slice_mut::<T, u8>(into).copy_from_slice(row);
            }
        };
        for (from, rows) in answers.iter().enumerate() {
            keep(&places[from], rows);
        }
        keep(&places[rank], bytemuck::cast_slice(&mine));
        match problem {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// Writes the rows of own nodes to `out`.
    fn read(&self, ids: &[u32], out: &mut [T], stride: usize) -> Result<(), TaskError> {
        let (first, width) = (self.spread.own_nodes().start, self.width);
        if ids.is_empty() || width == 0 {
            return Ok(());
        }
        match &self.place {
            Place::Memory(all) => {
                out.par_chunks_mut(stride)
                    .zip(ids)
                    .with_min_len(1024)
                    .for_each(|(out, &id)| {
                        let at = (id as usize - first) * width;
                        out[..width].copy_from_slice(&all[at..at + width]);
                    });
                Ok(())
            }
            Place::File(file) => {
                let sizes = [width, stride].map(|values| values * size_of::<T>());
                file.rows(ids, first, bytemuck::cast_slice_mut(out), sizes)
            }
        }
    }
}

/// Number of bytes per read when rows are looked up in a file.
const BLOCK: usize = 1 << 20;

/// A private file that is removed when the process ends.
#[derive(Debug)]
struct RowFile {
    path: PathBuf,
    file: Mutex<File>,
}

static MADE: AtomicU64 = AtomicU64::new(0);

impl RowFile {
    fn new(folder: &Path, bytes: u64) -> Result<Self, TaskError> {
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!(".rows-{}-{number}", std::process::id()));
        let made = File::options()
            .read(true)
            .write(true)
            .create_new(true)
            .open(&path)
            .and_then(|file| file.set_len(bytes).map(|()| file));
        let failed = |source| TaskError::Spill {
            path: path.clone(),
            source,
        };
        let file = made.map_err(failed)?;
        // On Unix, an open file can be unlinked, so it is removed however the
        // process ends. On other systems it is removed when it is dropped.
        if cfg!(unix) {
            std::fs::remove_file(&path).map_err(failed)?;
        }
        Ok(Self {
            path,
            file: Mutex::new(file),
        })
    }

    fn failed(&self, source: std::io::Error) -> TaskError {
        TaskError::Spill {
            path: self.path.clone(),
            source,
        }
    }

    fn at<R>(
        &self,
        at: u64,
        work: impl FnOnce(&mut File) -> std::io::Result<R>,
    ) -> Result<R, TaskError> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(at))
            .and_then(|_| work(&mut file))
            .map_err(|source| self.failed(source))
    }

    fn write(&self, at: u64, bytes: &[u8]) -> Result<(), TaskError> {
        self.at(at, |file| file.write_all(bytes))
    }

    fn read(&self, at: u64, bytes: &mut [u8]) -> Result<(), TaskError> {
        self.at(at, |file| file.read_exact(bytes))
    }

    /// Reads the rows of some nodes, given the bytes per row and the bytes between rows
    /// of `out`. Rows are read in file order, one block at a time.
    fn rows(
        &self,
        ids: &[u32],
        first: usize,
        out: &mut [u8],
        [row, stride]: [usize; 2],
    ) -> Result<(), TaskError> {
        let mut order: Vec<(u32, u32)> = ids.iter().copied().zip(0..).collect();
        order.par_sort_unstable();
        let most = (BLOCK / row).max(1);
        let mut block = Vec::new();
        let mut rest = &order[..];
        while let Some(&(start, _)) = rest.first() {
            let count = rest.partition_point(|&(id, _)| ((id - start) as usize) < most);
            let (here, behind) = rest.split_at(count);
            let rows = (here[count - 1].0 - start) as usize + 1;
            block.resize(rows * row, 0);
            self.read(((start as usize - first) * row) as u64, &mut block)?;
            for &(id, place) in here {
                let from = (id - start) as usize * row;
                out[place as usize * stride..][..row].copy_from_slice(&block[from..from + row]);
            }
            rest = behind;
        }
        Ok(())
    }
}

impl Drop for RowFile {
    fn drop(&mut self) {
        if !cfg!(unix) {
            // A leftover file is harmless.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bnpool_graph::divide::Cuts;
    use bnpool_parallel::{Collective, Threads};
    use std::sync::Arc;

    #[test]
    fn every_rank_gets_the_rows_that_it_asks_for_from_memory_and_from_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let cuts = Cuts::new(&[3; 50], 20);
        for ranks in [1, 2, 3, 20] {
            for spill in [None, Some(folder.path())] {
                Threads::run(ranks, |rank| {
                    let asked = [49_u32, 0, 7, 7, 23].map(|id| (id + rank.rank() as u32) % 50);
                    let spread = Spread::new(&cuts, Arc::new(rank));
                    let mut store = RowStore::<f32>::new(&spread, 2, spill).expect("a store");
                    for part in spread.own_parts() {
                        let range = cuts.range(part);
                        let rows: Vec<f32> = range
                            .clone()
                            .flat_map(|u| [u as f32, -(u as f32)])
                            .collect();
                        store.put(&range, &rows).expect("written");
                        assert_eq!(store.get(&range).expect("read").as_ref(), rows);
                    }
                    let mut out = vec![9.0; 5 * 3];
                    store.fetch(&asked, &mut out, 3).expect("rows");
                    for (row, id) in out.chunks_exact(3).zip(asked) {
                        assert_eq!(row, [id as f32, -(id as f32), 9.0], "{ranks} ranks");
                    }
                    store.fetch(&[], &mut [], 1).expect("nothing");
                });
            }
        }
        let left = std::fs::read_dir(folder.path()).expect("a folder").count();
        assert_eq!(left, 0, "no file stays");
    }

    #[test]
    fn a_folder_that_is_not_there_is_named() {
        let cuts = Cuts::new(&[1; 10], 20);
        let spread = Spread::new(&cuts, Arc::new(bnpool_parallel::Alone));
        let nowhere = Path::new("/nowhere/at/all");
        let error = RowStore::<f32>::new(&spread, 2, Some(nowhere)).expect_err("no folder");
        assert!(error.to_string().contains("/nowhere/at/all"), "{error}");
    }
}
