//! Reading text into graphs, from bytes in memory (edge lists) or in the file
//! cache (TU data sets) to finished graphs: criterion prints bytes a second.

use std::fmt::Write;
use std::hint::black_box;

use bnpool_io::format::tu::{TuOptions, read_tu};
use bnpool_io::format::{Format, Limits, ReadOptions, Source, read_source};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};

/// That of the command: it decides how large the pages of large tables are.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const BYTES: usize = 50_000_000;

/// Numbers that look random and are the same everywhere.
struct Draws(u64);

impl Draws {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((u128::from(self.0 >> 16) * u128::from(bound)) >> 48) as u64
    }
}

/// Edges between a million nodes, a line each as `line` writes it, sorted by
/// source as files usually are, or not at all.
fn edge_list(sorted: bool, line: impl Fn(&mut String, u64, u64)) -> String {
    const NODES: u64 = 1_000_000;
    let mut draws = Draws(1);
    let mut text = String::with_capacity(BYTES + 64);
    while text.len() < BYTES {
        let source = if sorted {
            (text.len() as u64 * NODES) / BYTES as u64
        } else {
            draws.below(NODES)
        };
        line(&mut text, source, draws.below(NODES));
    }
    text
}

fn edge_lists(c: &mut Criterion) {
    let mut group = c.benchmark_group("edge list");
    group.sample_size(10);
    let plain = |text: &mut String, u, v| writeln!(text, "{u},{v}").unwrap();
    let weighted = |text: &mut String, u, v| writeln!(text, "{u}\t{v}\t0.{}", v % 1000).unwrap();
    let named = |text: &mut String, u, v| writeln!(text, "user{u} user{v}").unwrap();
    for (name, text, directed) in [
        ("sorted, directions kept", edge_list(true, plain), true),
        ("sorted, symmetrised", edge_list(true, plain), false),
        ("shuffled, directions kept", edge_list(false, plain), true),
        ("shuffled, symmetrised", edge_list(false, plain), false),
        ("weighted, directions kept", edge_list(true, weighted), true),
        ("named, directions kept", edge_list(true, named), true),
        (
            "named, shuffled, directions kept",
            edge_list(false, named),
            true,
        ),
        (
            "named, shuffled, symmetrised",
            edge_list(false, named),
            false,
        ),
    ] {
        let options = ReadOptions {
            directed,
            ..ReadOptions::default()
        };
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(name, |bencher| {
            bencher.iter_batched(
                || Source::from_bytes("e.csv", text.clone().into(), &Limits::default()).unwrap(),
                |source| black_box(read_source(source, Format::EdgeList, &options).unwrap()),
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

fn tu_sets(c: &mut Criterion) {
    const NODES_A_GRAPH: u64 = 400;
    const EDGES_A_GRAPH: u64 = 1000;
    let folder = tempfile::tempdir().unwrap();
    let mut draws = Draws(2);
    let (mut edges, mut indicator, mut attributes, mut labels) =
        (String::new(), String::new(), String::new(), String::new());
    let mut graphs = 0;
    while edges.len() + indicator.len() + attributes.len() < BYTES {
        let first = 1 + graphs * NODES_A_GRAPH;
        graphs += 1;
        for _ in 0..EDGES_A_GRAPH {
            let (u, v) = (draws.below(NODES_A_GRAPH), draws.below(NODES_A_GRAPH));
            writeln!(
                edges,
                "{}, {}\n{}, {}",
                first + u,
                first + v,
                first + v,
                first + u
            )
            .unwrap();
        }
        for _ in 0..NODES_A_GRAPH {
            writeln!(indicator, "{graphs}").unwrap();
            let (x, y) = (draws.below(1_000_000), draws.below(1_000_000));
            writeln!(attributes, "0.{x:06}, -{y}.5").unwrap();
        }
        writeln!(labels, "{}", graphs % 2).unwrap();
    }
    let mut bytes = 0;
    for (part, text) in [
        ("A", edges),
        ("graph_indicator", indicator),
        ("node_attributes", attributes),
        ("graph_labels", labels),
    ] {
        bytes += text.len();
        std::fs::write(folder.path().join(format!("T_{part}.txt")), text).unwrap();
    }
    let options = TuOptions {
        node_attributes: true,
        ..TuOptions::default()
    };
    let mut group = c.benchmark_group("TU text");
    group.sample_size(10);
    group.throughput(Throughput::Bytes(bytes as u64));
    group.bench_function("edges, indicator, attributes", |bencher| {
        bencher.iter(|| black_box(read_tu(folder.path(), &options).unwrap()));
    });
    group.finish();
}

criterion_group!(benches, edge_lists, tu_sets);
criterion_main!(benches);
