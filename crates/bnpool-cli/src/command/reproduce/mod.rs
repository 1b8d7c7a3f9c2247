//! `bnpool reproduce`: the tables and figures of the paper.

mod behind;
mod cell;
mod collect;
mod count;
mod data;
mod document;
mod estimate;
mod figure;
mod item;
mod list;
mod output;
mod paper;
mod progress;
mod record;
mod rows;
mod seal;
mod search;
mod selection;
mod sheet;
mod store;
mod work;

use crate::Program;
use crate::flags::run::MOST_THREADS;
use crate::terminal::message::Failure;
use bnpool_task::Preset;
use cell::Run;
use clap::Args;
use clap::builder::RangedU64ValueParser;
use collect::collect;
use data::Data;
use figure::Drawn;
use item::{Item, Measure};
use output::Output;
use progress::Progress;
use selection::{Numbers, Only, Selection, Shard};
use std::collections::BTreeSet;
use std::path::PathBuf;
use store::Store;
use work::{AGAIN, Work};

/// Where results go by default; items share them.
const DEFAULT_OUT: &str = "runs/reproduce";

/// Flags of `bnpool reproduce`.
#[derive(Args)]
#[command(after_help = "Examples:
  bnpool reproduce --list                           what there is, what it needs, how long it takes
  bnpool reproduce datasets
  bnpool reproduce clustering --quick               minutes instead of hours
  bnpool reproduce clustering --preset default,paper --only dataset=community,cora
  bnpool reproduce graphs --preset default --only dataset=mutag,pooler=bn,topk --folds 3
  bnpool reproduce graphs --shard 2/8 --out shard-2          on one of eight machines
  bnpool reproduce graphs --merge shard-1 shard-2            the table of all shards
  bnpool reproduce figure-spy

Finished runs are kept in results.jsonl of --out and recognised by the hash of their
settings and data, so the same command goes on after an interruption. All items share
the results of one directory; one process works in it.")]
pub struct Arguments {
    /// A table or figure; see --list.
    #[arg(required_unless_present = "list")]
    item: Option<String>,
    /// List the items, the data they need and about how long they take.
    #[arg(long)]
    list: bool,
    /// The settings to start from: paper, paper-code, authors, default, several such
    /// as paper,default, or all.
    #[arg(
        long,
        value_name = "PRESETS",
        value_delimiter = ',',
        default_value = "paper"
    )]
    preset: Vec<String>,
    /// Minutes instead of hours: few epochs, folds, seeds and data sets. The table is
    /// marked.
    #[arg(long)]
    quick: bool,
    /// Folds of sets of graphs: how many, such as 3, or which ones, such as 0,4.
    #[arg(long, value_name = "FOLDS")]
    folds: Option<Numbers>,
    /// Seeds: how many, such as 5, or which ones, such as 0,4.
    #[arg(long, value_name = "SEEDS")]
    seeds: Option<Numbers>,
    /// Only some runs, such as dataset=mutag,enzymes,pooler=bn.
    #[arg(long, value_name = "CHOICE")]
    only: Option<Only>,
    /// Runs side by side. Results do not depend on it, but times and memory do.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least_one())]
    jobs: usize,
    /// A fixed share of the runs, such as 2/8: the second of eight.
    #[arg(long, value_name = "I/N", conflicts_with = "merge")]
    shard: Option<Shard>,
    /// Take the results of other directories, or of their results.jsonl, run nothing,
    /// and make the table.
    #[arg(long, value_name = "DIR", num_args = 1..)]
    merge: Vec<PathBuf>,
    /// Run nothing, and make the table of the results that are there.
    #[arg(long, conflicts_with_all = ["merge", "shard"])]
    tables: bool,
    /// Directory of the results.
    #[arg(long, value_name = "DIR", default_value = DEFAULT_OUT)]
    out: PathBuf,
    /// Also write the table into this Markdown file, between markers of the item.
    #[arg(long, value_name = "FILE")]
    document: Option<PathBuf>,
    /// Keep the directories of the runs, with their reports.
    #[arg(long)]
    keep_runs: bool,
    /// Threads of all runs together; all cores by default. Results do not depend on it.
    #[arg(long, value_name = "N", value_parser = at_least_one())]
    threads: Option<usize>,
    /// The table as JSON, and nothing else, on standard output.
    #[arg(long)]
    json: bool,
    /// No progress, only the result.
    #[arg(long)]
    quiet: bool,
    /// Where data sets are looked for and kept (or BNPOOL_DATA).
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
}

impl Arguments {
    /// Runs what is left of an item and makes its table, or lists the items.
    pub fn run(self, program: &Program) -> Result<(), Failure> {
        let selection = self.selection()?;
        let data = Data::new(self.data_dir.clone());
        if self.list {
            return list::print(&selection, &data);
        }
        let item = item::find(self.item.as_deref().unwrap_or_default())?;
        self.check_item(item)?;
        let all = selection.runs(item)?;
        if self.tables {
            let store = Store::read(&self.out)?;
            return self.finish(item, &selection, &store, &data, &all, Vec::new());
        }
        if !self.merge.is_empty() {
            let store = Store::enter(&self.out)?;
            let new = store.merge(&self.merge)?;
            if !self.quiet {
                tell!("{new} results are new in {}", self.out.display());
            }
            return self.finish(item, &selection, &store, &data, &all, Vec::new());
        }
        let (runs, missing) = self.present(&all, &selection, &data)?;
        let store = Store::enter(&self.out)?;
        let mut failures = self.work(program, item, &runs, &store, &data)?;
        if let Some(grid) = item.grid()
            && grid.measure == Measure::Loss
            && self.shard.is_none()
        {
            let finals = search::finals(grid, &runs, &store, &selection.final_seeds())?;
            failures.extend(self.work(program, item, &finals, &store, &data)?);
        }
        if self.shard.is_some() && all.iter().any(|run| store.find(run).is_none()) {
            if !self.quiet {
                tell!(
                    "the runs of this shard are in {}; when all shards are done: bnpool reproduce {} --merge DIR DIR …",
                    self.out.display(),
                    item.name
                );
            }
        } else {
            self.finish(item, &selection, &store, &data, &runs, missing)?;
        }
        match failures.as_slice() {
            [] => Ok(()),
            [only] => Err(Failure::running(format!("a run failed: {only}"))),
            [first, ..] => Err(Failure::running(format!(
                "{} runs failed, the first of them: {first}",
                failures.len()
            ))),
        }
    }

    /// Refuses flags that the item has no use for, before the work begins.
    fn check_item(&self, item: &Item) -> Result<(), Failure> {
        let (name, grid) = (item.name, item.grid());
        if self.jobs > 1 && grid.is_some_and(|grid| grid.measure == Measure::Resources) {
            return Err(Failure::input(format!(
                "--jobs {}: `{name}` measures time and memory, so its runs come one after another; leave --jobs out",
                self.jobs
            )));
        }
        if !self.merge.is_empty() && grid.is_none() {
            return Err(Failure::input(format!(
                "--merge: `{name}` is drawn without runs; there is nothing to merge"
            )));
        }
        match &self.document {
            Some(path) => document::check(path, name),
            None => Ok(()),
        }
    }

    fn selection(&self) -> Result<Selection, Failure> {
        let mut presets: Vec<String> = Vec::new();
        for name in &self.preset {
            let names: &[&str] = match name.trim() {
                "all" => &["paper", "paper-code", "authors", "default"],
                name => &[Preset::find(name).map_err(Failure::input)?.name()],
            };
            for name in names {
                if !presets.iter().any(|known| known == name) {
                    presets.push((*name).to_owned());
                }
            }
        }
        Ok(Selection {
            presets,
            quick: self.quick,
            folds: self.folds.clone(),
            seeds: self.seeds.clone(),
            only: self.only.clone().unwrap_or_default(),
        })
    }

    /// The runs of this process whose data are here, and remarks on those that are
    /// not.
    fn present(
        &self,
        all: &[Run],
        selection: &Selection,
        data: &Data,
    ) -> Result<(Vec<Run>, Vec<String>), Failure> {
        let mut runs = Vec::new();
        let mut here = false;
        let mut missing = BTreeSet::new();
        for (number, run) in all.iter().enumerate() {
            if let Some(remark) = data.missing(run)? {
                missing.insert(remark);
                continue;
            }
            here = true;
            if self.shard.is_none_or(|shard| shard.has(number)) {
                runs.push(run.clone());
            }
        }
        let missing = Vec::from_iter(missing);
        if !missing.is_empty() && (!here || selection.only.0.contains_key("dataset")) {
            return Err(Failure::input(format!(
                "{}; --data-dir names a folder that has it",
                missing.join("; ")
            )));
        }
        if !self.quiet {
            for remark in &missing {
                tell!("note: {remark}");
            }
        }
        Ok((runs, missing))
    }

    fn work(
        &self,
        program: &Program,
        item: &Item,
        runs: &[Run],
        store: &Store,
        data: &Data,
    ) -> Result<Vec<String>, Failure> {
        if runs.is_empty() {
            return Ok(Vec::new());
        }
        let jobs = self.jobs.min(runs.len());
        if !self.quiet {
            let left: Vec<&Run> = runs
                .iter()
                .filter(|run| store.find(run).is_none())
                .collect();
            let known = match runs.len() - left.len() {
                0 => String::new(),
                known => format!(" ({known} of them finished before)"),
            };
            let time = if left.is_empty() {
                String::new()
            } else {
                let seconds = estimate::total(left) / jobs as f64;
                format!(", {}", crate::terminal::progress::about(seconds))
            };
            tell!(
                "{}: {} {}{known}{time}, to {}",
                item.name,
                runs.len(),
                if runs.len() == 1 { "run" } else { "runs" },
                self.out.display()
            );
        }
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        crate::process::interrupt::say_at_end(format!("interrupted; {AGAIN}"));
        let work = Work {
            program,
            store,
            data,
            jobs,
            // Each its share.
            threads: (self.threads.unwrap_or(cores) / jobs).max(1),
            keep_runs: self.keep_runs,
            progress: Progress::new(runs.len(), self.quiet),
        };
        work.all(runs)
    }

    /// Makes the table or figure of the results that are there.
    fn finish(
        &self,
        item: &'static Item,
        selection: &Selection,
        store: &Store,
        data: &Data,
        runs: &[Run],
        mut remarks: Vec<String>,
    ) -> Result<(), Failure> {
        let mut output = Output {
            item,
            sheet: None,
            drawn: Drawn::default(),
        };
        let mut records = Vec::new();
        if let Some(grid) = item.grid() {
            let found = collect(grid, store, selection)?;
            if found.records.is_empty() {
                let flags = Vec::from_iter(found.flags);
                let remedy = if flags.is_empty() {
                    "leave --tables and --merge out to have them made".to_owned()
                } else {
                    format!("there are those of {}", flags.join(", "))
                };
                return Err(Failure::input(format!(
                    "{}: there are no finished results of `{}` with these settings; {remedy}",
                    self.out.display(),
                    item.name
                )));
            }
            if found.others > 0 {
                remarks.push(format!(
                    "{} results that were made with other settings are left out",
                    found.others
                ));
            }
            if self.quick && grid.measure != Measure::Counts {
                remarks.insert(0, QUICK.to_owned());
            }
            remarks.extend(made(&found.records));
            records = found.records;
            if item.figure.is_none() {
                let paper = paper::numbers(item.name);
                let rows = rows::rows(grid, &records, &paper);
                output.sheet = Some(sheet::sheet(grid, &rows, &paper));
                remarks.extend(reading(grid.measure).map(str::to_owned));
            }
            if item.figure.is_none() && grid.measure == Measure::Clusters {
                output.drawn.drawings = figure::histograms(&records)?;
            }
        }
        if let Some(figure) = &item.figure {
            if figure.only.is_some()
                && let Some(run) = runs.iter().find(|run| store.find(run).is_none())
            {
                return Err(Failure::input(format!(
                    "the files of {} are not here; leave --tables and --merge out to have them made",
                    run.words()
                )));
            }
            let source = figure::Source {
                runs,
                store,
                data,
                records: &records,
            };
            output.drawn = figure::draw(figure, &source)?;
        }
        output.drawn.remarks.extend(remarks);
        let files = output.write(&self.out)?;
        if let Some(document) = &self.document {
            document::update(document, item.name, &output.markdown())?;
        }
        if self.json {
            let text = serde_json::to_string_pretty(&output.json())
                .map_err(|e| Failure::running(format!("the table cannot be written: {e}")))?;
            say!("{text}");
            return Ok(());
        }
        output.say();
        say!("  written to {}: {}", self.out.display(), files.join(", "));
        Ok(())
    }
}

/// A number of threads or processes.
fn at_least_one() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=MOST_THREADS as u64)
}

/// Mark on everything made with `--quick`.
const QUICK: &str = "made with --quick: few epochs, folds, seeds and data sets; these are no results to compare with the paper";

/// Data sets that were made and not read.
fn made(records: &[record::Record]) -> BTreeSet<String> {
    let made = records.iter().filter(|r| r.data.starts_with("generated"));
    made.map(|r| {
        let name = &r.cell.dataset;
        format!("{name} was {}: its published files are not here", r.data)
    })
    .collect()
}

/// How to read a table.
fn reading(measure: Measure) -> Option<&'static str> {
    Some(match measure {
        Measure::Resources => {
            "ours is the memory of the whole process and the time on the processor; the paper's are those of a GPU"
        }
        Measure::Search => "settings are compared on validation graphs only",
        Measure::Loss => {
            "settings are compared by L_rec of the best epoch of the first seed, never by labels"
        }
        Measure::Clusters => {
            "mean and deviation over test graphs; differences in standard deviations"
        }
        Measure::Counts => {
            "our edges are directed: an undirected edge counts twice; the paper counts those of some sets once"
        }
        _ => {
            "differences are ours less the paper's, in standard deviations (the root of the mean of both variances, at least half of the last digit that the paper prints)"
        }
    })
}
