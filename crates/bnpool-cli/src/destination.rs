//! Files and folders that the user names for results.

use crate::message::{Failure, write_table};
use bnpool_io::format::{ReadReport, write_atomically};
use bnpool_task::run::RunDirectory;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Makes a folder for results, named by a flag.
pub fn make_folder(folder: &Path, flag: &str) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|e| {
        Failure::Input(format!(
            "{}: the folder cannot be made: {e}; name another one with {flag}",
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
    pub fn check(&self, path: &Path) -> Result<(), Failure> {
        // Pipes and devices can be both; only files are replaced.
        if path.is_file() && path.canonicalize().is_ok_and(|real| self.0.contains(&real)) {
            return Err(Failure::Input(format!(
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

/// Makes room for a file, and refuses one of the inputs.
pub fn check<P: AsRef<Path>>(
    path: &Path,
    inputs: impl IntoIterator<Item = P>,
) -> Result<(), Failure> {
    Inputs::new(inputs).check(path)?;
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !path.exists() => {
            make_folder(folder, "another path")
        }
        _ => Ok(()),
    }
}

/// The files of a folder that were read, by the report on it; none if `path` is a
/// file itself.
pub fn files_read(path: &Path, report: &ReadReport) -> Vec<PathBuf> {
    if path.is_dir() {
        report.files.iter().map(|f| path.join(&f.name)).collect()
    } else {
        Vec::new()
    }
}

/// Writes a text to a file, or to standard output if the path is `-`.
pub fn write_text(path: &Path, text: &str) -> Result<(), Failure> {
    if is_standard_output(path) {
        write_table(text.strip_suffix('\n').unwrap_or(text));
        return Ok(());
    }
    Ok(write_atomically(path, |out| {
        out.write_all(text.as_bytes())
    })?)
}

/// Whether a path stands for standard output.
pub fn is_standard_output(path: &Path) -> bool {
    path.as_os_str() == "-"
}
