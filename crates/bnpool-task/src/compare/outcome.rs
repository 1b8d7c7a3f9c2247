//! Results of all poolers: `compare.json`, `compare.csv` and `compare.html`.

use super::{Comparison, Subject};
use crate::Failure;
use crate::cluster::run::SCHEMA;
use crate::learn::PooledGraph;
use crate::run::{RunConfig as _, csv_field};
use bnpool::pool::PoolTraits;
use bnpool_graph::Graph;
use bnpool_math::metrics::PairedDifference;
use bnpool_report::compare::{Cell, Column, CompareReport, PooledBy, render_html};
use serde::{Serialize, Serializer};
use serde_json::Value;

/// Keys with their values, in the order of the file.
#[derive(Default)]
pub(super) struct Fields(pub(super) Vec<(String, Value)>);

impl Fields {
    pub(super) fn add(&mut self, key: impl Into<String>, value: impl Into<Value>) {
        self.0.push((key.into(), value.into()));
    }
}

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

/// A pooler with its results.
#[derive(Serialize)]
pub struct Row {
    /// Name of the pooler.
    pub pooler: &'static str,
    pub(super) title: &'static str,
    #[serde(flatten)]
    pub(super) fields: Fields,
    /// Numbers of `compare.csv`, with the same names for all poolers.
    #[serde(skip)]
    pub(super) numbers: Vec<(String, Option<f64>)>,
}

impl Row {
    pub(super) fn new(pooler: &PoolTraits) -> Self {
        Self {
            pooler: pooler.name,
            title: pooler.title,
            fields: Fields::default(),
            numbers: Vec::new(),
        }
    }

    /// Adds numbers to both files.
    pub(super) fn add_all<const N: usize>(&mut self, numbers: [(&str, Option<f64>); N]) {
        for (name, value) in numbers {
            self.fields.add(name, value);
            self.numbers.push((name.to_owned(), value));
        }
    }

    /// Returns a number by its name in `compare.csv`.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<f64> {
        let found = self.numbers.iter().find(|(own, _)| own == name)?;
        found.1
    }

    /// Returns a cell with a number, or with a dash if there is none.
    pub(super) fn cell(&self, name: &str, shown: impl Fn(f64) -> String) -> Cell {
        let value = self.get(name).filter(|value| value.is_finite());
        value.map_or(Cell::text("–"), |value| Cell::number(shown(value), value))
    }

    /// Returns cells with a difference to the first pooler, and its interval.
    pub(super) fn difference(&self, name: &str, shown: impl Fn(f64) -> String) -> [Cell; 2] {
        let high = self.get(&format!("{name}_high"));
        let interval = |low| {
            format!(
                "{} to {}",
                shown(low),
                high.map_or_else(String::new, &shown)
            )
        };
        [
            self.cell(name, &shown),
            self.cell(&format!("{name}_low"), interval),
        ]
    }
}

/// Results of a comparison; serialised, it is `compare.json`.
#[derive(Serialize)]
pub struct Outcome {
    schema: u32,
    task: &'static str,
    output: String,
    dataset: String,
    preset: &'static str,
    seed: u64,
    #[serde(flatten)]
    data: Fields,
    /// A row per pooler.
    pub poolers: Vec<Row>,
    version: &'static str,
    /// Contents of the table, in a few words.
    #[serde(skip)]
    pub heading: String,
    /// Columns of the table.
    #[serde(skip)]
    pub columns: Vec<Column>,
    /// Rows of the table, with a cell per column.
    #[serde(skip)]
    pub cells: Vec<Vec<Cell>>,
    /// Remarks on the table.
    #[serde(skip)]
    pub remarks: Vec<String>,
}

/// Results of all runs, for a file, a table and a page.
pub struct Results<'a> {
    /// Name of the data.
    pub(super) name: &'a str,
    /// Further keys of `compare.json`.
    pub(super) data: Fields,
    pub(super) rows: Vec<Row>,
    pub(super) columns: Vec<Column>,
    pub(super) cells: Vec<Vec<Cell>>,
    pub(super) heading: String,
    pub(super) remarks: Vec<String>,
    pub(super) title: String,
    /// Description of the table on the page.
    pub(super) lead: String,
    pub(super) shown: Option<Shown<'a>>,
}

/// A graph that is shown for all poolers.
pub(super) struct Shown<'a> {
    pub(super) graph: &'a Graph,
    pub(super) name: String,
    /// Names of the classes of its nodes.
    pub(super) class_names: &'a [String],
    /// Description of the features in X_pool.
    pub(super) feature_words: &'static str,
    /// Pooled graphs in the order of the poolers; `None` if too large to be drawn.
    pub(super) pooled: Vec<Option<PooledGraph>>,
}

impl Outcome {
    /// Writes csv, page and JSON in this order: if JSON exists, all exist.
    pub(super) fn write<S: Subject>(
        comparison: &Comparison<S>,
        results: Results<'_>,
    ) -> Result<Self, Failure> {
        let directory = &comparison.directory;
        let first = results.rows.first().into_iter();
        let names = first.flat_map(|row| &row.numbers).map(|(name, _)| &**name);
        let heading: Vec<&str> = std::iter::once("pooler").chain(names).collect();
        let line = |row: &Row| {
            let numbers = row.numbers.iter().map(|(_, number)| digits(*number));
            std::iter::once(row.pooler.to_owned())
                .chain(numbers)
                .collect()
        };
        let lines: Vec<Vec<String>> = results.rows.iter().map(line).collect();
        directory.write_bytes("compare.csv", csv(&heading, &lines).as_bytes())?;
        let page = page(&comparison.poolers, &results, &comparison.settings_toml()?)?;
        directory.write_bytes("compare.html", page.as_bytes())?;
        let outcome = Self {
            schema: SCHEMA,
            task: "compare",
            output: directory.path().display().to_string(),
            dataset: results.name.to_owned(),
            preset: comparison.config.preset().name(),
            seed: comparison.config.seed(),
            data: results.data,
            poolers: results.rows,
            version: env!("CARGO_PKG_VERSION"),
            heading: results.heading,
            columns: results.columns,
            cells: results.cells,
            remarks: results.remarks,
        };
        directory.write_json("compare.json", &outcome)?;
        Ok(outcome)
    }
}

fn page(poolers: &[&PoolTraits], results: &Results<'_>, settings: &str) -> Result<String, Failure> {
    let shown = results.shown.as_ref();
    let nothing = PooledGraph::nothing();
    let pooled: Vec<PooledBy<'_>> = poolers
        .iter()
        .zip(shown.into_iter().flat_map(|shown| &shown.pooled))
        .map(|(pooler, pooled)| {
            let pooled = pooled.as_ref().unwrap_or(&nothing);
            PooledBy {
                pooler: pooler.title,
                summary: pooler.summary,
                assignments: &pooled.assignments,
                kept: &pooled.kept,
                clusters: pooled.supernodes,
                pooled_adjacency: &pooled.adjacency,
                pooled_features: &pooled.features,
                feature_maps: pooled.maps,
            }
        })
        .collect();
    render_html(&CompareReport {
        title: &results.title,
        lead: &results.lead,
        columns: &results.columns,
        rows: &results.cells,
        remarks: &results.remarks,
        graph: shown.map(|shown| shown.graph),
        graph_name: shown.map_or("", |shown| &shown.name),
        class_names: shown.map_or(&[], |shown| shown.class_names),
        pooled: &pooled,
        feature_words: shown.map_or("", |shown| shown.feature_words),
        config_toml: settings,
        version: env!("CARGO_PKG_VERSION"),
    })
    .map_err(|e| Failure::running(format!("the page cannot be made: {e}")))
}

/// Column of the peak memory.
pub(super) const PEAK: (&str, &str) = ("peak MB", "most memory of the process during the run");

/// Creates columns from names with explanations; the first has the names of the poolers.
pub(super) fn columns<'a>(columns: impl IntoIterator<Item = (&'a str, &'a str)>) -> Vec<Column> {
    let all = [("pooler", "its name on the command line")].into_iter();
    let all = all.chain(columns).enumerate();
    all.map(|(i, (name, meaning))| Column::new(name, meaning, i > 0))
        .collect()
}

/// Computes the mean difference of two poolers, paired by fold or by seed.
pub(super) fn paired(own: &[Option<f64>], first: &[Option<f64>]) -> Option<PairedDifference> {
    let pairs = own.iter().zip(first);
    let differences = pairs.filter_map(|(own, first)| Some((*own)? - (*first)?));
    PairedDifference::of(&differences.collect::<Vec<f64>>())
}

/// Returns the numbers of a difference for `compare.csv`.
pub(super) fn interval_fields(
    name: &str,
    found: Option<&PairedDifference>,
) -> [(String, Option<f64>); 3] {
    let interval = found.and_then(|found| found.interval);
    [
        (name.to_owned(), found.map(|found| found.mean)),
        (format!("{name}_low"), interval.map(|i| i[0])),
        (format!("{name}_high"), interval.map(|i| i[1])),
    ]
}

/// Formats a csv file with a heading.
#[must_use]
pub fn csv(heading: &[impl AsRef<str>], rows: &[Vec<String>]) -> String {
    let names: Vec<&str> = heading.iter().map(AsRef::as_ref).collect();
    let mut out = names.join(",") + "\n";
    for row in rows {
        let fields: Vec<String> = row.iter().map(|field| csv_field(field)).collect();
        out += &fields.join(",");
        out.push('\n');
    }
    out
}

/// Formats a number of a csv file with all digits; empty if there is none.
#[must_use]
pub fn digits(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}
