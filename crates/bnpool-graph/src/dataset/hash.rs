//! Checksums of files.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::format::ReadError;

/// The SHA-256 of a file in hexadecimal digits, and its size.
///
/// # Errors
///
/// When the file cannot be read.
pub fn sha256_file(path: &Path) -> Result<(String, u64), ReadError> {
    let failed = |source| ReadError::io(path, source);
    let mut file = File::open(path).map_err(failed)?;
    let mut hash = Sha256::new();
    let mut size = 0;
    let mut buffer = vec![0; 1 << 18];
    loop {
        match file.read(&mut buffer).map_err(failed)? {
            0 => return Ok((hex(&hash.finalize()), size)),
            count => {
                hash.update(&buffer[..count]);
                size += count as u64;
            }
        }
    }
}

/// The SHA-256 of bytes in hexadecimal digits.
pub(super) fn sha256_bytes(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// One checksum for several files, and their size: that of the only file, or
/// that of a list of `checksum  name` lines, as `sha256sum` prints them.
pub(super) fn sha256_files<P: AsRef<Path>>(paths: &[P]) -> Result<(String, u64), ReadError> {
    if let [only] = paths {
        return sha256_file(only.as_ref());
    }
    let (mut list, mut total) = (String::new(), 0);
    for path in paths {
        let path = path.as_ref();
        let (sha256, size) = sha256_file(path)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        list += &format!("{sha256}  {name}\n");
        total += size;
    }
    Ok((sha256_bytes(list.as_bytes()), total))
}

/// One checksum for all files below a folder: that of a list of `checksum  name`
/// lines in the order of the names.
///
/// # Errors
///
/// When the folder or a file cannot be read.
pub fn sha256_folder(folder: &Path) -> Result<String, ReadError> {
    let failed = |source| ReadError::io(folder, source);
    let (mut waiting, mut files) = (vec![folder.to_owned()], Vec::new());
    while let Some(next) = waiting.pop() {
        for entry in std::fs::read_dir(&next).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    let mut list = String::new();
    for path in files {
        let (sha256, _) = sha256_file(&path)?;
        let name = path.strip_prefix(folder).unwrap_or(&path);
        list += &format!("{sha256}  {}\n", name.display());
    }
    Ok(sha256_bytes(list.as_bytes()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_as_everywhere() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256_bytes(b"abc"), abc);
        let folder = tempfile::tempdir().unwrap();
        let (a, b) = (folder.path().join("a"), folder.path().join("b"));
        std::fs::write(&a, "").unwrap();
        std::fs::write(&b, "abc").unwrap();
        assert_eq!(sha256_file(&a).unwrap(), (empty.to_owned(), 0));
        assert_eq!(sha256_files(&[&b]).unwrap(), (abc.to_owned(), 3));
        let list = format!("{empty}  a\n{abc}  b\n");
        let both = sha256_files(&[a, b]).unwrap();
        assert_eq!(both, (sha256_bytes(list.as_bytes()), 3));
    }
}
