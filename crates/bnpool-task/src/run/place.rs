//! Files and folders for results, as given by the user.

use super::RunDirectory;
use crate::Failure;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Creates a folder for results.
///
/// # Errors
///
/// Returns an error if the folder cannot be created.
pub fn make_folder(folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|e| {
        Failure::input(format!(
            "{}: the folder cannot be made: {e}; name another one",
            folder.display()
        ))
    })
}

/// Input files, which must not be replaced by results.
pub struct Inputs(HashSet<PathBuf>);

impl Inputs {
    /// Creates the set of these files, if they exist.
    pub fn new<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Self {
        let real = |path: P| path.as_ref().canonicalize().ok();
        Self(paths.into_iter().filter_map(real).collect())
    }

    /// Checks that a file for results is not an input and does not belong to a
    /// run.
    ///
    /// # Errors
    ///
    /// Returns an error if the file must not be replaced.
    pub fn check(&self, path: &Path) -> Result<(), Failure> {
        // Pipes and devices can be both input and output; only files are
        // replaced.
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

    /// Checks that no plot in a folder is an input. The names of the plots are
    /// only known after the work, so all plots in the folder are checked.
    ///
    /// # Errors
    ///
    /// Returns an error if a plot must not be replaced.
    pub fn check_pictures(&self, folder: &Path) -> Result<(), Failure> {
        // A folder that does not exist contains no plots.
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.extension().is_some_and(|e| e == "svg" || e == "png") {
                self.check(&path)?;
            }
        }
        Ok(())
    }
}

/// Converts a name for use in a path, to letters, digits, dots and dashes.
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
