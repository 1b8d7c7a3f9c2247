//! Compares steps in parts with steps on the whole graph.

use super::network::{Network, Shape};
use super::weights::Weights;
use crate::Preset;
use crate::cluster::ClusterConfig;
use crate::losses::loss_values;
use bnpool::batch::{Level, Topology};
use bnpool::model::{ClusterModel, ClusterModelConfig};
use bnpool::nn::{Initialiser, LayerKind};
use bnpool::ops::Draw;
use bnpool::pool::{BnPass, Pass, Pool, Pooler, PoolerConfig};
use bnpool_graph::divide::{Held, Part, PartSource};
use bnpool_graph::generate::Sbm;
use bnpool_graph::{Csr, Graph, transform};
use bnpool_math::kernel::{Negatives, RegularPairs};
use bnpool_math::stream::{Purpose, Stream};
use bnpool_parallel::{Alone, Collective, Threads};
use burn::module::{Module, ModuleMapper, ModuleVisitor, Param};
use burn::optim::GradientsParams;
use burn::tensor::{DType, Device, Gradients, Tensor, TensorData};
use std::path::Path;
use std::sync::Arc;

const INPUTS: usize = 3;
const HIDDEN: usize = 5;
const CLUSTERS: usize = 4;
const SAMPLE: (u64, u64) = (7, 3);

/// Creates a graph with planted groups, a hub, a loop, and isolated nodes.
fn graph() -> Graph {
    let planted = Sbm::with_degree(70, 4, 6.0, 0.8).expect("a model");
    let planted = planted.generate(5).expect("a graph");
    let mut edges: Vec<(u32, u32)> = planted.adjacency().iter().map(|(u, v, _)| (u, v)).collect();
    edges.extend((1..30).flat_map(|v| [(33, v), (v, 33)]));
    edges.push((4, 4));
    let adjacency = Csr::from_edges(73, edges).expect("edges");
    Graph::builder(adjacency).build().expect("a graph")
}

fn feature(node: usize, column: usize) -> f32 {
    ((node * 7 + column * 13) as f32 * 0.37).sin()
}

fn describe(part: &Part, i: usize, row: &mut [f32]) {
    let node = part.range().start + i;
    for (column, x) in row.iter_mut().enumerate() {
        *x = feature(node, column);
    }
}

fn pooler() -> PoolerConfig {
    let pooler = ClusterConfig::preset(Preset::Default).pooler;
    PoolerConfig {
        max_clusters: CLUSTERS,
        loss: bnpool::pool::Reconstruction::Sparse,
        ..pooler
    }
}

fn model() -> ClusterModel<Pooler> {
    let config = ClusterModelConfig {
        inputs: INPUTS,
        hidden: HIDDEN,
        layer: LayerKind::Gcn,
        nodes: 73,
        pool: pooler(),
        clusters: CLUSTERS,
        seed: 0,
    };
    let mut init = Initialiser::new(2, &Device::flex().autodiff());
    config.init(&mut init).expect("a model")
}

/// Converts the model to double precision.
fn double(model: ClusterModel<Pooler>) -> ClusterModel<Pooler> {
    struct Double;
    impl ModuleMapper for Double {
        fn map_float<const D: usize>(&mut self, param: Param<Tensor<D>>) -> Param<Tensor<D>> {
            param.map(|old| old.cast(DType::F64).detach().require_grad())
        }
    }
    model.map(&mut Double)
}

/// Concatenates the gradients in the order of the fields.
fn flat(model: &ClusterModel<Pooler>, gradients: Gradients) -> Vec<f64> {
    struct Collect(GradientsParams, Vec<f64>);
    impl ModuleVisitor for Collect {
        fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
            match self.0.remove::<D>(param.id) {
                Some(own) => self.1.extend(own.into_data().iter::<f64>()),
                None => self.1.extend(vec![0.0; param.shape().num_elements()]),
            }
        }
    }
    let gradients = GradientsParams::from_grads(gradients, model);
    let mut collect = Collect(gradients, Vec::new());
    model.visit(&mut collect);
    collect.1
}

/// Creates the level of the whole graph, as input of the model.
fn level(graph: &Graph, delta: f64) -> Level {
    let topology = Topology::of_graph(graph);
    let seen = if delta > 0.0 {
        transform::graph_filter(graph, delta).expect("a filter")
    } else {
        graph.clone()
    };
    let topology = topology.with_adjacency(seen.shared_adjacency());
    let values: Vec<f64> = (0..graph.nodes() * INPUTS)
        .map(|i| f64::from(feature(i / INPUTS, i % INPUTS)))
        .collect();
    let device = Device::flex().autodiff();
    let data = TensorData::new(values, [graph.nodes(), INPUTS]);
    Level::new(
        Tensor::<2>::from_data(data, (&device, DType::F64)),
        topology,
    )
}

/// Lists the pairs of a step in parts for the whole graph.
fn negatives(graph: &Graph) -> Negatives {
    let adjacency = graph.adjacency();
    let loops = (0..graph.nodes()).filter(|&u| adjacency.row(u).contains(&(u as u32)));
    let pairs = (graph.edges() - loops.count()) / 2;
    let stream = Stream::new(SAMPLE.0, Purpose::NegativeEdges, SAMPLE.1);
    let pairs = RegularPairs::new(graph.nodes(), pairs, &stream);
    let free = (0..graph.nodes() as u32).flat_map(|u| {
        let row = adjacency.row(u as usize);
        let partners = pairs.partners(u).filter(|v| !row.contains(v));
        partners.map(move |v| (u, v)).collect::<Vec<_>>()
    });
    let free = Csr::from_edges(graph.nodes(), free).expect("pairs");
    Negatives::given(free.view(), &[0, graph.nodes()])
}

fn network(
    graph: &Graph,
    engine: Arc<dyn Collective>,
    (work, delta): (usize, f64),
    spill: Option<&Path>,
) -> Network<f64> {
    let source: Arc<dyn PartSource> = Arc::new(Held::new(graph.clone(), work));
    let shape = Shape {
        inputs: INPUTS,
        hidden: HIDDEN,
        clusters: CLUSTERS,
        delta,
        spill,
    };
    Network::new(source, engine, &shape, describe).expect("a network")
}

fn close(what: &str, found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let largest = expected.iter().fold(1e-9_f64, |m, x| m.max(x.abs()));
    for (i, (a, b)) in found.iter().zip(expected).enumerate() {
        // Â of the whole graph is stored in single precision.
        assert!((a - b).abs() <= 2e-6 * largest, "{what} {i}: {a} and {b}");
    }
}

#[test]
fn losses_and_gradients_are_those_of_the_whole() {
    let graph = graph();
    let model = double(model());
    for delta in [0.85, 0.0] {
        let level = level(&graph, delta);
        let embedded = model.embed(&level, &Pass::training(0, 0, 1.0));
        let bn = model.pool.bn().expect("BN-Pool");
        let pass = BnPass {
            draw: Draw::Sample {
                seed: SAMPLE.0,
                step: SAMPLE.1,
            },
            negatives: Some(Arc::new(negatives(&graph))),
            ..BnPass::mean(0.7)
        };
        let whole = bn.select(embedded.x(), &level.structure.topology(), &pass);
        let losses = loss_values(&whole.losses);
        let total = whole.losses.total().expect("losses");
        let gradient = flat(&model, total.backward());
        let (weights, config) = Weights::<f64>::of(&model).expect("a model that can be divided");
        for work in [100_000, 40, 1] {
            let mut network = network(&graph, Arc::new(Alone), (work, delta), None);
            let step = network.reconstruct(&weights, config, SAMPLE, 0.7, true);
            let step = step.expect("a step");
            for (name, value) in &losses {
                close(name, &[step.losses()[name]], &[*value]);
            }
            close("gradient", &step.gradient, &gradient);
            let again = network.reconstruct(&weights, config, SAMPLE, 0.7, false);
            assert_eq!(again.expect("a step").rec, step.rec);
        }
    }
}

#[test]
fn imitation_is_that_of_the_whole() {
    let graph = graph();
    let model = double(model());
    let column = |node: usize| node % 3;
    let level = level(&graph, 0.85);
    let membership = model.membership(&level, &Pass::mean());
    let bnpool::pool::Membership::Soft(mean) = membership else {
        panic!("soft memberships");
    };
    let mut wanted = vec![0.0_f64; graph.nodes() * CLUSTERS];
    for (u, row) in wanted.chunks_exact_mut(CLUSTERS).enumerate() {
        row[column(u)] = 1.0;
    }
    let data = TensorData::new(wanted, [graph.nodes(), CLUSTERS]);
    let wanted = Tensor::<2>::from_data(data, (&mean.device(), DType::F64));
    let loss = -((mean * wanted).sum_dim(1) + 1e-6).log().mean();
    let value = loss.clone().into_scalar::<f64>();
    let gradient = flat(&model, loss.backward());
    let (weights, config) = Weights::<f64>::of(&model).expect("a model that can be divided");
    let mut network = network(&graph, Arc::new(Alone), (40, 0.85), None);
    let found = network.imitate(&weights, config, column).expect("a step");
    close("loss", &[found.0], &[value]);
    close("gradient", &found.1, &gradient);
}

#[test]
fn ranks_and_files_change_no_bit() {
    let (graph, folder) = (graph(), tempfile::tempdir().expect("a folder"));
    let run = |engine: Arc<dyn Collective>, spill: Option<&Path>| {
        let model = double(model());
        let (weights, config) = Weights::<f64>::of(&model).expect("a model that can be divided");
        let mut network = network(&graph, engine, (40, 0.85), spill);
        let step = network.reconstruct(&weights, config, SAMPLE, 0.7, true);
        let step = step.expect("a step");
        let imitated = network
            .imitate(&weights, config, |u| u % 3)
            .expect("a step");
        (step.rec, step.kl, step.active, step.gradient, imitated)
    };
    let want = run(Arc::new(Alone), None);
    assert_eq!(run(Arc::new(Alone), Some(folder.path())), want);
    for ranks in [2, 3, 4, 30] {
        for spill in [None, Some(folder.path())] {
            let got = Threads::run(ranks, |rank| run(Arc::new(rank), spill));
            assert!(got.iter().all(|own| *own == want), "{ranks} ranks");
        }
    }
}
