//! The sparse loss and its negatives on graphs that are split into several
//! tasks.

use crate::matrix::{OwnedRows, Random, assert_close, brute_force};
use bnpool_math::kernel::{
    Assignments, BlockLoss, Negatives, PairWeights, SomeRows, SparseRows, Targets, padded_width,
    sample_negatives, sparse_loss, sparse_loss_of_rows,
};
use bnpool_math::stream::{Purpose, Stream};
use std::collections::BTreeSet;

const CLUSTERS: usize = 7;
const WEIGHTS: PairWeights = PairWeights {
    positive: 0.5,
    negative: 0.75,
};

/// A graph of two thousand nodes: three tasks, a hub with more neighbours than
/// are processed together, and isolated nodes at the end.
struct Case {
    nodes: usize,
    rows: OwnedRows,
    transpose: Option<OwnedRows>,
    s: Vec<f64>,
    k: Vec<f64>,
}

fn case(directed: bool, symmetric_k: bool) -> Case {
    let mut random = Random::new(3);
    let nodes = 2001;
    let mut edges = BTreeSet::new();
    let mut join = |u: usize, v: usize| {
        edges.insert((u, v));
        if !directed {
            edges.insert((v, u));
        }
    };
    for v in 1..400 {
        join(1000, v);
    }
    for _ in 0..4000 {
        let mut node = || (random.uniform() * 1990.0) as usize;
        join(node(), node());
    }
    let edges: Vec<_> = edges.into_iter().map(|(u, v)| (u, v, 1.0)).collect();
    let rows = OwnedRows::new(nodes, &edges, false);
    let mut s: Vec<f64> = (0..nodes * CLUSTERS).map(|_| random.uniform()).collect();
    for row in s.chunks_exact_mut(CLUSTERS) {
        // An unused cluster.
        row[3] = 0.0;
        let sum: f64 = row.iter().sum();
        row.iter_mut().for_each(|x| *x /= sum);
    }
    let mut k = random.vector(CLUSTERS * CLUSTERS);
    if symmetric_k {
        for i in 0..CLUSTERS {
            for j in 0..i {
                k[i * CLUSTERS + j] = k[j * CLUSTERS + i];
            }
        }
    }
    Case {
        nodes,
        transpose: directed.then(|| rows.transpose()),
        rows,
        s,
        k,
    }
}

impl Case {
    fn negatives(&self, step: u64) -> Negatives {
        let stream = Stream::new(0, Purpose::NegativeEdges, step);
        sample_negatives(self.rows.view(), &[0, self.nodes], &[4], &stream)
    }

    fn loss(&self, negatives: &Negatives, gradients: bool) -> BlockLoss<f64> {
        let assignments = Assignments {
            values: &self.s,
            clusters: CLUSTERS,
            offsets: &[0, self.nodes],
        };
        let edges = Targets {
            rows: self.rows.view(),
            columns: self.transpose.as_ref().map(OwnedRows::view),
        };
        let weights = [WEIGHTS];
        sparse_loss(
            assignments,
            &self.k,
            edges,
            negatives.view(),
            &weights,
            gradients,
        )
    }
}

fn on<R: Send>(threads: usize, run: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .expect("a thread pool")
        .install(run)
}

#[test]
fn several_tasks_match_brute_force() {
    for (directed, symmetric_k) in [(false, true), (false, false), (true, true), (true, false)] {
        let case = case(directed, symmetric_k);
        let negatives = case.negatives(0);
        let mut pairs = Vec::new();
        for u in 0..case.nodes {
            for &v in case.rows.view().row(u) {
                pairs.push((u, v as usize, 1.0, WEIGHTS.positive));
            }
            for &v in negatives.view().row(u) {
                pairs.push((u, v as usize, 0.0, WEIGHTS.negative));
            }
        }
        let (loss, by_s, by_k) = brute_force(&case.s, CLUSTERS, &case.k, &pairs);
        let got = case.loss(&negatives, true);
        assert_close("loss", &[got.total()], &[loss], 1e-12);
        assert_close("∂S", &got.by_assignments, &by_s, 1e-12);
        assert_close("∂K", &got.by_block_matrix, &by_k, 1e-12);
        let alone = case.loss(&negatives, false);
        assert_eq!(alone.graphs, got.graphs, "without gradients");
        assert!(alone.by_assignments.is_empty() && alone.by_block_matrix.is_empty());
    }
}

#[test]
fn threads_change_no_bit() {
    for directed in [false, true] {
        let case = case(directed, true);
        let run = |threads| {
            on(threads, || {
                let negatives = case.negatives(1);
                (case.loss(&negatives, true), negatives)
            })
        };
        let one = run(1);
        assert_eq!(one, run(2));
        assert_eq!(one, run(5));
    }
}

#[test]
fn negatives_of_many_nodes_are_pairs_without_edges() {
    for directed in [false, true] {
        let case = case(directed, true);
        let negatives = case.negatives(2);
        let (edges, view) = (case.rows.view(), negatives.view());
        let mut loops = 0;
        for u in 0..case.nodes {
            loops += edges.row(u).iter().filter(|&&v| v as usize == u).count();
            assert!(
                view.row(u).is_sorted_by(|a, b| a < b),
                "sorted, no duplicates"
            );
            for &v in view.row(u) {
                let (own, back) = (u as u32, v as usize);
                assert_ne!(own, v, "no loops");
                assert!(!edges.row(u).contains(&v) && !edges.row(back).contains(&own));
                assert!(view.row(back).contains(&own), "both directions");
            }
        }
        let want = (edges.entries() - loops) / 2 * 2;
        assert_eq!((view.entries(), negatives.counts()), (want, &[want][..]));
    }
}

fn view((offsets, columns): &(Vec<usize>, Vec<u32>), columns_count: usize) -> SparseRows<'_> {
    SparseRows {
        offsets,
        columns,
        weights: None,
        columns_count,
    }
}

/// The loss of the rows of `range`; the rows at the other end of their pairs are
/// stored after them.
fn loss_of_rows(
    case: &Case,
    negatives: &Negatives,
    range: std::ops::Range<usize>,
) -> BlockLoss<f64> {
    let mut places: Vec<usize> = range.clone().collect();
    let mut local = |rows: SparseRows<'_>| {
        let (mut offsets, mut columns) = (vec![0], Vec::new());
        for u in range.clone() {
            for &v in rows.row(u) {
                let v = v as usize;
                match places.iter().position(|&p| p == v) {
                    Some(place) => columns.push(place as u32),
                    None => {
                        columns.push(places.len() as u32);
                        places.push(v);
                    }
                }
            }
            offsets.push(columns.len());
        }
        (offsets, columns)
    };
    let (edges, negatives) = (local(case.rows.view()), local(negatives.view()));
    let width = padded_width(CLUSTERS);
    let mut assignments = vec![0.0; places.len() * width];
    for (row, &v) in assignments.chunks_exact_mut(width).zip(&places) {
        row[..CLUSTERS].copy_from_slice(&case.s[v * CLUSTERS..(v + 1) * CLUSTERS]);
    }
    let some = SomeRows {
        assignments,
        clusters: CLUSTERS,
        edges: view(&edges, places.len()),
        negatives: view(&negatives, places.len()),
    };
    sparse_loss_of_rows(some, &case.k, WEIGHTS, true)
}

#[test]
fn rows_in_parts_have_the_loss_and_gradients_of_the_whole() {
    let case = case(false, true);
    let negatives = case.negatives(0);
    let whole = case.loss(&negatives, true);
    for cuts in [vec![0, 2001], vec![0, 96, 97, 97, 1000, 2001]] {
        let (mut loss, mut by_s) = (0.0, Vec::new());
        let mut by_k = vec![0.0; CLUSTERS * CLUSTERS];
        for cut in cuts.windows(2) {
            let part = loss_of_rows(&case, &negatives, cut[0]..cut[1]);
            loss += part.total();
            by_s.extend(part.by_assignments);
            for (sum, x) in by_k.iter_mut().zip(part.by_block_matrix) {
                *sum += x;
            }
        }
        assert!((loss - whole.total()).abs() < 1e-9 * whole.total());
        assert_close("by S", &by_s, &whole.by_assignments, 1e-10);
        assert_close("by K", &by_k, &whole.by_block_matrix, 1e-10);
    }
}
