//! Limits of files.

use std::path::Path;

use bnpool_math::memory;

use super::error::ReadError;
use crate::remedy::Change;

/// Arrays of this size or less are taken without asking the system.
const SMALL_BYTES: u64 = 16 << 20;

/// Packed data of this size or less unpacked are never a bomb.
const HARMLESS_BYTES: u64 = 64 << 20;

/// Limits of files, checked before memory is taken.
///
/// ```
/// use bnpool_io::format::Limits;
///
/// let strict = Limits { max_bytes: 1 << 20, ..Limits::default() };
/// assert!(strict.max_bytes < Limits::default().max_bytes);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Most bytes of one file, unpacked. 8 GiB unless set.
    pub max_bytes: u64,
    /// Most bytes that one packed byte may unpack to, once the result passes
    /// 64 MiB. Text seldom packs better than 20 to 1, a bomb packs 1000 to 1.
    /// 200 unless set.
    pub max_expansion: u64,
    /// Most nodes or columns that a file may announce without the data to back
    /// them; beyond it a file must have a byte for each. 4 Mi unless set.
    pub max_announced: u64,
    /// Most columns that one-hot coding of a label may make. 65536 unless set.
    pub max_one_hot: usize,
    /// Most cells of the one-hot columns of one graph: a network reads them all,
    /// the zeros too. 2^28 unless set, 1 GiB of numbers.
    pub max_one_hot_cells: u64,
    /// Most bytes of memory that one array made from a file may take; never more
    /// than is free. No other bound unless set.
    pub max_memory: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_bytes: 8 << 30,
            max_expansion: 200,
            max_announced: 4 << 20,
            max_one_hot: 1 << 16,
            max_one_hot_cells: 1 << 28,
            max_memory: u64::MAX,
        }
    }
}

impl Limits {
    /// Most bytes that `packed` bytes may unpack to.
    #[must_use]
    pub fn unpacked(&self, packed: u64) -> u64 {
        packed
            .saturating_mul(self.max_expansion)
            .max(HARMLESS_BYTES)
            .min(self.max_bytes)
    }

    /// Refuses a count in a file that the file is too small to mean.
    ///
    /// # Errors
    ///
    /// When `count` exceeds both [`max_announced`](Self::max_announced) and the
    /// `bytes` of the file.
    pub fn check_announced(
        &self,
        path: &Path,
        what: &str,
        count: u64,
        bytes: usize,
    ) -> Result<(), ReadError> {
        let limit = self.max_announced.max(bytes as u64);
        if count <= limit {
            return Ok(());
        }
        Err(ReadError::too_large(
            path,
            format!("its announcement of {count} {what} in {bytes} bytes"),
            limit.to_string(),
            ("check the header", Change::MaxAnnounced),
        ))
    }

    /// Refuses to take memory that is not free.
    ///
    /// # Errors
    ///
    /// When `bytes` exceeds [`max_memory`](Self::max_memory) or what the system
    /// has left.
    pub fn check_memory(&self, path: &Path, what: &str, bytes: u64) -> Result<(), ReadError> {
        if bytes > self.max_memory {
            return Err(ReadError::too_large(
                path,
                format!("the memory of {bytes} bytes for {what}"),
                format!("{} bytes", self.max_memory),
                "split the data",
            ));
        }
        // Asking takes longer than reading a small file.
        if bytes <= SMALL_BYTES {
            return Ok(());
        }
        memory::check(what, bytes).map_err(|source| ReadError::Memory {
            path: path.to_owned(),
            source,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bombs_are_refused_and_good_packs_are_not() {
        let limits = Limits::default();
        assert_eq!(limits.unpacked(10), HARMLESS_BYTES);
        assert_eq!(limits.unpacked(1 << 20), 200 << 20);
        assert_eq!(limits.unpacked(u64::MAX), limits.max_bytes);
    }

    #[test]
    fn memory_has_a_bound() {
        let path = Path::new("a.npy");
        let limits = Limits {
            max_memory: 1000,
            ..Limits::default()
        };
        assert!(limits.check_memory(path, "its content", 1000).is_ok());
        let error = limits.check_memory(path, "its content", 1001).unwrap_err();
        assert_eq!(
            error.to_string(),
            "a.npy: the memory of 1001 bytes for its content exceeds the limit of 1000 bytes; \
             split the data"
        );
        let error = Limits::default()
            .check_memory(path, "its content", u64::MAX)
            .unwrap_err()
            .to_string();
        assert!(
            error.starts_with("a.npy: its content needs about 18446744 TB of memory"),
            "{error}"
        );
    }

    #[test]
    fn announcements_need_data() {
        let limits = Limits::default();
        let path = Path::new("a.mtx");
        assert!(limits.check_announced(path, "nodes", 1000, 7).is_ok());
        assert!(
            limits
                .check_announced(path, "nodes", 5 << 20, 6 << 20)
                .is_ok()
        );
        let error = limits
            .check_announced(path, "nodes", 4_000_000_000, 7)
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "a.mtx: its announcement of 4000000000 nodes in 7 bytes exceeds the limit of 4194304; \
             check the header, or raise `limits.max_announced`"
        );
    }
}
