//! The paper's numbers, table by table.
//!
//! Every file names the label of its table in the first line. Scores are percent as
//! the paper prints them, except the error of Peptides-struct.

/// One number of the paper.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Number {
    pub dataset: &'static str,
    pub pooler: &'static str,
    pub variant: &'static str,
    pub metric: &'static str,
    /// Nothing where the table has a dash.
    pub mean: Option<f64>,
    /// Nothing where the table has none.
    pub std: Option<f64>,
    /// Decimals that the table prints.
    pub decimals: usize,
}

impl Number {
    /// Half of the last digit that is printed: no number is known better.
    pub fn rounding(&self) -> f64 {
        0.5 * 0.1_f64.powi(self.decimals as i32)
    }

    /// As the table prints it.
    pub fn text(&self) -> Option<String> {
        let decimals = self.decimals;
        let mean = format!("{:.decimals$}", self.mean?);
        Some(match self.std {
            Some(std) => format!("{mean} ± {std:.decimals$}"),
            None => mean,
        })
    }
}

/// A table: the item that it belongs to, and its file.
const TABLES: [(&str, &str); 12] = [
    ("clustering", include_str!("clustering.csv")),
    ("graphs", include_str!("graphs.csv")),
    ("graphs-extra", include_str!("graphs-extra.csv")),
    ("varying-k", include_str!("varying-k.csv")),
    ("clusters", include_str!("clusters.csv")),
    ("sensitivity", include_str!("sensitivity.csv")),
    ("hyperparameters", include_str!("hyperparameters.csv")),
    ("resources-nodes", include_str!("resources-nodes.csv")),
    ("resources-graphs", include_str!("resources-graphs.csv")),
    ("epochs", include_str!("epochs.csv")),
    ("datasets", include_str!("datasets-nodes.csv")),
    ("datasets", include_str!("datasets-graphs.csv")),
];

/// The numbers of an item.
pub fn numbers(item: &str) -> Vec<Number> {
    let item = match item {
        // It ends in the numbers of BN-Pool in that table.
        "clustering-search" => "clustering",
        item => item,
    };
    let files = TABLES.iter().filter(|table| table.0 == item);
    files.flat_map(|table| rows(table.1)).collect()
}

/// The number of a cell.
pub fn number(numbers: &[Number], [dataset, pooler, variant, metric]: [&str; 4]) -> Option<Number> {
    let same = |n: &&Number| {
        [n.dataset, n.pooler, n.variant, n.metric] == [dataset, pooler, variant, metric]
    };
    numbers.iter().find(same).copied()
}

fn rows(file: &'static str) -> impl Iterator<Item = Number> {
    // The label and the heading come first.
    file.lines().skip(2).map(|line| {
        let mut fields = line.split(',');
        let mut next = || fields.next().unwrap_or_default();
        let [dataset, pooler, variant, metric, mean, std] = [(); 6].map(|()| next());
        Number {
            dataset,
            pooler,
            variant,
            metric,
            mean: mean.parse().ok(),
            std: std.parse().ok(),
            decimals: mean.split_once('.').map_or(0, |parts| parts.1.len()),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::reproduce::item::{ITEMS, find};
    use std::collections::BTreeSet;

    #[test]
    fn every_table_is_whole() {
        let sizes = [50, 143, 36, 110, 11, 36, 42, 48, 88, 50, 30, 98];
        for ((item, file), size) in TABLES.iter().zip(sizes) {
            let label = file.lines().next().and_then(|line| line.strip_prefix("# "));
            let item = find(item).expect("an item");
            assert!(item.labels.contains(&label.expect("a label")), "{label:?}");
            let heading = file.lines().nth(1);
            assert_eq!(heading, Some("dataset,pooler,variant,metric,mean,std"));
            let rows: Vec<Number> = rows(file).collect();
            assert_eq!(rows.len(), size, "{}", item.name);
            let cells: BTreeSet<_> = rows
                .iter()
                .map(|n| [n.dataset, n.pooler, n.variant, n.metric])
                .collect();
            assert_eq!(cells.len(), size, "a cell of {} stands twice", item.name);
            for row in &rows {
                bnpool_io::dataset::find(row.dataset).expect("a data set");
                assert!(row.mean.is_some() || item.name == "datasets", "{row:?}");
                if let Some(grid) = item.grid() {
                    assert!(grid.datasets.contains(&row.dataset), "{row:?}");
                    assert!(grid.poolers.contains(&row.pooler), "{row:?}");
                }
            }
        }
        let tables = ITEMS.iter().filter(|item| item.figure.is_none());
        for item in tables {
            assert!(!numbers(item.name).is_empty(), "{}", item.name);
        }
    }

    #[test]
    fn numbers_are_those_of_the_paper() {
        for (item, cell, mean, std) in [
            ("clustering", ["cora", "bn", "", "acc"], 66.8, Some(1.0)),
            (
                "clustering",
                ["citeseer", "mincut", "", "acc"],
                54.3,
                Some(5.0),
            ),
            ("clustering", ["dblp", "jb", "", "cos"], 53.0, Some(4.4)),
            ("graphs", ["enzymes", "bn", "", "test"], 54.0, Some(7.0)),
            (
                "graphs",
                ["peptides-struct", "bn", "", "test"],
                0.255,
                Some(0.001),
            ),
            ("graphs", ["collab", "none", "", "test"], 70.0, Some(4.0)),
            ("graphs-extra", ["dd", "bn", "", "test"], 80.0, Some(3.0)),
            (
                "varying-k",
                ["multipartite", "hosc", "ratio-0.1", "test"],
                18.0,
                Some(8.0),
            ),
            (
                "clusters",
                ["multipartite", "bn", "", "clusters"],
                35.4,
                Some(2.1),
            ),
            (
                "sensitivity",
                ["enzymes", "bn", "mu-30-sigma-0.1-alpha-10", "val"],
                59.0,
                Some(6.0),
            ),
            ("hyperparameters", ["dd", "bn", "", "alpha_dp"], 30.0, None),
            (
                "resources-nodes",
                ["cora", "bn", "sparse", "seconds"],
                1.38,
                None,
            ),
            (
                "resources-graphs",
                ["reddit-binary", "bn", "dense", "memory"],
                5.97,
                None,
            ),
            (
                "epochs",
                ["gcb-h", "jb", "", "epochs"],
                2096.0,
                Some(1405.0),
            ),
            ("datasets", ["cora", "", "", "intra"], 0.0065, None),
            ("datasets", ["multipartite", "", "", "edges"], 4477.43, None),
        ] {
            let found = number(&numbers(item), cell).expect("a number");
            assert_eq!(
                (found.mean, found.std),
                (Some(mean), std),
                "{item} {cell:?}"
            );
        }
    }
}
