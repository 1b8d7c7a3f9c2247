//! Training: every pooler learns, levels, resuming, kinds of targets.

use crate::shapes::{draws, quick, run, set, shapes, split};
use bnpool::pool::POOLERS;
use bnpool::task::learn::{
    FoldResult, FoldTrainer, LearnConfig, LearnData, Objective, Preset, Score,
};
use bnpool::train::Checkpoint;
use bnpool_graph::{Graph, Matrix, Target, Targets};

#[test]
fn every_pooler_learns_to_tell_rings_from_stars() {
    for entry in POOLERS {
        let mut config = quick(Preset::Authors);
        config.data.split = bnpool::task::learn::SplitKind::Folds;
        config.pooler.name = entry.name.into();
        config.model.hidden = 16;
        config.model.dropout = 0.0;
        config.training.epochs = 60;
        let data = LearnData::new(set(shapes(24, 0)), &config).expect("data");
        let (history, result) = run(&data, &config);
        assert_eq!(history.len(), 60, "{}", entry.name);
        let first = history[0].train_loss;
        let last = history[59].train_loss;
        assert!(last < 0.5 * first, "{}: {first} to {last}", entry.name);
        assert!(
            result.test >= Some(0.75),
            "{}: {:?}",
            entry.name,
            result.test
        );
        assert_eq!(result.clusters.len(), if entry.soft { 4 } else { 0 });
    }
}

#[test]
fn pooled_graphs_are_pooled_again() {
    for entry in POOLERS {
        let mut config = quick(Preset::Paper);
        config.pooler.name = entry.name.into();
        config.model.levels = 3;
        config.training.epochs = 3;
        let data = LearnData::new(set(shapes(24, 0)), &config).expect("data");
        let (history, result) = run(&data, &config);
        assert!(
            history.iter().all(|e| e.train_loss.is_finite()),
            "{}",
            entry.name
        );
        assert!(result.test.is_some());
    }
}

fn sorted(mut result: FoldResult) -> FoldResult {
    result.model.sort_by(|a, b| a.name.cmp(&b.name));
    result
}

#[test]
fn a_resumed_fold_ends_with_the_same_bytes_on_any_threads() {
    for pooler in ["bn", "topk"] {
        let mut config = quick(Preset::Authors);
        config.pooler.name = pooler.into();
        config.pooler.loss = bnpool::pool::Loss::Sparse;
        config.model.standardise = pooler == "bn";
        let data = LearnData::new(set(shapes(24, 2)), &config).expect("data");
        let (history, whole) = run(&data, &config);
        let split = split();
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("checkpoint.safetensors");
        for cut in [1, 4] {
            let mut first = FoldTrainer::new(&data, &config, 3, &split).expect("a trainer");
            for _ in 0..cut {
                first.advance().expect("an epoch");
            }
            first.checkpoint().write(&path).expect("written");
            let saved = Checkpoint::read(&path).expect("read");
            let threads = rayon::ThreadPoolBuilder::new().num_threads(cut).build();
            threads.expect("threads").install(|| {
                let mut second =
                    FoldTrainer::resume(&data, &config, 3, &split, saved).expect("a trainer");
                for epoch in &history[cut..] {
                    assert_eq!(second.advance().expect("an epoch").as_ref(), Some(epoch));
                }
                let end = second.finish().expect("a result");
                // The arrays of a file have their own order.
                assert_eq!(sorted(end), sorted(whole.clone()));
            });
        }
    }
}

#[test]
fn numbers_and_missing_labels_are_learned_too() {
    let with = |target: &dyn Fn(usize) -> Vec<f32>| -> Vec<Graph> {
        shapes(24, 0)
            .into_iter()
            .enumerate()
            .map(|(i, graph)| {
                graph
                    .into_builder()
                    .target(Target::Values(target(i)))
                    .build()
                    .expect("a graph")
            })
            .collect()
    };
    let config = quick(Preset::Paper);
    let sizes = with(&|i| vec![(5 + i % 7) as f32 / 10.0, f32::NAN]);
    let data = LearnData::new(set(sizes), &config).expect("data");
    assert_eq!(data.objective, Objective::Numbers { count: 2 });
    assert_eq!(data.score, Score::Mae);
    let (_, result) = run(&data, &config);
    assert!(result.test.is_some());
    let labels = with(&|i| vec![(i % 2) as f32, if i % 3 == 0 { f32::NAN } else { 1.0 }]);
    let data = LearnData::new(set(labels), &config).expect("data");
    assert_eq!(data.objective, Objective::Labels { count: 2 });
    assert_eq!(data.score, Score::Auroc);
    let (_, result) = run(&data, &config);
    assert!(result.predictions.iter().all(|p| (0.0..=1.0).contains(p)));
    let targets = data.targets(&[0, 1]).expect("targets");
    assert!(matches!(targets, Targets::Values { width: 2, .. }));
}

#[test]
fn standardised_features_may_have_any_scale() {
    let mut config = quick(Preset::Authors);
    config.model.standardise = true;
    // Powers of two, so that nothing but the statistics rounds differently.
    let (factors, shifts) = ([1024.0, 0.25], [4096.0, -1.0]);
    let scaled = shapes(24, 0).into_iter().map(|graph| {
        let values = graph.features().to_dense().as_slice().to_vec();
        let values = values
            .chunks_exact(2)
            .flat_map(|row| [0, 1].map(|j| row[j] * factors[j] + shifts[j]));
        let features = Matrix::new(graph.nodes(), 2, values.collect()).expect("a matrix");
        let graph = graph.into_builder().features(features).build();
        graph.expect("a graph")
    });
    let [plain, scaled] = [shapes(24, 0), scaled.collect()].map(|graphs| {
        let data = LearnData::new(set(graphs), &config).expect("data");
        run(&data, &config)
    });
    for (a, b) in plain.0.iter().zip(&scaled.0) {
        let difference = (a.train_loss - b.train_loss).abs();
        assert!(difference < 1e-3, "{} and {}", a.train_loss, b.train_loss);
    }
    let statistic = |result: &FoldResult, name: &str| -> Vec<f32> {
        let mut tensors = result.model.iter();
        let found = tensors.find(|tensor| tensor.name == name);
        found.expect("a part of the model").values.clone()
    };
    // Those of the training graphs alone.
    let mut first = Vec::new();
    for graph in &shapes(24, 0)[..16] {
        let features = graph.features().to_dense();
        first.extend(features.as_slice().iter().step_by(2).copied());
    }
    let mean = first.iter().sum::<f32>() / first.len() as f32;
    let mean_of = |result| statistic(result, "standardise.mean")[0];
    assert!((mean_of(&plain.1) - mean).abs() < 1e-5);
    assert!((mean_of(&scaled.1) - (mean * 1024.0 + 4096.0)).abs() < 0.05);
}

#[test]
fn measured_features_are_standardised_unless_asked_not_to() {
    let standardised = |preset, name| LearnConfig::preset(preset, name).model.standardise;
    for name in [None, Some("enzymes"), Some("multipartite")] {
        assert!(standardised(Preset::Paper, name), "{name:?}");
    }
    assert!(!standardised(Preset::Paper, Some("mutag")));
    assert!(standardised(Preset::Authors, Some("multipartite")));
    assert!(!standardised(Preset::Authors, Some("enzymes")));
    assert!(!standardised(Preset::Authors, None));
}

#[test]
fn molecules_are_learned_from() {
    let mut random = draws(3);
    let graphs: Vec<Graph> = shapes(24, 0)
        .into_iter()
        .map(|graph| {
            let mut categories = |rows: usize, counts: &[usize]| {
                let all = counts.iter().cycle().take(rows * counts.len());
                let values = all.map(|&c| random.below(c as u64) as f32).collect();
                Matrix::new(rows, counts.len(), values).expect("categories")
            };
            let atoms = categories(graph.nodes(), &bnpool::nn::ATOM_CATEGORIES);
            let bonds = categories(graph.edges(), &bnpool::nn::BOND_CATEGORIES);
            graph
                .into_builder()
                .features(atoms)
                .edge_features(bonds)
                .build()
                .expect("a molecule")
        })
        .collect();
    for preset in [Preset::Paper, Preset::Authors] {
        let mut config = LearnConfig::preset(preset, Some("ogbg-molhiv"));
        config.model.hidden = 8;
        config.model.encoder_width = 6;
        config.training.epochs = 2;
        let data = LearnData::new(set(graphs.clone()), &config).expect("data");
        let (history, result) = run(&data, &config);
        assert!(history.iter().all(|e| e.train_loss.is_finite()));
        assert!(result.model.iter().any(|t| t.name == "encoder.atoms.table"));
    }
    let config = LearnConfig::preset(Preset::Paper, Some("ogbg-molhiv"));
    let error = LearnData::new(set(shapes(6, 0)), &config).expect_err("no molecules");
    assert!(
        error.to_string().contains("2 node features, but 9"),
        "{error}"
    );
}
