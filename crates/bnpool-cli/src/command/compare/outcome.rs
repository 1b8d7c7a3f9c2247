//! What came out, as JSON and csv: what both kinds of comparison share.

use super::comparison::{Compared, Comparison};
use super::table::{csv, digits};
use crate::message::Failure;
use bnpool_math::metrics::PairedDifference;
use bnpool_task::Preset;
use bnpool_task::cluster::run::SCHEMA;
use bnpool_task::run::{RunConfig, Source};
use serde::Serialize;

/// A pooler and what came of it.
pub trait PoolerRow: Serialize {
    /// Its name on the command line.
    fn pooler(&self) -> &'static str;
    /// The numbers of `compare.csv` by their names, the same for every pooler.
    fn fields(&self) -> Vec<(String, Option<f64>)>;
}

/// `compare.json`, with what is known about the data and a row for each pooler.
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
    /// The rows of a comparison on the data of this name.
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

    /// As JSON.
    pub fn to_json(&self) -> Result<String, Failure> {
        serde_json::to_string_pretty(self)
            .map_err(|e| Failure::running(format!("the comparison cannot be written: {e}")))
    }

    /// As csv, with all digits.
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

/// The mean difference of two poolers, pair by pair: folds or seeds.
pub fn paired(own: &[Option<f64>], first: &[Option<f64>]) -> Option<PairedDifference> {
    let pairs = own.iter().zip(first);
    let differences = pairs.filter_map(|(own, first)| Some((*own)? - (*first)?));
    PairedDifference::of(&differences.collect::<Vec<f64>>())
}
