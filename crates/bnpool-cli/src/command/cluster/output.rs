//! The files of a finished run.

use super::metrics::Metrics;
use super::plan::Plan;
use super::source::Input;
use crate::message::Failure;
use crate::report::cluster_report;
use bnpool::task::TaskError;
use bnpool::task::cluster::{ClusterResult, Epoch};
use bnpool::train::Checkpoint;
use bnpool_graph::format::{npy, write_atomically};
use serde_json::json;
use std::io::Write;
use std::path::Path;

/// A finished run and what is to be written of it.
pub struct Finished<'a> {
    pub plan: &'a Plan,
    pub input: &'a Input,
    pub result: &'a ClusterResult,
    pub metrics: &'a Metrics,
    pub plots: Option<&'a Path>,
}

/// Writes everything; `metrics.json` comes last and says that all is there.
pub fn write_results(run: &Finished) -> Result<(), Failure> {
    let directory = &run.plan.directory;
    let result = run.result;
    write_labels(&directory.file("labels.csv"), run)?;
    let (nodes, clusters) = (run.input.graph.nodes(), run.plan.config.pooler.max_clusters);
    npy::write_f32(
        &directory.file("assignments.npy"),
        &[nodes, clusters],
        &result.assignments,
    )?;
    npy::write_f32(
        &directory.file("block_matrix.npy"),
        &[clusters, clusters],
        &result.block_matrix,
    )?;
    let model = Checkpoint {
        tensors: result.parameters.clone(),
        state: json!({ "task": "cluster", "version": env!("CARGO_PKG_VERSION") }),
    };
    model
        .write(&directory.file("model.safetensors"))
        .map_err(TaskError::from)?;
    write_report(run)?;
    directory.write_json("metrics.json", run.metrics)
}

/// Writes `report.html`, and the pictures where they are asked for.
pub fn write_report(run: &Finished) -> Result<(), Failure> {
    let directory = &run.plan.directory;
    let history = read_history(&directory.file("history.jsonl"))?;
    let page = cluster_report(run, &history)?;
    directory.write_text("report.html", &page.html)?;
    if let Some(folder) = run.plots {
        for picture in page.pictures {
            let write = |ending: &str, bytes: &[u8]| {
                let path = folder.join(format!("{}.{ending}", picture.name));
                write_atomically(&path, |out| out.write_all(bytes))
            };
            write("svg", picture.svg.as_bytes())?;
            write("png", &picture.png)?;
        }
    }
    Ok(())
}

/// The epochs of a run; lines that are cut off are left out.
fn read_history(path: &Path) -> Result<Vec<Epoch>, Failure> {
    let text = std::fs::read_to_string(path)
        .map_err(|e| Failure::Running(format!("{}: cannot read: {e}", path.display())))?;
    Ok(text
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect())
}

/// `labels.csv`: node, cluster, confidence, entropy.
fn write_labels(path: &Path, run: &Finished) -> Result<(), Failure> {
    let result = run.result;
    let ids = run.input.graph.node_ids();
    Ok(write_atomically(path, |out| {
        writeln!(out, "node,cluster,confidence,entropy")?;
        for (u, cluster) in result.labels.iter().enumerate() {
            match ids {
                Some(ids) => write_field(out, &ids[u])?,
                None => write!(out, "{u}")?,
            }
            let (confidence, entropy) = (result.confidence[u], result.entropy[u]);
            writeln!(out, ",{cluster},{confidence:.6},{entropy:.6}")?;
        }
        Ok(())
    })?)
}

/// A field of a csv file, in quotes where it needs them.
fn write_field(out: &mut dyn Write, text: &str) -> std::io::Result<()> {
    if text.contains([',', '"', '\n', '\r']) {
        write!(out, "\"{}\"", text.replace('"', "\"\""))
    } else {
        out.write_all(text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        let field = |text| {
            let mut out = Vec::new();
            write_field(&mut out, text).expect("memory");
            String::from_utf8(out).expect("text")
        };
        assert_eq!(field("a b"), "a b");
        assert_eq!(field("a,\"b\""), "\"a,\"\"b\"\"\"");
    }
}
