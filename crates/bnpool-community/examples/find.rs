//! Finds communities of an edge list.
//!
//! ```text
//! find EDGES [--labels OUT] [--confidence OUT] [--directed] [--structure auto|communities|blocks] [--seed N]
//!      [--verbose] [--leiden]
//! ```
//!
//! A line of EDGES consists of two node numbers and, for weighted graphs, a weight.
//! With `--leiden`, only the modularity found by Leiden is printed. Otherwise the
//! labels (and their confidence, given all other labels) are written with one line per
//! node, and a summary is printed to standard output.

use bnpool_community::Links;
use bnpool_community::leiden::{LeidenConfig, leiden};
use bnpool_community::search::{SearchConfig, Structure, find};
use bnpool_graph::Csr;
use bnpool_graph::structure::modularity;
use std::error::Error;
use std::ops::ControlFlow;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("which edge list?")?;
    let (mut labels, mut confidence) = (None, None);
    let (mut verbose, mut only_leiden, mut directed) = (false, false, false);
    let mut config = SearchConfig::default();
    while let Some(flag) = arguments.next() {
        match flag.as_str() {
            "--labels" => labels = arguments.next(),
            "--seed" => config.seed = arguments.next().ok_or("which seed?")?.parse()?,
            "--confidence" => confidence = arguments.next(),
            "--directed" => directed = true,
            "--verbose" => verbose = true,
            "--leiden" => only_leiden = true,
            "--structure" => {
                config.structure = match arguments.next().as_deref() {
                    Some("communities") => Structure::Communities,
                    Some("blocks") => Structure::Blocks,
                    _ => Structure::Auto,
                }
            }
            other => return Err(format!("what is {other}?").into()),
        }
    }
    let graph = read(&path, directed)?;
    let links = if directed {
        Links::directed(&graph)?
    } else {
        Links::new(&graph)?
    };
    let clock = Instant::now();
    if only_leiden {
        let leiden_config = LeidenConfig {
            seed: config.seed,
            ..LeidenConfig::default()
        };
        let partition = leiden(&links, &leiden_config)?;
        let q = modularity(&graph, partition.labels())?;
        let seconds = clock.elapsed().as_secs_f64();
        println!("K {} modularity {q:.4} {seconds:.2} s", partition.groups());
        return Ok(());
    }
    let found = find(&links, &config, &|progress| {
        if verbose && progress.done == 0 {
            eprintln!(
                "{:6.2} s  {}",
                clock.elapsed().as_secs_f64(),
                progress.stage.name()
            );
        }
        ControlFlow::Continue(())
    })?;
    if verbose {
        for c in &found.candidates {
            eprintln!(
                "{:?} {:?} {:?}: K {} Σ {:.1} prefers {:.3} q {:.3}",
                c.judge,
                c.weights,
                c.origin,
                c.partition.groups(),
                c.total,
                c.preference,
                c.assortativity
            );
        }
        eprintln!("{:?} {:?}", found.null, found.weights);
    }
    println!(
        "{{\"verdict\": \"{:?}\", \"k\": {}, \"low\": {}, \"high\": {}, \"best\": {}, \"nats\": {:.2}, \"modularity\": {:.4}, \"judge\": \"{:?}\", \"agreement\": {:.3}, \"seconds\": {:.3}}}",
        found.verdict,
        found.partition.groups(),
        found.interval.low,
        found.interval.high,
        found.best.partition.groups(),
        found.nats,
        modularity(&graph, found.partition.labels())?,
        found.best.judge,
        found.agreement.unwrap_or(1.0),
        clock.elapsed().as_secs_f64()
    );
    if let Some(path) = labels {
        let lines: Vec<String> = found
            .partition
            .labels()
            .iter()
            .map(u32::to_string)
            .collect();
        std::fs::write(path, lines.join("\n") + "\n")?;
    }
    if let Some(path) = confidence {
        let sure = found.probabilities(&links, &found.partition)?;
        let lines: Vec<String> = sure.iter().map(f32::to_string).collect();
        std::fs::write(path, lines.join("\n") + "\n")?;
    }
    Ok(())
}

/// Reads the matrix of an edge list, symmetric unless directed.
fn read(path: &str, directed: bool) -> Result<Csr, Box<dyn Error>> {
    let text = std::fs::read_to_string(path)?;
    let mut edges: Vec<(u32, u32, f32)> = Vec::new();
    let mut weighted = false;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split_whitespace();
        if let (Some(u), Some(v)) = (words.next(), words.next()) {
            let (u, v) = (u.parse()?, v.parse()?);
            let weight = words.next().map(str::parse).transpose()?;
            weighted |= weight.is_some();
            edges.push((u, v, weight.unwrap_or(1.0)));
        }
    }
    let nodes = edges.iter().map(|e| e.0.max(e.1) + 1).max().unwrap_or(0) as usize;
    let ways = if directed { 1 } else { 2 };
    let both = edges
        .into_iter()
        .flat_map(|(u, v, w)| [(u, v, w), (v, u, w)].into_iter().take(ways));
    Ok(if weighted {
        Csr::from_weighted_edges(nodes, both)?
    } else {
        Csr::from_edges(nodes, both.map(|(u, v, _)| (u, v)))?
    })
}
