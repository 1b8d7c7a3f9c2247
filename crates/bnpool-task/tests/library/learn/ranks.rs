//! Results, histories and checkpoints on several ranks are byte-identical to those
//! of one process.

use super::shapes::{draws, set};
use bnpool::parallel::{Alone, Collective, Threads};
use bnpool::pool::POOLERS;
use bnpool_graph::split::Split;
use bnpool_graph::{Csr, Graph, Matrix, Target};
use bnpool_task::Preset;
use bnpool_task::learn::{FoldResult, FoldTrainer, LearnConfig, LearnData, LearnEpoch};
use bnpool_task::run::Checkpoint;
use std::sync::Arc;

/// Creates rings and stars with chords, large enough that a batch is divided.
fn large(count: usize) -> Vec<Graph> {
    let mut random = draws(5);
    (0..count)
        .map(|i| {
            let (nodes, class) = (300 + 40 * (i % 5) as u32, (i % 2) as u32);
            let mut edges = Vec::new();
            for u in 1..nodes {
                let to = if class == 0 { u - 1 } else { 0 };
                let chord = random.below(u64::from(u)) as u32;
                edges.extend([(u, to), (to, u), (u, chord), (chord, u)]);
            }
            edges.sort_unstable();
            edges.dedup();
            let adjacency = Csr::from_edges(nodes as usize, edges).expect("edges");
            let values = (0..nodes * 2).map(|_| random.normal() as f32).collect();
            let features = Matrix::new(nodes as usize, 2, values).expect("a matrix");
            Graph::builder(adjacency)
                .features(features)
                .target(Target::Class(class))
                .build()
                .expect("a graph")
        })
        .collect()
}

fn config(pooler: &str) -> LearnConfig {
    let mut config = LearnConfig::preset(Preset::Authors, None);
    config.pooler.name = pooler.into();
    config.pooler.max_clusters = 5;
    config.pooler.rivals = bnpool::pool::RivalConfig::default();
    config.model.hidden = 8;
    config.model.norm = bnpool::model::Norm::All;
    config.training.epochs = 2;
    config.training.annealing = 2;
    config.training.batch_size = 9;
    config.training.learning_rate = 1e-2;
    config
}

fn split() -> Split {
    Split {
        // A full batch, and a smaller one.
        train: (0..11).collect(),
        validation: (11..22).collect(),
        test: (22..24).collect(),
    }
}

/// All results of a training.
#[derive(Debug, Clone, PartialEq)]
struct Left {
    history: Vec<LearnEpoch>,
    result: FoldResult,
    sent: u64,
}

fn train(data: &LearnData, config: &LearnConfig, engine: Arc<dyn Collective>) -> Left {
    let split = split();
    let mut trainer = FoldTrainer::new(data, config, 0, &split)
        .expect("a trainer")
        .among(Arc::clone(&engine));
    let mut history = Vec::new();
    while let Some(epoch) = trainer.advance().expect("an epoch") {
        history.push(epoch);
    }
    Left {
        history,
        result: trainer.finish().expect("a result"),
        sent: engine.bytes_sent(),
    }
}

/// Runs `work` on all ranks, and returns their results. Ranks wait for each
/// other, so each has its own threads.
fn on_ranks<R: Send>(ranks: usize, work: impl Fn(Arc<dyn Collective>) -> R + Sync) -> Vec<R> {
    Threads::run(ranks, |rank| {
        let threads = rayon::ThreadPoolBuilder::new().num_threads(2).build();
        threads.expect("threads").install(|| work(Arc::new(rank)))
    })
}

#[test]
fn every_pooler_learns_the_same_on_any_number_of_ranks() {
    for (i, entry) in POOLERS.iter().enumerate() {
        let config = config(entry.name);
        let data = LearnData::new(set(large(24)), &config).expect("data");
        let alone = train(&data, &config, Arc::new(Alone));
        assert_eq!(alone.sent, 0);
        let ranks = 2 + i % 2;
        let shared = on_ranks(ranks, |rank| {
            let data = LearnData::unprepared(set(large(24)), &config)
                .and_then(|data| data.prepare(&config, None, &*rank))
                .expect("data");
            train(&data, &config, rank)
        });
        for left in shared {
            assert!(left.sent > 0, "{}: nothing was exchanged", entry.name);
            let left = Left { sent: 0, ..left };
            assert_eq!(left, alone, "{} on {ranks} ranks", entry.name);
        }
    }
}

#[test]
fn a_graph_that_cannot_be_prepared_is_a_problem_of_all_ranks() {
    let mut config = config("eigen");
    config.pooler.rivals.eigen.modes = 0;
    let alone = LearnData::new(set(large(24)), &config).map(|_| ());
    let alone = alone.expect_err("no modes").to_string();
    let problems = on_ranks(3, |rank| {
        let data = LearnData::unprepared(set(large(24)), &config).expect("graphs");
        let prepared = data.prepare(&config, None, &*rank).map(|_| ());
        prepared.expect_err("no modes").to_string()
    });
    for problem in problems {
        assert_eq!(problem, format!("rank 0: {alone}"));
    }
}

#[test]
fn more_ranks_than_graphs_and_any_threads_change_nothing() {
    let mut config = config("bn");
    config.training.epochs = 1;
    let data = LearnData::new(set(large(24)), &config).expect("data");
    let alone = train(&data, &config, Arc::new(Alone));
    let threads = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let one = threads
        .expect("a thread")
        .install(|| train(&data, &config, Arc::new(Alone)));
    assert_eq!(one, alone);
    for left in on_ranks(13, |rank| train(&data, &config, rank)) {
        assert_eq!(Left { sent: 0, ..left }, alone);
    }
}

#[test]
fn a_fold_goes_on_with_another_number_of_ranks() {
    let mut config = config("topk");
    config.training.epochs = 4;
    let data = LearnData::new(set(large(24)), &config).expect("data");
    let alone = train(&data, &config, Arc::new(Alone));
    let split = split();
    let saved = on_ranks(3, |rank| {
        let trainer = FoldTrainer::new(&data, &config, 0, &split).expect("a trainer");
        let mut trainer = trainer.among(rank);
        trainer.advance().expect("an epoch");
        trainer.advance().expect("an epoch");
        trainer.checkpoint()
    });
    assert!(saved.iter().all(|own| own == &saved[0]));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("checkpoint.safetensors");
    saved[0].write(&path).expect("written");
    let ends = on_ranks(2, |rank| {
        let saved = Checkpoint::read(&path).expect("read");
        let trainer = FoldTrainer::resume(&data, &config, 0, &split, saved).expect("a trainer");
        let mut trainer = trainer.among(rank);
        let mut history = Vec::new();
        while let Some(epoch) = trainer.advance().expect("an epoch") {
            history.push(epoch);
        }
        (history, trainer.finish().expect("a result"))
    });
    for (history, mut result) in ends {
        assert_eq!(history, alone.history[2..]);
        let mut whole = alone.result.clone();
        for model in [&mut result.model, &mut whole.model] {
            model.sort_by(|a, b| a.name.cmp(&b.name));
        }
        assert_eq!(result, whole);
    }
}
