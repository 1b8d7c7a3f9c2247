//! Measures one training epoch of every pooler, and its precomputation.
//!
//! The graphs are those of ENZYMES if its files exist (`BNPOOL_DATA`),
//! otherwise block models of about that size.

use bnpool::pool::{POOLERS, PoolSettings, PoolSite};
use bnpool_graph::generate::Sbm;
use bnpool_graph::split::k_fold;
use bnpool_graph::{Graph, Target};
use bnpool_io::dataset::{LoadOptions, load};
use bnpool_task::Preset;
use bnpool_task::learn::{FoldTrainer, LearnConfig, LearnData};
use criterion::{Criterion, criterion_group, criterion_main};
use rayon::prelude::*;
use std::time::Duration;

/// Graphs with targets, and the names of their classes.
fn graphs() -> (Vec<Graph>, Vec<String>) {
    if let Ok(set) = load("enzymes", &LoadOptions::paper()) {
        return (set.graphs, set.class_names);
    }
    let graph = |i: u64| {
        let model = Sbm::with_degree(32, 2 + (i % 2) as usize, 4.0, 0.8).expect("a block model");
        let graph = model.generate(i).expect("a graph");
        let target = Target::Class((i % 2) as u32);
        graph
            .into_builder()
            .target(target)
            .build()
            .expect("a graph")
    };
    let names = vec!["two".to_owned(), "three".to_owned()];
    ((0..600).map(graph).collect(), names)
}

fn poolers(criterion: &mut Criterion) {
    let (graphs, names) = graphs();
    let folds = k_fold(graphs.len(), 10, 0).expect("folds");
    let mut epochs = criterion.benchmark_group("epoch");
    epochs
        .sample_size(10)
        .measurement_time(Duration::from_secs(3));
    for entry in POOLERS {
        let mut config = LearnConfig::preset(Preset::Default, Some("enzymes"));
        config.pooler.name = entry.name.into();
        config.training.epochs = 1_000_000;
        config.training.patience = 1_000_000;
        let data = LearnData::from_graphs(graphs.clone(), names.clone(), &config).expect("data");
        let mut trainer = FoldTrainer::new(&data, &config, 0, &folds[0]).expect("a trainer");
        epochs.bench_function(entry.name, |bencher| {
            bencher.iter(|| trainer.advance().expect("an epoch"));
        });
    }
    epochs.finish();
    let mut preparation = criterion.benchmark_group("preparation");
    preparation.sample_size(10);
    for entry in POOLERS.iter().filter(|entry| entry.prepared) {
        let mut config = LearnConfig::preset(Preset::Default, Some("enzymes"));
        config.pooler.name = entry.name.into();
        let site = PoolSite {
            inputs: 64,
            nodes: 32.0,
            clusters: None,
            seed: 0,
        };
        let coarsen = config.pooler.coarsen(&site).expect("something to prepare");
        preparation.bench_function(entry.name, |bencher| {
            bencher.iter(|| {
                graphs
                    .par_iter()
                    .map(|graph| coarsen.prepare(graph.adjacency(), 1).expect("prepared"))
                    .map(|levels| levels[0].supernodes)
                    .sum::<usize>()
            });
        });
    }
}

criterion_group!(benches, poolers);
criterion_main!(benches);
