//! Which runs of an item are asked for.

use super::cell::{Cell, Run, variants};
use super::item::{Grid, Measure, Task};
use crate::message::Failure;
use bnpool_io::dataset;
use std::collections::BTreeSet;
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

/// `--only dataset=mutag,enzymes,pooler=bn`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Only {
    pub datasets: Option<BTreeSet<String>>,
    pub poolers: Option<BTreeSet<String>>,
    pub variants: Option<BTreeSet<String>>,
}

impl FromStr for Only {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut only = Self::default();
        let mut key = "";
        for part in text.split(',').map(str::trim) {
            let value = match part.split_once('=') {
                Some((name, value)) => {
                    key = name.trim();
                    value.trim()
                }
                None => part,
            };
            let set = match key {
                "dataset" => &mut only.datasets,
                "pooler" => &mut only.poolers,
                "variant" => &mut only.variants,
                _ => {
                    return Err(
                        "write it as dataset=mutag,enzymes,pooler=bn; the keys are dataset, pooler and variant"
                            .into(),
                    );
                }
            };
            if value.is_empty() {
                return Err(format!("`{key}` has an empty value"));
            }
            let value = match key {
                // By its name in the registry, whatever the user calls it.
                "dataset" => dataset::find(value).map_or(value, |entry| entry.name),
                _ => value,
            };
            set.get_or_insert_default().insert(value.to_owned());
        }
        Ok(only)
    }
}

/// What is asked for.
#[derive(Debug, Clone)]
pub struct Selection {
    pub presets: Vec<String>,
    pub quick: bool,
    pub folds: Option<Numbers>,
    pub seeds: Option<Numbers>,
    pub only: Only,
}

impl Selection {
    /// The runs of a grid, in an order that depends on the selection alone.
    pub fn runs(&self, grid: &Grid) -> Result<Vec<Run>, Failure> {
        self.check(grid)?;
        let mut runs = Vec::new();
        for preset in &self.presets {
            for dataset in self.datasets(grid) {
                for pooler in grid.poolers {
                    if !has(self.only.poolers.as_ref(), pooler) {
                        continue;
                    }
                    for variant in variants(grid, pooler) {
                        if !has(self.only.variants.as_ref(), &variant.name) {
                            continue;
                        }
                        for (fold, seed) in self.repeats(grid, dataset) {
                            let cell = Cell {
                                dataset: dataset.to_owned(),
                                pooler: (*pooler).to_owned(),
                                variant: variant.name.clone(),
                                preset: preset.clone(),
                                seed,
                                fold,
                                quick: self.quick,
                            };
                            runs.push(Run::new(grid, cell)?);
                        }
                    }
                }
            }
        }
        Ok(runs)
    }

    /// The data sets that are asked for.
    pub fn datasets(&self, grid: &Grid) -> Vec<&'static str> {
        let all = if self.quick && self.only.datasets.is_none() {
            grid.quick
        } else {
            grid.datasets
        };
        let chosen = all
            .iter()
            .filter(|name| has(self.only.datasets.as_ref(), name));
        chosen.copied().collect()
    }

    /// Folds and seeds of a data set.
    fn repeats(&self, grid: &Grid, dataset: &str) -> Vec<(usize, u64)> {
        let own_split = OWN_SPLIT.contains(&dataset);
        let usual = |count: usize| (0..count).collect::<Vec<usize>>();
        let timed = grid.measure == Measure::Resources;
        let folds = match (&self.folds, grid.task) {
            (_, Task::Cluster | Task::Count) => usual(1),
            (_, Task::Train) if own_split || timed => usual(1),
            (Some(folds), Task::Train) => folds.0.clone(),
            (None, Task::Train) if self.quick => usual(2),
            (None, Task::Train) if grid.measure == Measure::Search => usual(3),
            (None, Task::Train) => usual(10),
        };
        let seeds = match &self.seeds {
            Some(seeds) => seeds.0.clone(),
            None if timed => usual(1),
            None if grid.task == Task::Cluster => usual(if self.quick { 2 } else { 5 }),
            None if own_split => usual(if self.quick { 2 } else { 3 }),
            None => usual(1),
        };
        let pairs = folds.iter().flat_map(|&fold| {
            let seeds = seeds.iter().map(move |&seed| (fold, seed as u64));
            seeds.collect::<Vec<_>>()
        });
        pairs.collect()
    }

    /// Refuses what the item does not have.
    fn check(&self, grid: &Grid) -> Result<(), Failure> {
        let refuse = |kind: &str, name: &str, known: Vec<String>| {
            Err(Failure::input(format!(
                "--only {kind}={name}: this item has no such {kind}; it has {}",
                known.join(", ")
            )))
        };
        let names = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect();
        let all_variants = grid
            .poolers
            .iter()
            .flat_map(|pooler| variants(grid, pooler));
        let all_variants: BTreeSet<String> = all_variants.map(|variant| variant.name).collect();
        for (kind, wanted, known) in [
            ("dataset", &self.only.datasets, names(grid.datasets)),
            ("pooler", &self.only.poolers, names(grid.poolers)),
            (
                "variant",
                &self.only.variants,
                all_variants.into_iter().collect::<Vec<_>>(),
            ),
        ] {
            let unknown = wanted.iter().flatten().find(|name| !known.contains(name));
            if let Some(name) = unknown {
                return refuse(kind, name, known);
            }
        }
        let folds = self.folds.as_ref().and_then(|folds| folds.0.last());
        match (folds, grid.task) {
            (Some(_), Task::Cluster | Task::Count) => Err(Failure::input(
                "--folds: this item has one graph a data set and no folds; --seeds says how often it is run",
            )),
            (Some(fold @ 10..), Task::Train) => Err(Failure::input(format!(
                "--folds: there is no fold {fold}; there are ten, 0 to 9"
            ))),
            _ => Ok(()),
        }
    }
}

fn has(wanted: Option<&BTreeSet<String>>, name: &str) -> bool {
    wanted.is_none_or(|wanted| wanted.contains(name))
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
        let grid = find(item).expect("an item").grid().expect("a grid");
        selection.runs(grid).expect("runs")
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
        let sets: Vec<&str> = only.datasets.iter().flatten().map(String::as_str).collect();
        assert_eq!(sets, ["mutag", "reddit-binary"]);
        for wrong in ["mutag", "set=1", "dataset=", "dataset=a,,pooler=b"] {
            assert!(wrong.parse::<Only>().is_err(), "{wrong}");
        }
        let grid = find("graphs").expect("an item").grid().expect("a grid");
        let wrong = Selection {
            only: "dataset=cora".parse().expect("a choice"),
            ..selection()
        };
        let Err(message) = wrong.runs(grid).map_err(|e| e.to_string()) else {
            panic!("Cora is no set of graphs");
        };
        assert!(message.contains("no such dataset") && message.contains("mutag"));
    }
}
