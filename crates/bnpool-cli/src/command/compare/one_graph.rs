//! Poolers compared on one graph: communities, agreement with known classes.

use super::Arguments;
use super::child::run_all;
use super::comparison::Comparison;
use super::graphs::read_metrics;
use super::job::{Job, Protocol};
use super::page;
use super::progress::Progress;
use super::sample;
use super::table::{Cell, Column, Table, csv, digits};
use crate::command::cluster::{Input, SCHEMA, Source, base};
use crate::destination::write_text;
use crate::interrupt;
use crate::layers::Layers;
use crate::message::Failure;
use crate::plan::Source as _;
use crate::pooler::whole;
use crate::preset;
use crate::stage::Stage;
use bnpool::pool::{PoolTraits, find_pooler};
use bnpool::task::Preset;
use bnpool::task::cluster::ClusterConfig;
use serde::{Deserialize, Serialize};

/// Runs the poolers and says what they found.
pub fn compare(arguments: &Arguments) -> Result<(), Failure> {
    let flags = &arguments.run;
    let source = Source {
        dataset: arguments.dataset.clone(),
        graph: arguments.graph.clone(),
        features: arguments.features.clone(),
        labels: arguments.labels.clone(),
        label_attribute: arguments.label_attribute.clone(),
        input: arguments.input.clone(),
    };
    let mut comparison = Comparison::new(arguments, source, |source| config(arguments, source))?;
    let stage = Stage::begin(format!("reading {}", comparison.source.name()), flags.quiet);
    let input = comparison.source.read(flags.data_dir.as_deref())?;
    drop(stage);
    let jobs = jobs(arguments, &comparison, input.sha256.as_deref())?;
    comparison.introduce(
        &format!(
            "{} nodes, {} directed edges, {} features; preset {}",
            input.graph.nodes(),
            input.graph.edges(),
            input.graph.features().width(),
            comparison.config.preset.name()
        ),
        flags.quiet,
        arguments
            .poolers
            .as_deref()
            .is_none_or(|list| list.trim() == "all"),
    );
    comparison.enter(&[], input.sha256.as_deref())?;
    let path = comparison.directory.path().display().to_string();
    let resume = format!("go on with: bnpool compare --resume --out {path}");
    interrupt::say_at_end(format!("interrupted; {resume}"));
    run_all(&jobs, &Progress::new(jobs.len(), flags.quiet), &resume)?;
    let stage = Stage::begin("drawing the page".into(), flags.quiet);
    let outcome = Outcome::collect(&comparison, &input, &jobs)?;
    outcome.write(&comparison, &input, &jobs)?;
    drop(stage);
    if flags.json {
        say!("{}", outcome.to_json()?);
        return Ok(());
    }
    say!("communities of {}", input.name);
    say!("");
    outcome.table().say();
    say!("");
    for remark in outcome.remarks() {
        say!("  {remark}");
    }
    say!("  written to {path}: compare.html, compare.csv, compare.json, and the runs");
    Ok(())
}

/// The settings: preset, configuration file, `--set`, flags.
fn config(arguments: &Arguments, source: &Source) -> Result<ClusterConfig, Failure> {
    let layers = Layers::read(&arguments.run, &arguments.pooler)?;
    let preset = preset::choose(arguments.preset, &layers)?;
    layers.over(
        &base(preset, source),
        preset == Preset::Authors,
        |settings| settings.flag("clusters", whole(arguments.clusters), "--clusters"),
    )
}

/// The run of every pooler.
fn jobs(
    arguments: &Arguments,
    comparison: &Comparison<ClusterConfig, Source>,
    sha256: Option<&str>,
) -> Result<Vec<Job>, Failure> {
    let protocol = Protocol {
        command: Source::TASK,
        source: &comparison.source,
        sha256,
        folds: None,
        technical: arguments.run.technical_words(),
        overwrite: arguments.run.overwrite,
    };
    let preset = comparison.config.preset;
    let base = base(preset, &comparison.source);
    let job = |&pooler: &&'static PoolTraits| {
        let mut config = comparison.config.clone();
        config.pooler.name = pooler.name.to_owned();
        config.check()?;
        let directory = comparison.run_directory(pooler);
        protocol.job(pooler, &base, &config, preset.name(), directory)
    };
    comparison.poolers.iter().map(job).collect()
}

/// `compare.json` of one graph.
#[derive(Serialize)]
struct Outcome {
    schema: u32,
    task: &'static str,
    output: String,
    dataset: String,
    preset: &'static str,
    seed: u64,
    nodes: usize,
    edges: usize,
    classes: Option<usize>,
    poolers: Vec<Row>,
    version: &'static str,
}

/// A pooler and what it found.
#[derive(Serialize)]
struct Row {
    pooler: &'static str,
    title: &'static str,
    #[serde(flatten)]
    found: Found,
}

/// What is read of `metrics.json` of a run, and written again under the same
/// names.
#[derive(Serialize, Deserialize)]
struct Found {
    communities: usize,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    agreement: Option<Agreement>,
    modularity: f64,
    epochs: usize,
    seconds_per_epoch: f64,
    seconds: f64,
    peak_rss_mb: Option<f64>,
}

/// Agreement with known classes: of one posterior sample as in the paper, and of
/// the posterior mean, from which the communities are.
#[derive(Serialize, Deserialize)]
struct Agreement {
    acc: f64,
    acc_mean: f64,
    cos: f64,
    cos_mean: f64,
    nmi: f64,
    nmi_mean: f64,
    homogeneity: f64,
    homogeneity_mean: f64,
    completeness: f64,
    completeness_mean: f64,
    ari: f64,
    ari_mean: f64,
}

impl Outcome {
    fn collect(
        comparison: &Comparison<ClusterConfig, Source>,
        input: &Input,
        jobs: &[Job],
    ) -> Result<Self, Failure> {
        let row = |job: &Job| {
            Ok(Row {
                pooler: job.pooler.name,
                title: job.pooler.title,
                found: read_metrics(&job.directory, job.pooler.name)?,
            })
        };
        let labels = input.graph.node_labels();
        Ok(Self {
            schema: SCHEMA,
            task: "compare",
            output: comparison.directory.path().display().to_string(),
            dataset: input.name.clone(),
            preset: comparison.config.preset.name(),
            seed: comparison.config.seed,
            nodes: input.graph.nodes(),
            edges: input.graph.edges(),
            classes: labels.map(|labels| {
                let classes: std::collections::BTreeSet<_> = labels.iter().collect();
                classes.len()
            }),
            poolers: jobs.iter().map(row).collect::<Result<_, Failure>>()?,
            version: env!("CARGO_PKG_VERSION"),
        })
    }

    fn to_json(&self) -> Result<String, Failure> {
        serde_json::to_string_pretty(self)
            .map_err(|e| Failure::Running(format!("the comparison cannot be written: {e}")))
    }

    /// Writes csv, page and JSON, in this order: the last says that all are there.
    fn write(
        &self,
        comparison: &Comparison<ClusterConfig, Source>,
        input: &Input,
        jobs: &[Job],
    ) -> Result<(), Failure> {
        let directory = &comparison.directory;
        write_text(&directory.file("compare.csv"), &self.to_csv())?;
        let shown = sample::of_one_graph(input, jobs)?;
        page::write(
            directory,
            &page::Words {
                title: format!("Communities of {} by several poolers", input.name),
                lead: match self.classes {
                    Some(classes) => format!("The nodes have {classes} known classes."),
                    None => "The nodes have no known classes to compare with.".to_owned(),
                },
                remarks: self.remarks(),
                settings: toml::to_string(&comparison.config).unwrap_or_default(),
            },
            &self.table(),
            jobs,
            Some(&shown),
        )?;
        Ok(directory.write_json("compare.json", self)?)
    }

    fn to_csv(&self) -> String {
        let heading = [
            "pooler",
            "communities",
            "nmi_mean",
            "ari_mean",
            "cos_mean",
            "acc_mean",
            "nmi",
            "ari",
            "cos",
            "acc",
            "modularity",
            "epochs",
            "seconds_per_epoch",
            "seconds",
            "peak_rss_mb",
        ];
        let row = |row: &Row| {
            let found = &row.found;
            let of = |pick: fn(&Agreement) -> f64| found.agreement.as_ref().map(pick);
            let numbers = [
                Some(found.communities as f64),
                of(|a| a.nmi_mean),
                of(|a| a.ari_mean),
                of(|a| a.cos_mean),
                of(|a| a.acc_mean),
                of(|a| a.nmi),
                of(|a| a.ari),
                of(|a| a.cos),
                of(|a| a.acc),
                Some(found.modularity),
                Some(found.epochs as f64),
                Some(found.seconds_per_epoch),
                Some(found.seconds),
                found.peak_rss_mb,
            ];
            let fields = numbers.into_iter().map(digits);
            std::iter::once(row.pooler.to_owned())
                .chain(fields)
                .collect()
        };
        let rows: Vec<Vec<String>> = self.poolers.iter().map(row).collect();
        csv(&heading, &rows)
    }

    /// The table for people. Agreement is that of the communities: of the
    /// posterior mean where there is a posterior.
    fn table(&self) -> Table {
        let mut columns = vec![
            ("pooler", "its name on the command line"),
            ("communities", "number of communities"),
        ];
        let agreement = [
            (
                "NMI",
                "normalised mutual information of communities and classes, 0 to 1",
            ),
            (
                "ARI",
                "adjusted Rand index: 0 for chance, 1 for identical groups",
            ),
            ("COS", "cosine of S Sᵀ and Y Yᵀ"),
            (
                "ACC",
                "accuracy of a logistic regression from S to the classes",
            ),
        ];
        if self.classes.is_some() {
            columns.extend(agreement);
        }
        columns.extend([
            (
                "modularity",
                "share of links inside communities, minus the share expected by chance",
            ),
            ("epochs", "epochs of all starts"),
            ("ms/epoch", "mean time of an epoch in milliseconds"),
            ("seconds", "training time"),
            ("peak MB", "most memory that its process had at once"),
        ]);
        let row = |row: &Row| {
            let found = &row.found;
            let three = |value: f64| format!("{value:.3}").replace('-', "−");
            let mut cells = vec![
                Cell::text(row.pooler),
                Cell::number(Some(found.communities as f64), |c| format!("{c}")),
            ];
            if self.classes.is_some() {
                let picks: [fn(&Agreement) -> f64; 4] = [
                    |a| a.nmi_mean,
                    |a| a.ari_mean,
                    |a| a.cos_mean,
                    |a| a.acc_mean,
                ];
                let values = picks.map(|pick| found.agreement.as_ref().map(pick));
                cells.extend(values.map(|value| Cell::number(value, three)));
            }
            cells.extend([
                Cell::number(Some(found.modularity), three),
                Cell::number(Some(found.epochs as f64), |e| format!("{e}")),
                Cell::number(Some(1e3 * found.seconds_per_epoch), |t| format!("{t:.1}")),
                Cell::number(Some(found.seconds), |t| format!("{t:.1}")),
                Cell::number(found.peak_rss_mb, |m| format!("{m:.0}")),
            ]);
            cells
        };
        Table {
            columns: columns
                .into_iter()
                .map(|(name, meaning)| Column { name, meaning })
                .collect(),
            rows: self.poolers.iter().map(row).collect(),
        }
    }

    /// How to read the table.
    fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        let traits = |row: &Row| find_pooler(row.pooler).ok();
        let posterior = |row: &&Row| traits(row).is_some_and(|p| p.posterior);
        if let (Some(row), Some(_)) = (self.poolers.iter().find(posterior), self.classes) {
            remarks.push(format!(
                "agreement of {} is that of its posterior mean; compare.csv has one sample too, as in the paper",
                row.pooler
            ));
        }
        let told = self
            .poolers
            .iter()
            .filter(|row| traits(row).is_some_and(|p| !p.adaptive));
        let told: Vec<&str> = told.map(|row| row.pooler).collect();
        if !told.is_empty() {
            remarks.push(format!(
                "{} {} told the number of clusters (--clusters, else the known classes, else --max-clusters)",
                told.join(", "),
                if told.len() == 1 { "is" } else { "are" }
            ));
        }
        remarks
    }
}
