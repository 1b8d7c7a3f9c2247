//! Sparse products and coarsening.

use bnpool_math::kernel::{Activation, Addend, SparseRows, lift, reduce, spmm};
use bnpool_math::stream::{Purpose, Stream};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

fn bench(c: &mut Criterion) {
    let (nodes, degree, width, clusters) = (19_717, 5, 32, 50);
    let mut draws = Stream::new(3, Purpose::Other(3), 0).draws(0);
    let mut offsets = vec![0];
    let mut columns = Vec::new();
    for _ in 0..nodes {
        let mut row: Vec<u32> = (0..degree)
            .map(|_| draws.below(nodes as u64) as u32)
            .collect();
        row.sort_unstable();
        row.dedup();
        columns.extend(row);
        offsets.push(columns.len());
    }
    let a = SparseRows {
        offsets: &offsets,
        columns: &columns,
        weights: None,
        columns_count: nodes,
    };
    let x: Vec<f32> = (0..nodes * width).map(|_| draws.uniform() as f32).collect();
    let s: Vec<f32> = (0..nodes * clusters)
        .map(|_| draws.uniform() as f32)
        .collect();
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("a thread pool");
        let mut group = c.benchmark_group("message passing");
        group.throughput(Throughput::Elements((columns.len() * width) as u64));
        group.bench_function(
            BenchmarkId::new("spmm, PubMed, width 32", format!("{threads} threads")),
            |bencher| {
                bencher.iter(|| {
                    pool.install(|| spmm(a, black_box(&x), width, Addend::None, Activation::None))
                });
            },
        );
        group.finish();
        let mut group = c.benchmark_group("coarsening");
        let graph = [0, nodes];
        group.bench_function(
            BenchmarkId::new("SᵀX, PubMed, 50 × 32", format!("{threads} threads")),
            |bencher| {
                bencher.iter(|| {
                    pool.install(|| {
                        black_box(reduce(&graph, &s, clusters, &x, width, Addend::None))
                    })
                });
            },
        );
        let p = reduce(&graph, &s, clusters, &x, width, Addend::None);
        group.bench_function(
            BenchmarkId::new("S P, PubMed, 50 × 32", format!("{threads} threads")),
            |bencher| {
                bencher.iter(|| {
                    pool.install(|| black_box(lift(&graph, &s, clusters, &p, width, Addend::None)))
                });
            },
        );
        group.finish();
    }
}

criterion_group!(benches, bench);
criterion_main!(benches);
