//! Comparison on many graphs: folds, metric, size of the pooled graphs.

use super::outcome::{Fields, PEAK, Results, Row, Shown, columns, interval_fields, paired};
use super::plan::Job;
use super::{Comparison, Subject, Watch, Wishes, list};
use crate::Failure;
use crate::failure::Terms;
use crate::front::{Context, advice};
use crate::learn::run::{Folds, Input, Plan, SetSource, Wishes as OfRun, execute};
use crate::learn::{LearnConfig, Score, TrainedModel, mean_and_deviation};
use crate::run::RunConfig as _;
use bnpool::pool::PoolTraits;
use bnpool_report::compare::Cell;
use serde::Deserialize;
use serde_json::json;
use std::path::Path;

/// The used keys of `metrics.json` of a run.
#[derive(Deserialize)]
struct RunMetrics {
    folds: Vec<FoldMetrics>,
    clusters_mean: Option<f64>,
    clusters_std: Option<f64>,
    parameters: usize,
    seconds: f64,
    peak_rss_mb: Option<f64>,
}

#[derive(Deserialize)]
struct FoldMetrics {
    fold: usize,
    test: Option<f64>,
    epochs: usize,
}

impl Subject for SetSource {
    type Config = LearnConfig;
    type Input = Input;
    const COMPARISON: &'static str = "compare-graphs";
    const ABLE: &'static str = " (all there are)";

    fn is_able(_: &PoolTraits) -> bool {
        true
    }

    fn read_all(
        &self,
        config: &LearnConfig,
        data_dir: Option<&Path>,
        terms: Terms,
    ) -> Result<Input, Failure> {
        // The precomputation of poolers belongs to their runs.
        self.read(&config.of_run("none", config.seed), data_dir, terms)
    }

    fn sha256(input: &Input) -> Option<&str> {
        input.sha256.as_deref()
    }

    fn folds(
        input: &Input,
        config: &LearnConfig,
        chosen: Option<&Folds>,
    ) -> Result<Vec<usize>, Failure> {
        let count = input.data.splits(config)?.len();
        chosen.unwrap_or(&Folds::All).choose(count)
    }

    fn describe(input: &Input, config: &LearnConfig, folds: &[usize]) -> String {
        format!(
            "{} graphs of {:.1} nodes on average; {} of {} folds, at most {} epochs, preset {}",
            input.data.len(),
            input.data.mean_nodes(),
            folds.len(),
            input.data.splits(config).map_or(0, |splits| splits.len()),
            config.training.epochs,
            config.preset.name()
        )
    }

    fn run(
        plan: &mut Plan,
        folds: &[usize],
        wishes: &Wishes<'_>,
        context: Context<'_>,
        watch: &dyn Watch,
    ) -> Result<bool, Failure> {
        let of_run = OfRun {
            folds: Some(Folds::of(folds.iter().copied())),
            jobs: wishes.jobs,
            data_dir: wishes.data_dir,
            config: wishes.config,
            ..OfRun::default()
        };
        let done = execute(plan, &of_run, context, |extent| watch.train(extent))?;
        Ok(done.is_some_and(|done| !done.metrics.is_unfinished()))
    }

    fn results<'a>(
        comparison: &Comparison<Self>,
        input: &'a Input,
        folds: &[usize],
        jobs: &[Job],
        terms: Terms,
    ) -> Result<Results<'a>, Failure> {
        let score = input.data.score;
        let mut data = Fields::default();
        data.add("metric", score.name());
        data.add("graphs", input.data.len());
        data.add("folds", folds);
        let splits = input.data.splits(&comparison.config)?;
        let tests = |fold: &usize| splits[*fold].test.as_slice();
        let tested: Vec<(usize, &[usize])> = folds.iter().map(|f| (*f, tests(f))).collect();
        let mut rows: Vec<Row> = Vec::with_capacity(jobs.len());
        let mut first = None;
        for job in jobs {
            let metrics: RunMetrics = job.metrics()?;
            let of_fold = |fold: &usize| metrics.folds.iter().find(|f| f.fold == *fold);
            let test: Vec<Option<f64>> = folds.iter().map(|f| of_fold(f)?.test).collect();
            let supernodes = match metrics.clusters_mean {
                // Its clusters are its supernodes.
                Some(mean) => Some(mean),
                None => mean_supernodes(input, &tested, job)?,
            };
            rows.push(row(job.pooler, &metrics, &test, first.as_ref(), supernodes));
            first.get_or_insert(test);
        }
        let folds = match folds {
            [fold] => format!("fold {fold}"),
            many => format!("{} folds ({})", many.len(), list(many)),
        };
        Ok(Results {
            name: &input.name,
            data,
            columns: columns([
                (
                    score.name(),
                    "metric on the test graphs: mean ± standard deviation over the folds",
                ),
                (
                    "difference",
                    "mean difference to the first pooler, fold by fold",
                ),
                (
                    "95 % interval",
                    "of the difference, by Student's t over the folds",
                ),
                (
                    "size",
                    "nodes of a pooled test graph, on average: non-empty clusters, or nodes that are kept",
                ),
                ("parameters", "number of trainable parameters"),
                ("ms/epoch", "mean time of an epoch in milliseconds"),
                ("epochs", "mean number of epochs of a fold"),
                PEAK,
            ]),
            cells: rows.iter().map(|row| cells(row, score)).collect(),
            heading: format!("{} on test graphs, {folds}", score.words()),
            remarks: remarks(&rows, score, tested.len(), terms),
            title: format!("Poolers on {}", input.name),
            lead: format!("The {} on test graphs: {folds}.", score.words()),
            shown: shown(input, &tested, jobs)?,
            rows,
        })
    }
}

/// Creates the row of a pooler, in comparison with the tests of the `first`.
fn row(
    pooler: &PoolTraits,
    metrics: &RunMetrics,
    test: &Vec<Option<f64>>,
    first: Option<&Vec<Option<f64>>>,
    supernodes: Option<f64>,
) -> Row {
    let known: Vec<f64> = test.iter().copied().flatten().collect();
    let spread = mean_and_deviation(&known);
    let difference = first.and_then(|first| paired(test, first));
    let epochs: usize = metrics.folds.iter().map(|fold| fold.epochs).sum();
    let effort = [
        (
            "epochs",
            Some(epochs as f64 / metrics.folds.len().max(1) as f64),
        ),
        (
            "seconds_per_epoch",
            Some(metrics.seconds / epochs.max(1) as f64),
        ),
        ("seconds", Some(metrics.seconds)),
        ("peak_rss_mb", metrics.peak_rss_mb),
    ];
    let spread = [
        ("test_mean", spread.map(|s| s.0)),
        ("test_std", spread.map(|s| s.1)),
    ];
    let sizes = [
        ("supernodes_mean", supernodes),
        ("clusters_mean", metrics.clusters_mean),
        ("clusters_std", metrics.clusters_std),
    ];
    let mut row = Row::new(pooler);
    row.fields.add("test", json!(test));
    row.add_all(spread);
    if let Some(found) = difference {
        row.fields.add("difference", found.mean);
        if let Some(interval) = found.interval {
            row.fields.add("difference_interval", json!(interval));
        }
    }
    row.numbers
        .extend(interval_fields("difference", difference.as_ref()));
    row.add_all(sizes);
    row.fields.add("parameters", metrics.parameters);
    let parameters = Some(metrics.parameters as f64);
    row.numbers.push(("parameters".to_owned(), parameters));
    row.add_all(effort);
    row
}

/// Returns the cells of a row of the table.
fn cells(row: &Row, score: Score) -> Vec<Cell> {
    let mean = |mean| spread(score, mean, row.get("test_std"));
    let [difference, interval] = row.difference("difference", |value| change(score, value));
    vec![
        Cell::text(row.pooler),
        row.cell("test_mean", mean),
        difference,
        interval,
        row.cell("supernodes_mean", |size| format!("{size:.1}")),
        row.cell("parameters", |count| format!("{count}")),
        row.cell("seconds_per_epoch", |time| format!("{:.1}", 1e3 * time)),
        row.cell("epochs", |epochs| format!("{epochs:.1}")),
        row.cell("peak_rss_mb", |megabytes| format!("{megabytes:.0}")),
    ]
}

/// Returns remarks on the table.
fn remarks(rows: &[Row], score: Score, folds: usize, terms: Terms) -> Vec<String> {
    let mut remarks = Vec::new();
    let (unit, better) = if score.is_error() {
        ("", "below 0")
    } else {
        (" in percentage points", "above 0")
    };
    if let [first, _, ..] = rows {
        remarks.push(format!(
            "differences are those to {}{unit}; {better} is better than {0}",
            first.pooler
        ));
        remarks.push(match folds {
            1 => "a single fold gives no interval; train more folds for one".to_owned(),
            folds => format!(
                "intervals by Student's t over {folds} folds; they share training graphs, so the intervals are rather too narrow"
            ),
        });
    }
    remarks.push(format!(
        "sizes are mean nodes of a pooled test graph; {} to change κ of the poolers that do not find it",
        advice(terms, "pooler.ratio", "0.25")
    ));
    remarks
}

/// Formats a mean and its standard deviation.
fn spread(score: Score, mean: f64, deviation: Option<f64>) -> String {
    match (score.is_error(), deviation) {
        (_, None) => score.shown(Some(mean)),
        (true, Some(d)) => format!("{mean:.4} ± {d:.4}"),
        (false, Some(d)) => format!("{:.1} ± {:.1} %", 100.0 * mean, 100.0 * d),
    }
}

/// Formats a difference with its sign.
fn change(score: Score, difference: f64) -> String {
    let text = if score.is_error() {
        format!("{difference:+.4}")
    } else {
        format!("{:+.1}", 100.0 * difference)
    };
    // A value that rounds to zero has no sign.
    if text.bytes().any(|b| (b'1'..=b'9').contains(&b)) {
        text.replace('-', "−")
    } else {
        text[1..].to_owned()
    }
}

/// Returns the first test graph of the first fold, pooled by the models of this fold.
fn shown<'a>(
    input: &'a Input,
    tested: &[(usize, &[usize])],
    jobs: &[Job],
) -> Result<Option<Shown<'a>>, Failure> {
    let Some(&(fold, &[number, ..])) = tested.first() else {
        return Ok(None);
    };
    let graph = &input.originals[number];
    let mut pooled = Vec::with_capacity(jobs.len());
    for job in jobs {
        let predictor = model(job, fold)?.predictor()?.with_pooled_graphs();
        let found = predictor.predict(vec![graph.clone()])?.pop();
        pooled.push(found.and_then(|prediction| prediction.pooled));
    }
    Ok(Some(Shown {
        graph,
        name: format!("graph {number}, the first test graph of fold {fold}"),
        class_names: &[],
        feature_words: "that the network gives to the pooler",
        pooled,
    }))
}

/// Computes the mean number of supernodes of the test graphs, each pooled by the model of
/// its fold.
fn mean_supernodes(
    input: &Input,
    tested: &[(usize, &[usize])],
    job: &Job,
) -> Result<Option<f64>, Failure> {
    let mut counts = Vec::new();
    for (fold, graphs) in tested {
        let graphs = graphs.iter().map(|&graph| input.originals[graph].clone());
        let predictions = model(job, *fold)?.predictor()?.predict(graphs.collect())?;
        counts.extend(predictions.iter().map(|p| p.supernodes as f64));
    }
    Ok(mean_and_deviation(&counts).map(|found| found.0))
}

/// Reads the model of a pooler for a fold.
fn model(job: &Job, fold: usize) -> Result<TrainedModel, Failure> {
    let name = format!("model.fold-{fold}.safetensors");
    Ok(TrainedModel::load(&job.directory.file(&name))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_have_a_sign_unless_they_are_nothing() {
        assert_eq!(change(Score::Acc, 0.0123), "+1.2");
        assert_eq!(change(Score::Acc, -0.5), "−50.0");
        assert_eq!(change(Score::Acc, -1e-9), "0.0");
        assert_eq!(change(Score::Mae, 0.0), "0.0000");
        assert_eq!(spread(Score::Acc, 0.5, Some(0.1)), "50.0 ± 10.0 %");
        assert_eq!(spread(Score::Mae, 0.5, Some(0.1)), "0.5000 ± 0.1000");
    }
}
