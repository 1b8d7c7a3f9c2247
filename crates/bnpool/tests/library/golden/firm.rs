//! poolers.json: poolers that assign each node to one supernode.

use super::fixture::{Number, Rows, flat, read as fixture, transposed};
use super::poolers::{make, tolerance, topology};
use super::tensors::{PRECISIONS, csr, from_values, matrix, read, vector};
use super::tolerance::{CHAIN, SINGLE, assert_all_close};
use bnpool::batch::{Coarsening, Prepared};
use bnpool::pool::{
    Level, Membership, Pass, Pool, PoolSite, Pooled, Pooler, PoolerConfig, Structure, Topology,
};
use bnpool_graph::coarsen::{Assigned, local_modes};
use bnpool_graph::{Csr, Graph};
use burn::module::Param;
use burn::nn::Linear;
use burn::tensor::{DType, Tensor};
use serde::Deserialize;

#[derive(Deserialize)]
struct File {
    ec: Case,
    kmis_order1: Case,
    kmis_order2: Case,
    sep: Case,
    sep_more: Vec<SepCase>,
    eigen_given_clusters: Vec<EigenCase>,
}

#[derive(Deserialize, Clone)]
#[allow(non_snake_case)] // The names of the files.
struct Case {
    X: Rows,
    edge_index: [Vec<u32>; 2],
    batch: Vec<usize>,
    num_supernodes: usize,
    cluster_index: Vec<u32>,
    weight: Vec<Number>,
    x_pool: Rows,
    pooled_edge_index: [Vec<u32>; 2],
    pooled_edge_weight: Option<Vec<Number>>,
    pooled_batch: Vec<usize>,
    #[serde(default)]
    lin_weight: Rows,
    #[serde(default)]
    lin_bias: Vec<Number>,
    #[serde(default)]
    w: Rows,
    #[serde(default)]
    grad_X: Rows,
    #[serde(default)]
    grad_lin_weight: Rows,
    #[serde(default)]
    grad_lin_bias: Vec<Number>,
}

#[derive(Deserialize)]
struct SepCase {
    adj: Rows,
    cluster_index: Vec<u32>,
    num_supernodes: usize,
    pooled_edge_index: [Vec<u32>; 2],
    pooled_edge_weight: Vec<Number>,
}

#[derive(Deserialize)]
#[allow(non_snake_case)]
struct EigenCase {
    adj: Rows,
    labels: Vec<u32>,
    num_modes: usize,
    X: Rows,
    x_pool: Rows,
    adj_pool: Rows,
}

fn site(inputs: usize) -> PoolSite {
    PoolSite {
        inputs,
        nodes: 10.0,
        clusters: None,
        seed: 0,
    }
}

/// The pooled edges, rows as targets, with their weights.
fn edges(pooled: &Pooled) -> Vec<(u32, u32, f32)> {
    let Structure::Sparse(topology) = &pooled.level.structure else {
        panic!("the pooled graph is sparse");
    };
    topology.adjacency.iter().collect()
}

/// The edges of a file, in the order of [`edges`].
fn wanted(ends: &[Vec<u32>; 2], weights: Option<&[Number]>) -> Vec<(u32, u32, f64)> {
    let weight = |k: usize| weights.map_or(1.0, |w| w[k].0);
    let pairs = ends[1].iter().zip(&ends[0]).enumerate();
    let mut all: Vec<_> = pairs.map(|(k, (&u, &v))| (u, v, weight(k))).collect();
    all.sort_by_key(|edge| (edge.0, edge.1));
    all
}

fn assert_edges(got: &[(u32, u32, f32)], want: &[(u32, u32, f64)]) {
    let ends = |edges: &[(u32, u32, f32)]| edges.iter().map(|e| (e.0, e.1)).collect::<Vec<_>>();
    let expected: Vec<_> = want.iter().map(|e| (e.0, e.1)).collect();
    assert_eq!(ends(got), expected);
    let weights: Vec<f64> = got.iter().map(|e| f64::from(e.2)).collect();
    let expected: Vec<f64> = want.iter().map(|e| e.2).collect();
    assert_all_close("weights", weights, &expected, SINGLE);
}

/// Renumbers the supernodes of a case as in `ours`. The numbering is arbitrary:
/// the reference numbers pairs by the source of their edge.
fn renumbered(case: &Case, ours: &[u32]) -> Case {
    let mut number = vec![0_u32; case.num_supernodes];
    for (&theirs, &ours) in case.cluster_index.iter().zip(ours) {
        number[theirs as usize] = ours;
    }
    let moved = |rows: &Rows| {
        let mut out = rows.clone();
        for (row, &to) in rows.iter().zip(&number) {
            out[to as usize] = row.clone();
        }
        out
    };
    let to = |list: &[u32]| list.iter().map(|&c| number[c as usize]).collect::<Vec<_>>();
    Case {
        x_pool: moved(&case.x_pool),
        w: moved(&case.w),
        cluster_index: to(&case.cluster_index),
        pooled_edge_index: [
            to(&case.pooled_edge_index[0]),
            to(&case.pooled_edge_index[1]),
        ],
        ..case.clone()
    }
}

/// Compares everything except gradients.
fn compare(case: &Case, out: &Pooled, dtype: DType) {
    let tolerance = tolerance(dtype);
    let Membership::Assigned {
        assignment,
        weights,
        ..
    } = &out.membership
    else {
        panic!("every node is assigned");
    };
    assert_eq!(assignment.clusters(), case.cluster_index);
    assert_eq!(assignment.supernodes(), case.num_supernodes);
    let expected: Vec<f64> = case.weight.iter().map(|w| w.0).collect();
    let got = match weights {
        Some(weights) => read(weights.clone()),
        None => vec![1.0; expected.len()],
    };
    assert_all_close("weights", got, &expected, tolerance);
    assert_all_close(
        "X_pool",
        read(out.level.x()),
        &flat(&case.x_pool),
        tolerance,
    );
    let weights = case.pooled_edge_weight.as_deref();
    assert_edges(&edges(out), &wanted(&case.pooled_edge_index, weights));
    for (b, range) in out.level.segments().ranges().enumerate() {
        assert!(range.clone().all(|u| case.pooled_batch[u] == b));
    }
}

/// Compares a pooler with a learned score, and the gradients of its score.
fn compare_scored(
    case: &Case,
    pooler: impl Fn() -> Pooler,
    score: impl Fn(&mut Pooler) -> &mut Linear,
) {
    for dtype in PRECISIONS {
        let mut pool = pooler();
        let weight = matrix(&transposed(&case.lin_weight), dtype);
        let bias = vector(&case.lin_bias, dtype);
        let linear = score(&mut pool);
        linear.weight = Param::from_tensor(weight.clone());
        linear.bias = Some(Param::from_tensor(bias.clone()));
        let x = matrix(&case.X, dtype);
        let level = Level::new(x.clone(), topology(&case.edge_index, &case.batch));
        let out = pool.pool(&level, &Pass::mean());
        let ours = out
            .membership
            .assignment()
            .expect("an assignment")
            .clusters();
        let case = &renumbered(case, ours);
        compare(case, &out, dtype);
        let w: Tensor<2> = from_values(flat(&case.w), out.level.x().dims(), dtype).detach();
        let grads = (out.level.x() * w).sum().backward();
        let tolerance = tolerance(dtype);
        let got = read(x.grad(&grads).expect("a gradient"));
        assert_all_close("∂X", got, &flat(&case.grad_X), tolerance);
        // Sums over all edges, which cancel for the target of a softmax.
        let want: Vec<f64> = flat(&case.grad_lin_weight);
        let bias_wanted = case.grad_lin_bias.iter().map(|x| x.0);
        let want: Vec<f64> = want.into_iter().chain(bias_wanted).collect();
        let mut got = read(weight.grad(&grads).expect("a gradient"));
        got.extend(read(bias.grad(&grads).expect("a gradient")));
        let scale = want.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
        for (got, want) in got.iter().zip(&want) {
            let error = (got - want).abs();
            assert!(error <= 10.0 * tolerance * scale, "∂W: {got} and {want}");
        }
    }
}

#[test]
fn edge_contraction_matches() {
    let case = fixture::<File>("poolers.json").ec;
    compare_scored(
        &case,
        || make("ec", &site(case.X[0].len())),
        |pooler| match pooler {
            Pooler::Ec(pool) => &mut pool.score,
            _ => panic!("edge contraction was asked for"),
        },
    );
}

#[test]
fn independent_sets_match() {
    let file = fixture::<File>("poolers.json");
    for (order, case) in [(1, &file.kmis_order1), (2, &file.kmis_order2)] {
        let mut config = PoolerConfig::paper().with_name("kmis");
        config.rivals.kmis.order = order;
        let init = || bnpool::nn::Initialiser::new(0, &super::tensors::device());
        compare_scored(
            case,
            || Pooler::make(&config, &site(case.X[0].len()), &mut init()).expect("a pooler"),
            |pooler| match pooler {
                Pooler::KMis(pool) => &mut pool.score,
                _ => panic!("k-MIS was asked for"),
            },
        );
    }
}

#[test]
fn structural_entropy_pooling_matches() {
    let file = fixture::<File>("poolers.json");
    for dtype in PRECISIONS {
        let case = &file.sep;
        let x = matrix(&case.X, dtype);
        let level = Level::new(x, topology(&case.edge_index, &case.batch));
        let pool = make("sep", &site(case.X[0].len()));
        compare(case, &pool.pool(&level, &Pass::mean()), dtype);
    }
    assert!(!file.sep_more.is_empty());
    for case in &file.sep_more {
        let graph = Graph::builder(csr(&case.adj)).build().expect("a graph");
        let x = matrix(&case.adj, DType::F64);
        let level = Level::new(x, Topology::of_graph(&graph));
        let out = make("sep", &site(case.adj.len())).pool(&level, &Pass::mean());
        let assignment = out.membership.assignment().expect("an assignment");
        assert_eq!(assignment.clusters(), case.cluster_index);
        assert_eq!(assignment.supernodes(), case.num_supernodes);
        let want = wanted(&case.pooled_edge_index, Some(&case.pooled_edge_weight));
        assert_edges(&edges(&out), &want);
    }
}

#[test]
fn eigenpooling_of_given_clusters_matches() {
    let cases = fixture::<File>("poolers.json").eigen_given_clusters;
    assert!(!cases.is_empty());
    for case in &cases {
        let adjacency: Csr = csr(&case.adj);
        let clusters = case.labels.iter().max().map_or(0, |&c| c as usize + 1);
        let assigned = Assigned::new(case.labels.clone(), clusters).expect("clusters");
        let modes = local_modes(&adjacency, &assigned, case.num_modes).expect("modes");
        let coarsening = Coarsening {
            maps: modes.values.iter().map(|&v| v as f32).collect(),
            ..Coarsening::assigned(&assigned, modes.adjacency)
        };
        let prepared = Prepared::join(&[&[coarsening]]).expect("one graph");
        let graph = Graph::builder(adjacency).build().expect("a graph");
        let x = matrix(&case.X, DType::F64);
        let level = Level::new(x, Topology::of_graph(&graph)).with_prepared(prepared);
        let out = make("eigen", &site(case.X[0].len())).pool(&level, &Pass::mean());
        // Modes are stored in single precision.
        let tolerance = SINGLE.max(CHAIN);
        assert_all_close(
            "X_pool",
            read(out.level.x()),
            &flat(&case.x_pool),
            tolerance,
        );
        let mut dense = vec![0.0; clusters * clusters];
        for (u, v, w) in edges(&out) {
            dense[u as usize * clusters + v as usize] = f64::from(w);
        }
        assert_all_close("A_pool", dense, &flat(&case.adj_pool), tolerance);
        let lifted = out.lift(out.level.x());
        assert_eq!(lifted.dims(), [case.X.len(), case.X[0].len()]);
    }
}
