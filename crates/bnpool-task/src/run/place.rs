//! Files and folders that the user names for results.

use super::RunDirectory;
use crate::Failure;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Makes a folder for results.
///
/// # Errors
///
/// When the system does not allow it.
pub fn make_folder(folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|e| {
        Failure::input(format!(
            "{}: the folder cannot be made: {e}; name another one",
            folder.display()
        ))
    })
}

/// Files that are read, which no result may replace.
pub struct Inputs(HashSet<PathBuf>);

impl Inputs {
    /// These files, if they exist.
    pub fn new<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Self {
        let real = |path: P| path.as_ref().canonicalize().ok();
        Self(paths.into_iter().filter_map(real).collect())
    }

    /// Refuses a file for results that is one of them, or belongs to a run.
    ///
    /// # Errors
    ///
    /// When the file must not be replaced.
    pub fn check(&self, path: &Path) -> Result<(), Failure> {
        // Pipes and devices can be both; only files are replaced.
        if path.is_file() && path.canonicalize().is_ok_and(|real| self.0.contains(&real)) {
            return Err(Failure::input(format!(
                "{}: it is also an input, and would be replaced; name another file for the result",
                path.display()
            )));
        }
        match RunDirectory::of_file(path) {
            Some(run) => Ok(run.check_output(path)?),
            None => Ok(()),
        }
    }

    /// Refuses a folder for pictures if one of its pictures is an input. Which
    /// pictures there will be is known only after the work, so all count.
    ///
    /// # Errors
    ///
    /// When a picture must not be replaced.
    pub fn check_pictures(&self, folder: &Path) -> Result<(), Failure> {
        // A folder that does not exist yet has no pictures.
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.extension().is_some_and(|e| e == "svg" || e == "png") {
                self.check(&path)?;
            }
        }
        Ok(())
    }
}

/// A name that can be part of a path: letters, digits, dots and dashes.
#[must_use]
pub fn path_part(name: &str) -> String {
    let part: String = name
        .chars()
        .map(|c| {
            if c.is_alphanumeric() || matches!(c, '.' | '-' | '_') {
                c
            } else {
                '-'
            }
        })
        .collect();
    match part.trim_matches(|c| c == '.' || c == '-') {
        "" => "graph".to_owned(),
        trimmed => trimmed.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_parts_of_paths() {
        assert_eq!(path_part("cora"), "cora");
        assert_eq!(path_part("../my graph"), "my-graph");
        assert_eq!(path_part("//"), "graph");
    }
}
