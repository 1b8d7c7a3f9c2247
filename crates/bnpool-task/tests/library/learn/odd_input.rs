//! Tests of unusual graphs, and of data without anything to learn.

use super::shapes::{quick, run, set, shapes, split};
use bnpool::pool::POOLERS;
use bnpool_graph::split::Split;
use bnpool_graph::{Csr, Graph, Matrix, Target};
use bnpool_task::Preset;
use bnpool_task::TaskError;
use bnpool_task::learn::{FoldTrainer, LearnData};

#[test]
fn odd_graphs_are_accepted() {
    let mut graphs = shapes(24, 2);
    // No nodes, no edges, or one node.
    for (place, nodes) in [(0, 0), (1, 4), (17, 1), (21, 1)] {
        let adjacency = Csr::from_edges(nodes, []).expect("no edges");
        graphs[place] = Graph::builder(adjacency)
            .features(Matrix::zeros(nodes, 2))
            .target(Target::Class((place % 2) as u32))
            .build()
            .expect("a graph");
    }
    for entry in POOLERS {
        for preset in [Preset::Paper, Preset::Authors] {
            let mut config = quick(preset);
            config.pooler.name = entry.name.into();
            config.training.epochs = 2;
            // Larger than the data, so each step uses all graphs.
            config.training.batch_size = 1000;
            let data = LearnData::new(set(graphs.clone()), &config).expect("data");
            let (history, result) = run(&data, &config);
            assert!(
                history.iter().all(|e| e.train_loss.is_finite()),
                "{}",
                entry.name
            );
            assert!(result.test.is_some(), "{}", entry.name);
        }
    }
}

#[test]
fn what_cannot_be_learned_from_is_named() {
    let config = quick(Preset::Paper);
    let refused = |graphs: Vec<Graph>| {
        LearnData::new(set(graphs), &config)
            .err()
            .map(|e| e.to_string())
            .expect("refused")
    };
    assert!(refused(Vec::new()).contains("no graphs"));
    let one_class = shapes(6, 0).into_iter().step_by(2).collect();
    assert!(refused(one_class).contains("one class"));
    let mut mixed = shapes(6, 0);
    mixed[4] = shapes(6, 1).remove(4);
    assert!(refused(mixed).contains("graph 4 has 1 edge features, but 0 are expected"));
    let mut widths = shapes(6, 0);
    widths[3] = Graph::builder(Csr::from_edges(2, [(0, 1), (1, 0)]).expect("an edge"))
        .features(Matrix::zeros(2, 5))
        .target(Target::Class(0))
        .build()
        .expect("a graph");
    assert!(refused(widths).contains("graph 3 has 5 node features, but 2 are expected"));
    let mut missing = shapes(6, 0);
    let graph = missing.remove(2);
    missing.insert(
        2,
        graph.into_builder().target(None).build().expect("a graph"),
    );
    assert!(refused(missing).contains("graph 2 has no target"));
    let data = LearnData::new(set(shapes(24, 0)), &config).expect("data");
    let empty = Split {
        validation: Vec::new(),
        ..split()
    };
    let error = FoldTrainer::new(&data, &config, 0, &empty).expect_err("an empty part");
    assert!(matches!(error, TaskError::EmptyPart { .. }), "{error}");
}
