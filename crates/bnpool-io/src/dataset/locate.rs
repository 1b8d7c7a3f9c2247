//! The places of the files of a data set.

use std::path::{Path, PathBuf};

use directories::ProjectDirs;

use super::entry::{Entry, Reader};
use super::error::DatasetError;
use crate::bytes::packing::ENDINGS;

/// The folders in which data sets are looked for, in this order: the one given,
/// the one `BNPOOL_DATA` names, the user's data directory. The first is where
/// downloads are kept.
///
/// There may be none, if the system knows no user and nothing was given.
#[must_use]
pub fn data_dirs(explicit: Option<&Path>) -> Vec<PathBuf> {
    let from_environment = std::env::var_os("BNPOOL_DATA").filter(|dir| !dir.is_empty());
    let user = project_dirs().map(|dirs| dirs.data_dir().to_path_buf());
    let mut dirs: Vec<PathBuf> = Vec::new();
    for dir in [
        explicit.map(Path::to_path_buf),
        from_environment.map(PathBuf::from),
        user,
    ] {
        dirs.extend(dir.filter(|dir| !dirs.contains(dir)));
    }
    dirs
}

/// The folder for what can be computed again: the one `BNPOOL_CACHE` names, else
/// the user's cache directory. There is none if the system knows no user.
#[must_use]
pub fn cache_dir() -> Option<PathBuf> {
    match std::env::var_os("BNPOOL_CACHE").filter(|dir| !dir.is_empty()) {
        Some(dir) => Some(dir.into()),
        None => Some(project_dirs()?.cache_dir().to_path_buf()),
    }
}

/// The user's folders for this program.
pub(super) fn project_dirs() -> Option<ProjectDirs> {
    ProjectDirs::from("", "", "bnpool")
}

/// The place of a data set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// The file or folder that holds it.
    pub(super) path: PathBuf,
    /// The list of graphs to keep of it, if that makes the cleaned version.
    pub(super) keep: Option<PathBuf>,
}

/// Looks for the files of a data set.
pub(super) fn locate(
    entry: &'static Entry,
    cleaned: bool,
    dirs: &[PathBuf],
) -> Result<Place, DatasetError> {
    let found = if cleaned {
        dirs.iter().find_map(|dir| cleaned_in(entry, dir))
    } else {
        dirs.iter().find_map(|dir| place_in(entry, dir))
    };
    found.ok_or_else(|| {
        let what = match (cleaned, entry.places) {
            (true, _) => format!(
                "tu/cleaned/{0}.zip, or {0}_keep_ids.txt beside the full set",
                entry.title
            ),
            (false, places) => places.first().copied().unwrap_or_default().to_owned(),
        };
        DatasetError::NotFound {
            name: entry.name,
            what,
            searched: dirs.to_vec(),
        }
    })
}

fn place_in(entry: &Entry, dir: &Path) -> Option<Place> {
    let paths = entry.places.iter().map(|place| dir.join(place));
    let path = paths.into_iter().find(|path| holds(entry, path))?;
    Some(Place { path, keep: None })
}

/// The cleaned version: files of its own, or a list of graphs to keep.
fn cleaned_in(entry: &Entry, dir: &Path) -> Option<Place> {
    let folder = dir.join("tu/cleaned");
    for name in [format!("{}.zip", entry.title), entry.title.to_owned()] {
        let path = folder.join(name);
        if holds(entry, &path) {
            return Some(Place { path, keep: None });
        }
    }
    let full = place_in(entry, dir)?;
    let keep = [
        folder.join(format!("{}_keep_ids.txt", entry.title)),
        full.path.join("cleaned_keep_ids.txt"),
    ];
    let keep = keep.into_iter().find(|list| list.is_file())?;
    Some(Place {
        path: full.path,
        keep: Some(keep),
    })
}

/// Whether a path looks like the data set, without opening anything.
fn holds(entry: &Entry, path: &Path) -> bool {
    match entry.reader {
        Reader::BuiltIn => false,
        Reader::Planetoid => path.join(format!("ind.{}.graph", entry.name)).is_file(),
        _ if path.is_file() => true,
        Reader::Tu => {
            let edges = format!("{}_A.txt", entry.title);
            let is_there =
                |file: &str| path.join(file).is_file() || path.join("raw").join(file).is_file();
            // The reader unpacks files of a folder.
            let mut packed = ENDINGS.iter().map(|ending| format!("{edges}.{ending}"));
            is_there(&edges) || packed.any(|file| is_there(&file))
        }
        Reader::Ogb => path.join("raw/edge.csv.gz").is_file(),
        Reader::Lrgb => path.join("train.pt").is_file(),
        Reader::Citation | Reader::Gcb | Reader::Multipartite => false,
    }
}

/// All files that a place consists of, sorted: what identifies its content.
pub(super) fn files_of(entry: &Entry, place: &Place) -> Vec<PathBuf> {
    let path = &place.path;
    let mut files = match entry.reader {
        Reader::BuiltIn => Vec::new(),
        Reader::Planetoid => {
            let parts = ["x", "tx", "allx", "y", "ty", "ally", "graph", "test.index"];
            let name = |part| path.join(format!("ind.{}.{part}", entry.name));
            parts.map(name).to_vec()
        }
        _ if path.is_file() => vec![path.clone()],
        Reader::Lrgb => ["train.pt", "val.pt", "test.pt"]
            .map(|part| path.join(part))
            .to_vec(),
        _ => files_below(path, 3),
    };
    files.extend(place.keep.clone());
    files.sort();
    // The list of graphs to keep may lie in the folder itself.
    files.dedup();
    files
}

/// The files below a folder; links to folders are not followed far.
fn files_below(folder: &Path, depth: usize) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_file() {
            files.push(path);
        } else if depth > 1 {
            files.extend(files_below(&path, depth - 1));
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::find;

    #[test]
    fn the_folder_given_comes_first() {
        let dirs = data_dirs(Some(Path::new("/given")));
        assert_eq!(dirs[0], Path::new("/given"));
        let again = data_dirs(Some(&dirs[dirs.len() - 1].clone()));
        assert!(again.len() <= dirs.len());
    }

    #[test]
    fn packed_edges_and_a_list_beside_them_are_found() {
        let root = tempfile::tempdir().unwrap();
        let dirs = [root.path().to_path_buf()];
        let folder = root.path().join("tu/COLLAB");
        std::fs::create_dir_all(&folder).unwrap();
        let collab = find("collab").unwrap();
        assert!(locate(collab, false, &dirs).is_err());
        let edges = folder.join("COLLAB_A.txt.xz");
        std::fs::write(&edges, "").unwrap();
        let found = locate(collab, false, &dirs).unwrap();
        assert_eq!((&found.path, &found.keep), (&folder, &None));
        assert!(locate(collab, true, &dirs).is_err());
        let keep = folder.join("cleaned_keep_ids.txt");
        std::fs::write(&keep, "1\n").unwrap();
        let found = locate(collab, true, &dirs).unwrap();
        assert_eq!(found.keep, Some(keep.clone()));
        assert_eq!(files_of(collab, &found), [edges, keep]);
    }

    #[test]
    fn zips_folders_and_lists_are_found() {
        let root = tempfile::tempdir().unwrap();
        let dirs = [root.path().join("nothing"), root.path().to_path_buf()];
        let mutag = find("mutag").unwrap();
        let error = locate(mutag, false, &dirs).unwrap_err().to_string();
        assert!(error.contains("tu/MUTAG.zip") && error.contains("`dataset::fetch` for `mutag`"));

        let folder = root.path().join("tu/MUTAG/raw");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("MUTAG_A.txt"), "").unwrap();
        let found = locate(mutag, false, &dirs).unwrap();
        assert_eq!(found.path, root.path().join("tu/MUTAG"));
        assert_eq!(files_of(mutag, &found), [folder.join("MUTAG_A.txt")]);

        std::fs::write(root.path().join("tu/MUTAG.zip"), "").unwrap();
        let found = locate(mutag, false, &dirs).unwrap();
        assert_eq!(found.path, root.path().join("tu/MUTAG.zip"));

        assert!(locate(mutag, true, &dirs).is_err());
        std::fs::create_dir_all(root.path().join("tu/cleaned")).unwrap();
        let keep = root.path().join("tu/cleaned/MUTAG_keep_ids.txt");
        std::fs::write(&keep, "1\n").unwrap();
        let found = locate(mutag, true, &dirs).unwrap();
        assert_eq!(found.keep, Some(keep.clone()));
        assert_eq!(files_of(mutag, &found), [found.path.clone(), keep]);
        let own = root.path().join("tu/cleaned/MUTAG.zip");
        std::fs::write(&own, "").unwrap();
        assert_eq!(locate(mutag, true, &dirs).unwrap().path, own);
    }
}
