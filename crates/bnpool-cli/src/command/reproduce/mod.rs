//! `bnpool reproduce`: the tables and figures of the paper.

mod behind;
mod cell;
mod claim;
mod collect;
mod count;
mod document;
mod estimate;
mod figure;
mod item;
mod list;
mod output;
mod pack;
mod paper;
mod place;
mod progress;
mod result;
mod rows;
mod search;
mod selection;
mod sheet;
mod work;

use crate::Program;
use crate::message::Failure;
use crate::run::MOST_THREADS;
use bnpool_task::Preset;
use cell::Run;
use clap::Args;
use collect::{Collected, collect, merge};
use item::{Figure, Item, Kind, Measure};
use output::Output;
use place::{Data, Place};
use progress::Progress;
use selection::{Numbers, Only, Selection, Shard};
use std::collections::BTreeSet;
use std::path::PathBuf;
use work::Work;

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
  bnpool reproduce graphs --merge shard-1 shard-2            the tables of all shards
  bnpool reproduce graphs --out /shared/graphs               on any number of machines at once
  bnpool reproduce graphs --shard 2/8 --pack 2.jsonl         all results in one file, for --merge
  bnpool reproduce figure-spy

Finished runs are kept and recognised by the hash of their settings and data, so the
same command goes on after an interruption. All items share the results of one
directory.")]
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
    /// Minutes instead of hours: few epochs, folds, seeds and data sets. The table
    /// says so.
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
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// A fixed share of the runs, such as 2/8: the second of eight.
    #[arg(long, value_name = "I/N", conflicts_with = "merge")]
    shard: Option<Shard>,
    /// Take the results of other directories, or of files by --pack, run nothing, and
    /// make the table.
    #[arg(long, value_name = "DIR", num_args = 1..)]
    merge: Vec<PathBuf>,
    /// Run nothing, and make the table of the results that are there.
    #[arg(long, conflicts_with_all = ["merge", "shard"])]
    tables: bool,
    /// Directory of the results.
    #[arg(long, value_name = "DIR", default_value = DEFAULT_OUT)]
    out: PathBuf,
    /// Also add the results behind the table to this file, a line of JSON for every run.
    #[arg(long, value_name = "FILE")]
    pack: Option<PathBuf>,
    /// Also write the table into this Markdown file, between markers of the item.
    #[arg(long, value_name = "FILE")]
    document: Option<PathBuf>,
    /// Keep the directories of the runs, with their reports.
    #[arg(long)]
    keep_runs: bool,
    /// What the command does anyhow; other commands need it.
    #[arg(long, hide = true)]
    resume: bool,
    /// Threads of all runs together; all cores by default. Results do not depend on it.
    #[arg(long, value_name = "N")]
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

/// The runs of an item.
fn runs_of(item: &Item, selection: &Selection) -> Result<Vec<Run>, Failure> {
    match &item.kind {
        Kind::Poolers(grid) => selection.runs(grid),
        Kind::Datasets => count::runs(&selection.only, selection.quick),
        Kind::Figure(figure) => figure::runs(*figure, selection),
    }
}

impl Arguments {
    /// Runs what is left of an item and makes its table, or lists the items.
    pub fn run(self, program: &Program) -> Result<(), Failure> {
        let _ = self.resume;
        self.check()?;
        let selection = self.selection()?;
        let data = Data::new(self.data_dir.clone());
        if self.list {
            return list::print(&selection, &data);
        }
        let item = item::find(self.item.as_deref().unwrap_or_default())?;
        self.check_item(item)?;
        let place = Place::at(self.out.clone());
        if !self.merge.is_empty() {
            return self.merge(item, &selection, &place, &data);
        }
        let all = runs_of(item, &selection)?;
        if self.tables {
            return self.finish(item, &selection, &place, &data, &all, Vec::new());
        }
        let (runs, missing) = self.present(&all, &selection, &data)?;
        let shared = runs.len() < all.len() && self.shard.is_some();
        place.enter()?;
        let failures = self.work(program, item, &runs, &place, &data)?;
        if shared && !unfinished(&all, &place)?.is_empty() {
            self.pack(&collect(item, &place, &selection)?)?;
            if !self.quiet {
                tell!(
                    "the runs of this shard are in {}; when all shards are done: bnpool reproduce {} --merge DIR DIR …",
                    place.root().display(),
                    item.name
                );
            }
            return fail(failures);
        }
        self.finish(item, &selection, &place, &data, &runs, missing)?;
        fail(failures)
    }

    /// Refuses flags that mean nothing.
    fn check(&self) -> Result<(), Failure> {
        for (flag, value) in [("--jobs", Some(self.jobs)), ("--threads", self.threads)] {
            match value {
                Some(0) => return Err(Failure::input(format!("{flag} 0: at least one is needed"))),
                Some(n) if n > MOST_THREADS => {
                    return Err(Failure::input(format!(
                        "{flag} {n}: at most {MOST_THREADS} can be used"
                    )));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn check_item(&self, item: &Item) -> Result<(), Failure> {
        if let Kind::Poolers(grid) = &item.kind
            && grid.measure == Measure::Resources
            && self.jobs > 1
        {
            return Err(Failure::input(format!(
                "--jobs {}: `{}` measures time and memory, so its runs come one after another; leave --jobs out",
                self.jobs, item.name
            )));
        }
        if let Some(path) = &self.pack {
            if !has_results(item) {
                return Err(Failure::input(format!(
                    "--pack: `{}` is made within one process and has no results of runs; leave --pack out",
                    item.name
                )));
            }
            pack::open(path)?;
        }
        match &self.document {
            Some(path) => document::check(path, item.name),
            None => Ok(()),
        }
    }

    fn selection(&self) -> Result<Selection, Failure> {
        let mut presets: Vec<String> = Vec::new();
        for name in &self.preset {
            let names: &[&str] = match name.trim() {
                "all" => &["paper", "paper-code", "authors", "default"],
                // Its older name.
                "fast" => &["default"],
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
        let mut missing: BTreeSet<(String, bool)> = BTreeSet::new();
        for (number, run) in all.iter().enumerate() {
            if data.fingerprint(&run.cell.dataset, run.cleaned)?.is_none() {
                missing.insert((run.cell.dataset.clone(), run.cleaned));
            } else if self.shard.is_none_or(|shard| shard.has(number)) {
                runs.push(run.clone());
            }
        }
        let words: Vec<String> = missing
            .iter()
            .map(|(set, cleaned)| {
                format!(
                    "{set} is not here; get it with: {}",
                    Data::remedy(set, *cleaned)
                )
            })
            .collect();
        let named = selection.only.datasets.is_some();
        if !missing.is_empty() && (named || missing.len() == datasets(all)) {
            return Err(Failure::input(format!(
                "{}; --data-dir names a folder that has it",
                words.join("; ")
            )));
        }
        if !self.quiet {
            for remark in &words {
                tell!("note: {remark}");
            }
        }
        Ok((runs, words))
    }

    fn work(
        &self,
        program: &Program,
        item: &Item,
        runs: &[Run],
        place: &Place,
        data: &Data,
    ) -> Result<Vec<String>, Failure> {
        if runs.is_empty() {
            return Ok(Vec::new());
        }
        if !self.quiet {
            let left = unfinished(runs, place)?;
            let known = match runs.len() - left.len() {
                0 => String::new(),
                known => format!(" ({known} of them finished before)"),
            };
            let time = if left.is_empty() {
                String::new()
            } else {
                let seconds = estimate::total(left) / self.jobs as f64;
                format!(", {}", crate::stage::about(seconds))
            };
            tell!(
                "{}: {} {}{known}{time}, to {}",
                item.name,
                runs.len(),
                if runs.len() == 1 { "run" } else { "runs" },
                place.root().display()
            );
        }
        let jobs = self.jobs.min(runs.len());
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let progress = Progress::new(runs.len(), self.quiet);
        let again = "the same command goes on";
        crate::interrupt::say_at_end(format!("interrupted; {again}"));
        let work = Work {
            program,
            place,
            data,
            jobs,
            // Each its share.
            threads: match (self.threads, jobs) {
                (None, 1) => None,
                (threads, jobs) => Some((threads.unwrap_or(cores) / jobs).max(1)),
            },
            keep_runs: self.keep_runs,
            progress: &progress,
            again,
        };
        work.all(runs)
    }

    fn merge(
        &self,
        item: &Item,
        selection: &Selection,
        place: &Place,
        data: &Data,
    ) -> Result<(), Failure> {
        if !has_results(item) {
            return Err(Failure::input(format!(
                "`{}` is made within one process; there is nothing to merge",
                item.name
            )));
        }
        place.enter()?;
        let new = merge(item, &self.merge, place, self.quick)?;
        if !self.quiet {
            tell!("{new} results are new in {}", place.root().display());
        }
        self.finish(item, selection, place, data, &[], Vec::new())
    }

    /// Adds results to the file of `--pack`, if there is one.
    fn pack(&self, found: &Collected) -> Result<(), Failure> {
        let Some(path) = &self.pack else {
            return Ok(());
        };
        let pack::Added { new, all } = pack::add(path, &found.results)?;
        if !self.quiet {
            tell!("{}: {all} results, {new} of them new", path.display());
        }
        Ok(())
    }

    /// Makes tables and figures from results.
    fn finish(
        &self,
        item: &Item,
        selection: &Selection,
        place: &Place,
        data: &Data,
        runs: &[Run],
        mut remarks: Vec<String>,
    ) -> Result<(), Failure> {
        let found = collect(item, place, selection)?;
        let needs = !runs.is_empty() || self.tables || !self.merge.is_empty();
        if needs && found.results.is_empty() && item.grid().is_some() {
            let names: Vec<&str> = found.presets.iter().map(String::as_str).collect();
            let remedy = if names.is_empty() {
                "leave --tables out to have them made".to_owned()
            } else {
                format!("there are those of --preset {}", names.join(","))
            };
            return Err(Failure::input(format!(
                "{}: there are no finished results of `{}` with these settings; {remedy}",
                place.root().display(),
                item.name
            )));
        }
        if found.others > 0 {
            remarks.push(format!(
                "{} results that were made with other settings are left out",
                found.others
            ));
        }
        if self.quick && !matches!(item.kind, Kind::Datasets) && item.grid().is_some() {
            remarks.insert(
                0,
                "made with --quick: few epochs, folds, seeds and data sets; these are no results to compare with the paper".to_owned(),
            );
        }
        remarks.extend(data_remarks(&found.results));
        remarks.extend(reading(item));
        let output = match &item.kind {
            Kind::Figure(figure) => {
                for run in runs {
                    if place.finished(run, None)?.is_none() {
                        return Err(Failure::input(format!(
                            "the run {} of this figure is not finished; leave --tables out to have it made",
                            run.words()
                        )));
                    }
                }
                if self.quick && !runs.is_empty() {
                    remarks.push("made with --quick: few epochs".to_owned());
                }
                let drawn = figure::draw(*figure, runs, place, data, &found.results)?;
                Output::of_figure(item, drawn, remarks)
            }
            _ => Output::of_table(item, &found, remarks)?,
        };
        place.enter()?;
        let files = output.write(place)?;
        self.pack(&found)?;
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
        say!(
            "  written to {}: {}",
            place.root().display(),
            files.join(", ")
        );
        Ok(())
    }
}

/// Data sets that were made and not read.
fn data_remarks(results: &[result::RunResult]) -> Vec<String> {
    let made = results.iter().filter(|r| r.data.starts_with("generated"));
    let made: BTreeSet<String> = made
        .map(|r| {
            format!(
                "{} was {}: its published files are not here",
                r.cell.dataset, r.data
            )
        })
        .collect();
    made.into_iter().collect()
}

/// How to read the table of an item.
fn reading(item: &Item) -> Vec<String> {
    let words: &[&str] = match &item.kind {
        Kind::Poolers(grid) => match grid.measure {
            Measure::Resources => &[
                "ours is the memory of the whole process and the time on the processor; the paper's are those of a GPU",
            ],
            Measure::Search => &["settings are compared on validation graphs only"],
            Measure::Clusters => {
                &["mean and deviation over test graphs; differences in standard deviations"]
            }
            _ => &[
                "differences are ours less the paper's, in standard deviations (the root of the mean of both variances, at least half of the last digit that the paper prints)",
            ],
        },
        Kind::Datasets => &[
            "our edges are directed: an undirected edge counts twice; the paper counts those of some sets once",
        ],
        Kind::Figure(_) => &[],
    };
    words.iter().map(|line| (*line).to_owned()).collect()
}

fn datasets(runs: &[Run]) -> usize {
    let sets: BTreeSet<(&str, bool)> = runs
        .iter()
        .map(|run| (run.cell.dataset.as_str(), run.cleaned))
        .collect();
    sets.len()
}

fn unfinished<'a>(runs: &'a [Run], place: &Place) -> Result<Vec<&'a Run>, Failure> {
    let mut left = Vec::new();
    for run in runs {
        if place.finished(run, None)?.is_none() {
            left.push(run);
        }
    }
    Ok(left)
}

/// Whether runs of the item leave results that can be sent elsewhere; figures are
/// drawn from files of their runs.
fn has_results(item: &Item) -> bool {
    !matches!(item.kind, Kind::Figure(figure) if figure != Figure::Histograms)
}

/// Runs that failed, after all that could be done was done.
fn fail(failures: Vec<String>) -> Result<(), Failure> {
    match failures.as_slice() {
        [] => Ok(()),
        [only] => Err(Failure::running(format!("a run failed: {only}"))),
        [first, rest @ ..] => Err(Failure::running(format!(
            "{} runs failed, the first of them: {first}",
            rest.len() + 1
        ))),
    }
}
