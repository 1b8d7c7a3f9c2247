//! Checksums of files.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::error::ReadError;

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
#[must_use]
pub fn sha256_bytes(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// One checksum for several files: that of the only one, or that of a list of
/// `checksum  name` lines, as `sha256sum` prints them.
pub(crate) fn sha256_of_list<'a>(files: &[(&'a str, &'a str)]) -> String {
    if let [(sha256, _)] = files {
        return (*sha256).to_owned();
    }
    let lines = files
        .iter()
        .map(|(sha256, name)| format!("{sha256}  {name}\n"));
    hex(&Sha256::digest(lines.collect::<String>()))
}

/// Hexadecimal digits of bytes.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// One checksum for several files, and their size: that of the only file, or
/// that of a list of `checksum  name` lines, as `sha256sum` prints them.
pub(crate) fn sha256_files<P: AsRef<Path>>(paths: &[P]) -> Result<(String, u64), ReadError> {
    let (mut sums, mut total) = (Vec::new(), 0);
    for path in paths {
        let path = path.as_ref();
        let (sha256, size) = sha256_file(path)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        sums.push((sha256, name));
        total += size;
    }
    let list: Vec<_> = sums.iter().map(|(sum, name)| (&**sum, &**name)).collect();
    Ok((sha256_of_list(&list), total))
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
