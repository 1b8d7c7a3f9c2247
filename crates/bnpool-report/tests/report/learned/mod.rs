//! A synthetic run: generated results of a graph classification or regression,
//! for reports without training.

use bnpool_graph::{Csr, Graph, Matrix};
use bnpool_math::stream::{Purpose, Stream};
use bnpool_report::learn::{
    Confusion, EpochPoint, FoldReport, LearnReport, Metric, RocCurve, SampleGraph,
};

/// A graph with its pooled graph.
pub struct Pooled {
    pub graph: Graph,
    pub assignments: Vec<f32>,
    pub clusters: usize,
    pub adjacency: Vec<f32>,
}

/// All data that a report borrows; `samples` and `folds` borrow from it.
pub struct Run {
    pub histories: Vec<Vec<EpochPoint>>,
    pub tests: Vec<f64>,
    pub classes: Vec<String>,
    pub counts: Vec<usize>,
    pub roc: Vec<RocCurve>,
    pub values: Vec<(f64, f64)>,
    pub clusters: Vec<usize>,
    pub pooled: Vec<Pooled>,
    pub metrics: Vec<Metric>,
    pub notes: Vec<String>,
}

fn draws(seed: u64, index: u64) -> bnpool_math::stream::Draws {
    Stream::new(seed, Purpose::Other(91), 0).draws(index)
}

/// Training history of one fold, with early stopping.
pub fn history(fold: u64, epochs: usize) -> Vec<EpochPoint> {
    let mut draws = draws(1, fold);
    let speed = 3.0 + 2.0 * draws.uniform();
    let reach = 0.82 + 0.06 * draws.uniform();
    let point = |epoch: usize| {
        let t = epoch as f64 / epochs.max(1) as f64;
        let fall = (-speed * t).exp();
        let mut shake = |size: f64| size * (draws.uniform() - 0.5);
        EpochPoint {
            epoch,
            train_loss: 0.12 + 0.6 * fall + shake(0.03),
            auxiliary: (0.9 + 1.2 * fall) * (0.4 + 0.6 * t) + shake(0.02),
            validation_loss: 0.38 + 0.32 * fall + 0.12 * t * t + shake(0.05),
            validation: reach - 0.3 * fall + shake(0.03),
            learning_rate: 1e-3 * 0.5_f64.powi((4.0 * t) as i32),
            gamma: (1.5 * t).min(1.0),
            clusters: Some(3.4 + 9.0 * (-6.0 * t).exp() + shake(0.2)),
        }
    };
    (1..=epochs).map(point).collect()
}

/// A curve through the scores of graphs of two classes, and its area.
pub fn roc(fold: usize, graphs: usize) -> RocCurve {
    let mut draws = draws(2, fold as u64);
    let mut scores: Vec<(f64, bool)> = (0..graphs)
        .map(|i| {
            (
                draws.normal() + if i % 2 == 0 { 1.6 } else { 0.0 },
                i % 2 == 0,
            )
        })
        .collect();
    scores.sort_by(|a, b| b.0.total_cmp(&a.0));
    let positives = scores.iter().filter(|score| score.1).count() as f64;
    let negatives = graphs as f64 - positives;
    let (mut points, mut area) = (vec![(0.0, 0.0)], 0.0);
    for (_, positive) in scores {
        let &(x, y) = points.last().unwrap();
        if positive {
            points.push((x, y + 1.0 / positives))
        } else {
            area += y / negatives;
            points.push((x + 1.0 / negatives, y));
        }
    }
    RocCurve { fold, points, area }
}

/// Both directions of every edge.
pub fn undirected(nodes: usize, edges: &[(u32, u32)]) -> Csr {
    let both = edges.iter().flat_map(|&(u, v)| [(u, v), (v, u)]);
    Csr::from_edges(nodes, both).unwrap()
}

/// Rings of six nodes joined by chains, similar to molecules, with one-hot kinds
/// of atoms.
pub fn molecule(rings: u32) -> Graph {
    let mut edges = Vec::new();
    for ring in 0..rings {
        let first = 9 * ring;
        edges.extend((0..6).map(|i| (first + i, first + (i + 1) % 6)));
        edges.extend([
            (first + 1, first + 6),
            (first + 6, first + 7),
            (first + 4, first + 8),
        ]);
        if ring > 0 {
            edges.push((first - 2, first));
        }
    }
    let nodes = 9 * rings as usize;
    let kind = |node: usize| match node % 9 {
        7 => 2,
        8 if node.is_multiple_of(2) => 3,
        8 => 1,
        _ => 0,
    };
    let mut values = vec![0.0; nodes * 7];
    for node in 0..nodes {
        values[node * 7 + kind(node)] = 1.0;
    }
    let features = Matrix::new(nodes, 7, values).unwrap();
    let builder = Graph::builder(undirected(nodes, &edges)).features(features);
    builder.build().unwrap()
}

impl Pooled {
    /// Generates memberships close to one cluster per node, and the pooled
    /// matrix.
    pub fn around(graph: Graph, clusters: usize, own: impl Fn(usize) -> usize) -> Self {
        let nodes = graph.nodes();
        let mut assignments = Vec::with_capacity(nodes * clusters);
        for node in 0..nodes {
            let mut draws = draws(3, node as u64);
            let dust = |_| 0.01 * draws.uniform() / clusters as f64;
            let mut row: Vec<f64> = (0..clusters).map(dust).collect();
            let firm = 1.0 - 0.6 * draws.uniform().powi(3);
            row[own(node) % clusters] += firm;
            row[(own(node) + 1) % clusters] += 0.98 - firm.min(0.98);
            let sum: f64 = row.iter().sum();
            assignments.extend(row.iter().map(|s| (s / sum) as f32));
        }
        let mut adjacency = vec![0.0; clusters * clusters];
        for (u, v, weight) in graph.adjacency().iter() {
            let [u, v] = [u, v].map(|n| own(n as usize) % clusters);
            adjacency[u * clusters + v] += weight;
        }
        Self {
            graph,
            assignments,
            clusters,
            adjacency,
        }
    }
}

impl Run {
    /// A binary classification with this many folds.
    pub fn binary(folds: usize) -> Self {
        let fold = |i| draws(4, i as u64);
        Self {
            histories: (0..folds)
                .map(|i| history(i as u64, 150 + 17 * i))
                .collect(),
            tests: (0..folds).map(|i| 0.78 + 0.1 * fold(i).uniform()).collect(),
            classes: vec!["harmless".to_owned(), "mutagen".to_owned()],
            counts: vec![1643, 321, 244, 2129],
            roc: (0..folds).map(|i| roc(i, 433)).collect(),
            values: Vec::new(),
            clusters: (0..4337)
                .map(|i| 2 + draws(5, i).below(4) as usize + draws(6, i).below(3) as usize)
                .collect(),
            pooled: vec![
                Pooled::around(molecule(2), 10, |n| {
                    [0, 0, 0, 1, 1, 1, 2, 2, 1][n % 9] + n / 9
                }),
                Pooled::around(molecule(5), 10, |n| n / 9),
            ],
            metrics: vec![Metric {
                name: "parameters".to_owned(),
                value: "123,456".to_owned(),
                explanation: "weights that were trained".to_owned(),
            }],
            notes: vec!["12 graphs without edges were read.".to_owned()],
        }
    }

    pub fn folds(&self) -> Vec<FoldReport<'_>> {
        let histories = self.histories.iter().enumerate();
        histories
            .map(|(i, history)| FoldReport {
                fold: i,
                history,
                best_epoch: history.len() * 3 / 4,
                validation: self.tests[i] + 0.01,
                test: self.tests[i],
                graphs: [3470, 433, 434],
                clusters_mean: Some(3.2 + 0.1 * i as f64),
            })
            .collect()
    }

    pub fn samples(&self) -> Vec<SampleGraph<'_>> {
        let sample = |(i, pooled): (usize, _)| {
            let pooled: &Pooled = pooled;
            let class = |i: usize| {
                if self.classes.is_empty() {
                    format!("{:.2}", 0.3 * i as f64)
                } else {
                    self.classes[i % self.classes.len()].clone()
                }
            };
            SampleGraph {
                name: format!("Graph {}", 17 * i + 3),
                graph: &pooled.graph,
                truth: class(i),
                prediction: class(i * i),
                assignments: &pooled.assignments,
                clusters: pooled.clusters,
                pooled_adjacency: &pooled.adjacency,
                pooled_features: &[],
                feature_maps: 1,
            }
        };
        self.pooled.iter().enumerate().map(sample).collect()
    }

    /// Builds the report that borrows this run.
    pub fn report<'a>(
        &'a self,
        folds: &'a [FoldReport<'a>],
        samples: &'a [SampleGraph<'a>],
    ) -> LearnReport<'a> {
        LearnReport {
            title: "Classification of Mutagenicity",
            dataset: "Mutagenicity",
            pooler: "bn",
            task: "classification",
            metric: "acc",
            folds,
            confusion: (!self.classes.is_empty()).then_some(Confusion {
                classes: &self.classes,
                counts: &self.counts,
            }),
            roc: &self.roc,
            values: &self.values,
            clusters: &self.clusters,
            samples,
            metrics: &self.metrics,
            notes: &self.notes,
            config_toml: "epochs = 500\n\n[pool]\nmax_clusters = 10\n",
            version: env!("CARGO_PKG_VERSION"),
        }
    }
}
