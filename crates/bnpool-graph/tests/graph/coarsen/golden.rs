//! Golden values of the reference.

use crate::fixtures;
use bnpool_graph::Csr;
use bnpool_graph::coarsen::{
    Assigned, Connect, EdgeWeight, Matcher, cluster_spectrum, coarsen_graph, coding_tree,
    independent_set, local_modes, scores_by_neighbourhood,
};
use serde_json::Value;

fn poolers() -> Value {
    let path = fixtures().join("poolers.json");
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).expect("JSON")
}

fn integers(value: &Value) -> Vec<u32> {
    let list = value.as_array().expect("a list");
    let number = |value: &Value| value.as_u64().expect("a number") as u32;
    list.iter().map(number).collect()
}

/// All numbers of a list of lists, one after the other.
fn flat(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(list) => list.iter().flat_map(flat).collect(),
        other => vec![other.as_f64().expect("a number")],
    }
}

fn edges(value: &Value) -> Vec<(u32, u32)> {
    let ends: Vec<_> = value
        .as_array()
        .expect("two rows")
        .iter()
        .map(integers)
        .collect();
    ends[0]
        .iter()
        .copied()
        .zip(ends[1].iter().copied())
        .collect()
}

fn dense(value: &Value) -> Csr {
    let rows: Vec<Vec<f64>> = value.as_array().expect("rows").iter().map(flat).collect();
    let entries = rows.iter().enumerate().flat_map(|(u, row)| {
        let entries = row.iter().enumerate().filter(|entry| *entry.1 != 0.0);
        entries.map(move |(v, &weight)| (u as u32, v as u32, weight))
    });
    assert!(entries.clone().all(|entry| entry.2 == 1.0), "no weights");
    Csr::from_edges(rows.len(), entries.map(|(u, v, _)| (u, v))).unwrap()
}

/// Checks that lists of numbers are equal within an error.
#[track_caller]
fn close(found: &[f64], expected: &[f64], error: f64) {
    assert_eq!(found.len(), expected.len());
    for (place, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!((a - b).abs() <= error, "{a} is not {b} at {place}");
    }
}

/// One pooler on a batch of two graphs.
struct Case {
    graph: Csr,
    x: Vec<Vec<f64>>,
    record: Value,
}

impl Case {
    fn new(name: &str) -> Self {
        let record = poolers()[name].clone();
        let x: Vec<Vec<f64>> = record["X"]
            .as_array()
            .expect("X")
            .iter()
            .map(flat)
            .collect();
        let listed = edges(&record["edge_index"]);
        let graph = Csr::from_edges(x.len(), listed.iter().copied()).unwrap();
        // Scores are listed in this order.
        assert!(graph.iter().map(|(u, v, _)| (u, v)).eq(listed));
        Self { graph, x, record }
    }

    fn score(&self, weight: &[f64], u: usize) -> f64 {
        weight.iter().zip(&self.x[u]).map(|(w, x)| w * x).sum()
    }

    /// Checks clusters, features pooled with these node weights, and the pooled
    /// graph.
    fn check(&self, assigned: &Assigned, weights: &[f64], connect: &Connect) {
        let record = &self.record;
        assert_eq!(assigned.clusters(), integers(&record["cluster_index"]));
        assert_eq!(assigned.supernodes() as u64, record["num_supernodes"]);
        close(weights, &flat(&record["weight"]), 1e-12);
        let width = self.x[0].len();
        let mut pooled = vec![0.0; assigned.supernodes() * width];
        for (u, &c) in assigned.clusters().iter().enumerate() {
            for (j, x) in self.x[u].iter().enumerate() {
                pooled[c as usize * width + j] += weights[u] * x;
            }
        }
        close(&pooled, &flat(&record["x_pool"]), 1e-11);
        check_graph(&self.graph, assigned, connect, record);
    }
}

fn check_graph(graph: &Csr, assigned: &Assigned, connect: &Connect, record: &Value) {
    let pooled = coarsen_graph(graph, assigned, connect).unwrap();
    let places: Vec<_> = pooled.iter().map(|(u, v, _)| (u, v)).collect();
    assert_eq!(places, edges(&record["pooled_edge_index"]));
    if record["pooled_edge_weight"].is_null() {
        assert_eq!(pooled.weights(), None);
    } else {
        let weights: Vec<f64> = pooled.iter().map(|entry| f64::from(entry.2)).collect();
        close(&weights, &flat(&record["pooled_edge_weight"]), 1e-7);
    }
}

const STORED: Connect = Connect {
    weight: EdgeWeight::Stored,
    eps: 1e-8,
    degree_norm: false,
};

#[test]
fn independent_sets_of_both_orders() {
    for order in [1, 2] {
        let case = Case::new(&format!("kmis_order{order}"));
        let (weight, bias) = (
            flat(&case.record["lin_weight"]),
            flat(&case.record["lin_bias"])[0],
        );
        let score = |u| 1.0 / (1.0 + (-case.score(&weight, u) - bias).exp());
        let scores: Vec<f64> = (0..case.x.len()).map(score).collect();
        let ranks = scores_by_neighbourhood(&case.graph, &scores, order).unwrap();
        let set = independent_set(&case.graph, &ranks, order).unwrap();
        assert_eq!(set.centres, integers(&case.record["mis"]));
        case.check(&set.assigned, &scores, &STORED);
    }
}

#[test]
fn edge_contraction() {
    let case = Case::new("ec");
    let (weight, bias) = (
        flat(&case.record["lin_weight"]),
        flat(&case.record["lin_bias"])[0],
    );
    let (source, target) = weight.split_at(weight.len() / 2);
    let raw = case.graph.iter().map(|(u, v, _)| {
        let (u, v) = (u as usize, v as usize);
        (case.score(source, u) + case.score(target, v) + bias).exp()
    });
    let raw: Vec<f64> = raw.collect();
    let mut sums = vec![0.0; case.x.len()];
    for (&v, x) in case.graph.columns().iter().zip(&raw) {
        sums[v as usize] += x;
    }
    let scores = case.graph.columns().iter().zip(&raw);
    let scores: Vec<f64> = scores.map(|(&v, x)| x / sums[v as usize] + 0.5).collect();
    let found = Matcher::default().contract(&case.graph, &scores).unwrap();
    let clusters = found.assigned.clusters().iter();
    let weights = clusters.map(|&c| found.edges[c as usize].map_or(1.0, |e| scores[e as usize]));
    case.check(&found.assigned, &weights.collect::<Vec<_>>(), &STORED);
}

#[test]
fn coding_trees() {
    let connect = Connect {
        degree_norm: true,
        ..STORED
    };
    let case = Case::new("sep");
    let tree = coding_tree(&case.graph, 2).unwrap();
    case.check(&tree[0], &vec![1.0; case.x.len()], &connect);
    let records = poolers()["sep_more"].clone();
    let records = records.as_array().expect("more trees");
    assert_eq!(records.len(), 4);
    for record in records {
        let graph = dense(&record["adj"]);
        let tree = coding_tree(&graph, 2).unwrap();
        assert_eq!(tree[0].clusters(), integers(&record["cluster_index"]));
        assert_eq!(tree[0].supernodes() as u64, record["num_supernodes"]);
        check_graph(&graph, &tree[0], &connect, record);
    }
}

#[test]
fn local_fourier_modes() {
    let records = poolers()["eigen_given_clusters"].clone();
    let records = records.as_array().expect("graphs");
    assert_eq!(records.len(), 2);
    for record in records {
        let graph = dense(&record["adj"]);
        let labels = integers(&record["labels"]);
        let k = labels.iter().max().map_or(0, |&label| label as usize + 1);
        let assigned = Assigned::new(labels.clone(), k).unwrap();
        let count = record["num_modes"].as_u64().expect("a number") as usize;
        let modes = local_modes(&graph, &assigned, count).unwrap();

        // The record has the maps concatenated, as dense matrices.
        let mut theta = vec![0.0; labels.len() * count * k];
        for (u, &c) in labels.iter().enumerate() {
            for m in 0..count {
                theta[u * count * k + m * k + c as usize] = modes.values[u * count + m];
            }
        }
        close(&theta, &flat(&record["theta"]), 1e-12);
        let x = flat(&record["X"]);
        let width = x.len() / labels.len();
        let mut x_pool = vec![0.0; k * count * width];
        for (u, &c) in labels.iter().enumerate() {
            for m in 0..count {
                for (i, &x) in x[u * width..(u + 1) * width].iter().enumerate() {
                    x_pool[(c as usize * count + m) * width + i] += modes.values[u * count + m] * x;
                }
            }
        }
        close(&x_pool, &flat(&record["x_pool"]), 1e-11);

        let mut pooled = vec![0.0; k * k];
        for (c, d, weight) in modes.adjacency.iter() {
            pooled[c as usize * k + d as usize] = f64::from(weight);
        }
        close(&pooled, &flat(&record["adj_pool"]), 1e-7);
        let (offsets, nodes) = assigned.members();
        for (c, bounds) in offsets.windows(2).enumerate() {
            let members = &nodes[bounds[0]..bounds[1]];
            let found = cluster_spectrum(&graph, members).unwrap();
            let expected = flat(&record["cluster_lap_eigenvalues"][c.to_string()]);
            close(&found.values, &expected, 1e-12);
        }
    }
}
