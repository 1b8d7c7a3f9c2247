//! Checks that memory is available before it is allocated.
//!
//! A size given by a flag or a file can request any amount of memory. An
//! allocation that the system cannot back ends the process without a message,
//! so every such size is first checked with [`check`].

use std::fmt;
use thiserror::Error;

/// Amount assumed to be free if the system does not report it.
const UNKNOWN: u64 = 8 << 30;

/// A request that exceeds the free memory.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{what} needs about {} of memory, but only {} can be taken", Size(*needed), Size(*free))]
pub struct NotEnoughMemory {
    /// Purpose of the memory.
    pub what: String,
    /// Bytes needed.
    pub needed: u64,
    /// Bytes available to this process.
    pub free: u64,
}

/// Returns an error for a request that exceeds the free memory.
///
/// # Errors
///
/// Returns an error if `bytes` is more than [`free`] reports.
///
/// ```
/// use bnpool_math::memory::check;
///
/// assert!(check("a small array", 1 << 10).is_ok());
/// let error = check("a matrix of 4 million columns", u64::MAX).unwrap_err();
/// assert!(error.to_string().starts_with("a matrix of 4 million columns needs about"));
/// ```
pub fn check(what: impl Into<String>, bytes: u64) -> Result<(), NotEnoughMemory> {
    let free = free();
    if bytes <= free {
        return Ok(());
    }
    Err(NotEnoughMemory {
        what: what.into(),
        needed: bytes,
        free,
    })
}

/// Size in bytes of an array of these dimensions; saturates on overflow.
#[must_use]
pub fn bytes_of<T>(dimensions: &[usize]) -> u64 {
    let cell = size_of::<T>() as u64;
    dimensions
        .iter()
        .fold(cell, |bytes, &n| bytes.saturating_mul(n as u64))
}

/// Bytes that this process can still allocate: the minimum over the machine,
/// the control group and the limits of the process.
#[must_use]
pub fn free() -> u64 {
    [machine(), control_group(), address_space()]
        .into_iter()
        .flatten()
        .min()
        .unwrap_or(UNKNOWN)
}

fn machine() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    kilobytes(&text, "MemAvailable:")
}

fn control_group() -> Option<u64> {
    let number = |name: &str| -> Option<u64> {
        let text = std::fs::read_to_string(format!("/sys/fs/cgroup/{name}")).ok()?;
        text.trim().parse().ok()
    };
    Some(number("memory.max")?.saturating_sub(number("memory.current")?))
}

fn address_space() -> Option<u64> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits
        .lines()
        .find(|line| line.starts_with("Max address space"))?;
    let most: u64 = line.split_whitespace().nth(3)?.parse().ok()?;
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    Some(most.saturating_sub(kilobytes(&status, "VmSize:")?))
}

/// The most bytes that this process has had at once, if the system tells.
#[must_use]
pub fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    kilobytes(&status, "VmHWM:")
}

/// The number behind a key of a file in `/proc`, in bytes.
fn kilobytes(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find(|line| line.starts_with(key))?;
    let count: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    count.checked_mul(1024)
}

/// A human-readable number of bytes.
struct Size(u64);

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.0 as f64;
        match self.0 {
            0..1_000_000 => write!(f, "{:.0} kB", bytes / 1e3),
            1_000_000..1_000_000_000 => write!(f, "{:.0} MB", bytes / 1e6),
            1_000_000_000..1_000_000_000_000 => write!(f, "{:.1} GB", bytes / 1e9),
            _ => write!(f, "{:.0} TB", bytes / 1e12),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_counted_without_overflow() {
        assert_eq!(bytes_of::<f32>(&[3, 5]), 60);
        assert_eq!(bytes_of::<f32>(&[usize::MAX, usize::MAX]), u64::MAX);
        assert_eq!(bytes_of::<f64>(&[]), 8);
    }

    #[test]
    fn a_demand_beyond_the_machine_is_refused_in_words() {
        assert!(free() > 0);
        let error = check("S", u64::MAX / 2).expect_err("nobody has that much");
        assert!(error.to_string().contains("TB of memory"), "{error}");
    }

    #[test]
    fn the_system_speaks_in_kilobytes() {
        assert_eq!(
            kilobytes("A: 1 kB\nVmSize:\t  2 kB\n", "VmSize:"),
            Some(2048)
        );
        assert_eq!(kilobytes("VmSize: many kB", "VmSize:"), None);
    }
}
