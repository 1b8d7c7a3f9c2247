//! Finds communities of a graph in parts, and measures the time.
//!
//! ```text
//! divided plant OUT.safetensors NODES BLOCKS DEGREE INSIDE SEED [shuffled]
//! divided find GRAPH.safetensors [--ranks R] [--keep BYTES] [--seed N] [--whole]
//! ```
//!
//! `plant` writes a graph of equal blocks in which a node has DEGREE neighbours, a
//! fraction INSIDE of them in its own block. `find` reads it part by part, on ranks that
//! are threads, or with `--whole` as one graph, and compares the result with the blocks.

use bnpool_community::Links;
use bnpool_community::divided::find_divided;
use bnpool_community::search::{Evidence, Progress, SearchConfig, find};
use bnpool_graph::divide::{PART_WORK, PartSource};
use bnpool_graph::generate::Sbm;
use bnpool_graph::structure::NodeOrder;
use bnpool_graph::{Csr, Graph};
use bnpool_io::format::Limits;
use bnpool_io::format::container::ContainerParts;
use bnpool_io::format::container::{read_container, write_container};
use bnpool_math::metrics::adjusted_mutual_information;
use bnpool_math::stream::{Purpose, Stream};
use bnpool_parallel::{Collective, Threads};
use std::error::Error;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match &words[..] {
        [
            "plant",
            out,
            nodes,
            blocks,
            degree,
            inside,
            seed,
            order @ ..,
        ] => {
            let graph = plant(
                nodes.parse()?,
                blocks.parse()?,
                degree.parse()?,
                inside.parse()?,
                seed.parse()?,
            )?;
            let graph = match order {
                ["shuffled"] => shuffled(&graph, seed.parse()?)?,
                _ => graph,
            };
            write_container(Path::new(out), std::slice::from_ref(&graph), None)?;
            println!("{} nodes, {} edges", graph.nodes(), graph.edges() / 2);
            Ok(())
        }
        ["find", path, flags @ ..] => search(Path::new(path), flags),
        _ => Err("plant or find?".into()),
    }
}

/// Generates the blocks one by one, then edges between them: a matrix of all pairs
/// of blocks would not fit into memory.
fn plant(
    nodes: usize,
    blocks: usize,
    degree: f64,
    inside: f64,
    seed: u64,
) -> Result<Graph, Box<dyn Error>> {
    let size = nodes / blocks;
    let model = Sbm::planted(size, 1, degree * inside / (size as f64 - 1.0), 0.0)?;
    let mut edges: Vec<(u32, u32)> = Vec::new();
    for block in 0..blocks {
        let own = model.generate(seed ^ (block as u64) << 20)?;
        let first = (block * size) as u32;
        edges.extend(
            own.adjacency()
                .iter()
                .map(|(u, v, _)| (first + u, first + v)),
        );
    }
    let nodes = blocks * size;
    let between = (nodes as f64 * degree * (1.0 - inside) / 2.0) as usize;
    let mut draws = Stream::new(seed, Purpose::Other(0x706c), 0).draws(0);
    for _ in 0..between {
        let (mut u, mut v) = (0, 0);
        while u as usize / size == v as usize / size {
            u = draws.below(nodes as u64) as u32;
            v = draws.below(nodes as u64) as u32;
        }
        edges.extend([(u, v), (v, u)]);
    }
    let labels: Vec<u32> = (0..nodes).map(|u| (u / size) as u32).collect();
    // A pair that is drawn twice becomes one edge.
    let adjacency = Csr::from_edges(nodes, edges)?;
    Ok(Graph::builder(adjacency.without_weights())
        .node_labels(labels)
        .build()?)
}

fn shuffled(graph: &Graph, seed: u64) -> Result<Graph, Box<dyn Error>> {
    let mut nodes: Vec<u32> = (0..graph.nodes() as u32).collect();
    let stream = Stream::new(seed, Purpose::Other(0x7368), 0);
    stream.draws(0).shuffle(&mut nodes);
    let order = NodeOrder::new(nodes).ok_or("no order")?;
    Ok(order.apply(graph))
}

fn search(path: &Path, flags: &[&str]) -> Result<(), Box<dyn Error>> {
    let (mut ranks, mut keep, mut whole) = (1, u64::MAX, false);
    let mut config = SearchConfig::default();
    let mut flags = flags.iter();
    while let Some(&flag) = flags.next() {
        let mut value = || flags.next().ok_or(format!("which {flag}?"));
        match flag {
            "--ranks" => ranks = value()?.parse()?,
            "--keep" => keep = value()?.parse()?,
            "--seed" => config.seed = value()?.parse()?,
            "--whole" => whole = true,
            _ => return Err(format!("what is {flag}?").into()),
        }
    }
    let clock = Instant::now();
    if whole {
        let (graphs, _) = read_container(path, &Limits::default())?;
        let links = Links::new(graphs[0].adjacency())?;
        let found = find(&links, &config, &|_| ControlFlow::Continue(()))?;
        tell(&found, graphs[0].node_labels(), clock);
        return Ok(());
    }
    let found = Threads::run(ranks, |rank| {
        let source = ContainerParts::open(path, PART_WORK, keep).map_err(|e| e.to_string())?;
        let loud = rank.rank() == 0 && std::env::var_os("VERBOSE").is_some();
        let last = std::sync::Mutex::new(None);
        let observer = |progress: Progress| {
            if let (true, Ok(mut last)) = (loud, last.lock())
                && last.replace(progress) != Some(progress)
            {
                let seconds = clock.elapsed().as_secs_f64();
                eprintln!("{seconds:7.1} s {progress:?}");
            }
            ControlFlow::Continue(())
        };
        let found = find_divided(&source, &rank, &config, &observer).map_err(|e| e.to_string())?;
        Ok((found, rank.bytes_sent()))
    });
    let found: Vec<(Evidence, u64)> = found.into_iter().collect::<Result<_, String>>()?;
    for (other, _) in &found {
        assert_eq!(
            other.partition, found[0].0.partition,
            "the same on all ranks"
        );
    }
    let source = ContainerParts::open(path, PART_WORK, 0)?;
    let mut labels = Vec::new();
    for p in 0..source.cuts().parts() {
        labels.extend(source.node_labels(p)?.unwrap_or_default());
    }
    let sent: u64 = found.iter().map(|f| f.1).sum();
    println!(
        "{} parts, {:.1} MB sent",
        source.cuts().parts(),
        sent as f64 / 1e6
    );
    tell(&found[0].0, Some(&labels), clock);
    Ok(())
}

fn tell(found: &Evidence, truth: Option<&[u32]>, clock: Instant) {
    let seconds = clock.elapsed().as_secs_f64();
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find(|line| line.starts_with("VmHWM"));
    println!(
        "{:?} K {} [{}, {}] by {:?}, {:.0} nats, Σ {:.1}, {seconds:.1} s, {}",
        found.verdict,
        found.partition.groups(),
        found.interval.low,
        found.interval.high,
        found.best.judge,
        found.nats,
        found.best.total,
        peak.unwrap_or_default(),
    );
    if let Some(truth) = truth.filter(|t| t.len() == found.partition.nodes()) {
        let ami = adjusted_mutual_information(found.partition.labels(), truth);
        println!("AMI {ami:.5}");
    }
}
