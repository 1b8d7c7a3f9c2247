//! Results as JSON and csv, for both kinds of comparison.

use super::comparison::{Compared, Comparison};
use super::table::{csv, digits};
use crate::terminal::message::Failure;
use bnpool_math::metrics::PairedDifference;
use bnpool_task::Preset;
use bnpool_task::cluster::run::SCHEMA;
use bnpool_task::run::{RunConfig, Source};
use serde::Serialize;

/// A pooler with its results.
pub trait PoolerRow: Serialize {
    /// Returns the name on the command line.
    fn pooler(&self) -> &'static str;
    /// Returns the numbers of `compare.csv` with their names, which are equal
    /// for all poolers.
    fn fields(&self) -> Vec<(String, Option<f64>)>;
}

/// `compare.json`, with properties of the data and a row per pooler.
#[derive(Serialize)]
pub struct Outcome<D, R> {
    schema: u32,
    task: &'static str,
    output: String,
    dataset: String,
    preset: &'static str,
    seed: u64,
    #[serde(flatten)]
    pub data: D,
    pub poolers: Vec<R>,
    version: &'static str,
}

impl<D: Serialize, R: PoolerRow> Outcome<D, R> {
    /// Creates the rows of a comparison on the data with this name.
    pub fn new<C: RunConfig, S: Source>(
        comparison: &Comparison<C, S>,
        preset: Preset,
        dataset: &str,
        data: D,
        poolers: Vec<R>,
    ) -> Self
    where
        Compared<S>: Source,
    {
        Self {
            schema: SCHEMA,
            task: "compare",
            output: comparison.directory.path().display().to_string(),
            dataset: dataset.to_owned(),
            preset: preset.name(),
            seed: comparison.config.seed(),
            data,
            poolers,
            version: env!("CARGO_PKG_VERSION"),
        }
    }

    /// Converts to JSON.
    pub fn to_json(&self) -> Result<String, Failure> {
        serde_json::to_string_pretty(self)
            .map_err(|e| Failure::running(format!("the comparison cannot be written: {e}")))
    }

    /// Converts to csv, with all digits.
    pub fn to_csv(&self) -> String {
        let mut heading = vec!["pooler".to_owned()];
        if let Some(first) = self.poolers.first() {
            heading.extend(first.fields().into_iter().map(|field| field.0));
        }
        let row = |row: &R| {
            let fields = row.fields().into_iter().map(|field| digits(field.1));
            std::iter::once(row.pooler().to_owned())
                .chain(fields)
                .collect()
        };
        let rows: Vec<Vec<String>> = self.poolers.iter().map(row).collect();
        csv(&heading, &rows)
    }
}

/// Computes the mean difference of two poolers, paired by fold or by seed.
pub fn paired(own: &[Option<f64>], first: &[Option<f64>]) -> Option<PairedDifference> {
    let pairs = own.iter().zip(first);
    let differences = pairs.filter_map(|(own, first)| Some((*own)? - (*first)?));
    PairedDifference::of(&differences.collect::<Vec<f64>>())
}
