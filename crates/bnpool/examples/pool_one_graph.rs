//! Pools one graph: from edges and features to supernodes and back.
//!
//! Run with `cargo run --release -p bnpool --example pool_one_graph`.

use bnpool::Device;
use bnpool::batch::NodeInput;
use bnpool::nn::Initialiser;
use bnpool::pool::{BnPass, BnPoolConfig, Topology};
use bnpool_graph::{Csr, Graph, Matrix, transform};
use std::error::Error;

/// Runs the example; public for the tests.
///
/// # Errors
///
/// Returns an error if a step of the example fails.
pub fn main() -> Result<(), Box<dyn Error>> {
    // Two triangles joined by an edge. Each undirected edge is listed once.
    let edges = [(0, 1), (1, 2), (0, 2), (2, 3), (3, 4), (4, 5), (3, 5)];
    let features = [
        [1.0, 0.0],
        [1.0, 0.1],
        [0.9, 0.2],
        [0.1, 0.9],
        [0.0, 1.0],
        [0.2, 1.0],
    ];
    let graph = Graph::builder(Csr::from_edges(6, edges)?)
        .features(Matrix::from_rows(features)?)
        .build()?;
    let graph = transform::undirect(&graph);

    // The operator: at most four clusters, the paper's priors.
    let device = Device::flex();
    let pool = BnPoolConfig::new(2)
        .with_max_clusters(4)
        .init(&mut Initialiser::new(0, &device))?;

    let x = NodeInput::of(graph.features(), &device).to_tensor();
    // A sample of the posterior; `BnPass::mean` would be deterministic.
    let pass = BnPass::sample(7, 0, 1.0);
    let pooled = pool.forward(x, &Topology::of_graph(&graph), &pass);

    println!(
        "assignments S   {:?}",
        pooled.assignments().map(|s| s.dims())
    );
    println!("pooled features {:?}", pooled.features().dims());
    println!("pooled edges    {:?}", pooled.adjacency().dims());
    for (name, value) in pooled.losses.iter() {
        println!("loss {name:<10} {:.4}", value.clone().into_scalar::<f32>());
    }
    // Lift the features of the supernodes back to the nodes.
    println!("lifted features {:?}", pooled.lift(pooled.level.x()).dims());
    Ok(())
}
