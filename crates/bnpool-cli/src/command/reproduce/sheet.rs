//! A table of an item: for the terminal, for pages, as csv and as Markdown.

use super::behind::runs_behind;
use super::cell::prior_words;
use super::item::{Grid, Measure};
use super::rows::{Row, signed};
use crate::command::compare::table::{Cell, Column, Table, csv, digits};
use serde_json::{Value, json};

/// A finished table.
pub struct Sheet {
    /// Row by row, for terminal and page.
    pub table: Table,
    /// With all digits, for other programs.
    pub csv: String,
    /// In the shape of the paper's table.
    pub markdown: String,
    pub json: Value,
}

/// What the last column compares by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Against {
    /// Difference in standard deviations.
    Deviations,
    /// The paper's number divided by ours.
    Ratio,
    /// Counts are the same or they are not.
    Equality,
}

/// The shape of a Markdown table.
#[derive(Clone, Copy)]
struct Layout<'a> {
    corner: &'static str,
    of_row: fn(&Row) -> String,
    of_column: fn(&Row) -> String,
    /// The order of the rows, as far as they are of poolers: a data set without the
    /// first of them must not change it.
    poolers: &'a [&'a str],
    against: Against,
}

/// The table of the runs of a grid.
pub fn of_poolers(grid: &Grid, rows: &[Row]) -> Sheet {
    let measure = grid.measure;
    let against = match measure {
        Measure::Resources => Against::Ratio,
        _ => Against::Deviations,
    };
    let plain = Layout {
        corner: "pooler",
        of_row: pooler,
        of_column: |r| r.dataset.clone(),
        poolers: grid.poolers,
        against,
    };
    let layout = match measure {
        Measure::Clusters => Layout {
            corner: "data set",
            of_row: |r| r.dataset.clone(),
            of_column: |r| r.metric.to_owned(),
            ..plain
        },
        Measure::Validation => Layout {
            corner: "setting",
            of_row: |r| prior_words(&r.variant),
            ..plain
        },
        _ => plain,
    };
    let mut markdown = by_group(rows, layout, |row| {
        format!("Preset `{}`, {}:", row.preset, metric_words(row.metric))
    });
    // Times are of one run each.
    if measure != Measure::Resources
        && let Some(line) = runs_behind(rows, run_words)
    {
        markdown += &format!("\n{line}\n");
    }
    Sheet {
        markdown,
        ..sheet(rows, against)
    }
}

/// The table of counts.
pub fn of_counts(rows: &[Row]) -> Sheet {
    // One graph and many have tables of their own.
    let is_one = |row: &&Row| {
        let set = rows.iter().filter(|other| other.dataset == row.dataset);
        set.clone().any(|other| other.metric == "intra")
    };
    let (one, many): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(is_one);
    let layout = Layout {
        corner: "data set",
        of_row: |r| r.dataset.clone(),
        of_column: |r| r.metric.to_owned(),
        poolers: &[],
        against: Against::Equality,
    };
    let part = |rows: Vec<&Row>| {
        let rows: Vec<Row> = rows.into_iter().cloned().collect();
        by_group(&rows, layout, |_| String::new())
    };
    let parts: Vec<String> = [part(one), part(many)]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect();
    Sheet {
        markdown: parts.join("\n"),
        ..sheet(rows, Against::Equality)
    }
}

fn pooler(row: &Row) -> String {
    match row.variant.as_str() {
        "" | "timed" => row.pooler.clone(),
        variant => format!("{} {}", row.pooler, variant.replace("ratio-", "κ = ")),
    }
}

/// The same with its preset, unless that is what users get.
fn run_words(row: &Row) -> String {
    match row.preset.as_str() {
        "default" => pooler(row),
        preset => format!("{} by {preset}", pooler(row)),
    }
}

fn compared(row: &Row, against: Against) -> Option<f64> {
    match against {
        Against::Deviations => row.difference(),
        Against::Ratio => row.ratio(),
        Against::Equality => row.ratio().map(f64::recip),
    }
}

fn compared_text(row: &Row, against: Against) -> String {
    if against == Against::Equality && is_same(row) {
        return "same".to_owned();
    }
    let Some(value) = compared(row, against) else {
        return "–".to_owned();
    };
    match against {
        Against::Deviations => signed(value),
        Against::Ratio => format!("{value:.1}×"),
        Against::Equality => format!("{value:.2}×"),
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

/// Row by row.
fn sheet(rows: &[Row], against: Against) -> Sheet {
    let has = |field: fn(&Row) -> &str| rows.iter().any(|row| !field(row).is_empty());
    let metrics: std::collections::BTreeSet<&str> = rows.iter().map(|row| row.metric).collect();
    let presets: std::collections::BTreeSet<&str> =
        rows.iter().map(|row| row.preset.as_str()).collect();
    let (name, meaning) = match against {
        Against::Deviations => (
            "difference",
            "ours less the paper's, in standard deviations: the root of the mean of both variances, but at least half of the last digit that the paper prints",
        ),
        Against::Ratio => ("paper/ours", "the paper's number divided by ours"),
        Against::Equality => ("ours/paper", "our number divided by the paper's"),
    };
    let mut columns = vec![("data set", "as in `bnpool data list`")];
    let mut fields: Vec<fn(&Row) -> String> = vec![|row| row.dataset.clone()];
    if has(|row| &row.pooler) {
        columns.push(("pooler", "its name on the command line"));
        fields.push(|row| row.pooler.clone());
    }
    if has(|row| &row.variant) {
        columns.push(("variant", "what is changed beside the pooler"));
        fields.push(|row| row.variant.clone());
    }
    if presets.len() > 1 {
        columns.push(("preset", "the settings that the runs start from"));
        fields.push(|row| row.preset.clone());
    }
    if metrics.len() > 1 {
        columns.push(("metric", "what is measured"));
        fields.push(|row| row.metric.to_owned());
    }
    columns.extend([
        ("ours", "mean ± standard deviation over the runs"),
        ("paper", "as printed in the paper"),
        (name, meaning),
    ]);
    let runs = against != Against::Equality;
    if runs {
        columns.push(("runs", "folds or seeds behind our number"));
    }
    let cells = |row: &Row| {
        let mut cells: Vec<Cell> = fields.iter().map(|field| Cell::text(field(row))).collect();
        let number = |text: String, value: Option<f64>| Cell { text, value };
        cells.push(number(row.ours_text(), row.ours.map(|o| o.mean)));
        cells.push(number(row.paper_text(), row.paper.and_then(|n| n.mean)));
        cells.push(number(compared_text(row, against), compared(row, against)));
        if runs {
            let runs = row.ours.map_or(0, |o| o.runs);
            cells.push(number(runs.to_string(), Some(runs as f64)));
        }
        cells
    };
    Sheet {
        table: Table {
            columns: columns
                .into_iter()
                .map(|(name, meaning)| Column { name, meaning })
                .collect(),
            rows: rows.iter().map(cells).collect(),
        },
        csv: to_csv(rows),
        markdown: String::new(),
        json: Value::Array(rows.iter().map(|row| to_json(row, against)).collect()),
    }
}

fn to_csv(rows: &[Row]) -> String {
    let heading = [
        "preset",
        "dataset",
        "pooler",
        "variant",
        "metric",
        "mean",
        "std",
        "runs",
        "paper_mean",
        "paper_std",
        "difference_std",
    ];
    let line = |row: &Row| {
        vec![
            row.preset.clone(),
            row.dataset.clone(),
            row.pooler.clone(),
            row.variant.clone(),
            row.metric.to_owned(),
            digits(row.ours.map(|o| o.mean)),
            digits(row.ours.and_then(|o| o.std)),
            row.ours.map_or(0, |o| o.runs).to_string(),
            digits(row.paper.and_then(|n| n.mean)),
            digits(row.paper.and_then(|n| n.std)),
            digits(row.difference()),
        ]
    };
    csv(
        &heading.map(str::to_owned),
        &rows.iter().map(line).collect::<Vec<_>>(),
    )
}

fn to_json(row: &Row, against: Against) -> Value {
    json!({
        "preset": row.preset,
        "dataset": row.dataset,
        "pooler": row.pooler,
        "variant": row.variant,
        "metric": row.metric,
        "mean": row.ours.map(|o| o.mean),
        "std": row.ours.and_then(|o| o.std),
        "runs": row.ours.map_or(0, |o| o.runs),
        "paper_mean": row.paper.and_then(|n| n.mean),
        "paper_std": row.paper.and_then(|n| n.std),
        "compared": compared(row, against),
    })
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

/// A table for every title.
fn by_group(rows: &[Row], layout: Layout, title: fn(&Row) -> String) -> String {
    let Layout {
        corner,
        of_row,
        of_column,
        ..
    } = layout;
    let unique = |names: Vec<String>| {
        let mut seen: Vec<String> = Vec::new();
        for name in names {
            if !seen.contains(&name) {
                seen.push(name);
            }
        }
        seen
    };
    let known: Vec<&Row> = rows.iter().filter(|row| row.ours.is_some()).collect();
    let titles = unique(known.iter().map(|row| title(row)).collect());
    let mut out = String::new();
    for group in titles {
        let rows: Vec<&Row> = known
            .iter()
            .filter(|row| title(row) == group)
            .copied()
            .collect();
        let mut by_pooler = rows.clone();
        by_pooler.sort_by_key(|row| layout.poolers.iter().position(|name| *name == row.pooler));
        let names = unique(by_pooler.iter().map(|row| of_row(row)).collect());
        let columns = unique(rows.iter().map(|row| of_column(row)).collect());
        if !out.is_empty() {
            out.push('\n');
        }
        if !group.is_empty() {
            out += &format!("{group}\n\n");
        }
        out += &format!("| {corner} | {} |\n", columns.join(" | "));
        out += &format!("|---|{}\n", "---|".repeat(columns.len()));
        for name in &names {
            let cell = |column: &String| {
                let found = rows
                    .iter()
                    .find(|r| of_row(r) == *name && of_column(r) == *column);
                found.map_or("–".to_owned(), |row| markdown_cell(row, layout.against))
            };
            let cells: Vec<String> = columns.iter().map(cell).collect();
            out += &format!("| {name} | {} |\n", cells.join(" | "));
        }
    }
    out
}

/// Ours, then the paper's and how far they are apart.
fn markdown_cell(row: &Row, against: Against) -> String {
    let ours = row.ours_text();
    if row.paper.and_then(|n| n.mean).is_none() {
        return ours;
    }
    match compared_text(row, against).as_str() {
        "same" => ours,
        "–" => format!("{ours} ({})", row.paper_text()),
        compared => format!("{ours} ({}; {compared})", row.paper_text()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::reproduce::behind::tests::row;
    use crate::command::reproduce::item;

    #[test]
    fn poolers_keep_their_order_when_a_data_set_lacks_the_first() {
        let item = item::find("graphs-extra").expect("an item");
        let rows = [
            row("bn", "gcb-h", "test", 1),
            row("none", "imdb-binary", "test", 1),
            row("bn", "imdb-binary", "test", 1),
        ];
        let text = of_poolers(item.grid().expect("a grid"), &rows).markdown;
        let first = |line: &str| line.split(" | ").next().map(str::to_owned);
        let lines: Vec<String> = text.lines().filter_map(first).collect();
        assert_eq!(lines[2..6], ["| pooler", "|---|---|---|", "| none", "| bn"]);
    }
}
