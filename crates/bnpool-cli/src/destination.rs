//! Files and folders that the user names for results.

use crate::message::{Failure, write_table};
use bnpool_graph::format::write_atomically;
use std::path::Path;

/// Makes a folder for results, named by a flag.
pub fn make_folder(folder: &Path, flag: &str) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|e| {
        Failure::Input(format!(
            "{}: the folder cannot be made: {e}; name another one with {flag}",
            folder.display()
        ))
    })
}

/// Makes room for a file, and refuses one of the inputs.
pub fn check(path: &Path, inputs: &[&Path]) -> Result<(), Failure> {
    let real = path.canonicalize().ok();
    for input in inputs {
        // Pipes and devices can be both; only files are replaced.
        if path.is_file() && real.is_some() && real == input.canonicalize().ok() {
            return Err(Failure::Input(format!(
                "{}: it is also an input, and would be replaced; name another file for the result",
                path.display()
            )));
        }
    }
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !path.exists() => {
            make_folder(folder, "another path")
        }
        _ => Ok(()),
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
