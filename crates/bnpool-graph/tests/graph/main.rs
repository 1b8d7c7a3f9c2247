//! Tests of the public API.

mod coarsen;
mod generate;
mod properties;
mod split;
mod structure;

use std::path::PathBuf;

/// The folder of golden values.
fn fixtures() -> PathBuf {
    std::env::var_os("BNPOOL_FIXTURES").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures"),
        PathBuf::from,
    )
}
