//! The best setting of α_DP, μ_K and σ_K, found by validation alone.

use super::cell::prior_words;
use super::paper::Number;
use super::paper::number;
use super::rows::{Row, Spread, signed};
use super::sheet::Sheet;
use crate::command::compare::table::{Cell, Column, Table, csv, digits};
use serde_json::{Value, json};

/// A data set and what was found for it.
struct Found<'a> {
    preset: &'a str,
    dataset: &'a str,
    best: &'a Row,
    /// The setting of the paper, if it was run.
    paper: Option<&'a Row>,
    paper_setting: Option<String>,
    tried: usize,
}

/// The table of the search; `rows` have a validation score for every setting.
pub fn sheet(rows: &[Row], paper: &[Number]) -> Sheet {
    let found = found(rows, paper);
    let columns = [
        ("data set", "as in `bnpool data list`"),
        ("preset", "the settings that the runs start from"),
        ("best setting", "best mean on validation graphs"),
        ("validation", "its metric on validation graphs"),
        ("paper's setting", "best in the paper"),
        (
            "its validation",
            "metric of the paper's setting in our runs, on validation graphs",
        ),
        ("difference", "of the two, in standard deviations"),
        ("settings", "how many were tried, of 32"),
    ];
    let cells = |f: &Found<'_>| {
        vec![
            Cell::text(f.dataset),
            Cell::text(f.preset),
            Cell::text(prior_words(&f.best.variant)),
            Cell {
                text: f.best.ours_text(),
                value: f.best.ours.map(|o| o.mean),
            },
            Cell::text(f.paper_setting.as_deref().map_or("–".into(), prior_words)),
            Cell {
                text: f.paper.map_or("–".into(), Row::ours_text),
                value: f.paper.and_then(|row| row.ours).map(|o| o.mean),
            },
            Cell::number(f.difference(), signed),
            Cell::number(Some(f.tried as f64), |n| format!("{n}")),
        ]
    };
    let table = Table {
        columns: columns
            .map(|(name, meaning)| Column { name, meaning })
            .to_vec(),
        rows: found.iter().map(cells).collect(),
    };
    Sheet {
        markdown: markdown(&table),
        csv: to_csv(&found),
        json: Value::Array(found.iter().map(to_json).collect()),
        table,
    }
}

/// The best setting of every data set.
fn found<'a>(rows: &'a [Row], paper: &[Number]) -> Vec<Found<'a>> {
    let mut all: Vec<Found<'a>> = Vec::new();
    for row in rows.iter().filter(|row| row.ours.is_some()) {
        let known = all
            .iter_mut()
            .find(|f| (f.preset, f.dataset) == (&*row.preset, &*row.dataset));
        match known {
            Some(found) => {
                found.tried += 1;
                if is_better(row, found.best) {
                    found.best = row;
                }
            }
            None => all.push(Found {
                preset: &row.preset,
                dataset: &row.dataset,
                best: row,
                paper: None,
                paper_setting: paper_setting(&row.dataset, paper),
                tried: 1,
            }),
        }
    }
    for found in &mut all {
        found.paper = rows.iter().find(|row| {
            (&*row.preset, &*row.dataset) == (found.preset, found.dataset)
                && Some(&row.variant) == found.paper_setting.as_ref()
                && row.ours.is_some()
        });
    }
    all
}

/// The first of equals stays.
fn is_better(row: &Row, than: &Row) -> bool {
    let mean = |row: &Row| row.ours.map_or(f64::NAN, |o| o.mean);
    match row.dataset.as_str() {
        // An error.
        "peptides-struct" => mean(row) < mean(than),
        _ => mean(row) > mean(than),
    }
}

impl Found<'_> {
    fn difference(&self) -> Option<f64> {
        let (best, paper) = (self.best.ours?, self.paper?.ours?);
        let squares: Vec<f64> = [best.std, paper.std]
            .into_iter()
            .flatten()
            .map(|s| s * s)
            .collect();
        let deviation = (squares.iter().sum::<f64>() / squares.len().max(1) as f64).sqrt();
        (deviation > 0.0).then(|| (best.mean - paper.mean) / deviation)
    }
}

/// The name of the paper's setting.
fn paper_setting(dataset: &str, paper: &[Number]) -> Option<String> {
    let value = |metric| {
        Some(
            number(paper, [dataset, "bn", "", metric])?
                .mean?
                .to_string(),
        )
    };
    let values = [value("alpha_dp")?, value("mu_k")?, value("sigma_k")?];
    Some(super::cell::prior_name([
        &values[0], &values[1], &values[2],
    ]))
}

fn markdown(table: &Table) -> String {
    let names: Vec<&str> = table.columns.iter().map(|c| c.name).collect();
    let mut out = format!(
        "| {} |\n|{}\n",
        names.join(" | "),
        "---|".repeat(names.len())
    );
    for row in &table.rows {
        let cells: Vec<&str> = row.iter().map(|cell| cell.text.as_str()).collect();
        out += &format!("| {} |\n", cells.join(" | "));
    }
    out
}

fn parts(found: &Found<'_>) -> (Option<Spread>, Option<Spread>) {
    (found.best.ours, found.paper.and_then(|row| row.ours))
}

fn to_csv(found: &[Found<'_>]) -> String {
    let heading = [
        "preset",
        "dataset",
        "best",
        "val_mean",
        "val_std",
        "runs",
        "paper_best",
        "paper_best_val_mean",
        "paper_best_val_std",
        "difference_std",
        "settings",
    ];
    let line = |f: &Found<'_>| {
        let (best, paper) = parts(f);
        vec![
            f.preset.to_owned(),
            f.dataset.to_owned(),
            f.best.variant.clone(),
            digits(best.map(|s| s.mean)),
            digits(best.and_then(|s| s.std)),
            best.map_or(0, |s| s.runs).to_string(),
            f.paper_setting.clone().unwrap_or_default(),
            digits(paper.map(|s| s.mean)),
            digits(paper.and_then(|s| s.std)),
            digits(f.difference()),
            f.tried.to_string(),
        ]
    };
    csv(
        &heading.map(str::to_owned),
        &found.iter().map(line).collect::<Vec<_>>(),
    )
}

fn to_json(f: &Found<'_>) -> Value {
    let (best, paper) = parts(f);
    json!({
        "preset": f.preset,
        "dataset": f.dataset,
        "best": f.best.variant,
        "val_mean": best.map(|s| s.mean),
        "val_std": best.and_then(|s| s.std),
        "paper_best": f.paper_setting,
        "paper_best_val_mean": paper.map(|s| s.mean),
        "difference_std": f.difference(),
        "settings": f.tried,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
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
            unit: Unit::Percent,
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
        let sheet = sheet(&rows, &numbers("hyperparameters"));
        assert_eq!(sheet.json[0]["best"], "mu-1-sigma-1-alpha-1");
        assert_eq!(sheet.json[0]["paper_best"], "mu-10-sigma-1-alpha-1");
        assert_eq!(sheet.json[0]["difference_std"], 2.0);
        assert_eq!(sheet.json[0]["settings"], 3);
        // The lower error is better.
        assert_eq!(sheet.json[1]["best"], "mu-0.1-sigma-0.1-alpha-1");
        assert_eq!(sheet.json[1]["best"], sheet.json[1]["paper_best"]);
        assert!(sheet.markdown.contains("| α 1, μ 1, σ 1 | 90.0 ± 2.0 |"));
    }
}
