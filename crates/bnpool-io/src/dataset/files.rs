//! Files of a data set in a folder or in a zip of one.

use std::path::{Path, PathBuf};

use crate::format::npz::Npz;
use crate::format::text::split_line;
use crate::format::{Archive, Limits, ReadError, Source};
use crate::pickle::PickleError;

/// A file that is not what it should be.
pub(super) fn damaged(path: &Path, problem: impl Into<String>) -> ReadError {
    ReadError::in_file(path, problem, "fetch the data set again")
}

/// Turns an error of a pickle into one of its file.
pub(super) fn refuse_pickle(path: &Path) -> impl Fn(PickleError) -> ReadError + '_ {
    move |error| {
        ReadError::in_file(
            path,
            error.to_string(),
            "check where the file comes from, or fetch it again",
        )
    }
}

/// An array of an npz that is not what it should be.
pub(super) fn wrong_array(path: &Path, name: &str) -> ReadError {
    damaged(
        path,
        format!("the array `{name}` does not hold what its name says"),
    )
}

/// The integers of an array of an npz.
pub(super) fn integers(npz: &mut Npz, name: &str) -> Result<Vec<i64>, ReadError> {
    let found = npz.required(name)?.data.to_i64();
    found.ok_or_else(|| wrong_array(npz.path(), name))
}

/// A folder of files, or an archive of one.
pub(super) enum Files {
    Folder { path: PathBuf, limits: Limits },
    Zip(Archive),
}

impl Files {
    pub(super) fn open(path: &Path, limits: &Limits) -> Result<Self, ReadError> {
        if path.is_dir() {
            return Ok(Self::Folder {
                path: path.to_path_buf(),
                limits: *limits,
            });
        }
        Archive::open(path, limits).map(Self::Zip)
    }

    fn path(&self) -> &Path {
        match self {
            Self::Folder { path, .. } => path,
            Self::Zip(archive) => archive.path(),
        }
    }

    /// Reads a file that must be there. In an archive the file may lie below a
    /// folder of any name.
    pub(super) fn read(&mut self, name: &str) -> Result<Source, ReadError> {
        match self {
            Self::Folder { path, limits } => Source::open(path.join(name), limits),
            Self::Zip(archive) => {
                let is_it = |member: &&str| {
                    let below = member.strip_suffix(name);
                    below.is_some_and(|folder| folder.is_empty() || folder.ends_with('/'))
                };
                let member = archive.names().find(is_it).map(str::to_owned);
                let source = match member {
                    Some(member) => archive.read(&member)?,
                    None => None,
                };
                source.ok_or_else(|| {
                    ReadError::in_file(
                        self.path(),
                        format!("there is no `{name}` inside"),
                        "check that this is the right archive, or fetch it again",
                    )
                })
            }
        }
    }
}

/// The numbers of all lines, of which each must have `columns`.
///
/// Empty lines at the end do no harm.
pub(super) fn read_numbers(source: &Source, columns: usize) -> Result<Vec<u32>, ReadError> {
    let bytes = source.bytes();
    let mut numbers = Vec::with_capacity(bytes.len() / 2);
    let refuse = |line: usize| {
        ReadError::at_line(
            source.path(),
            line + 1,
            format!("this is no line of {columns} whole numbers with commas between"),
            "fetch the data set again",
        )
    };
    for (line, row) in lines(bytes).enumerate() {
        let start = numbers.len();
        // One number more than there are commas.
        for field in row.split(|&byte| byte == b',') {
            numbers.push(parse(field).ok_or_else(|| refuse(line))?);
        }
        if numbers.len() - start != columns {
            return Err(refuse(line));
        }
    }
    Ok(numbers)
}

fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let end = bytes.trim_ascii_end().len();
    let mut rest = &bytes[..end];
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (line, after) = split_line(rest);
        rest = after;
        Some(line)
    })
}

/// A whole number; also one that is written as `3.0`.
fn parse(field: &[u8]) -> Option<u32> {
    let field = field.trim_ascii();
    let digits = field.strip_suffix(b".0").unwrap_or(field);
    if digits.is_empty() || digits.len() > 9 {
        return None;
    }
    let mut value = 0;
    for &digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        value = value * 10 + u32::from(digit - b'0');
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Limits;

    fn read(text: &str, columns: usize) -> Result<Vec<u32>, ReadError> {
        let bytes = text.as_bytes().to_vec();
        let source = Source::from_bytes("t.csv", bytes, &Limits::default()).unwrap();
        read_numbers(&source, columns)
    }

    #[test]
    fn numbers_and_line_ends() {
        assert_eq!(read("1,2\r\n3, 40\n\n", 2).unwrap(), [1, 2, 3, 40]);
        assert_eq!(read("1.0\n0", 1).unwrap(), [1, 0]);
        assert!(read("", 3).unwrap().is_empty());
    }

    #[test]
    fn wrong_lines_are_named() {
        for (text, columns) in [("1\n2,3\n", 1), ("1\nx\n", 1), ("1\n\n2", 1), ("1\n-2", 1)] {
            let error = read(text, columns).unwrap_err();
            assert_eq!(error.line(), Some(2), "{text:?}");
        }
        assert!(read("9999999999", 1).is_err());
    }
}
