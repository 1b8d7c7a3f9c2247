//! From a finished run to the parts of its report.

use super::output::Finished;
use super::words::sentence;
use super::{GraphSource, Input};
use crate::Failure;
use crate::cluster::{AGREEMENT, Communities, Epoch, FoundEvidence};
use crate::failure::Terms;
use crate::front::advice;
use crate::run::page::{Page, cannot_draw, metric_rows, with_state};
use bnpool_graph::UNLABELLED;
use bnpool_report::cluster::{
    Agreement, Classes, ClusterReport, CommunityRow, HistoryPoint, LossCurve, Merge, Rendering,
};
use std::borrow::Cow;
use std::path::Path;

/// Renders the report of a clustering run.
pub(super) fn cluster_report(
    run: &Finished,
    history: &[Epoch],
    terms: Terms,
) -> Result<Page, Failure> {
    render_cluster(run, history, terms, |rendering| {
        let pictures = match run.plots {
            Some(_) => rendering.pictures().map_err(|e| cannot_draw(&e))?,
            None => Vec::new(),
        };
        Ok(Page {
            html: rendering.html(),
            pictures,
        })
    })
}

/// Draws the report of a clustering run, and passes the drawing on.
pub(super) fn render_cluster<R>(
    run: &Finished,
    history: &[Epoch],
    terms: Terms,
    make: impl FnOnce(&Rendering<'_>) -> Result<R, Failure>,
) -> Result<R, Failure> {
    // Of a graph in parts its communities are drawn.
    let shown = run.result.as_graph()?.map(|(graph, result)| {
        let input = Input::in_memory(&run.input.name, graph, Vec::new(), Vec::new());
        (input, result)
    });
    let whole = (run.input, run.result);
    let (input, result) = shown
        .as_ref()
        .map_or(whole, |(input, result)| (input, result));
    let graph = &input.graph;
    let labels: Vec<usize> = result.labels.iter().map(|&l| l as usize).collect();
    let columns: Vec<usize> = result.communities.iter().map(|c| c.column).collect();
    let classes = graph.node_labels().map(|labels| Classes {
        labels,
        names: &input.class_names,
    });
    let communities = rows(input, result, &labels);
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
    let source = files(&run.plan.source).unwrap_or_else(|| input.name.clone());
    let config_toml = run.plan.settings_toml()?;
    let evidence = result
        .evidence
        .as_ref()
        .map_or(String::new(), |found| sentence(found, terms));
    let (merges, levels) = hierarchy(result.evidence.as_ref());
    let cut = advice(terms, "clusters", "K");
    let metrics = metric_rows(&run.metrics, &explanations(result.pooler.posterior))?;
    let read = run.input.understood.iter();
    let read = read.map(|how| format!("read as {how}"));
    let notes: Vec<String> = read.chain(run.input.notes.iter().cloned()).collect();
    let notes = with_state(&notes, run.metrics.is_unfinished(), terms);
    let report = ClusterReport {
        title: &title,
        dataset: &source,
        pooler: result.pooler.title,
        posterior: result.pooler.posterior,
        graph,
        classes,
        agreement: result.mean_agreement.map(|a| Agreement {
            nmi: a.get("nmi").unwrap_or(f64::NAN),
            ari: a.get("ari").unwrap_or(f64::NAN),
        }),
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
        merges: &merges,
        levels: &levels,
        cut: &cut,
        evidence: &evidence,
        communities_interval: result.count.interval,
        history: &history,
        losses: &losses,
        metrics: &metrics,
        warnings: run.metrics.warnings(),
        notes: &notes,
        config_toml: &config_toml,
        version: env!("CARGO_PKG_VERSION"),
    };
    make(&Rendering::new(&report).map_err(|e| cannot_draw(&e))?)
}

/// The merges of the communities, and the numbers of groups of the coarser levels.
fn hierarchy(evidence: Option<&FoundEvidence>) -> (Vec<Merge>, Vec<usize>) {
    let Some(evidence) = evidence else {
        return (Vec::new(), Vec::new());
    };
    let merge = |merge: &crate::cluster::Merge| Merge {
        kept: merge.kept as usize,
        gone: merge.gone as usize,
        nats: merge.length,
    };
    (
        evidence.merges.iter().map(merge).collect(),
        evidence.level_sizes(),
    )
}

/// The names of the files that were read, without their folders; nothing for a
/// data set.
fn files(source: &GraphSource) -> Option<String> {
    let name = |path: &Path| match path.file_name() {
        Some(name) => name.to_string_lossy().into_owned(),
        None => path.display().to_string(),
    };
    let graph = name(source.graph.as_deref()?);
    let parts = [("features", &source.features), ("labels", &source.labels)];
    let others = parts.into_iter().filter_map(|(what, path)| {
        let path = path.as_deref()?;
        Some(format!("{what} {}", name(path)))
    });
    Some(
        std::iter::once(graph)
            .chain(others)
            .collect::<Vec<_>>()
            .join(", "),
    )
}

/// Losses by their keys in the history: name and meaning. Those of BN-Pool come
/// first, in the order of the paper.
const LOSSES: [(&str, &str, &str); 5] = [
    (
        "loss_rec",
        "reconstruction",
        "The reconstruction loss measures how well the links are predicted; lower is better.",
    ),
    (
        "loss_kl",
        "divergence",
        "The divergence measures how far the memberships are from their prior.",
    ),
    (
        "loss_k",
        "prior of K",
        "The prior of K measures how far the block matrix is from its prior.",
    ),
    (
        "loss_cut",
        "cut",
        "The cut loss measures the links between communities; −1 is best.",
    ),
    (
        "loss_ortho",
        "orthogonality",
        "The orthogonality loss is 0 if the communities do not overlap and have equal sizes.",
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

fn rows(input: &Input, result: &Communities, labels: &[usize]) -> Vec<CommunityRow> {
    let majority = input.graph.node_labels().map(|classes| {
        let known = || {
            labels
                .iter()
                .zip(classes)
                .filter(|(_, class)| **class != UNLABELLED)
        };
        let count = known().map(|(_, class)| *class as usize + 1).max();
        let mut votes = vec![vec![0_usize; count.unwrap_or(0)]; result.communities.len()];
        for (&label, &class) in known() {
            votes[label][class as usize] += 1;
        }
        votes
    });
    result
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
                    let labelled: usize = votes[i].iter().sum();
                    let name = input.class_names.get(class);
                    let name = name.cloned().unwrap_or_else(|| class.to_string());
                    (most > 0).then(|| (name, most as f64 / labelled as f64))
                }),
            }
        })
        .collect()
}

/// The meaning of the metrics. Poolers without a posterior have no intervals and a single
/// S, so the metrics of its mean would repeat the others.
fn explanations(posterior: bool) -> Vec<(&'static str, Cow<'static, str>)> {
    let mut rows = vec![("communities", "the number of communities".into())];
    let clusters = "clusters that hold some node with a membership above 1/C";
    if posterior {
        rows.push((
            "communities_interval",
            "range of the number by the evidence and at least 90 % of the posterior samples".into(),
        ));
        rows.push((
            "clusters",
            format!("{clusters}, in one posterior sample").into(),
        ));
        rows.push((
            "clusters_interval",
            format!("{clusters}, 90 % range of the samples").into(),
        ));
    } else {
        rows.push(("clusters", clusters.into()));
    }
    for measure in &AGREEMENT {
        let meaning = measure.meaning;
        if posterior {
            rows.push((measure.key, format!("{meaning}; of one sample of S").into()));
            let mean = format!("{meaning}; of the posterior mean of S");
            rows.push((measure.mean_key, mean.into()));
        } else {
            rows.push((measure.key, meaning.into()));
        }
    }
    rows.extend(EXPLANATIONS.map(|(key, meaning)| (key, meaning.into())));
    rows
}

const EXPLANATIONS: [(&str, &str); 6] = [
    (
        "modularity",
        "share of links inside communities, minus the share expected by chance",
    ),
    (
        "loss_rec",
        "L_rec: error of the links predicted from S and K",
    ),
    (
        "loss_kl",
        "L_π: divergence of the memberships from their prior",
    ),
    ("loss_k", "L_K: negative log-density of K under its prior"),
    ("best_epoch", "the epoch whose parameters are used"),
    ("seconds_per_epoch", "mean time of one training epoch"),
];
