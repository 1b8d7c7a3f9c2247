//! Checksums of repacked files whose content was checked against the published
//! counts.
//!
//! Archives are packed again by those who pass them on, so the same graphs come in
//! files of many checksums. Some are known to be good; a file that is not among them
//! may be as good.

/// A line a file: SHA-256, size in bytes, and the path below the data directory.
const COPIES: &str = include_str!("copies.txt");

/// Whether a file of this size and checksum is known to be good.
pub(super) fn is_known_copy(size: u64, sha256: &str) -> bool {
    let known = format!("{sha256} {size} ");
    COPIES.lines().any(|line| line.starts_with(&known))
}
