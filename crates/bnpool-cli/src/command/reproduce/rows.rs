//! The numbers of a table, ours beside the paper's.

use super::item::{Grid, Measure};
use super::paper::{Number, number};
use super::record::Record;
use bnpool_task::learn::mean_and_deviation;

/// Mean and deviation over runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    pub mean: f64,
    /// Nothing of a single run.
    pub std: Option<f64>,
    pub runs: usize,
}

impl Spread {
    pub fn of(values: &[f64]) -> Option<Self> {
        let (mean, std) = mean_and_deviation(values)?;
        Some(Self {
            mean,
            std: (values.len() > 1).then_some(std),
            runs: values.len(),
        })
    }
}

/// How a number is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// With so many decimals.
    Plain(usize),
    /// With so many significant digits.
    Digits(usize),
}

impl Unit {
    pub fn write(self, value: f64) -> String {
        match self {
            Self::Plain(decimals) => format!("{value:.decimals$}"),
            Self::Digits(digits) => {
                let magnitude = value.abs().max(1e-12).log10().floor() as i32;
                let decimals = (digits as i32 - 1 - magnitude).clamp(0, 8) as usize;
                format!("{value:.decimals$}")
            }
        }
    }
}

/// A number of a table.
#[derive(Debug, Clone)]
pub struct Row {
    pub preset: String,
    pub dataset: String,
    pub pooler: String,
    pub variant: String,
    pub metric: &'static str,
    pub unit: Unit,
    pub ours: Option<Spread>,
    pub paper: Option<Number>,
}

impl Row {
    pub fn ours_text(&self) -> String {
        match self.ours {
            None => "–".to_owned(),
            Some(Spread { mean, std, .. }) => spread(self.unit, mean, std),
        }
    }

    pub fn paper_text(&self) -> String {
        let text = self.paper.and_then(|number| number.text());
        text.unwrap_or_else(|| "–".to_owned())
    }

    /// Ours less the paper's, in standard deviations: the root of the mean of both
    /// variances, or the one that is known, but at least half of the last digit that
    /// the paper prints.
    pub fn difference(&self) -> Option<f64> {
        let (ours, paper) = (self.ours?, self.paper?);
        let deviations = [ours.std, paper.std].into_iter().flatten();
        let squares: Vec<f64> = deviations.map(|std| std * std).collect();
        let mean = squares.iter().sum::<f64>() / squares.len() as f64;
        let deviation = mean.sqrt().max(paper.rounding());
        (!squares.is_empty()).then(|| (ours.mean - paper.mean.unwrap_or(f64::NAN)) / deviation)
    }

    /// The paper's number divided by ours.
    pub fn ratio(&self) -> Option<f64> {
        let (ours, paper) = (self.ours?.mean, self.paper?.mean?);
        (ours > 0.0).then(|| paper / ours)
    }
}

fn spread(unit: Unit, mean: f64, std: Option<f64>) -> String {
    match std {
        Some(std) => format!("{} ± {}", unit.write(mean), unit.write(std)),
        None => unit.write(mean),
    }
}

/// A difference with its sign; what rounds to nothing has none.
pub fn signed(value: f64) -> String {
    let text = format!("{value:+.1}");
    if text.bytes().any(|b| (b'1'..=b'9').contains(&b)) {
        text.replace('-', "−")
    } else {
        text[1..].to_owned()
    }
}

/// Values that a measure reads from a result: the name of the number, how it is written, and
/// the number.
type Reading = (&'static str, Unit, fn(&Record) -> Option<f64>);

fn metric(result: &Record, key: &str) -> Option<f64> {
    result.metrics.get(key).copied()
}

/// A share as percent; an error as it is.
fn score(result: &Record, key: &str) -> Option<f64> {
    let value = metric(result, key)?;
    Some(if result.cell.dataset == "peptides-struct" {
        value
    } else {
        100.0 * value
    })
}

fn readings(measure: Measure) -> Vec<Reading> {
    match measure {
        Measure::Agreement => vec![
            ("acc", Unit::Plain(1), |r| Some(100.0 * metric(r, "acc")?)),
            ("cos", Unit::Plain(1), |r| Some(100.0 * metric(r, "cos")?)),
        ],
        Measure::Loss => {
            let mut all = readings(Measure::Agreement);
            all.insert(0, ("loss", Unit::Digits(5), |r| metric(r, "loss_rec")));
            all
        }
        Measure::Test => vec![("test", Unit::Plain(1), |r| score(r, "test"))],
        Measure::Validation | Measure::Search => vec![("val", Unit::Plain(1), |r| score(r, "val"))],
        Measure::Clusters => vec![("clusters", Unit::Plain(1), |r| metric(r, "clusters_mean"))],
        Measure::Resources => vec![
            ("memory", Unit::Digits(2), |r| {
                Some(r.effort.peak_rss_mb? / 1024.0)
            }),
            ("seconds", Unit::Digits(2), |r| {
                Some(r.effort.seconds_per_epoch)
            }),
        ],
        Measure::Epochs => vec![("epochs", Unit::Plain(0), |r| metric(r, "epochs"))],
        // The paper names them.
        Measure::Counts => Vec::new(),
    }
}

/// The numbers of a table, in the order of the records.
pub fn rows(grid: &Grid, records: &[Record], paper: &[Number]) -> Vec<Row> {
    let key = |r: &Record| {
        let c = &r.cell;
        [&c.preset, &c.dataset, &c.pooler, &c.variant].map(String::clone)
    };
    let mut rows: Vec<Row> = Vec::new();
    for group in records.chunk_by(|a, b| key(a) == key(b)) {
        let [preset, dataset, pooler, variant] = key(&group[0]);
        // The paper does not print which settings it found.
        let known = if grid.measure == Measure::Loss {
            ""
        } else {
            &variant
        };
        let row = |metric, unit, ours| Row {
            paper: number(paper, [&dataset, &pooler, known, metric]),
            preset: preset.clone(),
            dataset: dataset.clone(),
            pooler: pooler.clone(),
            variant: variant.clone(),
            metric,
            unit,
            ours,
        };
        for (metric, unit, read) in readings(grid.measure) {
            let ours = match grid.measure {
                Measure::Clusters => over_graphs(group),
                // Settings are compared by their first seed.
                Measure::Loss if metric == "loss" => read(&group[0]).and_then(|x| Spread::of(&[x])),
                _ => Spread::of(&group.iter().filter_map(read).collect::<Vec<f64>>()),
            };
            let unit = match (dataset.as_str(), metric) {
                ("peptides-struct", "test" | "val") => Unit::Plain(3),
                _ => unit,
            };
            rows.push(row(metric, unit, ours));
        }
        if grid.measure == Measure::Counts {
            let one = metric(&group[0], "graphs") == Some(1.0);
            for number in paper.iter().filter(|n| n.dataset == dataset) {
                let unit = match number.metric {
                    "intra" | "inter" => Unit::Plain(4),
                    "nodes" | "edges" if !one => Unit::Plain(2),
                    _ => Unit::Plain(0),
                };
                let ours = metric(&group[0], number.metric);
                rows.push(row(
                    number.metric,
                    unit,
                    ours.and_then(|n| Spread::of(&[n])),
                ));
            }
        }
    }
    rows
}

/// Mean and deviation of the non-empty clusters over all test graphs of all runs, as
/// the paper has them.
fn over_graphs(records: &[Record]) -> Option<Spread> {
    let counts = records.iter().flat_map(|r| &r.cluster_counts);
    let values: Vec<f64> = counts
        .flat_map(|(&clusters, &graphs)| std::iter::repeat_n(clusters as f64, graphs))
        .collect();
    Spread::of(&values).map(|spread| Spread {
        runs: records.len(),
        ..spread
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_in_standard_deviations() {
        let row = |ours: (f64, Option<f64>), paper: (f64, Option<f64>)| Row {
            preset: "paper".into(),
            dataset: "cora".into(),
            pooler: "bn".into(),
            variant: String::new(),
            metric: "acc",
            unit: Unit::Plain(1),
            ours: Some(Spread {
                mean: ours.0,
                std: ours.1,
                runs: 5,
            }),
            paper: Some(Number {
                dataset: "cora",
                pooler: "bn",
                variant: "",
                metric: "acc",
                mean: Some(paper.0),
                std: paper.1,
                decimals: 0,
            }),
        };
        let both = row((70.0, Some(3.0)), (66.0, Some(4.0)));
        assert!((both.difference().expect("both") - 4.0 / 12.5_f64.sqrt()).abs() < 1e-12);
        assert_eq!(both.ours_text(), "70.0 ± 3.0");
        assert_eq!(both.paper_text(), "66 ± 4");
        let one = row((70.0, None), (66.0, Some(4.0)));
        assert_eq!(one.difference(), Some(1.0));
        assert_eq!(row((70.0, None), (66.0, None)).difference(), None);
        // The paper rounds to whole percent.
        let exact = row((70.0, Some(0.0)), (66.0, Some(0.0)));
        assert_eq!(exact.difference(), Some(8.0));
        assert_eq!(row((2.0, None), (8.0, None)).ratio(), Some(4.0));
        assert_eq!(signed(-0.04), "0.0");
        assert_eq!(signed(-1.25), "−1.2");
        assert_eq!(Unit::Digits(2).write(0.012_34), "0.012");
        assert_eq!(Unit::Digits(2).write(123.4), "123");
    }
}
