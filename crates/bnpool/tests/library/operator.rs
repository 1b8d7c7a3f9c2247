//! Properties of the BN-Pool operator and its operations.

use bnpool::Device;
use bnpool::nn::Initialiser;
use bnpool::ops::{Segments, without_kernels};
use bnpool::pool::{
    BnPass, BnPool, BnPoolConfig, LossNormalisation, Pooled, Reconstruction, Topology,
};
use bnpool_graph::{Batch, Csr, Graph};
use bnpool_math::stream::{Draws, Purpose, Stream};
use burn::module::Param;
use burn::tensor::{DType, Tensor, TensorData};
use proptest::prelude::*;

pub(crate) const FEATURES: usize = 3;

pub(crate) fn draws(seed: u64) -> Draws {
    Stream::new(seed, Purpose::Other(9), 0).draws(0)
}

/// A random undirected graph; `edges` lists each edge once.
pub(crate) fn graph(nodes: usize, edges: &[(u32, u32)]) -> Graph {
    let both = edges.iter().flat_map(|&(u, v)| [(u, v), (v, u)]);
    Graph::builder(Csr::from_edges(nodes, both).expect("valid edges"))
        .build()
        .expect("a graph")
}

pub(crate) fn random_edges(draws: &mut Draws, nodes: usize, density: f64) -> Vec<(u32, u32)> {
    let mut edges = Vec::new();
    for u in 0..nodes as u32 {
        for v in 0..u {
            if draws.uniform() < density {
                edges.push((u, v));
            }
        }
    }
    edges
}

pub(crate) fn features(draws: &mut Draws, nodes: usize) -> Vec<f64> {
    (0..nodes * FEATURES).map(|_| draws.normal()).collect()
}

pub(crate) fn tensor<const D: usize>(
    values: &[f64],
    shape: [usize; D],
    dtype: DType,
    device: &Device,
) -> Tensor<D> {
    Tensor::from_data(TensorData::new(values.to_vec(), shape), (device, dtype))
}

/// The operator with double-precision parameters.
pub(crate) fn double(pool: BnPool, device: &Device) -> BnPool {
    let mut pool = pool;
    let cast = |values: Vec<f64>, shape: [usize; 2]| {
        Param::from_tensor(tensor(&values, shape, DType::F64, device))
    };
    let read2 = |p: &Param<Tensor<2>>| {
        (
            p.val().into_data().iter::<f64>().collect::<Vec<_>>(),
            p.dims(),
        )
    };
    for layer in &mut pool.posterior.layers {
        let (values, shape) = read2(&layer.weight);
        layer.weight = cast(values, shape);
        layer.bias = layer.bias.take().map(|b| {
            let values: Vec<f64> = b.val().into_data().iter::<f64>().collect();
            let n = values.len();
            Param::from_tensor(tensor(&values, [n], DType::F64, device))
        });
    }
    let (values, shape) = read2(&pool.block_matrix);
    pool.block_matrix = cast(values, shape);
    pool
}

pub(crate) fn read<const D: usize>(x: &Tensor<D>) -> Vec<f64> {
    x.clone().into_data().iter::<f64>().collect()
}

fn close(what: &str, a: &[f64], b: &[f64], tolerance: f64) {
    assert_eq!(a.len(), b.len(), "{what}");
    let largest = b.iter().fold(1e-12_f64, |m, x| m.max(x.abs()));
    for (i, (x, y)) in a.iter().zip(b).enumerate() {
        assert!(
            (x - y).abs() <= tolerance * largest,
            "{what}[{i}]: {x} and {y}"
        );
    }
}

pub(crate) fn config() -> BnPoolConfig {
    BnPoolConfig::new(FEATURES).with_max_clusters(6)
}

/// A scalar that depends on all outputs of the operator.
fn everything(out: &Pooled) -> Tensor<1> {
    let lifted = out.lift(out.level.x() * 0.3);
    let rest = (out.features() * out.features()).sum() * 0.01
        + out.adjacency().sum() * 0.1
        + lifted.sum() * 0.05;
    out.losses.add_to(rest)
}

#[test]
fn gradient_of_the_whole_operator_matches_finite_differences() {
    let device = Device::flex().autodiff();
    let mut random = draws(1);
    let graphs = [
        graph(7, &random_edges(&mut random, 7, 0.4)),
        graph(1, &[]),
        graph(4, &random_edges(&mut random, 4, 0.9)),
    ];
    let topology = Topology::of_batch(&Batch::new(&graphs.each_ref()).expect("a batch"));
    let x = features(&mut random, 12);
    for (reconstruction, preset) in [
        (Reconstruction::Dense, LossNormalisation::Paper),
        (Reconstruction::Dense, LossNormalisation::Authors),
        (Reconstruction::Sparse, LossNormalisation::Paper),
        (Reconstruction::Sparse, LossNormalisation::Estimate),
    ] {
        let config = config()
            .with_loss(reconstruction)
            .with_normalisation(preset);
        let pool = config
            .init(&mut Initialiser::new(3, &device))
            .expect("a pooler");
        let pool = double(pool, &device);
        let value = |pool: &BnPool, x: &[f64]| {
            let x = tensor(x, [12, FEATURES], DType::F64, &device);
            read(&everything(&pool.forward(x, &topology, &BnPass::mean(0.7))))[0]
        };
        let input = tensor(&x, [12, FEATURES], DType::F64, &device).require_grad();
        let grads =
            everything(&pool.forward(input.clone(), &topology, &BnPass::mean(0.7))).backward();
        let got = read(&input.grad(&grads).expect("a gradient by X"));
        let h = 1e-5;
        for i in 0..x.len() {
            let moved = |by: f64| {
                let mut x = x.clone();
                x[i] += by;
                value(&pool, &x)
            };
            let want = (moved(h) - moved(-h)) / (2.0 * h);
            assert!(
                (got[i] - want).abs() < 1e-6 * want.abs().max(0.1),
                "∂X[{i}]: {} and {want}",
                got[i]
            );
        }
        let by_block = read(
            &pool
                .block_matrix
                .val()
                .grad(&grads)
                .expect("a gradient by K"),
        );
        let k = read(&pool.block_matrix.val());
        for i in (0..k.len()).step_by(5) {
            let moved = |by: f64| {
                let mut k = k.clone();
                k[i] += by;
                let mut pool = pool.clone();
                pool.block_matrix = Param::from_tensor(tensor(&k, [6, 6], DType::F64, &device));
                value(&pool, &x)
            };
            let want = (moved(h) - moved(-h)) / (2.0 * h);
            assert!(
                (by_block[i] - want).abs() < 1e-6 * want.abs().max(0.1),
                "∂K[{i}]"
            );
        }
        let weight = pool.posterior.layers[0].weight.val();
        let by_weight = read(&weight.grad(&grads).expect("a gradient by W"));
        let w = read(&weight);
        for i in (0..w.len()).step_by(7) {
            let moved = |by: f64| {
                let mut w = w.clone();
                w[i] += by;
                let mut pool = pool.clone();
                pool.posterior.layers[0].weight =
                    Param::from_tensor(tensor(&w, [FEATURES, 10], DType::F64, &device));
                value(&pool, &x)
            };
            let want = (moved(h) - moved(-h)) / (2.0 * h);
            assert!(
                (by_weight[i] - want).abs() < 1e-6 * want.abs().max(0.1),
                "∂W[{i}]"
            );
        }
    }
}

/// Outputs and gradients of one pass.
fn run(
    pool: &BnPool,
    topology: &Topology,
    x: &[f64],
    pass: &BnPass,
    dtype: DType,
    device: &Device,
) -> Vec<Vec<f64>> {
    let nodes = topology.segments.nodes();
    let x = tensor(x, [nodes, FEATURES], dtype, device).require_grad();
    let out = pool.forward(x.clone(), topology, pass);
    let grads = everything(&out).backward();
    vec![
        read(&out.assignments().expect("soft")),
        read(&out.features()),
        read(&out.adjacency()),
        read(out.losses.get("rec").expect("L_rec")),
        read(out.losses.get("kl").expect("L_π")),
        read(out.losses.get("k").expect("L_K")),
        read(&x.grad(&grads).expect("a gradient by X")),
        read(
            &pool
                .block_matrix
                .val()
                .grad(&grads)
                .expect("a gradient by K"),
        ),
        read(
            &pool.posterior.layers[0]
                .weight
                .val()
                .grad(&grads)
                .expect("a gradient by W"),
        ),
    ]
}

#[test]
fn kernels_and_portable_path_agree() {
    let device = Device::flex().autodiff();
    let mut random = draws(2);
    let directed =
        Csr::from_weighted_edges(6, [(0, 1, 0.5), (2, 1, 0.25), (3, 3, 1.0), (4, 5, 0.75)])
            .expect("edges");
    let graphs = [
        graph(9, &random_edges(&mut random, 9, 0.3)),
        Graph::builder(directed).build().expect("a graph"),
        graph(1, &[]),
    ];
    let batch = Batch::new(&graphs.each_ref()).expect("a batch");
    let weighted = std::sync::Arc::new(batch.adjacency().clone());
    let x = features(&mut random, 16);
    for reconstruction in [Reconstruction::Dense, Reconstruction::Sparse] {
        let config = config().with_loss(reconstruction).with_particles(2);
        let pool = double(
            config
                .init(&mut Initialiser::new(4, &device))
                .expect("a pooler"),
            &device,
        );
        let mut topology = Topology::of_batch(&batch);
        if reconstruction == Reconstruction::Dense {
            topology = topology.with_targets(weighted.clone());
        }
        for pass in [BnPass::sample(5, 6, 0.4), BnPass::mean(1.0)] {
            let fast = run(&pool, &topology, &x, &pass, DType::F64, &device);
            let portable =
                without_kernels(|| run(&pool, &topology, &x, &pass, DType::F64, &device));
            for (i, (a, b)) in fast.iter().zip(&portable).enumerate() {
                close(&format!("{reconstruction:?}, output {i}"), a, b, 1e-9);
            }
        }
    }
}

#[test]
fn batch_is_the_same_as_graphs_one_by_one() {
    let device = Device::flex().autodiff();
    let mut random = draws(3);
    let sizes = [8, 1, 12];
    let graphs = sizes.map(|n| graph(n, &random_edges(&mut random, n, 0.4)));
    let x = features(&mut random, 21);
    let pool = config()
        .init(&mut Initialiser::new(1, &device))
        .expect("a pooler");
    let pass = BnPass::sample(2, 9, 1.0);
    let batch = Batch::new(&graphs.each_ref()).expect("a batch");
    let keys = vec![40_u32, 41, 42];
    let mut topology = Topology::of_batch(&batch);
    topology.segments = topology.segments.with_keys(keys.clone());
    let together = run(&pool, &topology, &x, &pass, DType::F32, &device);
    let mut start = 0;
    let mut losses = [0.0; 3];
    for (b, &n) in sizes.iter().enumerate() {
        let mut topology = Topology::of_graph(&graphs[b]);
        topology.segments = Segments::single(n).with_keys(vec![keys[b]]);
        let alone = run(
            &pool,
            &topology,
            &x[start * FEATURES..(start + n) * FEATURES],
            &pass,
            DType::F32,
            &device,
        );
        close(
            "S",
            &alone[0],
            &together[0][start * 6..(start + n) * 6],
            1e-6,
        );
        close(
            "X_pool",
            &alone[1],
            &together[1][b * 6 * FEATURES..(b + 1) * 6 * FEATURES],
            1e-5,
        );
        close(
            "A_pool",
            &alone[2],
            &together[2][b * 36..(b + 1) * 36],
            1e-5,
        );
        for (sum, l) in losses.iter_mut().zip(&alone[3..6]) {
            *sum += l[0] / 3.0;
        }
        start += n;
    }
    for (sum, l) in losses.iter().zip(&together[3..6]) {
        close("mean loss", &[*sum], l, 1e-5);
    }
}

/// Sum of the mean loss of the edges and the mean loss of the pairs of distinct
/// nodes without an edge; `logit` gives the logit of a pair.
fn balanced_loss(graph: &Graph, logit: impl Fn(usize, usize) -> f64) -> f64 {
    let (mut loss, mut count) = ([0.0; 2], [0.0; 2]);
    for u in 0..graph.nodes() {
        let row = graph.adjacency().row(u);
        for v in 0..graph.nodes() {
            let edge = row.contains(&(v as u32));
            if edge || u != v {
                let sign = if edge { -1.0 } else { 1.0 };
                loss[usize::from(edge)] += (sign * logit(u, v)).exp().ln_1p();
                count[usize::from(edge)] += 1.0;
            }
        }
    }
    loss[0] / count[0] + loss[1] / count[1]
}

#[test]
fn the_sparse_loss_can_estimate_the_dense_one() {
    let device = Device::flex();
    let mut random = draws(8);
    let graph = graph(30, &random_edges(&mut random, 30, 0.15));
    let topology = Topology::of_graph(&graph);
    let x = features(&mut random, 30);
    let x = tensor(&x, [30, FEATURES], DType::F32, &device);
    let pool = |reconstruction| {
        config()
            .with_loss(reconstruction)
            .with_normalisation(LossNormalisation::Estimate)
            .init(&mut Initialiser::new(3, &device))
            .expect("a pooler")
    };
    let (dense, sparse) = (pool(Reconstruction::Dense), pool(Reconstruction::Sparse));
    let k = read(&sparse.block_matrix.val());
    let clusters = sparse.config().max_clusters;
    let steps = 400;
    let (mut sum, mut square) = (0.0, 0.0);
    for step in 0..steps {
        // Both use the same sample of S.
        let pass = BnPass::sample(5, step, 0.7);
        let of = |pool: &BnPool, name| {
            let losses = pool.forward(x.clone(), &topology, &pass).losses;
            read(losses.get(name).expect("a loss of BN-Pool"))[0]
        };
        for name in ["kl", "k"] {
            let (a, b) = (of(&dense, name), of(&sparse, name));
            assert!((a - b).abs() <= 1e-6 * a.abs(), "{name}: {a} and {b}");
        }
        let s = read(&sparse.assignments(x.clone(), &topology, pass.draw.clone()));
        let logit = |u: usize, v: usize| {
            let pairs = (0..clusters).flat_map(|i| (0..clusters).map(move |j| (i, j)));
            pairs
                .map(|(i, j)| s[u * clusters + i] * k[i * clusters + j] * s[v * clusters + j])
                .sum::<f64>()
        };
        let difference = of(&sparse, "rec") - balanced_loss(&graph, logit);
        sum += difference;
        square += difference * difference;
    }
    let n = steps as f64;
    let error = ((square / n - (sum / n).powi(2)) / n).sqrt();
    assert!(
        error > 0.0 && (sum / n).abs() < 4.0 * error,
        "{} ± {error}",
        sum / n
    );
}

#[test]
fn threads_change_no_bit() {
    let device = Device::flex().autodiff();
    let mut random = draws(4);
    let g = graph(300, &random_edges(&mut random, 300, 0.02));
    let topology = Topology::of_graph(&g);
    let x = features(&mut random, 300);
    let pool = BnPoolConfig::new(FEATURES)
        .with_max_clusters(20)
        .init(&mut Initialiser::new(0, &device))
        .expect("a pooler");
    let with = |threads: usize| {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("a thread pool")
            .install(|| {
                run(
                    &pool,
                    &topology,
                    &x,
                    &BnPass::sample(1, 1, 1.0),
                    DType::F32,
                    &device,
                )
            })
    };
    assert_eq!(with(1), with(2));
}

#[test]
fn wrong_settings_are_named() {
    let device = Device::flex();
    for (config, part) in [
        (config().with_max_clusters(1), "max_clusters = 1"),
        (config().with_alpha_dp(0.0), "pooler.alpha_dp = 0"),
        (config().with_sigma_k(-2.0), "pooler.sigma_k = -2"),
        (config().with_particles(0), "particles = 0"),
        (config().with_mu_k(f64::NAN), "pooler.mu_k = NaN"),
    ] {
        let error = config
            .init(&mut Initialiser::new(0, &device))
            .expect_err("out of range");
        assert!(error.to_string().contains(part), "{error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn rows_sum_to_one_and_permuting_nodes_permutes_results(
        seed in any::<u64>(), nodes in 2..25_usize, density in 0.0..1.0_f64,
    ) {
        let device = Device::flex().autodiff();
        let mut random = draws(seed);
        let edges = random_edges(&mut random, nodes, density);
        let x = features(&mut random, nodes);
        let pool = double(config().init(&mut Initialiser::new(seed, &device)).expect("a pooler"), &device);
        let sampled = pool.forward(
            tensor(&x, [nodes, FEATURES], DType::F64, &device),
            &Topology::of_graph(&graph(nodes, &edges)),
            &BnPass::sample(seed, 1, 1.0),
        );
        for row in read(&sampled.assignments().expect("soft")).chunks(6) {
            prop_assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
        let mut order: Vec<usize> = (0..nodes).collect();
        random.shuffle(&mut order);
        let moved_edges: Vec<(u32, u32)> = edges
            .iter()
            .map(|&(u, v)| (order[u as usize] as u32, order[v as usize] as u32))
            .collect();
        let mut moved_x = vec![0.0; x.len()];
        for (u, &to) in order.iter().enumerate() {
            moved_x[to * FEATURES..(to + 1) * FEATURES].copy_from_slice(&x[u * FEATURES..(u + 1) * FEATURES]);
        }
        let pass = BnPass::mean(1.0);
        let a = run(&pool, &Topology::of_graph(&graph(nodes, &edges)), &x, &pass, DType::F64, &device);
        let b = run(&pool, &Topology::of_graph(&graph(nodes, &moved_edges)), &moved_x, &pass, DType::F64, &device);
        for (u, &to) in order.iter().enumerate() {
            close("S", &a[0][u * 6..(u + 1) * 6], &b[0][to * 6..(to + 1) * 6], 1e-9);
            close("∂X", &a[6][u * FEATURES..(u + 1) * FEATURES], &b[6][to * FEATURES..(to + 1) * FEATURES], 1e-7);
        }
        for i in [1, 2, 3, 4, 5, 7, 8] {
            close(&format!("output {i}"), &a[i], &b[i], 1e-8);
        }
    }
}
