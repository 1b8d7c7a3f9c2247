//! Tests of wide one-hot features, which stay sparse and give the same network.

use super::shapes::{quick, run, set, shapes};
use bnpool::Device;
use bnpool::batch::NodeInput;
use bnpool::model::{GraphInput, GraphModel, GraphModelConfig, Norm};
use bnpool::nn::{ColumnMoments, Initialiser, Layer, LayerKind, Readout};
use bnpool::pool::Pass;
use bnpool_graph::{Csr, Features, Graph};
use bnpool_task::Preset;
use bnpool_task::learn::{LearnConfig, LearnData};
use burn::tensor::Tensor;

const WIDTH: usize = 300;

/// Creates shapes whose nodes have one of many labels, which partly depends on
/// the degree.
fn labelled(edge_width: usize, sparse: bool) -> Vec<Graph> {
    let graphs = shapes(24, edge_width).into_iter().enumerate();
    graphs
        .map(|(number, graph)| {
            let label = |u: usize| (graph.adjacency().row(u).len() * 37 + number * 11) % WIDTH;
            let ones = (0..graph.nodes()).map(|u| (u as u32, label(u) as u32));
            let ones = Csr::from_positions(graph.nodes(), WIDTH, ones).expect("features");
            let features = if sparse {
                Features::from(ones)
            } else {
                Features::from(Features::from(ones).to_dense().into_owned())
            };
            let builder = graph.into_builder().features(features);
            builder.build().expect("a graph")
        })
        .collect()
}

fn is_sparse(data: &LearnData) -> bool {
    let batch = data.batch(&[0, 1], &Device::flex()).expect("a batch");
    let GraphInput::Numbers(level) = batch.input else {
        panic!("no molecules");
    };
    matches!(level.features, NodeInput::Sparse { .. })
}

/// Returns outputs, and the gradients of the first weights and of the head.
fn step(model: &GraphModel, data: &LearnData) -> [Vec<f32>; 3] {
    let device = Device::flex().autodiff();
    let batch = data.batch(&[0, 3, 4, 9], &device).expect("a batch");
    let pass = Pass {
        mean: true,
        ..Pass::training(0, 0, 0.6)
    };
    let out = model.forward(&batch.input, &pass);
    let auxiliary = out.losses().total().expect("losses of the pooler");
    let loss = out.outputs.clone().powi_scalar(2).sum() + auxiliary;
    let gradients = loss.backward();
    let first = match &model.before[0] {
        Layer::Gin(gin) => gin.mlp.layers[0].weight.val(),
        Layer::Gcn(gcn) => gcn.weight.val(),
    };
    let head = model.head.layers[0].weight.val();
    let gradient = |of: Tensor<2>| of.grad(&gradients).expect("a gradient");
    [out.outputs.inner(), gradient(first), gradient(head)]
        .map(|x| x.into_data().iter::<f32>().collect())
}

#[test]
fn sparse_and_dense_features_give_the_same_outputs_and_gradients() {
    for layer in [LayerKind::Gin, LayerKind::Gine, LayerKind::Gcn] {
        for (standardise, norm) in [(false, Norm::Mlp), (true, Norm::None), (true, Norm::Mlp)] {
            let mut config = quick(Preset::Authors);
            (config.model.layer, config.model.standardise) = (layer, standardise);
            let [sparse, dense] = [true, false].map(|sparse| {
                let data = LearnData::new(set(labelled(0, sparse)), &config).expect("data");
                assert_eq!(is_sparse(&data), sparse);
                data
            });
            let mut model = GraphModelConfig {
                input: sparse.input(),
                layer,
                standardise,
                standardise_targets: false,
                hidden: 8,
                before: 2,
                after: 1,
                levels: 1,
                norm,
                dropout: 0.0,
                readout: Readout::Mean,
                nodes: 8.0,
                outputs: 2,
                pooler: config.pooler.clone(),
                seed: 0,
            }
            .init(&mut Initialiser::new(5, &Device::flex().autodiff()))
            .expect("a model");
            if let Some(columns) = model.standardise.take() {
                let mut moments = ColumnMoments::new(WIDTH);
                for graph in dense.graphs() {
                    moments.add(graph.features().to_dense().as_slice());
                }
                model.standardise = Some(columns.fit(&moments));
            }
            let (a, b) = (step(&model, &sparse), step(&model, &dense));
            for (a, b) in a.iter().zip(&b) {
                let size = b.iter().fold(0.0_f32, |most, x| most.max(x.abs()));
                assert!(size > 1e-6);
                for (x, y) in a.iter().zip(b) {
                    let close = (x - y).abs() < 1e-3 * size;
                    assert!(close, "{layer:?}, {standardise}, {norm:?}: {x} and {y}");
                }
            }
        }
    }
}

#[test]
fn wide_features_are_learned_from() {
    let mut config = quick(Preset::Default);
    config.training.epochs = 40;
    let data = LearnData::new(set(labelled(0, true)), &config).expect("data");
    let (history, fold) = run(&data, &config);
    let (first, last) = (&history[0], &history[history.len() - 1]);
    assert!(last.train_loss < 0.7 * first.train_loss);
    // The statistics are over all nodes, including zeros.
    let deviations = fold
        .model
        .iter()
        .find(|t| t.name == "standardise.deviation");
    let deviations = &deviations.expect("statistics").values;
    assert!(deviations.iter().all(|x| (0.0..=1.0).contains(x)));
    assert!(deviations.iter().any(|x| *x < 0.5));
}

#[test]
fn what_needs_dense_features_gets_them() {
    let data = |graphs, config: &LearnConfig| LearnData::new(set(graphs), config).expect("data");
    let mut config = quick(Preset::Authors);
    // Messages with edge features are as wide as node features.
    assert!(!is_sparse(&data(labelled(2, true), &config)));
    config.model.layer = LayerKind::Gin;
    assert!(is_sparse(&data(labelled(2, true), &config)));
    // A pooler before the first layer uses the features directly.
    config.model.before = 0;
    let first = data(labelled(0, true), &config);
    assert!(!is_sparse(&first));
    assert!(
        run(&first, &config)
            .0
            .iter()
            .all(|e| e.train_loss.is_finite())
    );
}
