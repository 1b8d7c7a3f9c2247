//! The best setting of α_DP, μ_K and σ_K, found by validation or by L_rec, never by
//! labels of the test.

use super::cell::{Cell, Run, prior_name, prior_words};
use super::item::{Grid, Measure};
use super::paper::{Number, number};
use super::rows::{Row, Spread, signed};
use super::sheet::{Fields, Sheet, markdown, markdown_table, to_csv, to_json};
use super::store::Store;
use crate::terminal::message::Failure;
use serde_json::json;

/// A data set and what was found for it.
struct Found<'a> {
    best: &'a Row,
    /// The setting of the paper, and its row if it was run.
    paper_setting: Option<String>,
    paper: Option<&'a Row>,
    tried: usize,
    /// ACC and COS of the best setting, after a search by L_rec.
    agreement: Vec<&'a Row>,
}

/// The runs of the best setting of every data set by L_rec: those of further seeds.
/// `runs` are the first seed of every setting; a data set counts once all are finished.
pub fn finals(
    grid: &Grid,
    runs: &[Run],
    store: &Store,
    seeds: &[usize],
) -> Result<Vec<Run>, Failure> {
    let key = |run: &Run| (run.cell.preset.clone(), run.cell.dataset.clone());
    let mut finals = Vec::new();
    for group in runs.chunk_by(|a, b| key(a) == key(b)) {
        let loss = |run: &Run| store.find(run)?.metrics.get("loss_rec").copied();
        let losses: Option<Vec<f64>> = group.iter().map(loss).collect();
        let best = losses.and_then(|losses| {
            let known = group.iter().zip(losses);
            known.min_by(|a, b| a.1.total_cmp(&b.1))
        });
        let Some((best, _)) = best else { continue };
        for &seed in seeds {
            let cell = Cell {
                seed: seed as u64,
                ..best.cell.clone()
            };
            finals.push(Run::new(grid, cell)?);
        }
    }
    Ok(finals)
}

/// The table of the search; `rows` have a score for every setting.
pub fn sheet(grid: &Grid, rows: &[Row], paper: &[Number]) -> Sheet {
    let found = found(rows, paper);
    let agreement = found.iter().flat_map(|f| &f.agreement);
    let agreement: Vec<Row> = agreement
        .map(|row| Row {
            variant: String::new(),
            ..(*row).clone()
        })
        .collect();
    let by_loss = grid.measure == Measure::Loss;
    let columns = [
        "data set",
        "preset",
        "best setting",
        if by_loss { "L_rec" } else { "validation" },
        "paper's setting",
        "its validation",
        "difference",
        "settings",
    ];
    let dash = || "–".to_owned();
    let cells = |f: &Found<'_>| {
        vec![
            f.best.dataset.clone(),
            f.best.preset.clone(),
            prior_words(&f.best.variant),
            f.best.ours_text(),
            f.paper_setting.as_deref().map_or_else(dash, prior_words),
            f.paper.map_or_else(dash, Row::ours_text),
            f.difference().map_or_else(dash, signed),
            f.tried.to_string(),
        ]
    };
    let lines: Vec<Vec<String>> = found.iter().map(cells).collect();
    let fields: Vec<Fields> = found.iter().map(Found::fields).collect();
    Sheet {
        markdown: markdown_table(&columns.map(str::to_owned), &lines)
            + if agreement.is_empty() { "" } else { "\n" }
            + &markdown(grid, &agreement),
        csv: to_csv(&fields),
        json: to_json(&fields),
    }
}

/// The best setting of every data set.
fn found<'a>(rows: &'a [Row], paper: &[Number]) -> Vec<Found<'a>> {
    let groups = rows.chunk_by(|a, b| (&a.preset, &a.dataset) == (&b.preset, &b.dataset));
    let best = |group: &'a [Row]| {
        let is_score = |row: &&Row| row.ours.is_some() && matches!(row.metric, "val" | "loss");
        let mut known = group.iter().filter(is_score);
        let first = known.next()?;
        let paper_setting = paper_setting(&first.dataset, paper);
        let mut best = first;
        for row in known.clone() {
            // The first of equals stays.
            if is_better(row, best) {
                best = row;
            }
        }
        let agreement = group.iter().filter(|row| row.variant == best.variant);
        Some(Found {
            best,
            agreement: agreement
                .filter(|row| matches!(row.metric, "acc" | "cos"))
                .collect(),
            paper: group
                .iter()
                .find(|row| row.ours.is_some() && Some(&row.variant) == paper_setting.as_ref()),
            paper_setting,
            tried: known.count() + 1,
        })
    };
    groups.filter_map(best).collect()
}

fn is_better(row: &Row, than: &Row) -> bool {
    let mean = |row: &Row| row.ours.map_or(f64::NAN, |o| o.mean);
    match (row.dataset.as_str(), row.metric) {
        // An error.
        ("peptides-struct", _) | (_, "loss") => mean(row) < mean(than),
        _ => mean(row) > mean(than),
    }
}

impl Found<'_> {
    fn difference(&self) -> Option<f64> {
        let (best, paper) = (self.best.ours?, self.paper?.ours?);
        let deviations = [best.std, paper.std].into_iter().flatten();
        let squares: Vec<f64> = deviations.map(|s| s * s).collect();
        let deviation = (squares.iter().sum::<f64>() / squares.len().max(1) as f64).sqrt();
        (deviation > 0.0).then(|| (best.mean - paper.mean) / deviation)
    }

    fn fields(&self) -> Fields {
        let best = self.best.ours;
        let paper = self.paper.and_then(|row| row.ours);
        let mean = |spread: Option<Spread>| json!(spread.map(|s| s.mean));
        let std = |spread: Option<Spread>| json!(spread.and_then(|s| s.std));
        let mut fields = vec![
            ("preset", json!(self.best.preset)),
            ("dataset", json!(self.best.dataset)),
            ("best", json!(self.best.variant)),
        ];
        if self.best.metric == "loss" {
            fields.push(("loss_rec", mean(best)));
            for row in &self.agreement {
                let [name, deviation] = if row.metric == "acc" {
                    ["acc_mean", "acc_std"]
                } else {
                    ["cos_mean", "cos_std"]
                };
                fields.extend([(name, mean(row.ours)), (deviation, std(row.ours))]);
            }
            fields.push(("settings", json!(self.tried)));
            return fields;
        }
        fields.extend([
            ("val_mean", mean(best)),
            ("val_std", std(best)),
            ("runs", json!(best.map_or(0, |s| s.runs))),
            ("paper_best", json!(self.paper_setting)),
            ("paper_best_val_mean", mean(paper)),
            ("paper_best_val_std", std(paper)),
            ("difference_std", json!(self.difference())),
            ("settings", json!(self.tried)),
        ]);
        fields
    }
}

/// The name of the paper's setting.
fn paper_setting(dataset: &str, paper: &[Number]) -> Option<String> {
    let value = |metric| {
        let number = number(paper, [dataset, "bn", "", metric])?;
        Some(number.mean?.to_string())
    };
    let values = [value("alpha_dp")?, value("mu_k")?, value("sigma_k")?];
    Some(prior_name([&values[0], &values[1], &values[2]]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::reproduce::item::find;
    use crate::command::reproduce::paper::numbers;
    use crate::command::reproduce::rows::Unit;

    #[test]
    fn the_best_is_found_by_validation() {
        let row = |dataset: &str, variant: &str, mean: f64| Row {
            preset: "paper".into(),
            dataset: dataset.into(),
            pooler: "bn".into(),
            variant: variant.into(),
            metric: "val",
            unit: Unit::Plain(1),
            ours: Some(Spread {
                mean,
                std: Some(2.0),
                runs: 3,
            }),
            paper: None,
        };
        // The setting of the paper for MUTAG is α 1, μ 10, σ 1.
        let rows = [
            row("mutag", "mu-10-sigma-1-alpha-1", 86.0),
            row("mutag", "mu-1-sigma-1-alpha-1", 90.0),
            row("mutag", "mu-30-sigma-1-alpha-1", 90.0),
            row("peptides-struct", "mu-1-sigma-1-alpha-1", 0.3),
            row("peptides-struct", "mu-0.1-sigma-0.1-alpha-1", 0.2),
        ];
        let table = |item: &str, rows: &[Row]| {
            let grid = find(item).expect("an item").grid().expect("a grid");
            sheet(grid, rows, &numbers(item))
        };
        let sheet = table("hyperparameters", &rows);
        assert_eq!(sheet.json[0]["best"], "mu-1-sigma-1-alpha-1");
        assert_eq!(sheet.json[0]["paper_best"], "mu-10-sigma-1-alpha-1");
        assert_eq!(sheet.json[0]["difference_std"], 2.0);
        assert_eq!(sheet.json[0]["settings"], 3);
        // The lower error is better.
        assert_eq!(sheet.json[1]["best"], "mu-0.1-sigma-0.1-alpha-1");
        assert_eq!(sheet.json[1]["best"], sheet.json[1]["paper_best"]);
        assert!(sheet.markdown.contains("| α 1, μ 1, σ 1 | 90.0 ± 2.0 |"));
        // By L_rec the lowest is best, and ACC and COS are those of the best setting.
        let of_graph = |variant: &str, metric: &'static str, mean: f64| Row {
            metric,
            ..row("cora", variant, mean)
        };
        let rows = [
            of_graph("mu-1-sigma-1-alpha-1", "loss", 2.0),
            of_graph("mu-1-sigma-1-alpha-1", "acc", 90.0),
            of_graph("mu-10-sigma-1-alpha-1", "loss", 1.0),
            of_graph("mu-10-sigma-1-alpha-1", "acc", 60.0),
        ];
        let sheet = table("clustering-search", &rows);
        assert_eq!(sheet.json[0]["best"], "mu-10-sigma-1-alpha-1");
        assert_eq!(
            (
                sheet.json[0]["loss_rec"].as_f64(),
                sheet.json[0]["acc_mean"].as_f64()
            ),
            (Some(1.0), Some(60.0))
        );
        assert!(
            sheet.markdown.contains("| bn | 60.0 ± 2.0 |"),
            "{}",
            sheet.markdown
        );
    }
}
