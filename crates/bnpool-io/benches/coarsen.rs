//! Coarsening all graphs of a set, in parallel over the graphs: generated ones of
//! the size of ENZYMES, and ENZYMES and DD if `BNPOOL_DATA` (or `../shared/data`
//! beside the workspace) has them.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bnpool_graph::Csr;
use bnpool_graph::coarsen::{
    Connect, Matcher, SpectralClustering, coarsen_graph, coding_tree, graclus, independent_set,
    local_modes, scores_by_neighbourhood, spectral_clusters,
};
use bnpool_io::dataset::{self, Cache, LoadOptions};
use bnpool_math::stream::{Purpose, Stream};
use criterion::{Criterion, criterion_group, criterion_main};
use rayon::prelude::*;

/// That of the command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// 600 rings of 3 to 61 nodes in which nodes have also edges to the next but one: four
/// neighbours each, as the proteins of ENZYMES have.
fn generated() -> Vec<Csr> {
    let stream = Stream::new(0, Purpose::Generator, 0);
    let graph = |index: u64| {
        let mut draws = stream.draws(index);
        let nodes = 3 + draws.below(59) as u32;
        let mut edges = Vec::new();
        for u in 0..nodes {
            for step in [1, 2] {
                // One of ten edges leads somewhere else.
                let far = draws.below(10) == 0;
                let v = if far {
                    draws.below(u64::from(nodes)) as u32
                } else {
                    (u + step) % nodes
                };
                if u != v {
                    edges.extend([(u, v), (v, u)]);
                }
            }
        }
        Csr::from_edges(nodes as usize, edges).expect("a graph")
    };
    (0..600).map(graph).collect()
}

fn real(name: &str) -> Option<Vec<Csr>> {
    let folder = std::env::var_os("BNPOOL_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let options = LoadOptions {
        data_dir: Some(folder),
        generate: None,
        cache: Cache::Off,
        ..LoadOptions::paper()
    };
    match dataset::load(name, &options) {
        Ok(set) => Some(set.graphs.iter().map(|g| g.adjacency().clone()).collect()),
        Err(error) => {
            println!("skipped {name}: {error}");
            None
        }
    }
}

/// Half of the mean number of nodes, as the comparison of the paper has it.
fn clusters(graphs: &[Csr]) -> usize {
    let nodes: usize = graphs.iter().map(Csr::rows).sum();
    nodes / graphs.len() / 2
}

/// Draws of the size of learnt scores.
fn scores(count: usize, index: u64) -> Vec<f32> {
    let mut draws = Stream::new(1, Purpose::Features, 0).draws(index);
    (0..count).map(|_| draws.uniform() as f32).collect()
}

fn coarsen(c: &mut Criterion) {
    let sets = [
        ("generated", Some(generated())),
        ("ENZYMES", real("ENZYMES")),
        ("DD", real("DD")),
    ];
    for (name, graphs) in sets {
        let Some(graphs) = graphs else { continue };
        let mut group = c.benchmark_group(name);
        group
            .sample_size(10)
            .warm_up_time(Duration::from_millis(500))
            .measurement_time(Duration::from_secs(3));
        let of_nodes: Vec<Vec<f32>> = (0..)
            .zip(&graphs)
            .map(|(i, g)| scores(g.rows(), i))
            .collect();
        let of_edges: Vec<Vec<f32>> = (0..)
            .zip(&graphs)
            .map(|(i, g)| scores(g.entries(), i))
            .collect();
        group.bench_function("graclus", |b| {
            b.iter(|| {
                graphs
                    .par_iter()
                    .for_each(|g| drop(black_box(graclus(g, 0))))
            });
        });
        group.bench_function("k-MIS, order 2", |b| {
            b.iter(|| {
                graphs.par_iter().zip(&of_nodes).for_each(|(g, scores)| {
                    let ranks = scores_by_neighbourhood(g, scores, 2).expect("ranks");
                    drop(black_box(independent_set(g, &ranks, 2)));
                });
            });
        });
        group.bench_function("edge contraction", |b| {
            b.iter(|| {
                let all = graphs.par_iter().zip(&of_edges);
                all.for_each_init(Matcher::default, |matcher, (g, scores)| {
                    drop(black_box(matcher.contract(g, scores)));
                });
            });
        });
        for height in [2, 3] {
            group.bench_function(format!("coding tree, height {height}"), |b| {
                b.iter(|| {
                    graphs
                        .par_iter()
                        .for_each(|g| drop(black_box(coding_tree(g, height))))
                });
            });
        }
        group.bench_function("coarsened graph", |b| {
            let pairs: Vec<_> = graphs
                .iter()
                .map(|g| graclus(g, 0).expect("pairs"))
                .collect();
            b.iter(|| {
                graphs.par_iter().zip(&pairs).for_each(|(g, pairs)| {
                    drop(black_box(coarsen_graph(g, pairs, &Connect::default())));
                });
            });
        });
        let config = SpectralClustering::new(clusters(&graphs));
        let eigen = || {
            graphs.par_iter().for_each(|g| {
                let found = spectral_clusters(g, &config).expect("clusters");
                drop(black_box(local_modes(g, &found, 3)));
            });
        };
        if config.clusters <= 50 {
            group.bench_function("eigen", |b| b.iter(eigen));
        } else {
            // Ten samples would take minutes.
            let start = Instant::now();
            eigen();
            println!("{name}/eigen, once: {:.2?}", start.elapsed());
        }
        group.finish();
    }
}

criterion_group!(benches, coarsen);
criterion_main!(benches);
