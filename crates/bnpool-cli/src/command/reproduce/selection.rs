//! Which runs of an item are asked for.

use super::cell::{Cell, Run, variants};
use super::item::{Figure, Grid, ITEMS, Item, Measure, Task};
use crate::terminal::message::Failure;
use bnpool_io::dataset;
use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

/// Sets that bring their own split, so that runs differ by seed alone.
const OWN_SPLIT: [&str; 2] = ["ogbg-molhiv", "peptides-struct"];

/// Numbers of folds or seeds: `3` for the first three, or a list such as 0,4.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Numbers(pub Vec<usize>);

impl FromStr for Numbers {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            "write how many (3 for the first three), or which ones (0,4; 4, for one alone)"
                .to_owned()
        };
        if let Ok(count) = text.trim().parse::<usize>() {
            return match count {
                1..=1000 => Ok(Self((0..count).collect())),
                _ => Err(wrong()),
            };
        }
        let parts = text
            .split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty());
        let numbers: Result<BTreeSet<usize>, _> = parts.map(str::parse).collect();
        match numbers {
            Ok(numbers) if !numbers.is_empty() => Ok(Self(numbers.into_iter().collect())),
            _ => Err(wrong()),
        }
    }
}

/// A share of the runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// From 0.
    place: usize,
    count: usize,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/');
        let numbers = parts.map(|(i, n)| (i.trim().parse(), n.trim().parse::<usize>()));
        match numbers {
            Some((Ok(i @ 1..), Ok(count))) if i <= count => Ok(Self {
                place: i - 1,
                count,
            }),
            _ => Err("write it as 1/4: the first of four, numbered from 1".into()),
        }
    }
}

impl Shard {
    /// Whether it has the run of this number. It depends on nothing else, so all
    /// machines agree.
    pub fn has(self, run: usize) -> bool {
        run % self.count == self.place
    }
}

/// `--only dataset=mutag,enzymes,pooler=bn`: names by key.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Only(pub BTreeMap<&'static str, BTreeSet<String>>);

impl Only {
    const KEYS: [&'static str; 3] = ["dataset", "pooler", "variant"];

    /// Whether a name is chosen; without a choice every one is.
    fn has(&self, key: &str, name: &str) -> bool {
        let chosen = self.0.get(key);
        chosen.is_none_or(|names| names.contains(name))
    }
}

impl FromStr for Only {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut only = Self::default();
        let mut key = "";
        for part in text.split(',') {
            let value = match part.split_once('=') {
                Some((name, value)) => {
                    key = name.trim();
                    value.trim()
                }
                None => part.trim(),
            };
            let Some(key) = Self::KEYS.into_iter().find(|known| *known == key) else {
                return Err(
                    "write it as dataset=mutag,enzymes,pooler=bn; the keys are dataset, pooler and variant"
                        .into(),
                );
            };
            if value.is_empty() {
                return Err(format!("`{key}` has an empty value"));
            }
            let value = match key {
                // By its name in the registry, whatever the user calls it.
                "dataset" => dataset::find(value).map_or(value, |entry| entry.name),
                _ => value,
            };
            only.0.entry(key).or_default().insert(value.to_owned());
        }
        Ok(only)
    }
}

/// Requested runs.
#[derive(Debug, Clone)]
pub struct Selection {
    pub presets: Vec<String>,
    pub quick: bool,
    pub folds: Option<Numbers>,
    pub seeds: Option<Numbers>,
    pub only: Only,
}

impl Selection {
    /// The runs of an item, in an order that depends on the selection alone.
    pub fn runs(&self, item: &'static Item) -> Result<Vec<Run>, Failure> {
        let Some(grid) = item.grid() else {
            return Ok(Vec::new());
        };
        let Some(figure) = &item.figure else {
            self.check(grid)?;
            return self.of_grid(grid);
        };
        let Some(only) = figure.only else {
            return self.of_grid(grid);
        };
        let first = Some(Numbers(vec![0]));
        let own = Self {
            folds: first.clone(),
            seeds: first,
            only: only.parse().map_err(Failure::running)?,
            ..self.clone()
        };
        let mut runs = own.of_grid(grid)?;
        // BN-Pool comes last in tables and first in figures.
        for group in runs.chunk_by_mut(|a, b| a.cell.preset == b.cell.preset) {
            group.reverse();
        }
        // All figures of these runs share their files.
        let figures = ITEMS.iter().filter_map(|item| item.figure.as_ref());
        let same = figures.filter(|other| other.only == figure.only);
        let keep: Vec<String> = same.flat_map(Figure::files).collect();
        for run in &mut runs {
            run.keep.clone_from(&keep);
        }
        Ok(runs)
    }

    fn of_grid(&self, grid: &Grid) -> Result<Vec<Run>, Failure> {
        let counted = grid.task == Task::Count;
        let mut runs = Vec::new();
        for preset in self.presets(grid) {
            for dataset in self.datasets(grid) {
                for pooler in &grid.poolers {
                    if !self.only.has("pooler", pooler) {
                        continue;
                    }
                    for variant in variants(grid, pooler) {
                        if !self.only.has("variant", &variant.name) {
                            continue;
                        }
                        for (fold, seed) in self.repeats(grid, dataset) {
                            let cell = Cell {
                                dataset: dataset.to_owned(),
                                pooler: (*pooler).to_owned(),
                                variant: variant.name.clone(),
                                preset: preset.to_owned(),
                                seed,
                                fold,
                                quick: self.quick && !counted,
                            };
                            runs.push(Run::new(grid, cell)?);
                        }
                    }
                }
            }
        }
        Ok(runs)
    }

    /// The presets that are asked for; counts have none.
    pub fn presets(&self, grid: &Grid) -> Vec<&str> {
        if grid.task == Task::Count {
            return vec!["published"];
        }
        self.presets.iter().map(String::as_str).collect()
    }

    /// The data sets that are asked for.
    fn datasets(&self, grid: &Grid) -> Vec<&'static str> {
        let all = if self.quick && !self.only.0.contains_key("dataset") {
            &grid.quick
        } else {
            &grid.datasets
        };
        let mut chosen = all.clone();
        chosen.retain(|name| self.only.has("dataset", name));
        chosen
    }

    /// Folds and seeds of a data set.
    fn repeats(&self, grid: &Grid, dataset: &str) -> Vec<(usize, u64)> {
        let (folds, seeds) = if grid.folds > 1 && OWN_SPLIT.contains(&dataset) {
            (1, 3)
        } else {
            (grid.folds, grid.seeds)
        };
        let numbers = |asked: Option<&Numbers>, usual: usize| match asked {
            Some(numbers) => numbers.0.clone(),
            None if self.quick => (0..usual.min(2)).collect(),
            None => (0..usual).collect(),
        };
        let folds = numbers(self.folds.as_ref().filter(|_| folds > 1), folds);
        // A search compares settings by one seed.
        let fixed = grid.task == Task::Count || grid.measure == Measure::Loss;
        let asked = self.seeds.as_ref().filter(|_| !fixed);
        let seeds = numbers(asked, seeds);
        let of_fold = |&fold: &usize| {
            let seeds = seeds.iter().map(move |&seed| (fold, seed as u64));
            seeds.collect::<Vec<_>>()
        };
        folds.iter().flat_map(of_fold).collect()
    }

    /// Seeds of the setting that a search by L_rec finds.
    pub fn final_seeds(&self) -> Vec<usize> {
        let usual = if self.quick { 2 } else { 5 };
        let asked = self.seeds.as_ref();
        asked.map_or_else(|| (0..usual).collect(), |seeds| seeds.0.clone())
    }

    /// Refuses what the table does not have.
    fn check(&self, grid: &Grid) -> Result<(), Failure> {
        let names = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect();
        let variants = grid
            .poolers
            .iter()
            .flat_map(|pooler| variants(grid, pooler));
        let variants: BTreeSet<String> = variants.map(|variant| variant.name).collect();
        let known = [
            names(&grid.datasets),
            names(&grid.poolers),
            Vec::from_iter(variants),
        ];
        for (kind, known) in Only::KEYS.into_iter().zip(known) {
            let mut wanted = self.only.0.get(kind).into_iter().flatten();
            if let Some(name) = wanted.find(|name| !known.contains(name)) {
                return Err(Failure::input(format!(
                    "--only {kind}={name}: this item has no such {kind}; it has {}",
                    known.join(", ")
                )));
            }
        }
        let folds = self.folds.as_ref().and_then(|folds| folds.0.last());
        match (folds, grid.task) {
            (Some(_), Task::Cluster | Task::Count) => Err(Failure::input(
                "--folds: this item has one graph a data set and no folds; --seeds sets how often it is run",
            )),
            (Some(fold @ 10..), Task::Train) => Err(Failure::input(format!(
                "--folds: there is no fold {fold}; there are ten, 0 to 9"
            ))),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::reproduce::item::find;

    fn selection() -> Selection {
        Selection {
            presets: vec!["paper".into()],
            quick: false,
            folds: None,
            seeds: None,
            only: Only::default(),
        }
    }

    fn runs(item: &str, selection: &Selection) -> Vec<Run> {
        selection.runs(find(item).expect("an item")).expect("runs")
    }

    #[test]
    fn items_have_the_runs_of_the_paper() {
        for (item, count) in [
            ("clustering", 5 * 5 * 5),
            // MolHiv and Peptides by seed.
            ("graphs", 13 * (9 * 10 + 2 * 3)),
            ("graphs-extra", 13 * 3 * 10),
            ("varying-k", 5 * 2 * (9 * 10 + 2 * 3)),
            ("clusters", 9 * 10 + 2 * 3),
            ("sensitivity", 18 * 2 * 10),
            ("hyperparameters", 32 * 14 * 3),
            ("clustering-search", 32 * 5),
            ("resources-nodes", 6 * 4),
            ("resources-graphs", 11 * 4),
            ("epochs", 10 * (4 * 10 + 3)),
        ] {
            let runs = runs(item, &selection());
            assert_eq!(runs.len(), count, "{item}");
            let ids: BTreeSet<String> = runs.iter().map(Run::id).collect();
            assert_eq!(ids.len(), count, "ids of {item} are unique");
        }
    }

    #[test]
    fn the_same_run_is_the_same_in_every_selection() {
        let all = runs("graphs", &selection());
        let few = Selection {
            folds: Some("3".parse().expect("numbers")),
            only: "dataset=mutag,pooler=bn".parse().expect("a choice"),
            ..selection()
        };
        let few = runs("graphs", &few);
        assert_eq!(few.len(), 3);
        for run in &few {
            let same = all.iter().find(|other| other.id() == run.id());
            assert_eq!(same.map(|r| &r.fingerprint), Some(&run.fingerprint));
        }
        // BN-Pool's runs are those of other items, too.
        let clusters: BTreeSet<String> =
            runs("clusters", &selection()).iter().map(Run::id).collect();
        assert!(few.iter().all(|run| clusters.contains(&run.id())));
    }

    #[test]
    fn figures_share_the_files_of_their_runs() {
        let [spy, s] = ["figure-spy", "figure-s"].map(|item| runs(item, &selection()));
        assert_eq!(spy.len(), 2);
        for (a, b) in spy.iter().zip(&s) {
            assert_eq!((a.id(), &a.keep), (b.id(), &b.keep));
            assert!(a.keep.iter().any(|file| file == "plots/adjacency.svg"));
            assert!(a.keep.iter().any(|file| file == "plots/assignments.svg"));
        }
    }

    #[test]
    fn shards_divide_the_runs() {
        let shards: Vec<Shard> = ["1/3", "2/3", "3/3"]
            .map(|s| s.parse().expect("a shard"))
            .into();
        for run in 0..20 {
            assert_eq!(shards.iter().filter(|shard| shard.has(run)).count(), 1);
        }
        for wrong in ["0/3", "4/3", "3", "a/b", "1/0"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn words_become_numbers_and_choices() {
        assert_eq!("3".parse(), Ok(Numbers(vec![0, 1, 2])));
        assert_eq!("4,".parse(), Ok(Numbers(vec![4])));
        assert_eq!("4,0".parse(), Ok(Numbers(vec![0, 4])));
        for wrong in ["", "0", "x", "1;2", ",", "-1"] {
            assert!(wrong.parse::<Numbers>().is_err(), "{wrong}");
        }
        let only: Only = "dataset=RedditB, mutag,pooler=bn"
            .parse()
            .expect("a choice");
        let sets = Vec::from_iter(&only.0["dataset"]);
        assert_eq!(sets, ["mutag", "reddit-binary"]);
        for wrong in ["mutag", "set=1", "dataset=", "dataset=a,,pooler=b"] {
            assert!(wrong.parse::<Only>().is_err(), "{wrong}");
        }
        let wrong = Selection {
            only: "dataset=cora".parse().expect("a choice"),
            ..selection()
        };
        let Err(message) = wrong
            .runs(find("graphs").expect("an item"))
            .map_err(|e| e.to_string())
        else {
            panic!("Cora is no set of graphs");
        };
        assert!(message.contains("no such dataset") && message.contains("mutag"));
    }
}
