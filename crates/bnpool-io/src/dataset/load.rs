//! From a name to a data set.

use std::fmt;
use std::path::PathBuf;

use bnpool_graph::generate::{Colors3, GcbHard, Multipartite, builtin_community};
use bnpool_graph::split::Split;
use bnpool_graph::{Graph, Target};
use serde::{Deserialize, Serialize};

use super::entry::{Entry, Metric, Reader, Task};
use super::error::DatasetError;
use super::locate::{Place, data_dirs, files_of, locate};
use super::tu::drop_first_feature;
use super::{cache, citation, gcb, lrgb, multipartite, ogb, planetoid, table, tu};
use crate::bytes::hash::sha256_files;
use crate::format::Limits;
use crate::format::tu::TuCoding;

/// The origin of a data set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// It is part of the program.
    BuiltIn,
    /// It was read from files.
    Files {
        /// The file or folder.
        path: PathBuf,
        /// SHA-256 of the file; of several files, that of the list of their
        /// checksums and names, as `sha256sum` prints it.
        sha256: String,
    },
    /// It was made from a seed.
    Generated {
        /// The seed.
        seed: u64,
    },
}

impl Origin {
    /// SHA-256 of the files, if there are some.
    #[must_use]
    pub fn sha256(&self) -> Option<&str> {
        match self {
            Self::Files { sha256, .. } => Some(sha256),
            Self::BuiltIn | Self::Generated { .. } => None,
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuiltIn => f.write_str("built in"),
            Self::Files { path, .. } => write!(f, "{}", path.display()),
            Self::Generated { seed } => write!(f, "generated with seed {seed}"),
        }
    }
}

/// A data set.
#[derive(Debug, Clone, PartialEq)]
pub struct Dataset {
    /// Its name, as in the [`registry`](super::registry).
    pub name: String,
    /// The task.
    pub task: Task,
    /// The metric.
    pub metric: Metric,
    /// Its graphs: one for clustering.
    pub graphs: Vec<Graph>,
    /// Number of classes of nodes or graphs; 0 where numbers are to be found.
    pub classes: usize,
    /// Names of the classes where the files name them, else their numbers.
    pub class_names: Vec<String>,
    /// The partition that belongs to the set, if one does.
    pub official_split: Option<Split>,
    /// The coding of labels and attributes, of TU sets that were read.
    pub coding: Option<TuCoding>,
    /// Whether isomorphic graphs were left out.
    pub cleaned: bool,
    /// The origin.
    pub origin: Origin,
}

/// Loads the data set of a name.
///
/// Its files are looked for in the folder given, in `BNPOOL_DATA` and in the
/// user's data directory; see [`data_dirs`]. Parsed files are kept in a cache
/// that is only used while the files have not changed by a bit.
///
/// # Errors
///
/// When there is no such data set, its files are nowhere (and it cannot be made
/// again), or they cannot be read.
///
/// ```
/// use bnpool_io::dataset::{self, LoadOptions};
///
/// let set = dataset::load("community", &LoadOptions::paper())?;
/// assert_eq!((set.graphs.len(), set.classes), (1, 5));
/// # Ok::<(), bnpool_io::dataset::DatasetError>(())
/// ```
pub fn load(name: &str, options: &LoadOptions) -> Result<Dataset, DatasetError> {
    let entry = table::find(name)?;
    if entry.reader == Reader::BuiltIn {
        let parsed = Parsed::new(vec![builtin_community()?], entry.published.classes);
        return Ok(parsed.finish(entry, false, Origin::BuiltIn));
    }
    let cleaned = options.cleaned && entry.cleaned.is_some();
    let place = match locate(entry, cleaned, &data_dirs(options.data_dir.as_deref())) {
        Ok(place) => place,
        Err(missing) => {
            return match options.generate {
                Some(seed) if entry.synthetic => generate(entry, seed, options),
                _ => Err(missing),
            };
        }
    };
    let files = files_of(entry, &place);
    let (sha256, size) = sha256_files(&files)?;
    let slot = cache::Slot::find(entry, cleaned, options, &sha256, size);
    let kept = slot.as_ref().and_then(|slot| slot.read());
    let parsed = match kept {
        Some(parsed) => parsed,
        None => {
            let parsed = read(entry, &place, options)?;
            if let Some(slot) = slot {
                // A cache that cannot be written only costs time.
                let _ = slot.write(&parsed);
            }
            parsed
        }
    };
    if let Some(split) = &parsed.split
        && let Err(source) = split.check(parsed.graphs.len())
    {
        let path = place.path;
        return Err(DatasetError::Split { path, source });
    }
    let origin = Origin::Files {
        path: place.path,
        sha256,
    };
    Ok(parsed.finish(entry, cleaned, origin))
}

/// The identity of a data set, without reading it: the SHA-256 of its files as in
/// [`Origin`], or the words for a set that is built in or would be generated.
///
/// # Errors
///
/// When there is no such data set, its files are nowhere (and it cannot be made
/// again), or they cannot be read.
///
/// ```
/// use bnpool_io::dataset::{self, LoadOptions};
///
/// assert_eq!(dataset::fingerprint("community", &LoadOptions::paper())?, "built in");
/// # Ok::<(), bnpool_io::dataset::DatasetError>(())
/// ```
pub fn fingerprint(name: &str, options: &LoadOptions) -> Result<String, DatasetError> {
    let entry = table::find(name)?;
    if entry.reader == Reader::BuiltIn {
        return Ok(Origin::BuiltIn.to_string());
    }
    let cleaned = options.cleaned && entry.cleaned.is_some();
    match locate(entry, cleaned, &data_dirs(options.data_dir.as_deref())) {
        Ok(place) => Ok(sha256_files(&files_of(entry, &place))?.0),
        Err(missing) => match options.generate {
            Some(seed) if entry.synthetic => Ok(Origin::Generated { seed }.to_string()),
            _ => Err(missing),
        },
    }
}

/// The content of the files, which the cache keeps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Parsed {
    #[serde(skip)]
    pub(super) graphs: Vec<Graph>,
    pub(super) classes: usize,
    pub(super) class_names: Vec<String>,
    pub(super) split: Option<Split>,
    pub(super) coding: Option<TuCoding>,
}

impl Parsed {
    fn new(graphs: Vec<Graph>, classes: usize) -> Self {
        Self {
            graphs,
            classes,
            class_names: (0..classes).map(|class| class.to_string()).collect(),
            split: None,
            coding: None,
        }
    }

    fn with_split(self, split: Split) -> Self {
        Self {
            split: Some(split),
            ..self
        }
    }

    fn finish(self, entry: &Entry, cleaned: bool, origin: Origin) -> Dataset {
        Dataset {
            name: entry.name.to_owned(),
            task: entry.task,
            metric: entry.metric,
            graphs: self.graphs,
            classes: self.classes,
            class_names: self.class_names,
            official_split: self.split,
            coding: self.coding,
            cleaned,
            origin,
        }
    }
}

fn read(entry: &Entry, place: &Place, options: &LoadOptions) -> Result<Parsed, DatasetError> {
    let (path, limits) = (place.path.as_path(), &options.limits);
    let parsed = match entry.reader {
        Reader::BuiltIn => Parsed::new(vec![builtin_community()?], entry.published.classes),
        Reader::Planetoid => {
            let (graph, classes) = planetoid::read_planetoid(path, entry.name, limits)?;
            Parsed::new(vec![graph], classes)
        }
        Reader::Citation => {
            let (graph, classes) = citation::read_citation(path, limits)?;
            Parsed::new(vec![graph], classes)
        }
        Reader::Tu => {
            let (graphs, coding, names) = tu::read_tu_set(entry, place, options)?;
            let is_published = graphs.len() == entry.published.graphs;
            let split =
                (entry.name == "colors-3" && is_published).then(|| Colors3::default().split());
            Parsed {
                graphs,
                classes: names.len(),
                class_names: names,
                split,
                coding: Some(coding),
            }
        }
        Reader::Gcb => {
            let set = gcb::read_gcb(path, limits)?;
            Parsed::new(set.graphs, set.classes).with_split(set.split)
        }
        Reader::Ogb => {
            let (graphs, split) = ogb::read_molecules(path, limits)?;
            let classes = count_classes(&graphs);
            Parsed::new(graphs, classes).with_split(split)
        }
        Reader::Lrgb => {
            let (graphs, split) = lrgb::read_peptides(path, limits)?;
            Parsed::new(graphs, 0).with_split(split)
        }
        Reader::Multipartite => {
            let graphs = multipartite::read_multipartite(path, limits)?;
            let classes = count_classes(&graphs);
            Parsed::new(graphs, classes)
        }
    };
    Ok(parsed)
}

/// One more than the largest class of a graph.
fn count_classes(graphs: &[Graph]) -> usize {
    let class = |graph: &Graph| match graph.target() {
        Some(Target::Class(class)) => *class as usize + 1,
        _ => 0,
    };
    graphs.iter().map(class).max().unwrap_or(0)
}

/// Makes a synthetic set again.
fn generate(entry: &Entry, seed: u64, options: &LoadOptions) -> Result<Dataset, DatasetError> {
    let parsed = match entry.reader {
        Reader::Gcb => Parsed::new(GcbHard::default().generate(seed)?, GcbHard::CLASSES),
        Reader::Multipartite => {
            let graphs = Multipartite::default().generate(seed)?;
            Parsed::new(graphs, Multipartite::CLASSES)
        }
        Reader::Tu => {
            let set = Colors3::default();
            let mut graphs = set.generate(seed)?;
            if !options.attention_column {
                let fewer = graphs.into_iter().map(drop_first_feature);
                graphs = fewer.collect::<Result<_, _>>()?;
            }
            Parsed::new(graphs, Colors3::CLASSES).with_split(set.split())
        }
        _ => Parsed::new(vec![builtin_community()?], entry.published.classes),
    };
    Ok(parsed.finish(entry, false, Origin::Generated { seed }))
}

/// The cache of parsed data sets.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Cache {
    /// In the folder `BNPOOL_CACHE` names, else the user's cache directory.
    #[default]
    User,
    /// In this folder.
    Folder(PathBuf),
    /// Nowhere.
    Off,
}

/// Options for loading a data set.
///
/// The presets differ in what they take of the TU sets: see
/// [`paper`](Self::paper) and [`authors`](Self::authors).
#[derive(Debug, Clone, PartialEq)]
pub struct LoadOptions {
    /// The folder to look in first.
    pub data_dir: Option<PathBuf>,
    /// Take the versions of TU sets without isomorphic graphs. Has no effect on
    /// COLORS-3 and on sets that are not TU sets.
    pub cleaned: bool,
    /// Take the node attributes of TU sets, not only their node labels. Those of
    /// COLORS-3, which has nothing else, are always taken.
    pub node_attributes: bool,
    /// Keep the first attribute of COLORS-3, which marks the green nodes
    /// are.
    pub attention_column: bool,
    /// Make a synthetic set again, with this seed, where its files are not there.
    pub generate: Option<u64>,
    /// The cache of parsed data sets.
    pub cache: Cache,
    /// Limits of the files.
    pub limits: Limits,
}

impl LoadOptions {
    /// As in the paper's tables: all graphs, with node attributes, and the four
    /// colours of COLORS-3.
    #[must_use]
    pub fn paper() -> Self {
        Self {
            data_dir: None,
            cleaned: false,
            node_attributes: true,
            attention_column: false,
            generate: Some(0),
            cache: Cache::User,
            limits: Limits::default(),
        }
    }

    /// As the authors' code loads them: without isomorphic graphs and node
    /// attributes, but with all columns of COLORS-3.
    #[must_use]
    pub fn authors() -> Self {
        Self {
            cleaned: true,
            node_attributes: false,
            attention_column: true,
            ..Self::paper()
        }
    }
}

impl Default for LoadOptions {
    fn default() -> Self {
        Self::paper()
    }
}
