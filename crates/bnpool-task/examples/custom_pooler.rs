//! Trains two custom poolers.
//!
//! One is soft and one is hard. Each consists of a module that computes the
//! assignments, and of settings that create it. `bnpool_task::train` then trains,
//! tests, saves and predicts with it as with any built-in pooler.
//!
//! Run with `cargo run --release -p bnpool-task --example custom_pooler`.

use bnpool::batch::{Assignment, Level};
use bnpool::nn::Initialiser;
use bnpool::pool::loss::{collapse_loss, modularity_loss};
use bnpool::pool::select::softmax_assignments;
use bnpool::pool::{
    Assigns, Losses, Membership, Pass, Pool, PoolError, PoolSettings, PoolSite, PoolTraits,
    Selection, coarsen,
};
use bnpool_graph::{Csr, Graph, Target};
use bnpool_task::Preset;
use bnpool_task::learn::{LearnConfig, LearnData, TrainedModel};
use burn::module::Module;
use burn::nn::Linear;
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::ops::ControlFlow;

/// A soft pooler: modularity with dropout on the input features.
#[derive(Module, Debug)]
struct Modular {
    affine: Linear,
    #[module(skip)]
    dropout: f64,
}

/// Settings of the pooler: `[pooler]` of the configuration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct ModularConfig {
    clusters: usize,
    dropout: f64,
}

impl Pool for Modular {
    fn select(&self, level: &Level, pass: &Pass) -> Selection {
        let x = pass.mode.dropout(level.x(), self.dropout);
        let s = softmax_assignments(&self.affine, x);
        let coarse = coarsen(&level.structure, s.clone());
        let modularity = modularity_loss(level, &s, coarse);
        let collapse = collapse_loss(level, &s);
        Selection::soft(
            s,
            Losses::new([("modularity", modularity), ("collapse", collapse)]),
        )
    }

    fn nodes_after(&self, _: f64) -> f64 {
        self.affine.weight.dims()[1] as f64
    }
}

impl PoolSettings for ModularConfig {
    type Pool = Modular;

    fn traits(&self) -> PoolTraits {
        PoolTraits {
            name: "modular",
            title: "Modular",
            summary: "soft clusters of high modularity",
            assigns: Assigns::Softly,
            adaptive: false,
            trainable: true,
            losses: &["modularity", "collapse"],
            prepared: false,
            complexity: "O(E K + N K²)",
            posterior: false,
            reconstruction: false,
        }
    }

    fn check(&self) -> Result<(), PoolError> {
        match self.clusters {
            0 => Err(PoolError::OutOfRange {
                name: "pooler.clusters",
                value: 0.0,
                bound: "at least 1",
            }),
            _ => Ok(()),
        }
    }

    fn init(&self, site: &PoolSite, init: &mut Initialiser) -> Result<Modular, PoolError> {
        Ok(Modular {
            affine: init.linear(site.inputs, self.clusters, true),
            dropout: self.dropout,
        })
    }
}

/// A hard pooler: every node joins its neighbour of highest degree.
#[derive(Module, Debug)]
struct Hubs {
    #[module(skip)]
    unit: (),
}

/// Settings of the pooler; there are none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct HubsConfig {}

impl Pool for Hubs {
    fn select(&self, level: &Level, _: &Pass) -> Selection {
        let topology = level.structure.topology();
        let adjacency = &topology.adjacency;
        let (mut clusters, mut offsets) = (vec![0_u32; adjacency.rows()], vec![0_usize]);
        for graph in topology.segments.ranges() {
            let mut next = offsets[offsets.len() - 1];
            let mut number = vec![None; graph.len()];
            for u in graph.clone() {
                let around = adjacency.row(u).iter().map(|&v| v as usize).chain([u]);
                let hub = around
                    .max_by_key(|&v| (adjacency.degree(v), v))
                    .unwrap_or(u);
                let own = number[hub - graph.start].get_or_insert_with(|| {
                    next += 1;
                    next as u32 - 1
                });
                clusters[u] = *own;
            }
            offsets.push(next);
        }
        Selection::of(Membership::Assigned {
            assignment: Assignment::new(clusters, offsets).expect("every node has a hub"),
            weights: None,
            prepared: None,
        })
    }

    fn nodes_after(&self, nodes: f64) -> f64 {
        nodes / 2.0
    }
}

impl PoolSettings for HubsConfig {
    type Pool = Hubs;

    fn traits(&self) -> PoolTraits {
        PoolTraits {
            name: "hubs",
            title: "Hubs",
            summary: "every node with its neighbour of highest degree",
            assigns: Assigns::Firmly,
            adaptive: true,
            trainable: false,
            losses: &[],
            prepared: false,
            complexity: "O(E)",
            posterior: false,
            reconstruction: false,
        }
    }

    fn check(&self) -> Result<(), PoolError> {
        Ok(())
    }

    fn init(&self, _: &PoolSite, _: &mut Initialiser) -> Result<Hubs, PoolError> {
        Ok(Hubs { unit: () })
    }
}

/// Creates a ring or a star.
fn graph(number: u32) -> Result<Graph, Box<dyn Error>> {
    let nodes = 5 + number % 7;
    let star = number % 2;
    let mut edges: Vec<(u32, u32)> = (1..nodes)
        .map(|u| (u, if star == 1 { 0 } else { u - 1 }))
        .collect();
    if star == 0 {
        edges.push((0, nodes - 1));
    }
    let both = edges.into_iter().flat_map(|(u, v)| [(u, v), (v, u)]);
    let adjacency = Csr::from_edges(nodes as usize, both)?;
    Ok(Graph::builder(adjacency)
        .target(Target::Class(star))
        .build()?)
}

/// Trains, tests, saves, loads and predicts with a pooler.
fn try_out<C: PoolSettings>(pooler: C) -> Result<f64, Box<dyn Error>> {
    let name = pooler.traits().name;
    let mut config = LearnConfig::preset(Preset::Default, None).with_pooler(pooler);
    config.data.folds = 4;
    config.training.epochs = 30;
    let graphs = (0..40).map(graph).collect::<Result<Vec<_>, _>>()?;
    let names = vec!["ring".to_owned(), "star".to_owned()];
    let data = LearnData::from_graphs(graphs, names, &config)?;
    let trained = bnpool_task::train(&data, &config, |_| ControlFlow::Continue(()))?;
    let tests: Vec<f64> = trained.folds.iter().filter_map(|fold| fold.test).collect();
    let accuracy = tests.iter().sum::<f64>() / tests.len() as f64;

    let path = std::env::temp_dir().join(format!("{name}-{}.safetensors", std::process::id()));
    trained.model.save(&path)?;
    let loaded = TrainedModel::<C>::load(&path)?;
    std::fs::remove_file(&path)?;
    let said = loaded.predictor()?.predict(vec![graph(0)?, graph(1)?])?;
    println!(
        "{name}: accuracy {accuracy:.2}; a ring is a ring with probability {:.2}, pooled to {} nodes",
        said[0].values[0], said[0].supernodes
    );
    Ok(accuracy)
}

/// Runs the example; public for the tests.
pub fn main() -> Result<(), Box<dyn Error>> {
    let soft = try_out(ModularConfig {
        clusters: 4,
        dropout: 0.1,
    })?;
    let hard = try_out(HubsConfig {})?;
    if soft < 0.8 || hard < 0.8 {
        return Err(format!("accuracies {soft} and {hard}").into());
    }
    Ok(())
}
