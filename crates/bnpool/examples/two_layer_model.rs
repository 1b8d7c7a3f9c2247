//! BN-Pool between two layers of a Burn model, trained end to end.
//!
//! The task is to classify graphs by their number of communities, one or two.
//! The model consists of message passing on the graph, pooling, a dense layer
//! on the supernodes, a sum and a classifier.
//!
//! Run with `cargo run --release -p bnpool --example two_layer_model`.

use bnpool::Device;
use bnpool::nn::{Gcn, GcnConfig, Initialiser};
use bnpool::ops::{Activation, activate};
use bnpool::pool::{BnPool, BnPoolConfig, Level, Losses, Pass, Pool, PoolError};
use bnpool_graph::{Batch, Csr, Graph, Matrix, Target, transform};
use bnpool_math::stream::{Purpose, Stream};
use burn::module::Module;
use burn::nn::Linear;
use burn::nn::loss::CrossEntropyLossConfig;
use burn::optim::{AdamConfig, GradientsParams};
use burn::tensor::{Int, Tensor};
use std::error::Error;

/// GCN → BN-Pool → dense layer on supernodes → sum → class.
#[derive(Module, Debug)]
struct Classifier {
    before: Gcn,
    pool: BnPool,
    after: Linear,
    readout: Linear,
}

impl Classifier {
    fn new(init: &mut Initialiser) -> Result<Self, PoolError> {
        Ok(Self {
            before: GcnConfig::new(1, 16).init(init),
            pool: BnPoolConfig::new(16).with_max_clusters(8).init(init)?,
            after: init.linear(16, 16, true),
            readout: init.linear(16, 2, true),
        })
    }

    /// Returns logits [graphs, 2] and the auxiliary losses of the pooler.
    fn forward(&self, batch: &Batch, device: &Device, pass: &Pass) -> (Tensor<2>, Losses) {
        let level = Level::of_batch(batch, device);
        let x = self.before.forward(&level, Activation::Elu);
        let pooled = self.pool.pool(&level.with_features(x), pass);
        // One round of messages between the supernodes, then their sum.
        let mixed = pooled.adjacency().matmul(pooled.features()) + pooled.features();
        let x = activate(self.after.forward(mixed), Activation::Elu)
            .sum_dim(1)
            .squeeze_dim::<2>(1);
        (self.readout.forward(x), pooled.losses)
    }
}

/// Generates a graph of twelve nodes in one or two dense groups.
fn graph(number: u64) -> Result<Graph, Box<dyn Error>> {
    let class = (number % 2) as u32;
    let mut draws = Stream::new(1, Purpose::Generator, 0).draws(number);
    let mut edges = Vec::new();
    for u in 0..12_u32 {
        for v in 0..u {
            let together = class == 0 || (u < 6) == (v < 6);
            let chance = if together { 0.7 } else { 0.03 };
            if draws.uniform() < chance {
                edges.push((u, v));
            }
        }
    }
    let graph = transform::undirect(&Graph::builder(Csr::from_edges(12, edges)?).build()?);
    // The feature of a node is its degree.
    let degrees = (0..12).map(|u| [graph.adjacency().degree(u) as f32 / 12.0]);
    let features = Matrix::from_rows(degrees)?;
    Ok(graph
        .into_builder()
        .features(features)
        .target(Target::Class(class))
        .build()?)
}

/// Runs the example; public for the tests.
///
/// # Errors
///
/// Returns an error if a step of the example fails.
pub fn main() -> Result<(), Box<dyn Error>> {
    let graphs = (0..40).map(graph).collect::<Result<Vec<_>, _>>()?;
    let batch = Batch::new(&graphs.iter().collect::<Vec<_>>())?;
    let classes: Vec<i64> = (0..40).map(|i| i % 2).collect();

    let device = Device::flex().autodiff();
    let targets = Tensor::<1, Int>::from_data(classes.as_slice(), &device);
    let mut model = Classifier::new(&mut Initialiser::new(0, &device))?;
    let mut optimiser = AdamConfig::new().with_epsilon(1e-8).init();
    let cross_entropy = CrossEntropyLossConfig::new().init(&device);

    let epochs = 60;
    for epoch in 0..epochs {
        // γ increases from 0 to 1; the step number gives a new sample in each
        // step.
        let pass = Pass::training(0, epoch, epoch as f64 / epochs as f64);
        let (logits, auxiliary) = model.forward(&batch, &device, &pass);
        let loss = auxiliary.add_to(cross_entropy.forward(logits, targets.clone()));
        if epoch % 20 == 0 {
            println!(
                "epoch {epoch:3}  loss {:.4}",
                loss.clone().into_scalar::<f32>()
            );
        }
        let gradients = GradientsParams::from_grads(loss.backward(), &model);
        model = optimiser.step(1e-2, model, gradients);
    }

    let (logits, _) = model.forward(&batch, &device, &Pass::mean());
    let found = logits.argmax(1).squeeze_dim::<1>(1);
    let right = found.equal(targets).int().sum().into_scalar::<i64>();
    println!("{right} of 40 graphs classified correctly");
    if right < 36 {
        return Err("the model did not learn the classes".into());
    }
    Ok(())
}
