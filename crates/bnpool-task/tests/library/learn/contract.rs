//! Contract of all poolers of the registry.

use super::shapes::draws;
use bnpool::Device;
use bnpool::nn::Initialiser;
use bnpool::pool::{
    Level, Membership, POOLERS, Pass, Pool, PoolSite, Pooled, Pooler, PoolerConfig, Topology,
};
use bnpool_graph::{Csr, Graph};
use bnpool_task::optim::parameters;
use burn::tensor::{Tensor, TensorData};

const WIDTH: usize = 3;

fn pooler(name: &str, ratio: f64, nodes: f64, clusters: Option<usize>) -> Pooler {
    let mut config = PoolerConfig::paper().with_name(name);
    (config.ratio, config.max_clusters) = (ratio, 5);
    let site = PoolSite {
        inputs: WIDTH,
        nodes,
        clusters,
        seed: 3,
    };
    Pooler::make(&config, &site, &mut Initialiser::new(2, &device())).expect("a pooler")
}

fn device() -> Device {
    Device::flex().autodiff()
}

fn level(adjacency: Csr, features: &[f32]) -> Level {
    let nodes = adjacency.rows();
    let graph = Graph::builder(adjacency).build().expect("a graph");
    let data = TensorData::new(features.to_vec(), [nodes, WIDTH]);
    let x = Tensor::<2>::from_data(data, &device()).require_grad();
    Level::new(x, Topology::of_graph(&graph))
}

fn features(nodes: usize, seed: u64) -> Vec<f32> {
    let mut random = draws(seed);
    (0..nodes * WIDTH).map(|_| random.normal() as f32).collect()
}

/// Creates a graph with weights that cause no ties.
fn irregular(nodes: u32, seed: u64) -> Vec<(u32, u32, f32)> {
    let mut random = draws(seed);
    let mut edges = Vec::new();
    for u in 0..nodes {
        for v in 0..u {
            if v + 1 == u || random.uniform() < 0.25 {
                let w = 0.5 + random.uniform() as f32;
                edges.extend([(u, v, w), (v, u, w)]);
            }
        }
    }
    edges
}

fn values(x: Tensor<2>) -> Vec<f32> {
    x.into_data().iter::<f32>().collect()
}

/// Reduces all outputs of a pooled batch to one number, to compute gradients.
fn everything(out: &Pooled) -> Tensor<1> {
    let lifted = out.lift(out.level.x());
    let structure = out.level.structure.propagate_own(out.level.x());
    let squares = |x: Tensor<2>| (x.clone() * x).sum();
    out.losses
        .add_to(squares(out.level.x()) + squares(lifted) + squares(structure))
}

#[test]
fn odd_graphs_have_finite_losses_and_gradients() {
    let complete = |n: u32| (0..n).flat_map(move |u| (0..n).map(move |v| (u, v)));
    let graphs = [
        ("one node", 1, vec![]),
        ("no edges", 6, vec![]),
        ("isolated nodes", 6, vec![(0, 1), (1, 0)]),
        ("complete", 6, complete(6).filter(|(u, v)| u != v).collect()),
        (
            "disconnected",
            6,
            vec![(0, 1), (1, 0), (2, 3), (3, 2), (4, 5), (5, 4)],
        ),
        ("self-loops", 3, complete(3).collect()),
    ];
    for entry in POOLERS {
        // κN < 1, the usual case, and more clusters than nodes.
        for (ratio, clusters) in [(0.1, None), (0.5, None), (1.0, Some(20))] {
            for (kind, nodes, edges) in &graphs {
                let name = format!("{}: {kind}, κ = {ratio}", entry.name);
                let adjacency = Csr::from_edges(*nodes, edges.iter().copied()).expect("edges");
                let level = level(adjacency, &features(*nodes, 5));
                let pool = pooler(entry.name, ratio, *nodes as f64, clusters);
                let out = pool.pool(&level, &Pass::training(1, 2, 0.5));
                assert_eq!(out.lift(out.level.x()).dims()[0], *nodes, "{name}");
                let total = everything(&out);
                let value = total.clone().into_scalar::<f32>();
                assert!(value.is_finite(), "{name}: {value}");
                let gradients = total.backward();
                let gradient = level.x().grad(&gradients).expect("a gradient");
                assert!(values(gradient).iter().all(|g| g.is_finite()), "{name}");
            }
        }
    }
}

#[test]
fn permuting_the_nodes_permutes_the_result() {
    let nodes = 12_u32;
    let edges = irregular(nodes, 7);
    let x = features(nodes as usize, 9);
    let mut order: Vec<u32> = (0..nodes).collect();
    draws(4).shuffle(&mut order);
    let moved = edges
        .iter()
        .map(|&(u, v, w)| (order[u as usize], order[v as usize], w));
    let mut moved_x = vec![0.0; x.len()];
    for (u, row) in x.chunks_exact(WIDTH).enumerate() {
        let to = order[u] as usize * WIDTH;
        moved_x[to..to + WIDTH].copy_from_slice(row);
    }
    let csr = |edges: &mut dyn Iterator<Item = (u32, u32, f32)>| {
        Csr::from_weighted_edges(nodes as usize, edges).expect("edges")
    };
    let one = level(csr(&mut edges.iter().copied()), &x);
    let two = level(csr(&mut { moved }), &moved_x);
    for entry in POOLERS {
        let pool = pooler(entry.name, 0.5, f64::from(nodes), None);
        let [a, b] = [&one, &two].map(|level| pool.pool(level, &Pass::mean()));
        // The numbering of supernodes may differ, but values lifted back to
        // nodes must agree.
        let (a, b) = (values(a.lift(a.level.x())), values(b.lift(b.level.x())));
        let width = a.len() / nodes as usize;
        for (u, row) in a.chunks_exact(width).enumerate() {
            let to = order[u] as usize * width;
            for (a, b) in row.iter().zip(&b[to..to + width]) {
                let close = (a - b).abs() < 1e-3 * (1.0 + a.abs());
                assert!(close, "{}: node {u}, {a} and {b}", entry.name);
            }
        }
    }
}

#[test]
fn firm_assignments_keep_sums() {
    let nodes = 15_u32;
    let x = features(nodes as usize, 1);
    let edges = irregular(nodes, 2);
    let adjacency = Csr::from_weighted_edges(nodes as usize, edges).expect("edges");
    let level = level(adjacency, &x);
    let mut checked = 0;
    for entry in POOLERS {
        let out = pooler(entry.name, 0.5, f64::from(nodes), None).pool(&level, &Pass::mean());
        let Membership::Assigned {
            assignment,
            weights,
            ..
        } = &out.membership
        else {
            continue;
        };
        checked += 1;
        let weights = match weights {
            Some(weights) => values(weights.clone()),
            None => vec![1.0; nodes as usize],
        };
        let pooled = values(out.level.x());
        for column in 0..WIDTH {
            let before: f32 = (0..nodes as usize)
                .map(|u| weights[u] * x[u * WIDTH + column])
                .sum();
            let after: f32 = pooled.iter().skip(column).step_by(WIDTH).sum();
            assert!(
                (before - after).abs() < 1e-4,
                "{}: {before} and {after}",
                entry.name
            );
        }
        let lifted = values(out.lift(out.level.x()));
        for (u, &c) in assignment.clusters().iter().enumerate() {
            let own = pooled[c as usize * WIDTH] * weights[u];
            assert!((lifted[u * WIDTH] - own).abs() < 1e-5, "{}", entry.name);
        }
    }
    assert!(checked >= 4, "{checked} poolers assign firmly");
}

#[test]
fn traits_say_what_a_pooler_does() {
    let nodes = 15_u32;
    let adjacency = Csr::from_weighted_edges(15, irregular(nodes, 2)).expect("edges");
    let level = level(adjacency, &features(15, 1));
    for entry in POOLERS {
        let pool = pooler(entry.name, 0.5, 15.0, None);
        let out = pool.pool(&level, &Pass::training(0, 0, 1.0));
        assert_eq!(
            !parameters(&pool).is_empty(),
            entry.trainable,
            "{}",
            entry.name
        );
        for (name, _) in out.losses.iter() {
            assert!(entry.losses.contains(&name), "{}: {name}", entry.name);
        }
        assert_eq!(
            out.losses.total().is_some(),
            !entry.losses.is_empty(),
            "{}",
            entry.name
        );
        let divides = matches!(
            out.membership,
            Membership::Soft(_) | Membership::Assigned { .. } | Membership::Maps { .. }
        );
        assert_eq!(divides, entry.divides(), "{}", entry.name);
        assert_eq!(
            pool.block_matrix().is_some(),
            entry.posterior,
            "{}",
            entry.name
        );
        let width = out.level.x().dims()[1];
        assert_eq!(width, pool.width_after(WIDTH), "{}", entry.name);
    }
}
