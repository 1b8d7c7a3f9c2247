//! Tests that a training stops with an error that names the first tensor that
//! is not finite, in the state of the previous epoch.

use bnpool::Device;
use bnpool::nn::Initialiser;
use bnpool::pool::{
    BnPool, BnPoolConfig, Level, Pass, Pool, PoolSite, Pooler, PoolerConfig, Topology,
};
use bnpool_graph::generate::builtin_community;
use bnpool_graph::split::Split;
use bnpool_graph::{Csr, Graph, Matrix, Target};
use bnpool_io::dataset::Dataset;
use bnpool_task::cluster::{ClusterConfig, FeatureSource, Trainer};
use bnpool_task::learn::{FoldTrainer, LearnConfig, LearnData};
use bnpool_task::optim::{Adam, AdamConfig, load_parameters, parameters};
use bnpool_task::{Preset, TaskError};
use burn::tensor::{Tensor, TensorData};

/// Returns the Community graph with the same feature forty times at each node.
fn community(feature: f32) -> Graph {
    let graph = builtin_community().expect("the graph");
    let values = vec![feature; graph.nodes() * 40];
    let features = Matrix::new(graph.nodes(), 40, values).expect("features");
    let builder = graph.into_builder().features(features);
    builder.build().expect("a graph")
}

fn quick() -> ClusterConfig {
    let mut config = ClusterConfig::preset(Preset::Paper);
    config.training.epochs = 20;
    config.pooler.max_clusters = 6;
    config.features.source = FeatureSource::Given;
    config
}

#[test]
fn features_that_overflow_stop_the_first_epoch() {
    let (graph, config) = (community(3e38), quick());
    let mut trainer = Trainer::new(&graph, &config).expect("a trainer");
    let before = trainer.checkpoint();
    let error = trainer.advance().expect_err("an overflow");
    let TaskError::Diverged { epoch: 1, tensor } = &error else {
        panic!("{error}");
    };
    // The loss is the first value that is not finite; gradients follow later.
    assert!(tensor.starts_with("loss_"), "{error}");
    assert!(
        error.to_string().contains("not finite in epoch 1"),
        "{error}"
    );
    assert_eq!(trainer.checkpoint(), before);
    assert_eq!(trainer.epochs(), 0);
}

#[test]
fn a_training_that_diverges_keeps_the_epoch_before() {
    let graph = community(1.0);
    let mut config = quick();
    config.training.learning_rate = 1e37;
    let mut trainer = Trainer::new(&graph, &config).expect("a trainer");
    let mut before = trainer.checkpoint();
    let error = loop {
        match trainer.advance() {
            Ok(Some(_)) => before = trainer.checkpoint(),
            Ok(None) => panic!("the rate is too large to end well"),
            Err(error) => break error,
        }
    };
    let TaskError::Diverged { epoch, tensor } = &error else {
        panic!("{error}");
    };
    assert!(
        !tensor.is_empty() && *epoch == trainer.epochs() + 1,
        "{error}"
    );
    assert_eq!(trainer.checkpoint(), before);
    let finite = |t: &bnpool_task::run::NamedTensor| t.values.iter().all(|x| x.is_finite());
    assert!(
        before
            .tensors
            .iter()
            .filter(|t| t.name.starts_with("model."))
            .all(finite)
    );
}

/// The loss and its gradient are finite, but the parameters after the step are not.
#[test]
fn a_step_beyond_all_numbers_is_not_made() {
    let graph = community(1.0);
    let mut config = quick();
    config.training.learning_rate = 1e39;
    let mut trainer = Trainer::new(&graph, &config).expect("a trainer");
    let before = trainer.checkpoint();
    let error = trainer.advance().expect_err("an overflow");
    assert!(error.to_string().contains("the parameter "), "{error}");
    assert_eq!(trainer.checkpoint(), before);

    let mut config = learn();
    config.training.learning_rate = 1e39;
    let data = LearnData::new(graphs(1.0), &config).expect("data");
    let split = split(4);
    let mut trainer = FoldTrainer::new(&data, &config, 0, &split).expect("a trainer");
    let before = trainer.checkpoint();
    let error = trainer.advance().expect_err("an overflow");
    assert!(error.to_string().contains("the parameter "), "{error}");
    assert_eq!(trainer.checkpoint(), before);
}

#[test]
fn a_gradient_that_is_not_finite_is_named_and_no_step_is_made() {
    let device = Device::flex().autodiff();
    let pool: BnPool = BnPoolConfig::new(3)
        .with_max_clusters(4)
        .init(&mut Initialiser::new(0, &device))
        .expect("a pooler");
    let mut adam = Adam::new(AdamConfig::default());
    let sum = pool.posterior.layers[0].weight.val().sum();
    let loss = sum + (pool.block_matrix.val() * f64::NAN).sum();
    let error = adam
        .step(1e-2, pool.clone(), loss.backward())
        .expect_err("NaN");
    assert_eq!(
        error.to_string(),
        "the gradient of block_matrix is not finite"
    );
    assert_eq!((adam.steps(), adam.moments().len()), (0, 0));
    let mut tensors = parameters(&pool);
    tensors[0].values[1] = f32::NAN;
    let error = load_parameters(pool, &tensors).expect_err("NaN");
    assert!(error.to_string().contains(&tensors[0].name), "{error}");
}

fn graphs(feature: f32) -> Dataset {
    let graphs = (0..8).map(|i| {
        let edges = [(0, 1), (1, 0), (1, 2), (2, 1)];
        let mut values = vec![i as f32, 1.0, 0.5];
        if i == 3 {
            values[1] = feature;
        }
        Graph::builder(Csr::from_edges(3, edges).expect("edges"))
            .features(Matrix::new(3, 1, values).expect("features"))
            .target(Target::Class(i % 2))
            .build()
            .expect("a graph")
    });
    Dataset {
        name: "eight".into(),
        graphs: graphs.collect(),
        task: bnpool_io::dataset::Task::Classify,
        metric: bnpool_io::dataset::Metric::Accuracy,
        classes: 2,
        class_names: Vec::new(),
        official_split: None,
        coding: None,
        cleaned: false,
        origin: bnpool_io::dataset::Origin::BuiltIn,
    }
}

fn learn() -> LearnConfig {
    let mut config = LearnConfig::preset(Preset::Paper, None);
    config.training.epochs = 3;
    config.pooler.max_clusters = 4;
    config.model.hidden = 4;
    config.model.standardise = false;
    config
}

fn split(validation: usize) -> Split {
    Split {
        train: vec![0, 1, 2, 3],
        validation: vec![validation, 5],
        test: vec![6, 7],
    }
}

#[test]
fn a_fold_that_overflows_keeps_the_epoch_before() {
    let config = learn();
    let data = LearnData::new(graphs(3e38), &config).expect("data");
    let split = split(4);
    let mut trainer = FoldTrainer::new(&data, &config, 0, &split).expect("a trainer");
    let before = trainer.checkpoint();
    let error = trainer.advance().expect_err("an overflow");
    assert!(error.to_string().contains("not finite"), "{error}");
    assert_eq!(trainer.checkpoint(), before);
}

#[test]
fn a_split_that_does_not_fit_is_refused() {
    let config = learn();
    let data = LearnData::new(graphs(1.0), &config).expect("data");
    for (validation, part) in [(8, "example 8"), (0, "example 0 stands twice")] {
        let split = split(validation);
        let error = FoldTrainer::new(&data, &config, 0, &split).expect_err("refused");
        assert!(error.to_string().contains(part), "{error}");
    }
    assert!(data.targets(&[8]).is_err());
    assert!(data.batch(&[8], &Device::flex()).is_err());
}

#[test]
fn misspelt_settings_are_refused_in_every_section() {
    for section in ["", "data", "model", "pooler", "training", "evaluation"] {
        let mut value = serde_json::to_value(learn()).expect("JSON");
        serde_json::from_value::<LearnConfig>(value.clone()).expect("as it was");
        let place = match section {
            "" => &mut value,
            section => &mut value[section],
        };
        place["hiden"] = 1.into();
        let error = serde_json::from_value::<LearnConfig>(value).expect_err("misspelt");
        assert!(error.to_string().contains("hiden"), "{section}: {error}");
    }
    let mut value = serde_json::to_value(quick()).expect("JSON");
    value["pooler"]["alpha"] = 1.into();
    assert!(serde_json::from_value::<ClusterConfig>(value).is_err());
}

#[test]
fn sizes_that_no_machine_holds_are_refused_by_their_field() {
    let field = |change: &dyn Fn(&mut ClusterConfig)| {
        let mut config = quick();
        change(&mut config);
        match config.check() {
            Err(TaskError::OutOfRange { name, .. }) => name,
            Err(other) => panic!("{other}"),
            Ok(()) => panic!("accepted"),
        }
    };
    let huge = usize::MAX / 2;
    assert_eq!(
        field(&|c| c.pooler.max_clusters = huge),
        "pooler.max_clusters"
    );
    assert_eq!(field(&|c| c.features.random = huge), "features.random");
    assert_eq!(field(&|c| c.model.hidden = huge), "model.hidden");
    assert_eq!(field(&|c| c.pooler.particles = 60_000), "pooler.particles");
    assert_eq!(
        field(&|c| c.training.learning_rate = f64::NAN),
        "training.learning_rate"
    );
}

#[test]
fn top_k_keeps_a_node_whose_score_is_nan() {
    let device = Device::flex();
    let config = PoolerConfig::paper().with_name("topk");
    let site = PoolSite {
        inputs: 1,
        nodes: 3.0,
        clusters: None,
        seed: 0,
    };
    let pooler = Pooler::make(&config, &site, &mut Initialiser::new(0, &device));
    let edges = [(0, 1), (1, 0), (1, 2), (2, 1)];
    let graph = Graph::builder(Csr::from_edges(3, edges).expect("edges"));
    let topology = Topology::of_graph(&graph.build().expect("a graph"));
    for nan in [f32::NAN, -f32::NAN] {
        let data = TensorData::new(vec![3.0, nan, -3.0], [3, 1]);
        let level = Level::new(Tensor::<2>::from_data(data, &device), topology.clone());
        let pooled = pooler
            .as_ref()
            .expect("a pooler")
            .pool(&level, &Pass::mean());
        let kept: Vec<f32> = pooled.level.x().into_data().iter().collect();
        assert!(kept.iter().any(|x| x.is_nan()), "{kept:?}");
    }
}
