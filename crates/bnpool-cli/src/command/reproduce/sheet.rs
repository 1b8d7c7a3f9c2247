//! A table of an item: as Markdown for people, as csv and as JSON for programs.

use super::behind::runs_behind;
use super::cell::prior_words;
use super::item::{Grid, Measure};
use super::paper::Number;
use super::rows::{Row, signed};
use super::search;
use bnpool_task::compare::{csv, digits};
use serde_json::{Value, json};

/// A finished table.
pub struct Sheet {
    /// In the shape of the paper's table.
    pub markdown: String,
    /// With all digits, for other programs.
    pub csv: String,
    pub json: Value,
}

/// The numbers of a row with their keys, in the order of the csv file.
pub type Fields = Vec<(&'static str, Value)>;

/// The table of the runs of a grid.
pub fn sheet(grid: &Grid, rows: &[Row], paper: &[Number]) -> Sheet {
    if matches!(grid.measure, Measure::Search | Measure::Loss) {
        return search::sheet(grid, rows, paper);
    }
    let against = Against::of(grid.measure);
    let fields: Vec<Fields> = rows.iter().map(fields).collect();
    let mut json = to_json(&fields);
    for (value, row) in json.as_array_mut().into_iter().flatten().zip(rows) {
        value["compared"] = json!(against.value(row));
    }
    Sheet {
        markdown: markdown(grid, rows),
        csv: to_csv(&fields),
        json,
    }
}

/// Comparison of our number with the paper's.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Against {
    /// Difference in standard deviations.
    Deviations,
    /// The paper's number divided by ours.
    Ratio,
    /// Counts are the same or they are not: ours divided by the paper's.
    Equality,
}

impl Against {
    fn of(measure: Measure) -> Self {
        match measure {
            Measure::Resources => Self::Ratio,
            Measure::Counts => Self::Equality,
            _ => Self::Deviations,
        }
    }

    fn value(self, row: &Row) -> Option<f64> {
        match self {
            Self::Deviations => row.difference(),
            Self::Ratio => row.ratio(),
            Self::Equality => row.ratio().map(f64::recip),
        }
    }

    fn text(self, row: &Row) -> String {
        match (self, self.value(row)) {
            (Self::Equality, _) if is_same(row) => "same".to_owned(),
            (_, None) => "–".to_owned(),
            (Self::Deviations, Some(value)) => signed(value),
            (Self::Ratio, Some(value)) => format!("{value:.1}×"),
            (Self::Equality, Some(value)) => format!("{value:.2}×"),
        }
    }
}

/// Whether a count is the paper's, as exact as the paper prints it.
fn is_same(row: &Row) -> bool {
    let (Some(ours), Some(paper)) = (row.ours, row.paper) else {
        return false;
    };
    let decimals = paper.decimals;
    Some(format!("{:.decimals$}", ours.mean)) == paper.text()
}

fn fields(row: &Row) -> Fields {
    vec![
        ("preset", json!(row.preset)),
        ("dataset", json!(row.dataset)),
        ("pooler", json!(row.pooler)),
        ("variant", json!(row.variant)),
        ("metric", json!(row.metric)),
        ("mean", json!(row.ours.map(|o| o.mean))),
        ("std", json!(row.ours.and_then(|o| o.std))),
        ("runs", json!(row.ours.map_or(0, |o| o.runs))),
        ("paper_mean", json!(row.paper.and_then(|n| n.mean))),
        ("paper_std", json!(row.paper.and_then(|n| n.std))),
        ("difference_std", json!(row.difference())),
    ]
}

/// Rows of fields as csv.
pub fn to_csv(rows: &[Fields]) -> String {
    let names = rows.first().into_iter().flatten();
    let names: Vec<&str> = names.map(|(name, _)| *name).collect();
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        number => digits(number.as_f64()),
    };
    let line = |row: &Fields| row.iter().map(|(_, value)| text(value)).collect();
    csv(&names, &rows.iter().map(line).collect::<Vec<_>>())
}

/// Rows of fields as a list of objects.
pub fn to_json(rows: &[Fields]) -> Value {
    let object = |row: &Fields| {
        let fields = row.iter().cloned();
        Value::Object(
            fields
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
        )
    };
    rows.iter().map(object).collect()
}

/// A Markdown table.
pub fn markdown_table(columns: &[String], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let rule = format!("|{}\n", "---|".repeat(columns.len()));
    let rows: String = rows.iter().map(|row| line(row)).collect();
    line(columns) + &rule + &rows
}

/// Tables in the shape of the paper's, one for each preset and metric.
pub fn markdown(grid: &Grid, rows: &[Row]) -> String {
    let presets = rows.chunk_by(|a, b| a.preset == b.preset);
    let tables: Vec<String> = presets.map(|rows| of_preset(grid, rows)).collect();
    tables.join("\n")
}

fn of_preset(grid: &Grid, rows: &[Row]) -> String {
    let known: Vec<&Row> = rows.iter().filter(|row| row.ours.is_some()).collect();
    let by_dataset: fn(&Row) -> String = |row| row.dataset.clone();
    let by_metric: fn(&Row) -> String = |row| row.metric.to_owned();
    let (corner, of_row, of_column) = match grid.measure {
        Measure::Clusters | Measure::Counts => ("data set", by_dataset, by_metric),
        Measure::Validation => {
            let setting: fn(&Row) -> String = |row| prior_words(&row.variant);
            ("setting", setting, by_dataset)
        }
        _ => ("pooler", pooler as fn(&Row) -> String, by_dataset),
    };
    let counts = grid.measure == Measure::Counts;
    // Only sets of one graph have a density within classes.
    let single = known.iter().filter(|row| row.metric == "intra");
    let single: Vec<&str> = single.map(|row| row.dataset.as_str()).collect();
    let group = |row: &Row| {
        if counts {
            let has_one_graph = single.contains(&row.dataset.as_str());
            return has_one_graph.to_string();
        }
        let metric = metric_words(row.metric);
        format!("Preset `{}`, {metric}:", row.preset)
    };
    let mut out = String::new();
    for title in unique(known.iter().map(|row| group(row))) {
        let rows: Vec<&Row> = known
            .iter()
            .copied()
            .filter(|row| group(row) == title)
            .collect();
        // A data set without the first pooler must not change the order.
        let mut by_pooler = rows.clone();
        by_pooler.sort_by_key(|row| grid.poolers.iter().position(|name| *name == row.pooler));
        let columns = unique(rows.iter().map(|row| of_column(row)));
        let line = |name: String| {
            let cell = |column: &String| {
                let mut same = rows.iter().filter(|row| of_row(row) == name);
                let found = same.find(|row| of_column(row) == *column);
                found.map_or("–".to_owned(), |row| markdown_cell(grid.measure, row))
            };
            let cells: Vec<String> = columns.iter().map(cell).collect();
            [vec![name.clone()], cells].concat()
        };
        let lines = unique(by_pooler.iter().map(|row| of_row(row)));
        let lines: Vec<Vec<String>> = lines.into_iter().map(line).collect();
        if !out.is_empty() {
            out.push('\n');
        }
        if !counts {
            out += &format!("{title}\n\n");
        }
        out += &markdown_table(&[vec![corner.to_owned()], columns.clone()].concat(), &lines);
    }
    // Times are of one run each.
    if !matches!(grid.measure, Measure::Resources | Measure::Counts)
        && let Some(line) = runs_behind(rows, pooler)
    {
        out += &format!("\n{line}\n");
    }
    out
}

/// Every name once.
fn unique(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen: Vec<String> = Vec::new();
    for name in names {
        if !seen.contains(&name) {
            seen.push(name);
        }
    }
    seen
}

fn pooler(row: &Row) -> String {
    match row.variant.as_str() {
        "" | "timed" => row.pooler.clone(),
        variant => format!("{} {}", row.pooler, variant.replace("ratio-", "κ = ")),
    }
}

fn metric_words(metric: &str) -> &str {
    match metric {
        "acc" => "ACC in percent",
        "cos" => "COS in percent",
        "test" => "metric on test graphs (percent; the error of Peptides-struct)",
        "val" => "metric on validation graphs in percent",
        "clusters" => "non-empty clusters of a test graph",
        "memory" => "peak memory in GB (ours of the process, the paper's of the GPU)",
        "seconds" => "seconds of an epoch (ours on the processor, the paper's on the GPU)",
        "epochs" => "epochs of a training",
        other => other,
    }
}

/// Ours, then the paper's and how far they are apart.
fn markdown_cell(measure: Measure, row: &Row) -> String {
    let ours = row.ours_text();
    if row.paper.and_then(|n| n.mean).is_none() {
        return ours;
    }
    match Against::of(measure).text(row).as_str() {
        "same" => ours,
        "–" => format!("{ours} ({})", row.paper_text()),
        compared => format!("{ours} ({}; {compared})", row.paper_text()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::reproduce::item;
    use crate::command::reproduce::rows::{Spread, Unit};

    fn row(pooler: &str, dataset: &str, metric: &'static str, runs: usize) -> Row {
        Row {
            preset: "default".into(),
            dataset: dataset.into(),
            pooler: pooler.into(),
            variant: String::new(),
            metric,
            unit: Unit::Plain(1),
            ours: (runs > 0).then_some(Spread {
                mean: 1.0,
                std: None,
                runs,
            }),
            paper: None,
        }
    }

    #[test]
    fn poolers_keep_their_order_when_a_data_set_lacks_the_first() {
        let item = item::find("graphs-extra").expect("an item");
        let rows = [
            row("bn", "gcb-h", "test", 1),
            row("none", "imdb-binary", "test", 1),
            row("bn", "imdb-binary", "test", 1),
        ];
        let text = sheet(item.grid().expect("a grid"), &rows, &[]).markdown;
        let first = |line: &str| line.split(" | ").next().map(str::to_owned);
        let lines: Vec<String> = text.lines().filter_map(first).collect();
        assert_eq!(lines[2..6], ["| pooler", "|---|---|---|", "| none", "| bn"]);
    }

    #[test]
    fn only_what_is_unusual_is_named() {
        let label = |row: &Row| row.pooler.clone();
        let mut rows = vec![
            row("topk", "mutag", "acc", 3),
            row("topk", "mutag", "cos", 3),
            row("jb", "enzymes", "acc", 3),
            row("jb", "dd", "acc", 0),
        ];
        let same = runs_behind(&rows, label);
        assert_eq!(same.as_deref(), Some("Runs behind every number: 3."));
        rows.push(row("bn", "mutag", "acc", 10));
        rows.push(row("bn", "collab", "acc", 1));
        rows.push(row("topk", "dd", "acc", 1));
        rows.push(row("mincut", "dd", "acc", 3));
        assert_eq!(
            runs_behind(&rows, label).as_deref(),
            Some(
                "Runs behind a number: 3, but 10 for bn on mutag; 1 for bn on collab and topk on dd."
            )
        );
        assert_eq!(runs_behind(&rows[3..4], label), None);
    }
}
