//! The reconstruction losses against brute force in double precision.

use crate::matrix::{OwnedRows, Random, assert_close, brute_force};
use bnpool_math::Real;
use bnpool_math::kernel::{
    Assignments, BlockLoss, PairWeights, SparseRows, Targets, dense_loss, sparse_loss,
};
use proptest::prelude::*;

/// All ordered pairs of every graph, weighted.
fn all_pairs(
    rows: &OwnedRows,
    offsets: &[usize],
    weights: &[PairWeights],
) -> Vec<(usize, usize, f64, f64)> {
    let mut pairs = Vec::new();
    for (b, w) in weights.iter().enumerate() {
        for u in offsets[b]..offsets[b + 1] {
            for v in offsets[b]..offsets[b + 1] {
                let target = rows.get(u, v);
                let weight = if target == 0.0 {
                    w.negative
                } else {
                    w.positive
                };
                pairs.push((u, v, target, weight));
            }
        }
    }
    pairs
}

struct Case {
    offsets: Vec<usize>,
    clusters: usize,
    s: Vec<f64>,
    k: Vec<f64>,
    rows: OwnedRows,
    symmetric: bool,
    weights: Vec<PairWeights>,
}

/// A batch of random graphs: weighted or not, directed or not, with isolated
/// nodes, empty graphs and unused clusters.
fn case(
    seed: u64,
    sizes: &[usize],
    clusters: usize,
    density: f64,
    directed: bool,
    weighted: bool,
) -> Case {
    let mut random = Random::new(seed);
    let mut offsets = vec![0];
    for n in sizes {
        offsets.push(offsets[offsets.len() - 1] + n);
    }
    let nodes = offsets[sizes.len()];
    let mut s = Vec::new();
    for _ in 0..nodes {
        let mut row: Vec<f64> = (0..clusters)
            .map(|c| {
                if c % 3 == 2 {
                    0.0
                } else {
                    // None so small that the cluster is left out (1e-9): in a
                    // graph of one node, that alone would exceed the tolerance
                    // of dK.
                    f64::from(random.uniform().powi(4).max(1e-7) as f32)
                }
            })
            .collect();
        let sum: f64 = row.iter().sum::<f64>() + 1e-3;
        row.iter_mut()
            .for_each(|x| *x = f64::from((*x / sum) as f32));
        s.extend(row);
    }
    let mut k = vec![0.0; clusters * clusters];
    for i in 0..clusters {
        for j in 0..clusters {
            let x = f64::from((4.0 * random.uniform() - 2.0) as f32);
            k[i * clusters + j] = x;
            if !directed {
                k[j * clusters + i] = x;
            }
        }
    }
    let mut entries = Vec::new();
    for b in 0..sizes.len() {
        for u in offsets[b]..offsets[b + 1] {
            for v in offsets[b]..offsets[b + 1] {
                if (directed || u <= v) && random.uniform() < density {
                    let w = if weighted {
                        f64::from(random.uniform() as f32)
                    } else {
                        1.0
                    };
                    entries.push((u, v, w));
                    if !directed && u != v {
                        entries.push((v, u, w));
                    }
                }
            }
        }
    }
    let rows = OwnedRows::new(nodes, &entries, weighted);
    let weights = sizes
        .iter()
        .map(|_| PairWeights {
            positive: 0.5 + random.uniform(),
            negative: 0.1 + random.uniform(),
        })
        .collect();
    Case {
        offsets,
        clusters,
        s,
        k,
        rows,
        symmetric: !directed,
        weights,
    }
}

fn run<T: Real>(case: &Case) -> BlockLoss<T> {
    let (s, k): (Vec<T>, Vec<T>) = (
        case.s.iter().map(|&x| T::of(x)).collect(),
        case.k.iter().map(|&x| T::of(x)).collect(),
    );
    let assignments = Assignments {
        values: &s,
        clusters: case.clusters,
        offsets: &case.offsets,
    };
    let transpose = case.rows.transpose();
    let targets = Targets {
        rows: case.rows.view(),
        columns: (!case.symmetric).then(|| transpose.view()),
    };
    dense_loss(assignments, &k, targets, &case.weights, true)
}

/// A gradient entry is a sum of up to 40 terms of either sign. Each addition may
/// round by half an ulp (6e-8), and cancellation makes the result smaller than its
/// terms.
const SINGLE_SUMS: f64 = 4e-6;

fn check(case: &Case) {
    let pairs = all_pairs(&case.rows, &case.offsets, &case.weights);
    let (loss, ds, dk) = brute_force(&case.s, case.clusters, &case.k, &pairs);
    let double = run::<f64>(case);
    assert_close("loss", &[double.total()], &[loss], 1e-12);
    assert_close("dS", &double.by_assignments, &ds, 1e-8);
    assert_close("dK", &double.by_block_matrix, &dk, 1e-12);
    let single = run::<f32>(case);
    assert_close("loss in f32", &[single.total()], &[loss], 1e-6);
    let widen = |x: &[f32]| x.iter().map(|&x| f64::from(x)).collect::<Vec<_>>();
    assert_close(
        "dS in f32",
        &widen(&single.by_assignments),
        &ds,
        SINGLE_SUMS,
    );
    assert_close(
        "dK in f32",
        &widen(&single.by_block_matrix),
        &dk,
        SINGLE_SUMS,
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn tiles_match_brute_force(
        seed in any::<u64>(),
        sizes in prop::collection::vec(0..40_usize, 1..6),
        clusters in 2..13_usize,
        density in 0.0..1.0_f64,
        directed in any::<bool>(),
        weighted in any::<bool>(),
    ) {
        check(&case(seed, &sizes, clusters, density, directed, weighted));
    }
}

#[test]
fn several_tiles_match_brute_force() {
    for (directed, weighted) in [(false, false), (true, true)] {
        check(&case(5, &[200, 1, 97], 11, 0.03, directed, weighted));
    }
}

#[test]
fn complete_graph_single_node_and_no_edges_are_finite() {
    for (sizes, density) in [
        (vec![1], 0.0),
        (vec![1], 1.1),
        (vec![30], 1.1),
        (vec![30], 0.0),
        (vec![0, 3], 0.5),
    ] {
        let case = case(3, &sizes, 4, density, false, false);
        let loss = run::<f32>(&case);
        assert!(loss.total().is_finite());
        assert!(
            loss.by_assignments
                .iter()
                .chain(&loss.by_block_matrix)
                .all(|x| x.is_finite())
        );
        check(&case);
    }
}

#[test]
fn gradient_by_k_is_symmetric_to_the_last_bit() {
    let case = case(8, &[150, 40], 9, 0.05, false, true);
    let loss = run::<f32>(&case);
    for i in 0..9 {
        for j in 0..9 {
            assert_eq!(
                loss.by_block_matrix[i * 9 + j].to_bits(),
                loss.by_block_matrix[j * 9 + i].to_bits()
            );
        }
    }
}

#[test]
fn threads_change_no_bit() {
    for directed in [false, true] {
        let case = case(4, &[400, 30, 250], 20, 0.02, directed, false);
        let with = |threads: usize| {
            rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .expect("a thread pool")
                .install(|| run::<f32>(&case))
        };
        assert_eq!(with(1), with(2));
        assert_eq!(with(1), with(5));
    }
}

#[test]
fn batch_is_the_same_as_one_by_one() {
    let batch = case(12, &[30, 110, 7], 8, 0.1, false, false);
    let together = run::<f32>(&batch);
    for b in 0..3 {
        let range = batch.offsets[b]..batch.offsets[b + 1];
        let alone = Case {
            offsets: vec![0, range.len()],
            s: batch.s[range.start * 8..range.end * 8].to_vec(),
            k: batch.k.clone(),
            rows: batch.rows.slice(range.clone()),
            weights: vec![batch.weights[b]],
            clusters: 8,
            symmetric: true,
        };
        let alone = run::<f32>(&alone);
        assert_eq!(alone.graphs[0], together.graphs[b]);
        assert_eq!(
            alone.by_assignments,
            together.by_assignments[range.start * 8..range.end * 8]
        );
    }
}

#[test]
fn sparse_loss_matches_brute_force() {
    for directed in [false, true] {
        let case = case(21, &[20, 45], 7, 0.1, directed, false);
        let mut random = Random::new(77);
        let mut negatives = Vec::new();
        for b in 0..2 {
            for u in case.offsets[b]..case.offsets[b + 1] {
                for v in case.offsets[b]..u {
                    if case.rows.get(u, v) == 0.0
                        && case.rows.get(v, u) == 0.0
                        && random.uniform() < 0.1
                    {
                        negatives.push((u, v, 1.0));
                        negatives.push((v, u, 1.0));
                    }
                }
            }
        }
        let negatives = OwnedRows::new(case.offsets[2], &negatives, false);
        let graph = |u: usize| usize::from(u >= case.offsets[1]);
        let mut pairs = Vec::new();
        for u in 0..case.offsets[2] {
            for v in case.rows.view().row(u) {
                pairs.push((u, *v as usize, 1.0, case.weights[graph(u)].positive));
            }
            for v in negatives.view().row(u) {
                pairs.push((u, *v as usize, 0.0, case.weights[graph(u)].negative));
            }
        }
        let (loss, ds, dk) = brute_force(&case.s, 7, &case.k, &pairs);
        let transpose = case.rows.transpose();
        let targets = Targets {
            rows: case.rows.view(),
            columns: directed.then(|| transpose.view()),
        };
        let assignments = Assignments {
            values: &case.s,
            clusters: 7,
            offsets: &case.offsets,
        };
        let got = sparse_loss(
            assignments,
            &case.k,
            targets,
            negatives.view(),
            &case.weights,
            true,
        );
        assert_close("loss", &[got.total()], &[loss], 1e-12);
        assert_close("dS", &got.by_assignments, &ds, 1e-8);
        assert_close("dK", &got.by_block_matrix, &dk, 1e-12);
        let _: SparseRows<'_> = negatives.view();
    }
}
