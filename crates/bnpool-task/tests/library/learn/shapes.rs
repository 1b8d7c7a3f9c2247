//! Small graphs, and quick settings for training on them.

use bnpool_graph::split::Split;
use bnpool_graph::{Csr, Graph, Matrix, Target};
use bnpool_io::dataset::{Dataset, Metric, Origin, Task};
use bnpool_math::stream::{Draws, Purpose, Stream};
use bnpool_task::Preset;
use bnpool_task::learn::{FoldResult, FoldTrainer, LearnConfig, LearnData, LearnEpoch};

pub(crate) fn draws(seed: u64) -> Draws {
    Stream::new(seed, Purpose::Other(21), 0).draws(0)
}

/// Creates rings (class 0) and stars (class 1) of different sizes, with edge
/// features.
pub(crate) fn shape(number: usize, random: &mut Draws, edge_width: usize) -> Graph {
    let nodes = 5 + number % 7;
    let class = (number % 2) as u32;
    let mut edges = Vec::new();
    for u in 1..nodes as u32 {
        let to = if class == 0 { u - 1 } else { 0 };
        edges.extend([(u, to), (to, u)]);
    }
    if class == 0 {
        let last = nodes as u32 - 1;
        edges.extend([(0, last), (last, 0)]);
    }
    let adjacency = Csr::from_edges(nodes, edges).expect("edges");
    let mut matrix = |rows: usize, columns: usize| {
        let values = (0..rows * columns)
            .map(|_| random.normal() as f32)
            .collect();
        Matrix::new(rows, columns, values).expect("a matrix")
    };
    let features = matrix(nodes, 2);
    let edge_features = (edge_width > 0).then(|| matrix(adjacency.entries(), edge_width));
    Graph::builder(adjacency)
        .features(features)
        .edge_features(edge_features)
        .target(Target::Class(class))
        .build()
        .expect("a graph")
}

pub(crate) fn shapes(count: usize, edge_width: usize) -> Vec<Graph> {
    let mut random = draws(1);
    (0..count)
        .map(|i| shape(i, &mut random, edge_width))
        .collect()
}

pub(crate) fn set(graphs: Vec<Graph>) -> Dataset {
    Dataset {
        name: "shapes".into(),
        task: Task::Classify,
        metric: Metric::Accuracy,
        graphs,
        classes: 2,
        class_names: vec!["ring".into(), "star".into()],
        official_split: None,
        coding: None,
        cleaned: false,
        origin: Origin::BuiltIn,
    }
}

pub(crate) fn quick(preset: Preset) -> LearnConfig {
    let mut config = LearnConfig::preset(preset, None);
    config.model.hidden = 8;
    config.pooler.max_clusters = 6;
    config.training.epochs = 6;
    config.training.annealing = 4;
    config.training.batch_size = 5;
    config.training.learning_rate = 1e-2;
    config
}

pub(crate) fn split() -> Split {
    Split {
        train: (0..16).collect(),
        validation: (16..20).collect(),
        test: (20..24).collect(),
    }
}

pub(crate) fn run(data: &LearnData, config: &LearnConfig) -> (Vec<LearnEpoch>, FoldResult) {
    let split = split();
    let mut trainer = FoldTrainer::new(data, config, 0, &split).expect("a trainer");
    let mut history = Vec::new();
    while let Some(epoch) = trainer.advance().expect("an epoch") {
        history.push(epoch);
    }
    (history, trainer.finish().expect("a result"))
}
