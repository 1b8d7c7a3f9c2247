//! Files for results, as given by the user.

use crate::terminal::message::{Failure, write_table};
use bnpool_io::format::{ReadReport, write_atomically};
use bnpool_task::run::{Inputs, make_folder};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Creates the folder of a file; returns an error if the file is an input.
pub fn check<P: AsRef<Path>>(
    path: &Path,
    inputs: impl IntoIterator<Item = P>,
) -> Result<(), Failure> {
    Inputs::new(inputs).check(path)?;
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !path.exists() => make_folder(folder),
        _ => Ok(()),
    }
}

/// Returns the files of a folder that were read, according to the report; empty
/// if `path` is a file.
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

/// Prints a value as JSON on standard output.
pub fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|e| Failure::running(format!("the result cannot be written as JSON: {e}")))?;
    say!("{text}");
    Ok(())
}

/// Returns whether a path stands for standard output.
pub fn is_standard_output(path: &Path) -> bool {
    path.as_os_str() == "-"
}
