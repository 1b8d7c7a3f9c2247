//! The examples run and give the expected results.

use std::error::Error;

#[path = "../../examples/pool_one_graph.rs"]
mod pool_one_graph;
#[path = "../../examples/two_layer_model.rs"]
mod two_layer_model;

#[test]
fn one_graph_is_pooled() -> Result<(), Box<dyn Error>> {
    pool_one_graph::main()
}

#[test]
fn a_model_with_a_pooler_inside_learns() -> Result<(), Box<dyn Error>> {
    two_layer_model::main()
}
