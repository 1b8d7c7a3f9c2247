//! Beta variates, pathwise derivatives, divergence and sticks: time per element
//! is the reported time divided by the number of elements (criterion prints
//! both).

use bnpool_math::beta::{Fractions, Posterior, Prior, RowKeys, Wanted, stick_lengths};
use bnpool_math::stream::{Purpose, Stream};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

const NODES: usize = 1024;
const STICKS: usize = 49;

/// Posterior parameters between two bounds, uniform in the logarithm.
fn parameters(low: f64, high: f64) -> Vec<f32> {
    let mut draws = Stream::new(0, Purpose::Other(1), 0).draws(0);
    (0..NODES * 2 * STICKS)
        .map(|_| (low * (high / low).powf(draws.uniform())) as f32)
        .collect()
}

fn pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .expect("a thread pool")
}

fn bench(c: &mut Criterion) {
    let mut group = c.benchmark_group("beta");
    group.throughput(Throughput::Elements((NODES * STICKS) as u64));
    // A small β exhausts the stick early. β = 10 α keeps every stick in use, so
    // nothing is skipped and the time is that of the arithmetic.
    for (name, alpha, beta) in [
        ("typical", (0.3, 3.0), (0.3, 3.0)),
        ("no stick skipped", (0.3, 3.0), (30.0, 60.0)),
        ("prior", (1.0, 1.0), (10.0, 10.0)),
    ] {
        let (a, b) = (parameters(alpha.0, alpha.1), parameters(beta.0, beta.1));
        let mut rows = Vec::with_capacity(a.len());
        for (a, b) in a.chunks(2 * STICKS).zip(b.chunks(2 * STICKS)) {
            rows.extend_from_slice(&a[..STICKS]);
            rows.extend_from_slice(&b[..STICKS]);
        }
        for (part, wanted) in [
            ("sample", Wanted::default()),
            (
                "sample+derivative",
                Wanted {
                    gradients: true,
                    divergence_from: None,
                },
            ),
            (
                "sample+derivative+divergence",
                Wanted {
                    gradients: true,
                    divergence_from: Some(Prior::new(10.0)),
                },
            ),
        ] {
            for threads in [1, 2] {
                let pool = pool(threads);
                let id = BenchmarkId::new(format!("{part}, {name}"), format!("{threads} threads"));
                group.bench_function(id, |bencher| {
                    let mut step = 0;
                    bencher.iter(|| {
                        step += 1;
                        let from = Fractions::Sample {
                            stream: Stream::new(0, Purpose::StickFractions, step),
                            rows: RowKeys {
                                offsets: &[0, NODES],
                                graphs: &[0],
                                first: 0,
                            },
                        };
                        pool.install(|| {
                            black_box(Posterior::new(&rows, STICKS).pass(from, 1, wanted))
                        })
                    });
                });
            }
        }
    }
    group.finish();

    let mut group = c.benchmark_group("sticks");
    group.throughput(Throughput::Elements((NODES * STICKS) as u64));
    let logits = vec![-2.0_f32; NODES * STICKS];
    let mut lengths = vec![0.0_f32; NODES * (STICKS + 1)];
    group.bench_function("forward", |bencher| {
        bencher.iter(|| {
            for (l, out) in logits.chunks(STICKS).zip(lengths.chunks_mut(STICKS + 1)) {
                stick_lengths(black_box(l), out);
            }
        });
    });
    let rows = parameters(0.3, 3.0);
    let from = Fractions::Given(&logits);
    let pass = Posterior::new(&rows, STICKS).pass(
        from,
        1,
        Wanted {
            gradients: true,
            divergence_from: None,
        },
    );
    let one = pool(1);
    group.bench_function("backward to α and β", |bencher| {
        bencher.iter(|| one.install(|| pass.backward(black_box(&lengths), black_box(&lengths))));
    });
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
