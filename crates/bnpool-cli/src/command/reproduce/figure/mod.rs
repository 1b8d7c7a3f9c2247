//! The figures of the paper.

mod draws;
mod gcb;
mod nodes;

use super::cell::{Cell, Run};
use super::item::{Figure, Grid, Item, find};
use super::place::{Data, Place};
use super::result::RunResult;
use super::selection::Selection;
use crate::message::Failure;
use bnpool_report::reproduce::{Drawing, histogram};
use std::collections::BTreeMap;

/// The runs that a figure needs; none for draws.
pub fn runs(figure: Figure, selection: &Selection) -> Result<Vec<Run>, Failure> {
    let (item, dataset, poolers, keep): (_, _, &[&str], &'static [&'static str]) = match figure {
        Figure::Dp | Figure::Sticks | Figure::Urn => return Ok(Vec::new()),
        Figure::Histograms => return selection.runs(grid("clusters")?),
        Figure::Communities => (
            "clustering",
            "community",
            &["bn", "mincut"],
            &["labels.csv"],
        ),
        Figure::Spy | Figure::S => (
            "clustering",
            "cora",
            &["bn", "mincut"],
            &["assignments_raw.npy", "block_matrix_raw.npy"],
        ),
        Figure::GcbH => (
            "graphs-extra",
            "gcb-h",
            &gcb::POOLERS,
            &["model.fold-0.safetensors"],
        ),
    };
    let grid = grid(item)?;
    let mut runs = Vec::new();
    for preset in &selection.presets {
        for pooler in poolers {
            let cell = Cell {
                dataset: dataset.to_owned(),
                pooler: (*pooler).to_owned(),
                variant: String::new(),
                preset: preset.clone(),
                seed: 0,
                fold: 0,
                quick: selection.quick,
            };
            runs.push(Run::new(grid, cell)?.keeping(keep));
        }
    }
    Ok(runs)
}

fn grid(item: &str) -> Result<&'static Grid, Failure> {
    let grid = find(item)?.grid();
    grid.ok_or_else(|| Failure::running(format!("`{item}` has no runs")))
}

/// A figure and what it is drawn from.
pub struct Drawn {
    pub drawings: Vec<Drawing>,
    /// What it shows, in words.
    pub remarks: Vec<String>,
}

/// Draws a figure from finished runs.
pub fn draw(
    figure: Figure,
    runs: &[Run],
    place: &Place,
    data: &Data,
    results: &[RunResult],
) -> Result<Drawn, Failure> {
    match figure {
        Figure::Dp => Ok(draws::dirichlet()),
        Figure::Sticks => Ok(draws::sticks()),
        Figure::Urn => Ok(draws::urn()),
        Figure::Communities => nodes::communities(runs, place, data),
        Figure::Spy => nodes::spy(runs, place, data),
        Figure::S => nodes::s(runs, place, data),
        Figure::GcbH => gcb::draw(runs, place, data),
        Figure::Histograms => Ok(Drawn {
            drawings: histograms(results)?,
            remarks: Vec::new(),
        }),
    }
}

/// A histogram for every preset and data set.
pub fn histograms(results: &[RunResult]) -> Result<Vec<Drawing>, Failure> {
    let mut all: Vec<(&RunResult, BTreeMap<usize, usize>)> = Vec::new();
    for result in results.iter().filter(|r| !r.cluster_counts.is_empty()) {
        let same = |other: &RunResult| {
            (&other.cell.dataset, &other.cell.preset) == (&result.cell.dataset, &result.cell.preset)
        };
        let known = all.iter_mut().find(|(first, _)| same(first));
        let counts = match known {
            Some((_, counts)) => counts,
            None => {
                all.push((result, BTreeMap::new()));
                match all.last_mut() {
                    Some((_, counts)) => counts,
                    None => continue,
                }
            }
        };
        for (&clusters, &graphs) in &result.cluster_counts {
            *counts.entry(clusters).or_default() += graphs;
        }
    }
    all.into_iter()
        .map(|(result, counts)| {
            let cell = &result.cell;
            let title = bnpool_io::dataset::find(&cell.dataset)?.title;
            let counts: Vec<(usize, usize)> = counts.into_iter().collect();
            Ok(histogram(
                &format!("{}-{}", cell.dataset, cell.preset),
                &format!("{title}, preset {}", cell.preset),
                &counts,
            ))
        })
        .collect()
}

/// The title of the page of an item.
pub fn title(item: &Item) -> String {
    let mut letters = item.what.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}
