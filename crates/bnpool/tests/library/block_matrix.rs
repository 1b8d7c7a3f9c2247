//! The block matrix K: its symmetry, its gradient, and degree correction.

use crate::operator::{
    FEATURES, config, double, draws, features, graph, random_edges, read, tensor,
};
use bnpool::Device;
use bnpool::nn::Initialiser;
use bnpool::pool::{BnPass, Topology};
use burn::module::Module;
use burn::tensor::{DType, Tensor};

#[test]
fn block_matrix_stays_symmetric_while_training() {
    use burn::optim::{AdamConfig, GradientsParams};
    let device = Device::flex().autodiff();
    let mut random = draws(5);
    let g = graph(40, &random_edges(&mut random, 40, 0.1));
    let topology = Topology::of_graph(&g);
    let x = tensor(
        &features(&mut random, 40),
        [40, FEATURES],
        DType::F32,
        &device,
    );
    let mut pool = config()
        .init(&mut Initialiser::new(0, &device))
        .expect("a pooler");
    let start = read(&pool.block_matrix.val());
    let mut optimiser = AdamConfig::new().init();
    for step in 0..30 {
        let out = pool.forward(x.clone(), &topology, &BnPass::sample(0, step, 0.5));
        let grads =
            GradientsParams::from_grads(out.losses.total().expect("losses").backward(), &pool);
        pool = optimiser.step(1e-2, pool, grads);
    }
    let k = pool
        .block_matrix
        .val()
        .into_data()
        .iter::<f32>()
        .collect::<Vec<_>>();
    assert_ne!(
        start,
        k.iter().map(|&x| f64::from(x)).collect::<Vec<_>>(),
        "K was trained"
    );
    for i in 0..6 {
        for j in 0..6 {
            assert_eq!(
                k[i * 6 + j].to_bits(),
                k[j * 6 + i].to_bits(),
                "K[{i}, {j}]"
            );
        }
    }
}

#[test]
fn fixed_block_matrix_gets_no_gradient() {
    let device = Device::flex().autodiff();
    let pool = config()
        .with_train_k(false)
        .init(&mut Initialiser::new(0, &device))
        .expect("a pooler");
    let g = graph(5, &[(0, 1), (1, 2), (3, 4)]);
    let x = tensor(
        &features(&mut draws(6), 5),
        [5, FEATURES],
        DType::F32,
        &device,
    );
    let out = pool.forward(x, &Topology::of_graph(&g), &BnPass::sample(0, 0, 1.0));
    let grads = out.losses.total().expect("losses").backward();
    assert!(pool.block_matrix.val().grad(&grads).is_none());
    assert_eq!(pool.num_params(), FEATURES * 10 + 10 + 36);
}

/// With degree correction the logit of an edge is s_u K s_v + b_u + b_v, where b is
/// the logarithm of the degree over its mean.
#[test]
fn degree_correction_adds_the_logarithms_of_degrees() {
    let device = Device::flex().autodiff();
    let edges = [(0, 1), (0, 2), (0, 3), (1, 2), (3, 4), (5, 6)];
    let graph = graph(8, &edges);
    let topology = Topology::of_graph(&graph);
    let mut random = draws(3);
    let x = tensor(
        &features(&mut random, 8),
        [8, FEATURES],
        DType::F64,
        &device,
    );
    let pool = config()
        .with_degree_correction(true)
        .init(&mut Initialiser::new(4, &device))
        .expect("a pooler");
    let pool = double(pool, &device);
    let out = pool.select(x, &topology, &BnPass::mean(1.0));
    let read = |t: Tensor<2>| t.into_data().iter::<f64>().collect::<Vec<_>>();
    let s = read(out.membership.soft().expect("soft").clone());
    let k = read(pool.block_matrix.val());
    let clusters = s.len() / 8;
    let adjacency = graph.adjacency();
    let mean = adjacency.entries() as f64 / 8.0;
    let b: Vec<f64> = (0..8)
        .map(|u| ((adjacency.degree(u) as f64).max(0.5) / mean).ln())
        .collect();
    let edges = adjacency.entries() as f64;
    let (mut loss, all) = (0.0, 64.0);
    for u in 0..8 {
        for v in 0..8 {
            let mut logit = b[u] + b[v];
            for i in 0..clusters {
                for j in 0..clusters {
                    logit += s[u * clusters + i] * k[i * clusters + j] * s[v * clusters + j];
                }
            }
            let edge = adjacency.find(u, v).is_some();
            // The paper's weights, over N².
            loss += if edge {
                (-logit).exp().ln_1p() / edges
            } else {
                logit.exp().ln_1p() / (all - edges)
            };
        }
    }
    let got = out.losses.get("rec").expect("a loss").clone();
    let got = got.into_scalar::<f64>();
    assert!((got - loss).abs() < 1e-6, "{got} and {loss}");
}
