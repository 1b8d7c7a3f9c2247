//! Checksums to detect changed bytes.

use sha2::{Digest, Sha256};

/// SHA-256 of a list of parts. It includes the length of each part, so that
/// other cuts of the same bytes are detected.
///
/// ```
/// use bnpool_task::run::Checksum;
///
/// let mut one = Checksum::default();
/// one.add(b"ab");
/// one.add(b"c");
/// let mut other = Checksum::default();
/// other.add(b"a");
/// other.add(b"bc");
/// assert_ne!(one.finish(), other.finish());
/// ```
#[derive(Debug, Clone, Default)]
pub struct Checksum(Sha256);

impl Checksum {
    /// Returns the checksum of a single part, in hexadecimal digits.
    #[must_use]
    pub fn of(part: &[u8]) -> String {
        let mut sum = Self::default();
        sum.add(part);
        sum.finish()
    }

    /// Adds a part.
    pub fn add(&mut self, part: &[u8]) {
        self.0.update((part.len() as u64).to_le_bytes());
        self.0.update(part);
    }

    /// Returns the checksum in hexadecimal digits.
    #[must_use]
    pub fn finish(self) -> String {
        let digest = self.0.finalize();
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}
