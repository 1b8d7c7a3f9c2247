//! Whole graphs: learned from, repeatable, and the same in any batch.

use bnpool::Device;
use bnpool::model::{GraphModel, GraphModelConfig, InputKind, Norm};
use bnpool::nn::{Initialiser, Mode, Readout};
use bnpool::ops::{Draw, without_kernels};
use bnpool::pool::{POOLERS, PoolPass, PoolerConfig};
use bnpool::task::TaskError;
use bnpool::task::learn::{
    FoldResult, FoldTrainer, LearnConfig, LearnData, LearnEpoch, Objective, Predictor, Preset,
    Score, evaluate,
};
use bnpool::train::Checkpoint;
use bnpool_graph::dataset::{Dataset, Metric, Origin, Task};
use bnpool_graph::split::Split;
use bnpool_graph::{Csr, Graph, Matrix, Target, Targets};
use bnpool_math::stream::{Draws, Purpose, Stream};
use burn::module::{Module, ModuleMapper, ModuleVisitor, Param};
use burn::tensor::{DType, Tensor};

fn draws(seed: u64) -> Draws {
    Stream::new(seed, Purpose::Other(21), 0).draws(0)
}

/// Rings (class 0) and stars (class 1) of different sizes, with edge features.
fn shape(number: usize, random: &mut Draws, edge_width: usize) -> Graph {
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

fn shapes(count: usize, edge_width: usize) -> Vec<Graph> {
    let mut random = draws(1);
    (0..count)
        .map(|i| shape(i, &mut random, edge_width))
        .collect()
}

fn set(graphs: Vec<Graph>) -> Dataset {
    Dataset {
        name: "shapes".into(),
        task: Task::Classify,
        metric: Metric::Accuracy,
        graphs,
        classes: 2,
        class_names: vec!["ring".into(), "star".into()],
        official_split: None,
        cleaned: false,
        origin: Origin::BuiltIn,
    }
}

fn quick(preset: Preset) -> LearnConfig {
    let mut config = LearnConfig::preset(preset, None);
    config.model.hidden = 8;
    config.pooler.max_clusters = 6;
    config.training.epochs = 6;
    config.training.annealing = 4;
    config.training.batch_size = 5;
    config.training.learning_rate = 1e-2;
    config
}

fn split() -> Split {
    Split {
        train: (0..16).collect(),
        validation: (16..20).collect(),
        test: (20..24).collect(),
    }
}

fn run(data: &LearnData, config: &LearnConfig) -> (Vec<LearnEpoch>, FoldResult) {
    let split = split();
    let mut trainer = FoldTrainer::new(data, config, 3, &split).expect("a trainer");
    let mut history = Vec::new();
    while let Some(epoch) = trainer.advance().expect("an epoch") {
        history.push(epoch);
    }
    (history, trainer.finish().expect("a result"))
}

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

/// All arrays of a model in double precision.
struct Double;

impl ModuleMapper for Double {
    fn map_float<const D: usize>(&mut self, param: Param<Tensor<D>>) -> Param<Tensor<D>> {
        let grad = param.val().is_require_grad();
        param.map(|x| {
            let device = x.device();
            let y = Tensor::from_data(x.into_data(), (&device, DType::F64));
            if grad { y.require_grad() } else { y }
        })
    }
}

fn small_model(pooler: &str, levels: usize, norm: Norm, edges: usize) -> GraphModel {
    GraphModelConfig {
        input: InputKind::Numbers { nodes: 2, edges },
        hidden: 4,
        before: 2,
        after: 1,
        levels,
        norm,
        dropout: 0.0,
        readout: Readout::Mean,
        nodes: 8.0,
        outputs: 2,
        pooler: PoolerConfig {
            name: pooler.into(),
            max_clusters: 4,
            ..PoolerConfig::paper()
        },
    }
    .init(&mut Initialiser::new(5, &Device::flex().autodiff()))
    .expect("a model")
}

/// Moves one value of one parameter.
struct Nudge {
    parameter: usize,
    value: usize,
    by: f64,
    next: usize,
}

impl ModuleMapper for Nudge {
    fn map_float<const D: usize>(&mut self, param: Param<Tensor<D>>) -> Param<Tensor<D>> {
        let own = self.next == self.parameter;
        self.next += 1;
        if !own {
            return param;
        }
        param.map(|x| {
            let mut values: Vec<f64> = x.to_data().iter::<f64>().collect();
            values[self.value] += self.by;
            let data = burn::tensor::TensorData::new(values, x.dims());
            Tensor::from_data(data, (&x.device(), DType::F64)).require_grad()
        })
    }
}

/// Gradients of all parameters that have one, in order.
struct Collect<'a> {
    gradients: &'a burn::tensor::Gradients,
    found: Vec<Option<Vec<f64>>>,
}

impl ModuleVisitor for Collect<'_> {
    fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
        let gradient = param.val().grad(self.gradients);
        self.found
            .push(gradient.map(|g| g.into_data().iter::<f64>().collect()));
    }
}

#[test]
fn gradients_of_whole_models_match_finite_differences() {
    for (pooler, levels, norm, edges) in [
        ("bn", 1, Norm::Mlp, 0),
        ("bn", 1, Norm::All, 2),
        ("mincut", 1, Norm::None, 0),
        ("mincut", 2, Norm::Layer, 0),
        ("none", 1, Norm::Mlp, 2),
    ] {
        let mut config = quick(Preset::Paper);
        config.pooler.name = pooler.into();
        let data = LearnData::new(set(shapes(6, edges)), &config).expect("data");
        let device = Device::flex().autodiff();
        let mut batch = data.batch(&[0, 1, 4], &device).expect("a batch");
        if let bnpool::model::GraphInput::Numbers(level) = &mut batch.input {
            level.features = level.features.clone().cast(DType::F64);
            level.edge_features = level.edge_features.clone().map(|e| e.cast(DType::F64));
        }
        let model = small_model(pooler, levels, norm, edges).map(&mut Double);
        let targets = batch.targets.clone().expect("targets");
        let value = |model: &GraphModel| -> Tensor<1> {
            // The mean of the posterior: a sample would move with the parameters.
            let out = model.forward(&batch.input, &PoolPass::mean(0.7), &Mode::training(0, 0));
            let task = Objective::Classes { count: 2 }.loss(out.outputs.clone(), &targets);
            out.losses().add_to(task)
        };
        let gradients = value(&model).backward();
        let mut collect = Collect {
            gradients: &gradients,
            found: Vec::new(),
        };
        model.visit(&mut collect);
        let mut checked = 0;
        for (parameter, gradient) in collect.found.iter().enumerate() {
            let Some(gradient) = gradient else { continue };
            for (value_index, &got) in gradient.iter().enumerate().step_by(5) {
                let moved = |by: f64| {
                    let mut nudge = Nudge {
                        parameter,
                        value: value_index,
                        by,
                        next: 0,
                    };
                    value(&model.clone().map(&mut nudge)).into_scalar::<f64>()
                };
                let h = 1e-5;
                let want = (moved(h) - moved(-h)) / (2.0 * h);
                let error = (got - want).abs();
                assert!(
                    error <= 1e-6 + 1e-4 * want.abs(),
                    "{pooler}, parameter {parameter}[{value_index}]: {got} and {want}"
                );
                checked += 1;
            }
        }
        assert!(checked > 30, "{pooler}: {checked} values");
    }
}

#[test]
fn kernels_and_plain_operations_agree() {
    for (pooler, norm, edges) in [
        ("bn", Norm::All, 2),
        ("mincut", Norm::Mlp, 0),
        ("topk", Norm::Layer, 2),
    ] {
        let config = quick(Preset::Paper);
        let data = LearnData::new(set(shapes(6, edges)), &config).expect("data");
        let batch = data
            .batch(&[0, 1, 4], &Device::flex().autodiff())
            .expect("a batch");
        let model = small_model(pooler, 1, norm, edges);
        let run = || {
            let out = model.forward(&batch.input, &PoolPass::mean(0.7), &Mode::training(0, 0));
            let loss = out.losses().add_to(out.outputs.clone().sum());
            let gradients = loss.backward();
            let mut collect = Collect {
                gradients: &gradients,
                found: Vec::new(),
            };
            model.visit(&mut collect);
            let outputs: Vec<f64> = out.outputs.into_data().iter::<f64>().collect();
            (outputs, collect.found)
        };
        let (fast, plain) = (run(), without_kernels(run));
        let close = |a: &[f64], b: &[f64]| {
            let scale = b.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
            a.iter().zip(b).all(|(a, b)| (a - b).abs() < 2e-4 * scale)
        };
        assert!(close(&fast.0, &plain.0), "{pooler}: outputs");
        for (i, (a, b)) in fast.1.iter().zip(&plain.1).enumerate() {
            match (a, b) {
                (Some(a), Some(b)) => assert!(close(a, b), "{pooler}: gradient {i}"),
                (a, b) => assert_eq!(a.is_some(), b.is_some(), "{pooler}: gradient {i}"),
            }
        }
    }
}

#[test]
fn a_graph_is_told_the_same_in_any_batch() {
    for entry in POOLERS {
        let mut config = quick(Preset::Authors);
        config.pooler.name = entry.name.into();
        let data = LearnData::new(set(shapes(12, 0)), &config).expect("data");
        let model = small_model(entry.name, 1, Norm::Mlp, 0).valid();
        let all: Vec<usize> = (0..12).collect();
        let draw = [Draw::Sample { seed: 4, step: 9 }];
        let evaluated = |size: usize| {
            let batches: Vec<_> = all
                .chunks(size)
                .map(|chosen| data.batch(chosen, &Device::flex()).expect("a batch"))
                .collect();
            evaluate(&model, &batches, data.objective, &draw, 1.0)
        };
        let (one, many) = (evaluated(1), evaluated(32));
        for (a, b) in one.predictions.iter().zip(&many.predictions) {
            assert!((a - b).abs() < 1e-6, "{}: {a} and {b}", entry.name);
        }
        assert_eq!(one.clusters, many.clusters);
    }
}

#[test]
fn permuting_nodes_changes_no_prediction() {
    let mut random = draws(8);
    for entry in POOLERS {
        let mut config = quick(Preset::Paper);
        config.pooler.name = entry.name.into();
        config.evaluation.mean = true;
        let graph = shape(4, &mut random, 2);
        let n = graph.nodes();
        let mut order: Vec<usize> = (0..n).collect();
        random.shuffle(&mut order);
        let edges: Vec<(u32, u32)> = graph.adjacency().iter().map(|(u, v, _)| (u, v)).collect();
        let moved = edges
            .iter()
            .map(|&(u, v)| (order[u as usize] as u32, order[v as usize] as u32));
        let (adjacency, origins) = Csr::from_edges_with_origins(n, moved).expect("edges");
        let features = graph.features().to_dense();
        let mut rows = vec![Vec::new(); n];
        for (u, &to) in order.iter().enumerate() {
            rows[to] = features.row(u).to_vec();
        }
        let edge_rows = origins
            .iter()
            .map(|&k| graph.edge_features().expect("features").row(k).to_vec());
        let permuted = Graph::builder(adjacency)
            .features(Matrix::from_rows(rows).expect("features"))
            .edge_features(Matrix::from_rows(edge_rows).expect("features"))
            .build()
            .expect("a graph");
        let model = small_model(entry.name, 1, Norm::Mlp, 2);
        config.model.hidden = 4;
        config.model.before = 2;
        config.model.norm = Norm::Mlp;
        config.model.readout = Readout::Mean;
        config.pooler.max_clusters = 4;
        let predictor = Predictor::new(
            &config,
            Objective::Classes { count: 2 },
            InputKind::Numbers { nodes: 2, edges: 2 },
            8.0,
            &bnpool::train::parameters(&model),
        )
        .expect("a predictor");
        let said = predictor
            .predict(vec![graph, permuted])
            .expect("predictions");
        for (a, b) in said[0].values.iter().zip(&said[1].values) {
            assert!((a - b).abs() < 1e-5, "{}: {a} and {b}", entry.name);
        }
        assert_eq!(said[0].supernodes, said[1].supernodes, "{}", entry.name);
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
fn odd_graphs_are_borne() {
    let mut graphs = shapes(24, 2);
    // No nodes, no edges, one node.
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
            // Larger than the data: every step sees all of them.
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

#[test]
fn the_authors_networks_have_their_size() {
    // The reference: ENZYMES with 3 features and 6 classes, MUTAG with 7, 4 and 2.
    for (nodes, edges, outputs, want) in [(3, 0, 6, 36_620), (7, 4, 2, 37_099)] {
        let config = LearnConfig::preset(Preset::Authors, None);
        let model = GraphModelConfig {
            input: InputKind::Numbers { nodes, edges },
            hidden: config.model.hidden,
            before: config.model.before,
            after: config.model.after,
            levels: 1,
            norm: config.model.norm,
            dropout: 0.5,
            readout: Readout::Sum,
            nodes: 20.0,
            outputs,
            pooler: config.pooler.clone(),
        }
        .init(&mut Initialiser::new(0, &Device::flex()))
        .expect("a model");
        let trained: usize = bnpool::train::parameters(&model)
            .iter()
            .filter(|t| !t.name.contains("running_"))
            .map(|t| t.values.len())
            .sum();
        assert_eq!(trained, want);
    }
}
