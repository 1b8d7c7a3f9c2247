//! Weights of edges: those that mean nothing invent no groups, and others help.

use bnpool_community::description_length::WeightModel;
use bnpool_community::search::{Evidence, SearchConfig, Verdict, find};
use bnpool_community::{Links, Partition};
use bnpool_graph::Csr;
use bnpool_graph::generate::Sbm;
use bnpool_math::metrics::adjusted_mutual_information;
use bnpool_math::stream::{Draws, Purpose, Stream};
use std::ops::ControlFlow;

fn search(links: &Links) -> Evidence {
    let go_on = |_| ControlFlow::Continue(());
    find(links, &SearchConfig::default(), &go_on).unwrap()
}

fn draws(seed: u64) -> Draws {
    Stream::new(seed, Purpose::Other(11), 0).draws(0)
}

/// Pairs of a graph of groups of equal size, with densities inside and between them.
fn pairs(groups: usize, size: usize, inside: f64, between: f64, seed: u64) -> Vec<(u32, u32)> {
    let p = |i: usize| {
        if i / groups == i % groups {
            inside
        } else {
            between
        }
    };
    let densities = (0..groups * groups).map(p).collect();
    let graph = Sbm::new(vec![size; groups], densities).unwrap();
    let graph = graph.generate(seed).unwrap();
    let edges = graph.adjacency().iter().map(|(u, v, _)| (u, v));
    edges.filter(|(u, v)| v < u).collect()
}

fn links(nodes: usize, pairs: &[(u32, u32)], mut weight: impl FnMut(u32, u32) -> f32) -> Links {
    let mut edges = Vec::new();
    for &(u, v) in pairs {
        let w = weight(u, v);
        edges.extend([(u, v, w), (v, u, w)]);
    }
    Links::new(&Csr::from_weighted_edges(nodes, edges).unwrap()).unwrap()
}

/// A Poisson variate.
fn poisson(draws: &mut Draws, mean: f64) -> f64 {
    let (mut product, mut count) = (draws.uniform(), 0.0);
    while product > (-mean).exp() {
        product *= draws.uniform();
        count += 1.0;
    }
    count
}

/// A distribution of weights.
type Distribution = fn(&mut Draws) -> f64;

/// Distributions of weights as they occur: heavy tails, few values, bounds.
const DISTRIBUTIONS: [(&str, Distribution); 10] = [
    ("Zipf, a = 1", |d| (1.0 - d.uniform()).recip().floor()),
    ("Zipf, a = 2", |d| (1.0 - d.uniform()).powf(-0.5).floor()),
    ("log-normal integers, σ = 1", |d| d.normal().exp().ceil()),
    ("log-normal integers, σ = 2", |d| {
        (2.0 * d.normal()).exp().ceil()
    }),
    ("log-normal integers, σ = 3", |d| {
        (3.0 * d.normal()).exp().ceil()
    }),
    ("1, 1, 1 or 100", |d| {
        [1.0, 1.0, 1.0, 100.0][d.below(4) as usize]
    }),
    ("Pareto, a = 1", |d| (1.0 - d.uniform()).recip()),
    ("beta(0.2, 0.2)", |d| {
        loop {
            let (x, y) = (d.uniform().powi(5), d.uniform().powi(5));
            if x + y <= 1.0 {
                return (x / (x + y)).max(1e-9);
            }
        }
    }),
    ("negative binomial, k = 0.5", |d| {
        let rate = 3.0 * d.normal().powi(2);
        1.0 + poisson(d, rate)
    }),
    ("uniform", |d| d.uniform() + 1e-6),
];

#[test]
fn weights_drawn_independently_of_everything_claim_nothing() {
    for (name, weight) in DISTRIBUTIONS {
        for seed in 0..4 {
            let mut draws = draws(seed);
            let random = pairs(1, 200, 0.05, 0.0, seed);
            let links = links(200, &random, |_, _| weight(&mut draws) as f32);
            let found = search(&links);
            assert_eq!(found.verdict, Verdict::None, "{name}, graph {seed}");
            let test = found.weights.unwrap();
            assert_eq!(test.model, WeightModel::Ignored);
            assert!(test.gain < test.needed);
        }
    }
}

#[test]
fn weights_drawn_independently_of_everything_change_no_group() {
    let planted = pairs(4, 50, 0.25, 0.02, 3);
    let truth: Vec<u32> = (0..200).map(|u| u / 50).collect();
    let without = search(&links(200, &planted, |_, _| 1.0));
    assert!(adjusted_mutual_information(&truth, without.partition.labels()) > 0.95);
    for (seed, (name, weight)) in (0..).zip(DISTRIBUTIONS) {
        let mut draws = draws(seed);
        let found = search(&links(200, &planted, |_, _| weight(&mut draws) as f32));
        assert_eq!(found.partition, without.partition, "{name}");
        assert_eq!(found.nats.to_bits(), without.nats.to_bits(), "{name}");
        assert_eq!(found.best.weights, WeightModel::Ignored, "{name}");
    }
}

/// Four groups of 25 that differ only in their weights, given the edge inside or between.
fn by_weights(density: f64, seed: u64, weight: impl Fn(&mut Draws, bool) -> f64) -> Links {
    let mut draws = draws(seed);
    let random = pairs(1, 100, density, 0.0, seed);
    links(100, &random, |u, v| {
        weight(&mut draws, u / 25 == v / 25) as f32
    })
}

/// Agreement with the groups of [`by_weights`].
fn agreement(partition: &Partition) -> f64 {
    let truth: Vec<u32> = (0..100).map(|u| u / 25).collect();
    adjusted_mutual_information(&truth, partition.labels())
}

#[test]
fn weights_that_groups_explain_are_used() {
    let geometric = |d: &mut Draws, mean: f64| {
        let stop: f64 = mean.recip();
        1.0 + ((1.0 - d.uniform()).ln() / (1.0 - stop).ln()).floor()
    };
    for seed in 0..3 {
        // How often people write to each other.
        let log = by_weights(0.4, seed, |d, inside| {
            1.0 + poisson(d, if inside { 3.0 } else { 0.8 })
        });
        let counts = by_weights(0.4, seed, |d, inside| {
            geometric(d, if inside { 8.0 } else { 2.0 })
        });
        let amounts = by_weights(0.4, seed, |d, inside| {
            (d.normal() + if inside { 1.3 } else { 0.0 }).exp()
        });
        for (name, links) in [("log", log), ("geometric", counts), ("log-normal", amounts)] {
            let found = search(&links);
            let ami = agreement(&found.partition);
            assert_eq!(found.verdict, Verdict::Communities, "{name} {seed}");
            assert!(ami > 0.9, "{name} {seed}: {ami}");
            assert_ne!(found.best.weights, WeightModel::Ignored, "{name} {seed}");
            let test = found.weights.unwrap();
            assert!(test.model == found.best.weights && test.gain >= test.needed);
        }
    }
}

#[test]
fn weights_help_where_edges_alone_are_not_enough() {
    let truth: Vec<u32> = (0..200).map(|u| u / 50).collect();
    let weak = pairs(4, 50, 0.13, 0.06, 5);
    let ami = |links: &Links| {
        let found = search(links);
        adjusted_mutual_information(&truth, found.partition.labels())
    };
    let without = ami(&links(200, &weak, |_, _| 1.0));
    let mut draws = draws(5);
    let with = ami(&links(200, &weak, |u, v| {
        let inside = u / 50 == v / 50;
        (draws.normal() + if inside { 1.5 } else { 0.0 }).exp() as f32
    }));
    assert!(with > 0.9 && with > without + 0.1, "{with} {without}");
}

#[test]
fn the_unit_of_weights_does_not_matter() {
    let weight = |d: &mut Draws, inside| 1.0 + poisson(d, if inside { 4.0 } else { 0.8 });
    let wanted = search(&by_weights(0.4, 0, weight));
    assert!(agreement(&wanted.partition) > 0.9);
    for unit in [0.5, 10.0, 1e-30, 1e12, 1e18, 1e30] {
        let found = search(&by_weights(0.4, 0, |d, inside| unit * weight(d, inside)));
        assert_eq!(found.partition, wanted.partition, "{unit}");
        assert_eq!(found.nats.to_bits(), wanted.nats.to_bits(), "{unit}");
        assert_eq!(found.interval, wanted.interval, "{unit}");
    }
    // Whole numbers beyond the precision of floating point.
    let random = pairs(1, 200, 0.05, 0.0, 2);
    let mut draws = draws(2);
    let found = search(&links(200, &random, |_, _| {
        (draws.normal().exp() * 1e18) as f32
    }));
    assert_eq!(found.verdict, Verdict::None);
}
