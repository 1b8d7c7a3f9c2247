//! Runs the examples and checks their results.

use std::error::Error;

#[path = "../../examples/custom_pooler.rs"]
mod custom_pooler;

#[test]
fn poolers_of_another_crate_are_trained_like_our_own() -> Result<(), Box<dyn Error>> {
    custom_pooler::main()
}
