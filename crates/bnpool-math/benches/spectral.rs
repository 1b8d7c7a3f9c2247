//! Leading eigenvectors of graphs with planted groups.

use bnpool_math::kernel::SparseRows;
use bnpool_math::spectral::{SpectralConfig, leading_eigenvectors};
use bnpool_math::stream::{Purpose, Stream};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use std::hint::black_box;

/// Offsets and columns of a random graph of `nodes` nodes in `groups` groups,
/// with four fifths of the edges inside groups.
fn planted(nodes: usize, groups: usize, degree: usize) -> (Vec<usize>, Vec<u32>) {
    let mut draws = Stream::new(0, Purpose::Other(3), 0).draws(0);
    let mut rows = vec![std::collections::BTreeSet::new(); nodes];
    for _ in 0..nodes * degree / 2 {
        let u = draws.below(nodes as u64) as usize;
        let mut v = draws.below(nodes as u64) as usize;
        if draws.uniform() < 0.8 {
            // Groups are residue classes: round v down to the residue of u.
            v = v / groups * groups + u % groups;
        }
        if u != v && v < nodes {
            rows[u].insert(v as u32);
            rows[v].insert(u as u32);
        }
    }
    let (mut offsets, mut columns) = (vec![0], Vec::new());
    for row in rows {
        columns.extend(row);
        offsets.push(columns.len());
    }
    (offsets, columns)
}

fn bench(c: &mut Criterion) {
    let mut group = c.benchmark_group("leading eigenvectors");
    group.sample_size(10);
    for nodes in [600, 2708, 19_717] {
        let (offsets, columns) = planted(nodes, 6, 6);
        let rows = SparseRows {
            offsets: &offsets,
            columns: &columns,
            weights: None,
            columns_count: nodes,
        };
        for (count, threads) in [(16, 1), (16, 2), (32, 1), (32, 2)] {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .expect("a thread pool");
            let name = format!("{nodes} nodes, {count} vectors");
            let id = BenchmarkId::new(name, format!("{threads} threads"));
            group.bench_function(id, |bencher| {
                bencher.iter(|| {
                    pool.install(|| {
                        black_box(leading_eigenvectors(
                            rows,
                            count,
                            &SpectralConfig::default(),
                        ))
                    })
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
