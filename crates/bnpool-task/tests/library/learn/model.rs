//! Tests of properties of whole models: gradients, batches, permutations,
//! sizes.

use super::shapes::{draws, quick, set, shape, shapes};
use bnpool::Device;
use bnpool::model::{GraphModel, GraphModelConfig, InputKind, Norm};
use bnpool::nn::{Initialiser, LayerKind, Readout};
use bnpool::ops::without_kernels;
use bnpool::pool::{POOLERS, Pass, PoolerConfig};
use bnpool_graph::{Csr, Graph, Matrix};
use bnpool_task::Preset;
use bnpool_task::learn::{LearnConfig, LearnData, ModelCard, Objective, Predictor, evaluate};
use burn::module::{Module, ModuleMapper, ModuleVisitor, Param};
use burn::tensor::{DType, Tensor};

/// Converts all arrays of a model to double precision.
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
    let mut config = PoolerConfig::paper().with_name(pooler);
    config.max_clusters = 4;
    GraphModelConfig {
        input: InputKind::Numbers { nodes: 2, edges },
        layer: LayerKind::Gine,
        standardise: false,
        standardise_targets: false,
        hidden: 4,
        before: 2,
        after: 1,
        levels,
        norm,
        dropout: 0.0,
        readout: Readout::Mean,
        nodes: 8.0,
        outputs: 2,
        pooler: config,
        seed: 0,
    }
    .init(&mut Initialiser::new(5, &Device::flex().autodiff()))
    .expect("a model")
}

/// Creates a training pass with the mean of the posterior, because a sample
/// would change with the parameters.
fn mean_in_training() -> Pass {
    Pass {
        mean: true,
        ..Pass::training(0, 0, 0.6)
    }
}

/// Changes one value of one parameter.
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

/// Collects the gradients of all parameters that have one, in order.
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
        ("diff", 1, Norm::None, 0),
        ("dmon", 2, Norm::None, 0),
        ("jb", 1, Norm::None, 0),
        ("hosc", 2, Norm::None, 0),
        ("eigen", 1, Norm::None, 0),
        ("topk", 1, Norm::None, 0),
        ("ec", 1, Norm::None, 0),
        ("kmis", 1, Norm::None, 0),
        ("graclus", 2, Norm::None, 0),
        ("leiden", 1, Norm::None, 0),
        ("sep", 2, Norm::None, 0),
    ] {
        let mut config = quick(Preset::Paper);
        config.pooler.name = pooler.into();
        let data = LearnData::new(set(shapes(6, edges)), &config).expect("data");
        let device = Device::flex().autodiff();
        let mut batch = data.batch(&[0, 1, 4], &device).expect("a batch");
        if let bnpool::model::GraphInput::Numbers(level) = &mut batch.input {
            level.features = level.x().cast(DType::F64).into();
            level.edge_features = level.edge_features.clone().map(|e| e.cast(DType::F64));
        }
        let model = small_model(pooler, levels, norm, edges).map(&mut Double);
        let targets = batch.targets.clone().expect("targets");
        let value = |model: &GraphModel| -> Tensor<1> {
            let out = model.forward(&batch.input, &mean_in_training());
            let task = Objective::Classes { count: 2 }.loss(out.outputs.clone(), &targets, None);
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
            let out = model.forward(&batch.input, &mean_in_training());
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
        let pass = [Pass::evaluation(4, 9)];
        let evaluated = |size: usize| {
            let batches: Vec<_> = all
                .chunks(size)
                .map(|chosen| data.batch(chosen, &Device::flex()).expect("a batch"))
                .collect();
            evaluate(&model, &batches, data.objective, &pass)
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
    // The nodes of a ring are ties for poolers that only use the structure;
    // `contract.rs` permutes a graph without ties.
    for entry in POOLERS.iter().filter(|entry| !entry.prepared) {
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
        config.model.standardise = false;
        config.model.readout = Readout::Mean;
        config.pooler.max_clusters = 4;
        let written = serde_json::json!({
            "version": "",
            "config": config,
            "objective": Objective::Classes { count: 2 },
            "input": InputKind::Numbers { nodes: 2, edges: 2 },
            "mean_nodes": 8.0,
            "class_names": [],
        });
        let card: ModelCard = serde_json::from_value(written).expect("a card");
        let parameters = bnpool_task::optim::parameters(&model);
        let predictor = Predictor::new(&card, &parameters).expect("a predictor");
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
fn the_authors_networks_have_their_size() {
    // Reference values: ENZYMES with 3 features and 6 classes, MUTAG with 7, 4 and
    // 2.
    for (nodes, edges, outputs, want) in [(3, 0, 6, 36_620), (7, 4, 2, 37_099)] {
        let config = LearnConfig::preset(Preset::Authors, None);
        let model = GraphModelConfig {
            input: InputKind::Numbers { nodes, edges },
            layer: config.model.layer,
            standardise: false,
            standardise_targets: false,
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
            seed: 0,
        }
        .init(&mut Initialiser::new(0, &Device::flex()))
        .expect("a model");
        let trained: usize = bnpool_task::optim::parameters(&model)
            .iter()
            .filter(|t| !t.name.contains("running_"))
            .map(|t| t.values.len())
            .sum();
        assert_eq!(trained, want);
    }
}
