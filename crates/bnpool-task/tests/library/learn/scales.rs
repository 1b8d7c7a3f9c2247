//! Tests of all kinds of targets, and of features and targets of any scale.

use super::shapes::{quick, run, set, shapes};
use bnpool_graph::{Graph, Matrix, Target, Targets};
use bnpool_task::Preset;
use bnpool_task::learn::{FoldResult, LearnConfig, LearnData, Objective, Score};

fn with_targets(target: impl Fn(usize) -> Vec<f32>) -> Vec<Graph> {
    let graphs = shapes(24, 0).into_iter().enumerate();
    graphs
        .map(|(i, graph)| {
            let builder = graph.into_builder().target(Target::Values(target(i)));
            builder.build().expect("a graph")
        })
        .collect()
}

#[test]
fn standardised_features_may_have_any_scale() {
    let mut config = quick(Preset::Authors);
    config.model.standardise = true;
    // Powers of two, so that only the statistics are rounded differently.
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
    // Statistics of the training graphs only.
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
fn standardised_targets_may_have_any_scale() {
    let mut config = quick(Preset::Default);
    config.model.standardise_targets = true;
    let size = |i: usize| (5 + i % 7) as f32;
    // Powers of two, so that only the statistics are rounded differently.
    let scale = |x: f32| x * 4096.0 + 65536.0;
    let missing = |i: usize, x: f32| if i % 5 == 4 { f32::NAN } else { x };
    let [plain, scaled] = [
        with_targets(|i| vec![missing(i, size(i))]),
        with_targets(|i| vec![missing(i, scale(size(i)))]),
    ]
    .map(|graphs| {
        let data = LearnData::new(set(graphs), &config).expect("data");
        assert_eq!(data.missing_targets(), (20, 4));
        run(&data, &config)
    });
    for (a, b) in plain.0.iter().zip(&scaled.0) {
        assert!((a.train_loss - b.train_loss).abs() < 1e-3);
    }
    // Predictions and errors are in the unit of the targets. The tolerance for
    // rounding errors is a hundredth of their deviation.
    let little = 0.01 * 2.0 * 4096.0;
    for (a, b) in plain.1.predictions.iter().zip(&scaled.1.predictions) {
        assert!((a * 4096.0 + 65536.0 - b).abs() < little, "{a} and {b}");
    }
    let errors = [&plain.1, &scaled.1].map(|r| r.test.expect("an error"));
    assert!(
        (errors[0] * 4096.0 - errors[1]).abs() < little,
        "{errors:?}"
    );
}

#[test]
fn targets_that_are_all_alike_teach_nothing() {
    for value in [0.0, 2.5, f32::NAN] {
        let graphs = with_targets(|i| vec![if i == 0 { f32::NAN } else { value }]);
        let error = LearnData::new(set(graphs), &quick(Preset::Default)).expect_err("one value");
        assert!(error.to_string().contains("no two graphs"), "{error}");
    }
}

#[test]
fn numbers_and_missing_labels_are_learned_too() {
    let config = quick(Preset::Paper);
    let sizes = with_targets(|i| vec![(5 + i % 7) as f32 / 10.0, f32::NAN]);
    let data = LearnData::new(set(sizes), &config).expect("data");
    assert_eq!(data.objective, Objective::Numbers { count: 2 });
    assert_eq!(data.score, Score::Mae);
    let (_, result) = run(&data, &config);
    assert!(result.test.is_some());
    let labels = with_targets(|i| vec![(i % 2) as f32, if i % 3 == 0 { f32::NAN } else { 1.0 }]);
    let data = LearnData::new(set(labels), &config).expect("data");
    assert_eq!(data.objective, Objective::Labels { count: 2 });
    assert_eq!(data.score, Score::Auroc);
    let (_, result) = run(&data, &config);
    assert!(result.predictions.iter().all(|p| (0.0..=1.0).contains(p)));
    let targets = data.targets(&[0, 1]).expect("targets");
    assert!(matches!(targets, Targets::Values { width: 2, .. }));
}
