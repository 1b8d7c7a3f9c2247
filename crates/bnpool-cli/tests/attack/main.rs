//! Attacks on the command: damaged run files, kills at random moments, two
//! processes at once, special files as outputs.
//!
//! Each attack uses a fraction of the time in `BNPOOL_ATTACK_SECONDS` (default
//! 2) and the random seed `BNPOOL_ATTACK_SEED` (default 0). To run longer
//! attacks manually:
//!
//! ```sh
//! BNPOOL_ATTACK_SECONDS=1200 cargo test --workspace --test attack -- --nocapture --test-threads 1
//! ```

#[path = "../support/mod.rs"]
mod support;

mod kills;
mod mutations;
mod outputs;
mod processes;

use std::fs;
use std::path::Path;
use std::process::Output;
use std::time::{Duration, Instant};
use support::text;

/// Time limit and random numbers of an attack.
pub struct Attack {
    name: &'static str,
    end: Instant,
    state: u64,
    tried: usize,
}

impl Attack {
    /// Creates an attack with this fraction of the time.
    pub fn new(name: &'static str, share: f64) -> Self {
        let number = |key: &str, default: f64| {
            let value = std::env::var(key).ok().and_then(|text| text.parse().ok());
            value.unwrap_or(default)
        };
        let seconds = number("BNPOOL_ATTACK_SECONDS", 2.0) * share;
        let seed = number("BNPOOL_ATTACK_SEED", 0.0) as u64;
        Self {
            name,
            end: Instant::now() + Duration::from_secs_f64(seconds),
            state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x1234_5678_9ABC_DEF1,
            tried: 0,
        }
    }

    /// Returns whether there is time for another try, and counts it.
    pub fn goes_on(&mut self) -> bool {
        let on = Instant::now() < self.end;
        self.tried += usize::from(on);
        on
    }

    /// Returns a random number below `bound` (xorshift64*).
    pub fn below(&mut self, bound: usize) -> usize {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        let drawn = self.state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        drawn as usize % bound.max(1)
    }

    /// Returns the number of tries so far.
    pub fn tried(&self) -> usize {
        self.tried
    }
}

impl Drop for Attack {
    fn drop(&mut self) {
        println!("attack `{}`: {} tries", self.name, self.tried);
    }
}

/// Fails if the command panicked, was killed by a signal, or did not print
/// exactly one error message.
pub fn is_decent(out: &Output, what: &str) {
    let told = text(&out.stderr);
    let code = out.status.code();
    assert!(matches!(code, Some(0..=2)), "{what}: {code:?}: {told}");
    assert!(!told.contains("panicked"), "{what}: {told}");
    if code != Some(0) {
        let errors = told
            .lines()
            .filter(|line| line.starts_with("error: "))
            .count();
        assert_eq!(errors, 1, "{what}: {told}");
        assert!(told.len() < 5000, "{what}: {} bytes of message", told.len());
    }
}

/// Copies the files of a folder to a new one.
pub fn copy(from: &Path, to: &Path) {
    let _ = fs::remove_dir_all(to);
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name");
        if path.is_file() {
            fs::copy(&path, to.join(name)).expect("copied");
        }
    }
}
