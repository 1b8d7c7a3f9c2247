//! The figures of the paper.

mod draws;
mod gcb;

use super::cell::Run;
use super::data::Data;
use super::item::{Draw, Figure};
use super::record::Record;
use super::store::Store;
use crate::terminal::message::Failure;
use bnpool::pool::find_pooler;
use bnpool_report::reproduce::{Drawing, histogram};
use std::path::PathBuf;

/// A figure, and remarks on it.
#[derive(Default)]
pub struct Drawn {
    pub drawings: Vec<Drawing>,
    /// Pictures of reports, and their names in the figure.
    pub files: Vec<(PathBuf, String)>,
    pub remarks: Vec<String>,
}

/// Source of a figure.
pub struct Source<'a> {
    /// Finished runs whose files were kept.
    pub runs: &'a [Run],
    pub store: &'a Store,
    pub data: &'a Data,
    /// The results of the table.
    pub records: &'a [Record],
}

/// Draws a figure.
pub fn draw(figure: &Figure, from: &Source<'_>) -> Result<Drawn, Failure> {
    match figure.draw {
        Draw::Dirichlet => Ok(draws::dirichlet()),
        Draw::Sticks => Ok(draws::sticks()),
        Draw::Urn => Ok(draws::urn()),
        Draw::Pictures => pictures(figure, from),
        Draw::Pooled => gcb::draw(from),
        Draw::Histograms => Ok(Drawn {
            drawings: histograms(from.records)?,
            ..Drawn::default()
        }),
    }
}

/// Pictures of the reports of the runs.
fn pictures(figure: &Figure, from: &Source<'_>) -> Result<Drawn, Failure> {
    let mut drawn = Drawn::default();
    for run in from.runs {
        let pooler = find_pooler(&run.cell.pooler).map_err(|e| Failure::running(e.to_string()))?;
        let communities = from.store.find(run).and_then(|record| {
            let count = record.metrics.get("communities")?;
            Some(format!(", {count} communities"))
        });
        drawn.remarks.push(format!(
            "{}, preset {}: {}{}",
            pooler.title,
            run.cell.preset,
            figure.pictures.join(", "),
            communities.unwrap_or_default()
        ));
        for file in &figure.files() {
            let picture = file.rsplit('/').next().unwrap_or_default();
            let name = format!("{}-{}-{picture}", run.cell.pooler, run.cell.preset);
            drawn.files.push((from.store.file(run, file), name));
        }
    }
    Ok(drawn)
}

/// A histogram for every preset and data set, from results in the order of their table.
pub fn histograms(records: &[Record]) -> Result<Vec<Drawing>, Failure> {
    let key = |record: &Record| (record.cell.preset.clone(), record.cell.dataset.clone());
    let mut drawings = Vec::new();
    for group in records.chunk_by(|a, b| key(a) == key(b)) {
        let (preset, dataset) = key(&group[0]);
        let title = bnpool_io::dataset::find(&dataset)?.title;
        let counts = group.iter().flat_map(|record| &record.cluster_counts);
        let clusters: Vec<usize> = counts
            .flat_map(|(&clusters, &graphs)| std::iter::repeat_n(clusters, graphs))
            .collect();
        let name = format!("{dataset}-{preset}");
        drawings.extend(histogram(
            &name,
            &format!("{title}, preset {preset}"),
            &clusters,
        ));
    }
    Ok(drawings)
}
