//! A synthetic run: generated results around known communities, for reports
//! without training.

use bnpool_graph::Graph;
use bnpool_math::stream::{Purpose, Stream};
use bnpool_report::cluster::{
    Agreement, Classes, ClusterReport, CommunityRow, HistoryPoint, LossCurve, Merge, Metric,
};

/// All data that a report borrows.
pub struct Run {
    pub graph: Graph,
    pub classes: Option<(Vec<u32>, Vec<String>)>,
    pub coordinates: Option<Vec<[f32; 2]>>,
    pub labels: Vec<usize>,
    pub confidence: Vec<f32>,
    pub entropy: Vec<f32>,
    pub assignments: Vec<f32>,
    pub block_matrix: Vec<f32>,
    pub max_clusters: usize,
    pub raw_assignments: Vec<f32>,
    pub raw_block_matrix: Vec<f32>,
    pub columns: Vec<usize>,
    pub communities: Vec<CommunityRow>,
    pub merges: Vec<Merge>,
    pub levels: Vec<usize>,
    pub cluster_counts: Vec<usize>,
    pub history: Vec<HistoryPoint>,
    pub losses: Vec<LossCurve>,
    pub metrics: Vec<Metric>,
    pub warnings: Vec<String>,
    pub notes: Vec<String>,
}

impl Run {
    /// Generates memberships around the labels of a graph, in at most
    /// `max_clusters` clusters.
    pub fn around(graph: Graph, max_clusters: usize, seed: u64) -> Self {
        let truth: Vec<u32> = graph.node_labels().unwrap_or(&[]).to_vec();
        let blocks = truth.iter().max().map_or(1, |&most| most as usize + 1);
        let max_clusters = max_clusters.max(blocks);
        let stream = Stream::new(seed, Purpose::Other(77), 0);
        let mut raw_assignments = Vec::with_capacity(graph.nodes() * max_clusters);
        for u in 0..graph.nodes() {
            let own = truth.get(u).map_or(0, |&block| block as usize);
            raw_assignments.extend(memberships([own, blocks], max_clusters, &stream, u as u64));
        }
        let rows: Vec<&[f32]> = raw_assignments.chunks(max_clusters).collect();
        let found: Vec<u32> = rows.iter().map(|row| largest(row) as u32).collect();
        let columns = by_size(&found, max_clusters);
        let rank = |column: usize| columns.iter().position(|&c| c == column);
        let labels: Vec<usize> = found
            .iter()
            .map(|&c| rank(c as usize).unwrap_or(0))
            .collect();
        let confidence: Vec<f32> = rows.iter().map(|row| row[largest(row)]).collect();
        let entropy = rows.iter().map(|row| entropy(row)).collect();
        let assignments = rows
            .iter()
            .flat_map(|row| columns.iter().map(|&column| row[column]))
            .collect();
        let raw_block_matrix = block_matrix(max_clusters, &columns);
        let pairs = columns
            .iter()
            .flat_map(|&a| columns.iter().map(move |&b| (a, b)));
        let block_matrix = pairs
            .map(|(a, b)| raw_block_matrix[a * max_clusters + b])
            .collect();
        let communities = (0..columns.len())
            .map(|k| describe(&graph, &labels, &confidence, &truth, k))
            .collect();
        let cluster_counts = (0..200)
            .map(|i| {
                let u = stream.draws(1 << 40 | i).uniform();
                columns.len() + usize::from(u > 0.7) + usize::from(u > 0.96)
            })
            .collect();
        let found = columns.len();
        let merge = |gone: usize| Merge {
            kept: gone / 2,
            gone,
            nats: 12.5 * (found - gone) as f64,
        };
        Self {
            merges: (1..found).rev().map(merge).collect(),
            levels: std::iter::successors(Some(found / 2), |&groups| Some(groups / 2))
                .take_while(|&groups| groups >= 2)
                .collect(),
            classes: None,
            coordinates: None,
            block_matrix,
            raw_block_matrix,
            raw_assignments,
            history: history(1500, columns.len(), max_clusters),
            losses: losses(1500),
            metrics: metrics(),
            warnings: Vec::new(),
            notes: Vec::new(),
            graph,
            labels,
            confidence,
            entropy,
            assignments,
            max_clusters,
            columns,
            communities,
            cluster_counts,
        }
    }

    /// Uses the labels of the graph as known classes.
    pub fn with_classes(mut self) -> Self {
        let labels = self.graph.node_labels().unwrap_or(&[]).to_vec();
        let most = labels.iter().max().map_or(0, |&most| most + 1);
        let names = (0..most).map(|class| format!("Topic {class}")).collect();
        self.classes = Some((labels, names));
        self
    }

    /// Builds the report that borrows this run.
    pub fn report<'a>(&'a self, title: &'a str, dataset: &'a str) -> ClusterReport<'a> {
        let found = self.columns.len();
        ClusterReport {
            title,
            dataset,
            pooler: "BN-Pool",
            posterior: true,
            graph: &self.graph,
            classes: self
                .classes
                .as_ref()
                .map(|(labels, names)| Classes { labels, names }),
            agreement: self.classes.as_ref().map(|_| Agreement {
                nmi: 0.93,
                ari: 0.91,
            }),
            coordinates: self.coordinates.as_deref(),
            labels: &self.labels,
            confidence: &self.confidence,
            entropy: &self.entropy,
            assignments: &self.assignments,
            block_matrix: &self.block_matrix,
            max_clusters: self.max_clusters,
            raw_assignments: &self.raw_assignments,
            raw_block_matrix: &self.raw_block_matrix,
            columns: &self.columns,
            communities: &self.communities,
            merges: &self.merges,
            levels: &self.levels,
            cut: "give --clusters K",
            cluster_counts: &self.cluster_counts,
            evidence: "",
            communities_interval: [found, found + 1],
            history: &self.history,
            losses: &self.losses,
            metrics: &self.metrics,
            warnings: &self.warnings,
            notes: &self.notes,
            config_toml: "epochs = 1500\nlearning_rate = 0.005\n\n[pool]\nmax_clusters = 50\nalpha_dp = 10.0\n",
            version: env!("CARGO_PKG_VERSION"),
        }
    }
}

/// Non-empty blocks, largest first.
fn by_size(truth: &[u32], blocks: usize) -> Vec<usize> {
    let mut counts = vec![0_usize; blocks];
    for &block in truth {
        counts[block as usize] += 1;
    }
    let mut order: Vec<usize> = (0..blocks).filter(|&b| counts[b] > 0).collect();
    order.sort_by_key(|&b| std::cmp::Reverse(counts[b]));
    if order.is_empty() { vec![0] } else { order }
}

/// Memberships: a large share for the own block, some for a neighbour, little
/// for the rest.
fn memberships([own, blocks]: [usize; 2], clusters: usize, stream: &Stream, node: u64) -> Vec<f32> {
    let mut draws = stream.draws(node);
    let mut row: Vec<f64> = (0..clusters).map(|_| 0.002 * draws.uniform()).collect();
    let firm = 1.0 - draws.uniform().powi(4) * 0.75;
    row[own] += firm;
    row[draws.below(blocks as u64) as usize] += 1.0 - firm;
    let sum: f64 = row.iter().sum();
    row.iter().map(|s| (s / sum) as f32).collect()
}

fn largest(row: &[f32]) -> usize {
    let places = row.iter().enumerate().rev();
    places
        .max_by(|a, b| a.1.total_cmp(b.1))
        .map_or(0, |(c, _)| c)
}

fn entropy(row: &[f32]) -> f32 {
    let sum: f32 = row.iter().filter(|&&s| s > 0.0).map(|s| -s * s.ln()).sum();
    sum / (row.len().max(2) as f32).ln()
}

fn describe(
    graph: &Graph,
    labels: &[usize],
    confidence: &[f32],
    truth: &[u32],
    community: usize,
) -> CommunityRow {
    let members: Vec<usize> = (0..labels.len())
        .filter(|&u| labels[u] == community)
        .collect();
    let (mut inside, mut ends) = (0_usize, 0_usize);
    for &u in &members {
        let row = graph.adjacency().row(u);
        ends += row.len();
        inside += row
            .iter()
            .filter(|&&v| labels[v as usize] == community)
            .count();
    }
    let size = members.len();
    let pairs = (size * size.saturating_sub(1)).max(1) as f64;
    let sum: f32 = members.iter().map(|&u| confidence[u]).sum();
    let of = |class: u32| {
        members
            .iter()
            .filter(|&&u| truth.get(u) == Some(&class))
            .count()
    };
    let classes = 0..truth.iter().max().map_or(0, |&most| most + 1);
    let main = classes.max_by_key(|&class| of(class));
    CommunityRow {
        size,
        internal_density: inside as f64 / pairs,
        conductance: (ends - inside) as f64 / ends.max(1) as f64,
        components: 1,
        mean_confidence: f64::from(sum) / size.max(1) as f64,
        majority_class: main.map(|class| {
            let share = of(class) as f64 / size.max(1) as f64;
            (format!("Topic {class}"), share)
        }),
    }
}

fn block_matrix(clusters: usize, columns: &[usize]) -> Vec<f32> {
    let entry = |a: usize, b: usize| match (columns.contains(&a), columns.contains(&b)) {
        (true, true) if a == b => 4.2 + 0.37 * (a % 5) as f32,
        (true, true) => -3.1 - 0.21 * ((a + b) % 4) as f32,
        _ if a == b => 1.0,
        _ => -1.0,
    };
    let pairs = (0..clusters).flat_map(|a| (0..clusters).map(move |b| (a, b)));
    pairs.map(|(a, b)| entry(a, b)).collect()
}

/// γ after a fraction `t` of training.
fn gamma(t: f64) -> f64 {
    match t * 1.5 {
        s if s >= 1.0 => 1.0,
        s => 0.5 * (1.0 - (std::f64::consts::PI * s).cos()),
    }
}

fn history(epochs: usize, found: usize, clusters: usize) -> Vec<HistoryPoint> {
    let point = |epoch: usize| {
        let t = epoch as f64 / epochs as f64;
        HistoryPoint {
            epoch,
            gamma: Some(gamma(t)),
            active: Some(found + ((clusters - found) as f64 * (-9.0 * t).exp()) as usize),
        }
    };
    (1..=epochs).map(point).collect()
}

fn losses(epochs: usize) -> Vec<LossCurve> {
    let curve = |name: &str, meaning: &str, value: fn(f64) -> f64| LossCurve {
        name: name.to_owned(),
        meaning: meaning.to_owned(),
        values: (1..=epochs)
            .map(|epoch| value(epoch as f64 / epochs as f64))
            .collect(),
    };
    vec![
        curve(
            "reconstruction",
            "The reconstruction says how badly links are predicted.",
            |t| 1.39 * (-6.0 * t).exp() + 0.42 + 0.02 * (t * 1000.0).sin(),
        ),
        curve(
            "divergence",
            "The divergence says how far memberships are from what was assumed before.",
            |t| gamma(t) * (0.015 + 0.05 * (-4.0 * t).exp()),
        ),
        curve("prior of K", "", |t| 0.004 + 0.003 * t),
    ]
}

fn metrics() -> Vec<Metric> {
    let metric = |name: &str, value: &str, explanation: &str| Metric {
        name: name.to_owned(),
        value: value.to_owned(),
        explanation: explanation.to_owned(),
    };
    vec![
        metric(
            "Modularity",
            "0.71",
            "How many more links lie inside communities than chance would put there; above 0.3 is marked.",
        ),
        metric(
            "NMI",
            "0.93",
            "Agreement of communities and known classes: 0 is chance, 1 is the same.",
        ),
        metric(
            "COS",
            "0.88",
            "Cosine of the matrices SSᵀ and YYᵀ; 1 is the same.",
        ),
    ]
}
