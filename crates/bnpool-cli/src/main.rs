//! bnpool.
fn main() {}
