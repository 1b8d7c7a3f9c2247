//! The reconstruction losses, forward and backward in one pass.

use bnpool_math::kernel::{
    Assignments, PairWeights, SparseRows, Targets, dense_loss, sample_negatives, sparse_loss,
};
use bnpool_math::stream::{Purpose, Stream};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use std::hint::black_box;

/// A random graph of the size of a citation network, and soft assignments.
struct Problem {
    offsets: Vec<usize>,
    columns: Vec<u32>,
    s: Vec<f32>,
    k: Vec<f32>,
    nodes: usize,
    clusters: usize,
}

impl Problem {
    fn new(nodes: usize, degree: usize, clusters: usize, used: usize) -> Self {
        let mut draws = Stream::new(1, Purpose::Other(2), 0).draws(0);
        let mut rows = vec![std::collections::BTreeSet::new(); nodes];
        for _ in 0..nodes * degree / 2 {
            let (u, v) = (draws.below(nodes as u64), draws.below(nodes as u64));
            if u != v {
                rows[u as usize].insert(v as u32);
                rows[v as usize].insert(u as u32);
            }
        }
        let mut offsets = vec![0];
        let mut columns = Vec::new();
        for row in rows {
            columns.extend(row);
            offsets.push(columns.len());
        }
        let mut s = Vec::with_capacity(nodes * clusters);
        for _ in 0..nodes {
            let row: Vec<f64> = (0..clusters)
                .map(|c| {
                    if c < used {
                        draws.uniform().powi(6)
                    } else {
                        0.0
                    }
                })
                .collect();
            let sum: f64 = row.iter().sum();
            s.extend(row.iter().map(|x| (x / sum) as f32));
        }
        let mut k = vec![-1.0_f32; clusters * clusters];
        for c in 0..clusters {
            k[c * clusters + c] = 1.0;
        }
        Self {
            offsets,
            columns,
            s,
            k,
            nodes,
            clusters,
        }
    }

    fn rows(&self) -> SparseRows<'_> {
        SparseRows {
            offsets: &self.offsets,
            columns: &self.columns,
            weights: None,
            columns_count: self.nodes,
        }
    }
}

fn bench(c: &mut Criterion) {
    let mut group = c.benchmark_group("dense loss");
    group.sample_size(10);
    for (name, nodes, used) in [
        ("Cora, 50 of 50 clusters used", 2708, 50),
        ("Cora, 12 of 50 clusters used", 2708, 12),
        ("PubMed, 50 of 50 clusters used", 19_717, 50),
    ] {
        let problem = Problem::new(nodes, 4, 50, used);
        let offsets = [0, nodes];
        let weights = [PairWeights {
            positive: 1e-5,
            negative: 1e-7,
        }];
        for threads in [1, 2] {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .expect("a thread pool");
            group.bench_function(
                BenchmarkId::new(name, format!("{threads} threads")),
                |bencher| {
                    bencher.iter(|| {
                        let assignments = Assignments {
                            values: &problem.s,
                            clusters: problem.clusters,
                            offsets: &offsets,
                        };
                        let targets = Targets {
                            rows: problem.rows(),
                            columns: None,
                        };
                        pool.install(|| {
                            black_box(dense_loss(assignments, &problem.k, targets, &weights, true))
                        })
                    });
                },
            );
        }
    }
    group.finish();

    let mut group = c.benchmark_group("dense loss of many graphs");
    let (graphs, size) = (128, 32);
    let problem = Problem::new(graphs * size, 4, 50, 50);
    // Split into graphs: keep only the edges inside each one.
    let offsets: Vec<usize> = (0..=graphs).map(|b| b * size).collect();
    let (mut inner, mut columns) = (vec![0], Vec::new());
    for u in 0..problem.nodes {
        let b = u / size;
        columns.extend(
            (b * size..(b + 1) * size)
                .filter(|v| (u + v) % 9 == 0)
                .map(|v| v as u32),
        );
        inner.push(columns.len());
    }
    let rows = SparseRows {
        offsets: &inner,
        columns: &columns,
        weights: None,
        columns_count: problem.nodes,
    };
    let weights = vec![
        PairWeights {
            positive: 1e-2,
            negative: 1e-3
        };
        graphs
    ];
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("a thread pool");
        group.bench_function(
            BenchmarkId::new("128 graphs of 32 nodes", format!("{threads} threads")),
            |bencher| {
                bencher.iter(|| {
                    let assignments = Assignments {
                        values: &problem.s,
                        clusters: 50,
                        offsets: &offsets,
                    };
                    pool.install(|| {
                        black_box(dense_loss(
                            assignments,
                            &problem.k,
                            Targets {
                                rows,
                                columns: None,
                            },
                            &weights,
                            true,
                        ))
                    })
                });
            },
        );
    }
    group.finish();

    let mut group = c.benchmark_group("sparse loss");
    let problem = Problem::new(19_717, 4, 50, 50);
    let offsets = [0, problem.nodes];
    let weights = [PairWeights {
        positive: 1e-5,
        negative: 1e-5,
    }];
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("a thread pool");
        group.bench_function(
            BenchmarkId::new("PubMed, with new negatives", format!("{threads} threads")),
            |bencher| {
                let mut step = 0;
                bencher.iter(|| {
                    step += 1;
                    let stream = Stream::new(0, Purpose::NegativeEdges, step);
                    pool.install(|| {
                        let negatives = sample_negatives(problem.rows(), &offsets, &[0], &stream);
                        let assignments = Assignments {
                            values: &problem.s,
                            clusters: 50,
                            offsets: &offsets,
                        };
                        let edges = Targets {
                            rows: problem.rows(),
                            columns: None,
                        };
                        black_box(sparse_loss(
                            assignments,
                            &problem.k,
                            edges,
                            negatives.view(),
                            &weights,
                            true,
                        ))
                    })
                });
            },
        );
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
