//! Comparison on one graph: communities, agreement with known classes.

use super::outcome::{Fields, PEAK, Results, Row, Shown, columns, interval_fields, paired};
use super::plan::Job;
use super::{Comparison, Subject, Watch, Wishes, list};
use crate::Failure;
use crate::cluster::pooled::pool;
use crate::cluster::run::{GraphSource, Input, Plan, Wishes as OfRun, execute};
use crate::cluster::{AGREEMENT, ClusterConfig, Measure};
use crate::failure::Terms;
use crate::front::{Context, advice};
use crate::learn::run::Folds;
use crate::learn::{PooledGraph, mean_and_deviation};
use bnpool::pool::PoolTraits;
use bnpool_io::format::{Limits, npy::Npy};
use bnpool_report::compare::{Cell, Column};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

/// Largest number of entries of S that are drawn; more would take longer than the runs.
const MOST: usize = 50_000_000;

/// A measure in the table: its name, its key, and its meaning.
type Measured = (&'static str, &'static str, &'static str);

const MODULARITY: Measured = (
    "modularity",
    "modularity",
    "share of links inside communities, minus the share expected by chance",
);

/// Numbers that every run has, with those of agreement between the first and the others.
const NEEDED: [&str; 5] = [
    "communities",
    "modularity",
    "epochs",
    "seconds_per_epoch",
    "seconds",
];

/// Returns the keys of the numbers in `metrics.json`, `compare.json` and `compare.csv`.
/// Agreement with known classes is that of the posterior mean (`_mean`), which determines
/// the communities, and that of one sample as in the paper.
fn names() -> impl Iterator<Item = &'static str> {
    let agreement = keys(|_| true);
    let effort = NEEDED[1..].iter().copied().chain(["peak_rss_mb"]);
    NEEDED[..1].iter().copied().chain(agreement).chain(effort)
}

/// Returns the keys of the numbers whose differences to the first pooler are listed.
fn compared() -> impl Iterator<Item = &'static str> {
    keys(|measure| measure.shown).chain(["modularity"])
}

/// Returns the keys of measures, for the posterior mean and for a sample.
fn keys(which: fn(&Measure) -> bool) -> impl Iterator<Item = &'static str> {
    let chosen = move || AGREEMENT.iter().filter(move |&measure| which(measure));
    let means = chosen().map(|measure| measure.mean_key);
    means.chain(chosen().map(|measure| measure.key))
}

/// Numbers of a run by name. Unavailable ones are absent, such as agreement without known
/// classes.
type Numbers = Vec<(&'static str, f64)>;

fn get(numbers: &Numbers, name: &str) -> Option<f64> {
    let found = numbers.iter().find(|number| number.0 == name)?;
    Some(found.1)
}

impl Subject for GraphSource {
    type Config = ClusterConfig;
    type Input = Input;
    const COMPARISON: &'static str = "compare-graph";
    const ABLE: &'static str = " (all that divide the nodes of a graph)";

    fn is_able(pooler: &PoolTraits) -> bool {
        pooler.divides()
    }

    fn read_all(
        &self,
        _: &ClusterConfig,
        data_dir: Option<&Path>,
        terms: Terms,
    ) -> Result<Input, Failure> {
        self.read(data_dir, terms)
    }

    fn sha256(input: &Input) -> Option<&str> {
        input.sha256.as_deref()
    }

    fn folds(_: &Input, _: &ClusterConfig, _: Option<&Folds>) -> Result<Vec<usize>, Failure> {
        Ok(Vec::new())
    }

    fn describe(input: &Input, config: &ClusterConfig, _: &[usize]) -> String {
        format!(
            "{} nodes, {} directed edges, {} features; preset {}",
            input.graph.nodes(),
            input.graph.edges(),
            input.graph.features().width(),
            config.preset.name()
        )
    }

    fn run(
        plan: &mut Plan,
        _: &[usize],
        wishes: &Wishes<'_>,
        context: Context<'_>,
        watch: &dyn Watch,
    ) -> Result<bool, Failure> {
        let wishes = OfRun {
            data_dir: wishes.data_dir,
            config: wishes.config,
            ..OfRun::default()
        };
        Ok(!execute(plan, &wishes, context, &mut *watch.cluster())?.unfinished)
    }

    fn results<'a>(
        comparison: &Comparison<Self>,
        input: &'a Input,
        _: &[usize],
        jobs: &[Job],
        terms: Terms,
    ) -> Result<Results<'a>, Failure> {
        let (graph, seeds) = (&input.graph, &comparison.seeds);
        let labels = graph.node_labels();
        let classes = labels.map(|labels| labels.iter().collect::<BTreeSet<_>>().len());
        let mut data = Fields::default();
        data.add("nodes", graph.nodes());
        data.add("edges", graph.edges());
        data.add("classes", classes);
        let several = seeds.len() > 1;
        if several {
            data.add("seeds", seeds.clone());
        }
        let mut rows: Vec<Row> = Vec::new();
        let mut first: Option<Vec<Numbers>> = None;
        for jobs in jobs.chunks(seeds.len().max(1)) {
            let runs = jobs.iter().map(read).collect::<Result<Vec<_>, _>>()?;
            rows.push(row(jobs[0].pooler, seeds, &runs, first.as_deref()));
            first.get_or_insert(runs);
        }
        let shown = AGREEMENT.iter().filter(|measure| measure.shown);
        let shown = shown.filter(|_| classes.is_some());
        let measures: Vec<Measured> = shown
            .map(|measure| (measure.title, measure.mean_key, measure.meaning))
            .chain([MODULARITY])
            .collect();
        let (columns, cells) = table(&rows, &measures, several);
        let known = classes.map_or("no known classes".to_owned(), |classes| {
            format!("{classes} known classes")
        });
        let lead = match (classes, several) {
            (Some(_), false) => format!("The nodes have {known}."),
            (None, false) => "The nodes have no known classes to compare with.".to_owned(),
            (_, true) => format!(
                "The nodes have {known}. Numbers are means over {} seeds; the drawings show seed {}.",
                seeds.len(),
                seeds[0]
            ),
        };
        // The first seed of each pooler is drawn.
        let drawn = jobs.iter().step_by(seeds.len().max(1));
        Ok(Results {
            name: &input.name,
            data,
            columns,
            cells,
            heading: format!("communities of {}", input.name),
            remarks: remarks(comparison, &rows, measures[0].0, classes.is_some(), terms),
            title: format!("Communities of {} by several poolers", input.name),
            lead,
            shown: Some(Shown {
                graph,
                name: input.name.clone(),
                class_names: &input.class_names,
                feature_words: "of the nodes, summed by S",
                pooled: drawn
                    .map(|job| pooled(input, job))
                    .collect::<Result<_, _>>()?,
            }),
            rows,
        })
    }
}

/// Reads the numbers of a run.
fn read(job: &Job) -> Result<Numbers, Failure> {
    let metrics: Value = job.metrics()?;
    let number = |name: &'static str| Some((name, metrics.get(name)?.as_f64()?));
    let found: Numbers = names().filter_map(number).collect();
    match NEEDED.iter().find(|name| get(&found, name).is_none()) {
        None => Ok(found),
        Some(name) => Err(Failure::input(format!(
            "{}: {} has no number `{name}`; remove the run to have it made again",
            job.name,
            job.directory.file("metrics.json").display()
        ))),
    }
}

/// Returns means and standard deviations over several runs, of the numbers that are
/// available in all of them.
fn spread(runs: &[Numbers]) -> [Numbers; 2] {
    let (mut means, mut deviations) = (Numbers::new(), Numbers::new());
    for name in names() {
        let values: Option<Vec<f64>> = runs.iter().map(|run| get(run, name)).collect();
        if let Some((mean, deviation)) = values.as_deref().and_then(mean_and_deviation) {
            means.push((name, mean));
            deviations.push((name, deviation));
        }
    }
    [means, deviations]
}

/// Returns numbers for `compare.json`, with counts as integers as in `metrics.json`.
fn written(numbers: &Numbers) -> impl Iterator<Item = (String, Value)> {
    numbers.iter().map(|&(name, value)| {
        let count = matches!(name, "communities" | "epochs") && value.fract() == 0.0;
        let value = if count {
            json!(value as u64)
        } else {
            json!(value)
        };
        (name.to_owned(), value)
    })
}

/// Creates the row of a pooler from the runs of its seeds, in comparison with the `first`.
fn row(pooler: &PoolTraits, seeds: &[u64], runs: &[Numbers], first: Option<&[Numbers]>) -> Row {
    let mut row = Row::new(pooler);
    let [means, deviations] = spread(runs);
    row.fields.0.extend(written(&means));
    row.numbers
        .extend(names().map(|name| (name.to_owned(), get(&means, name))));
    if runs.len() < 2 {
        return row;
    }
    let deviation = |name| (format!("{name}_std"), get(&deviations, name));
    row.numbers.extend(names().map(deviation));
    let of = |runs: &[Numbers], name| runs.iter().map(|run| get(run, name)).collect::<Vec<_>>();
    let mut differences = serde_json::Map::new();
    for name in compared() {
        let found = first.and_then(|first| paired(&of(runs, name), &of(first, name)));
        let fields = interval_fields(&format!("{name}_difference"), found.as_ref());
        row.numbers.extend(fields);
        if let Some(found) = found {
            let value = json!({ "mean": found.mean, "interval": found.interval });
            differences.insert(name.to_owned(), value);
        }
    }
    let object = |numbers: &Numbers| Value::Object(written(numbers).collect());
    let of_seed = |(run, seed): (&Numbers, &u64)| {
        let mut object = object(run);
        object["seed"] = json!(seed);
        object
    };
    row.fields.add("std", object(&deviations));
    row.fields.add("differences", differences);
    let runs = runs.iter().zip(seeds).map(of_seed);
    row.fields.add("runs", runs.collect::<Vec<_>>());
    row
}

/// Returns the table. Agreement is that of the communities, which are from the posterior
/// mean if there is a posterior.
fn table(rows: &[Row], measures: &[Measured], several: bool) -> (Vec<Column>, Vec<Vec<Cell>>) {
    let mut names = vec![("communities", "number of communities")];
    let mut cells: Vec<Vec<Cell>> = rows
        .iter()
        .map(|row| {
            let count = if several {
                |count| format!("{count:.1}")
            } else {
                |count| format!("{count}")
            };
            vec![Cell::text(row.pooler), of(row, "communities", count)]
        })
        .collect();
    for (place, &(title, key, meaning)) in measures.iter().enumerate() {
        names.push((title, meaning));
        for (row, cells) in rows.iter().zip(&mut cells) {
            cells.push(of(row, key, three));
        }
        if several && place == 0 {
            names.extend([
                (
                    "difference",
                    "mean difference to the first pooler, seed by seed",
                ),
                (
                    "95 % interval",
                    "of the difference, by Student's t over the seeds",
                ),
            ]);
            for (row, cells) in rows.iter().zip(&mut cells) {
                let signed = |value: f64| format!("{value:+.3}").replace('-', "−");
                cells.extend(row.difference(&format!("{key}_difference"), signed));
            }
        }
    }
    names.extend([
        ("epochs", "epochs of all starts"),
        ("ms/epoch", "mean time of an epoch in milliseconds"),
        ("seconds", "time of the run"),
        PEAK,
    ]);
    for (row, cells) in rows.iter().zip(&mut cells) {
        let trained = row.get("epochs") > Some(0.0);
        cells.extend([
            row.cell("epochs", |epochs| format!("{epochs}")),
            if trained {
                row.cell("seconds_per_epoch", |time| format!("{:.1}", 1e3 * time))
            } else {
                Cell::text("–")
            },
            row.cell("seconds", |seconds| format!("{seconds:.1}")),
            row.cell("peak_rss_mb", |megabytes| format!("{megabytes:.0}")),
        ]);
    }
    (columns(names), cells)
}

/// Formats a number with three digits and a typographic minus.
fn three(value: f64) -> String {
    format!("{value:.3}").replace('-', "−")
}

/// Formats a number, with its standard deviation over several seeds.
fn of(row: &Row, name: &str, shown: fn(f64) -> String) -> Cell {
    let deviation = row.get(&format!("{name}_std"));
    row.cell(name, |mean| match deviation {
        None => shown(mean),
        Some(deviation) => format!("{} ± {}", shown(mean), shown(deviation)),
    })
}

/// Returns remarks on the table.
fn remarks(
    comparison: &Comparison<GraphSource>,
    rows: &[Row],
    compared: &str,
    with_classes: bool,
    terms: Terms,
) -> Vec<String> {
    let mut remarks = Vec::new();
    let poolers = || comparison.poolers.iter().zip(rows);
    let names = |which: &dyn Fn(&PoolTraits, &Row) -> bool| -> Option<String> {
        let found = poolers().filter(|(pooler, row)| which(pooler, row));
        let names: Vec<&str> = found.map(|(pooler, _)| pooler.name).collect();
        (!names.is_empty()).then(|| names.join(", "))
    };
    let seeds = &comparison.seeds;
    if let ([_, _, ..], Some(first)) = (seeds.as_slice(), rows.first()) {
        remarks.push(format!(
            "means ± standard deviations over {} seeds ({}); differences in {compared} are those to {}",
            seeds.len(),
            list(seeds),
            first.pooler
        ));
    }
    if let (Some(sampled), true) = (names(&|pooler, _| pooler.posterior), with_classes) {
        remarks.push(format!(
            "agreement of {sampled} is that of its posterior mean; compare.csv has one sample too, as in the paper"
        ));
    }
    if let Some(given) = names(&|pooler, _| !pooler.adaptive) {
        remarks.push(format!(
            "the number of clusters is given to {given}: as many as there are known classes, else C; {} for another",
            advice(terms, "clusters", "K")
        ));
    }
    if let Some(untrained) = names(&|_, row| row.get("epochs") == Some(0.0)) {
        remarks.push(format!(
            "not trained, because they have no loss of their own: {untrained}"
        ));
    }
    remarks
}

/// Reads the communities of a run as a pooled graph; `None` if it is too large to be drawn.
fn pooled(input: &Input, job: &Job) -> Result<Option<PooledGraph>, Failure> {
    let path = job.directory.file("assignments.npy");
    // The memberships of a huge graph in many communities are not written.
    if !path.exists() {
        return Ok(None);
    }
    let array = Npy::open(&path, &Limits::default())?;
    if array.count() > MOST {
        return Ok(None);
    }
    let matrix = array.to_matrix(&path)?;
    if matrix.rows() != input.graph.nodes() {
        return Err(Failure::input(format!(
            "{}: it has {} rows for {} nodes; remove the run to have it made again",
            path.display(),
            matrix.rows(),
            input.graph.nodes()
        )));
    }
    // Features that do not fit into memory are too large to be drawn, too.
    Ok(pool(&input.graph, matrix.as_slice().to_vec(), matrix.columns()).ok())
}
