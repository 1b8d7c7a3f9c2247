//! From a finished run to the parts of its report.

use crate::command::cluster::Finished;
use crate::message::Failure;
use bnpool::run::RunDirectory;
use bnpool::task::cluster::Epoch;
use bnpool_graph::format::write_atomically;
use bnpool_report::cluster::{
    Classes, ClusterReport, CommunityRow, HistoryPoint, LossCurve, Metric, Picture, Rendering,
};
use serde::Serialize;
use std::path::Path;

/// A rendered report.
pub struct Page {
    /// `report.html`.
    pub html: String,
    /// The single pictures, where they were asked for.
    pub pictures: Vec<Picture>,
}

/// Writes a rendered report into a run directory, and its pictures to a folder.
pub fn write_page(
    directory: &RunDirectory,
    page: &Page,
    plots: Option<&Path>,
) -> Result<(), Failure> {
    directory.write_bytes("report.html", page.html.as_bytes())?;
    let Some(folder) = plots else {
        return Ok(());
    };
    crate::destination::make_folder(folder, "--plots")?;
    for picture in &page.pictures {
        let write = |ending: &str, bytes: &[u8]| {
            let path = folder.join(format!("{}.{ending}", picture.name));
            write_atomically(&path, |out| out.write_all(bytes))
        };
        write("svg", picture.svg.as_bytes())?;
        write("png", &picture.png)?;
    }
    Ok(())
}

/// The notes of a report, with the one that a run is not finished before them.
pub fn with_state(notes: &[String], unfinished: bool) -> Vec<String> {
    let state = unfinished.then(|| {
        "the run was stopped before its end: this is the best epoch so far, and --resume goes on"
            .to_owned()
    });
    state.into_iter().chain(notes.iter().cloned()).collect()
}

/// Renders the report of a clustering run.
pub fn cluster_report(run: &Finished, history: &[Epoch]) -> Result<Page, Failure> {
    let (input, result) = (run.input, run.result);
    let graph = &input.graph;
    let labels: Vec<usize> = result.labels.iter().map(|&l| l as usize).collect();
    let columns: Vec<usize> = result.communities.iter().map(|c| c.column).collect();
    let classes = graph.node_labels().map(|labels| Classes {
        labels,
        names: &input.class_names,
    });
    let communities = rows(run, &labels);
    // Only the start that won: curves of several would run into each other.
    let history: Vec<&Epoch> = history.iter().filter(|e| e.start == result.start).collect();
    let losses = loss_curves(&history);
    let history: Vec<HistoryPoint> = history
        .iter()
        .map(|e| HistoryPoint {
            epoch: e.epoch,
            gamma: e.loss("loss_kl").map(|_| e.gamma),
            active: Some(e.clusters),
        })
        .collect();
    // The page shows entropies as a part of the largest there can be.
    let most = (result.clusters.max(2) as f32).ln();
    let entropy: Vec<f32> = result.entropy.iter().map(|e| e / most).collect();
    let title = format!("Communities of {}", input.name);
    let config_toml = run.plan.settings_toml()?;
    let metrics = metric_rows(run.metrics, &explanations(result.pooler.posterior))?;
    let notes = with_state(&input.notes, run.metrics.is_unfinished());
    let report = ClusterReport {
        title: &title,
        dataset: &input.name,
        pooler: result.pooler.title,
        posterior: result.pooler.posterior,
        graph,
        classes,
        coordinates: None,
        labels: &labels,
        confidence: &result.confidence,
        entropy: &entropy,
        assignments: &result.assignments,
        block_matrix: &result.block_matrix,
        max_clusters: result.clusters,
        raw_assignments: &result.raw_assignments,
        raw_block_matrix: &result.raw_block_matrix,
        columns: &columns,
        communities: &communities,
        cluster_counts: &result.count.samples,
        communities_interval: result.count.interval,
        history: &history,
        losses: &losses,
        metrics: &metrics,
        notes: &notes,
        config_toml: &config_toml,
        version: env!("CARGO_PKG_VERSION"),
    };
    let cannot =
        |e: &dyn std::fmt::Display| Failure::Running(format!("the report cannot be made: {e}"));
    let rendering = Rendering::new(&report).map_err(|e| cannot(&e))?;
    let pictures = match run.plots {
        Some(_) => rendering.pictures().map_err(|e| cannot(&e))?,
        None => Vec::new(),
    };
    Ok(Page {
        html: rendering.html(),
        pictures,
    })
}

/// Losses by their names in the history: in words, and what they say. First
/// those of BN-Pool, in the order of the paper.
const LOSSES: [(&str, &str, &str); 5] = [
    (
        "loss_rec",
        "reconstruction",
        "The reconstruction loss says how badly links are predicted.",
    ),
    (
        "loss_kl",
        "divergence",
        "The divergence says how far memberships are from what was assumed before.",
    ),
    (
        "loss_k",
        "prior of K",
        "The prior of K says the same of the block matrix.",
    ),
    (
        "loss_cut",
        "cut",
        "The cut says how many links lead from one community to another; −1 is best.",
    ),
    (
        "loss_ortho",
        "orthogonality",
        "The orthogonality says how far communities are from being apart and alike in size; 0 is best.",
    ),
];

/// A curve for every loss of these epochs.
fn loss_curves(history: &[&Epoch]) -> Vec<LossCurve> {
    let Some(first) = history.first() else {
        return Vec::new();
    };
    let place = |key: &str| LOSSES.iter().position(|known| known.0 == key);
    let mut keys: Vec<&String> = first.losses.keys().collect();
    keys.sort_by_key(|key| place(key).unwrap_or(LOSSES.len()));
    keys.into_iter()
        .map(|key| {
            let (name, meaning) = match place(key) {
                Some(place) => (LOSSES[place].1, LOSSES[place].2),
                None => (key.trim_start_matches("loss_"), ""),
            };
            LossCurve {
                name: name.to_owned(),
                meaning: meaning.to_owned(),
                values: history
                    .iter()
                    .map(|e| e.loss(key).unwrap_or(f64::NAN))
                    .collect(),
            }
        })
        .collect()
}

fn rows(run: &Finished, labels: &[usize]) -> Vec<CommunityRow> {
    let input = run.input;
    let majority = input.graph.node_labels().map(|classes| {
        let count = classes.iter().max().map_or(0, |&c| c as usize + 1);
        let mut votes = vec![vec![0_usize; count]; run.result.communities.len()];
        for (&label, &class) in labels.iter().zip(classes) {
            votes[label][class as usize] += 1;
        }
        votes
    });
    run.result
        .communities
        .iter()
        .enumerate()
        .map(|(i, community)| {
            let s = &community.statistics;
            CommunityRow {
                size: s.size,
                internal_density: s.internal_density,
                conductance: s.conductance,
                components: s.components,
                mean_confidence: community.confidence,
                majority_class: majority.as_ref().and_then(|votes| {
                    let (class, &most) = votes[i].iter().enumerate().rev().max_by_key(|v| v.1)?;
                    let name = input.class_names.get(class);
                    let name = name.cloned().unwrap_or_else(|| class.to_string());
                    Some((name, most as f64 / s.size.max(1) as f64))
                }),
            }
        })
        .collect()
}

/// What the metrics mean. Poolers without a posterior have no intervals and one
/// S, so the measures of a mean would only repeat those before them.
fn explanations(posterior: bool) -> Vec<(&'static str, &'static str)> {
    let (clusters, s) = match posterior {
        true => (
            "clusters in which some node's membership exceeds 1/C, in one posterior sample",
            SAMPLE,
        ),
        false => (
            "clusters in which some node's membership exceeds 1/C",
            ASSIGNMENTS,
        ),
    };
    let mut rows = vec![("communities", "the number of communities")];
    if posterior {
        rows.push((
            "communities_interval",
            "the number in the central 90 % of the posterior samples",
        ));
    }
    rows.push(("clusters", clusters));
    if posterior {
        rows.push((
            "clusters_interval",
            "the same in the central 90 % of the posterior samples",
        ));
    }
    rows.extend(AGREEMENT.into_iter().zip(s));
    if posterior {
        rows.extend(MEAN_AGREEMENT.into_iter().zip(MEAN));
    }
    rows.extend(EXPLANATIONS);
    rows
}

/// Measures of agreement with known classes.
const AGREEMENT: [&str; 6] = ["acc", "cos", "nmi", "homogeneity", "completeness", "ari"];
const MEAN_AGREEMENT: [&str; 6] = [
    "acc_mean",
    "cos_mean",
    "nmi_mean",
    "homogeneity_mean",
    "completeness_mean",
    "ari_mean",
];

/// Of one sample of S, as in the paper.
const SAMPLE: [&str; 6] = [
    "share of nodes whose class a logistic regression on one sample of S gets right",
    "cosine of S Sᵀ and Y Yᵀ, for one sample of S",
    "mutual information of communities and classes, 0 to 1, for one sample",
    "1 when every community holds one class only, for one sample",
    "1 when every class lies in one community, for one sample",
    "agreement of pairs of nodes, 0 for chance, for one sample",
];
/// Of the posterior mean of S.
const MEAN: [&str; 6] = [
    "share of nodes whose class a logistic regression on the posterior mean of S gets right",
    "cosine of S Sᵀ and Y Yᵀ, for the posterior mean of S",
    "mutual information of communities and classes, 0 to 1, for the posterior mean",
    "1 when every community holds one class only, for the posterior mean",
    "1 when every class lies in one community, for the posterior mean",
    "agreement of pairs of nodes, 0 for chance, for the posterior mean",
];
/// Of the only S there is.
const ASSIGNMENTS: [&str; 6] = [
    "share of nodes whose class a logistic regression on S gets right",
    "cosine of S Sᵀ and Y Yᵀ",
    "mutual information of communities and classes, 0 to 1",
    "1 when every community holds one class only",
    "1 when every class lies in one community",
    "agreement of pairs of nodes, 0 for chance",
];

const EXPLANATIONS: [(&str, &str); 6] = [
    (
        "modularity",
        "edges within communities beyond what chance would give",
    ),
    ("loss_rec", "L_rec: how badly S and K explain the edges"),
    ("loss_kl", "L_π: the price of the clusters in use"),
    ("loss_k", "L_K: how far K is from its prior"),
    ("best_epoch", "the epoch whose model was taken"),
    ("seconds_per_epoch", "forward, backward and Adam"),
];

/// The metrics that a reader may want explained, in the order of the
/// explanations.
pub fn metric_rows(
    metrics: &impl Serialize,
    explanations: &[(&str, &str)],
) -> Result<Vec<Metric>, Failure> {
    let value = serde_json::to_value(metrics)
        .map_err(|e| Failure::Running(format!("the metrics cannot be read: {e}")))?;
    Ok(explanations
        .iter()
        .filter_map(|(name, explanation)| {
            let value = match value.get(name)? {
                serde_json::Value::Number(n) if n.is_f64() => {
                    format!("{:.4}", n.as_f64().unwrap_or(f64::NAN))
                }
                other => other.to_string(),
            };
            Some(Metric {
                name: (*name).to_owned(),
                value,
                explanation: (*explanation).to_owned(),
            })
        })
        .collect())
}
