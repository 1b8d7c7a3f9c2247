//! The tables and figures of the paper by name, from `items.toml`.

use crate::terminal::message::Failure;
use serde::Deserialize;
use std::sync::LazyLock;

/// A table or figure of the paper.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Item {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its contents in a few words.
    pub what: &'static str,
    /// Its labels in the paper.
    pub labels: Vec<&'static str>,
    grid: Option<Grid>,
    pub figure: Option<Figure>,
}

/// Which command a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Task {
    /// `bnpool cluster`, repeated by seed.
    Cluster,
    /// `bnpool train`, repeated by fold.
    Train,
    /// A data set is counted, within this process.
    Count,
}

/// Poolers × data sets × variants.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, bound(deserialize = "'de: 'static"))]
pub struct Grid {
    pub task: Task,
    pub measure: Measure,
    pub datasets: Vec<&'static str>,
    pub poolers: Vec<&'static str>,
    /// The data sets of `--quick`.
    pub quick: Vec<&'static str>,
    /// How often a run is repeated.
    pub folds: usize,
    pub seeds: usize,
    /// Epochs, if not those of the preset.
    pub epochs: Option<usize>,
    pub quick_epochs: Option<usize>,
    /// Settings of all runs, as for `--set`.
    #[serde(default)]
    pub set: Vec<&'static str>,
    #[serde(default)]
    pub vary: Vec<Vary>,
    /// The variant of a pooler that nothing is varied for.
    #[serde(default)]
    pub plain: String,
}

/// A setting that is varied.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vary {
    /// For this pooler alone.
    pub pooler: Option<String>,
    /// Its name in a variant.
    #[serde(default)]
    pub name: String,
    pub key: String,
    pub values: Vec<String>,
}

/// Content of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// ACC and COS of S and the known classes.
    Agreement,
    /// The metric on test graphs.
    Test,
    /// The metric on validation graphs.
    Validation,
    /// The setting that is best by validation.
    Search,
    /// The setting with the lowest L_rec, and ACC and COS of its seeds.
    Loss,
    /// Non-empty clusters of test graphs.
    Clusters,
    /// Seconds of an epoch and peak memory.
    Resources,
    /// Epochs of a training.
    Epochs,
    /// Sizes of data sets.
    Counts,
}

/// A figure, and the runs that it is made of.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    pub draw: Draw,
    /// The table of the runs; none for draws of a Dirichlet process.
    table: Option<&'static str>,
    /// Which runs of the table, as for `--only`; without it the user chooses.
    pub only: Option<&'static str>,
    /// Pictures of the report of each run.
    #[serde(default)]
    pub pictures: Vec<&'static str>,
    /// Whether the model of each run is needed.
    #[serde(default)]
    model: bool,
}

impl Figure {
    /// The files of a run that are kept for it.
    pub fn files(&self) -> Vec<String> {
        let endings: &[&str] = if cfg!(feature = "png") {
            &["svg", "png"]
        } else {
            &["svg"]
        };
        let file = |name| move |ending| format!("{PLOTS}/{name}.{ending}");
        let files = self
            .pictures
            .iter()
            .flat_map(|name| endings.iter().map(file(name)));
        let model = self.model.then(|| MODEL.to_owned());
        files.chain(model).collect()
    }
}

/// Where a run has its pictures, and the model of its first fold.
pub const PLOTS: &str = "plots";
pub const MODEL: &str = "model.fold-0.safetensors";

/// How a figure is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Draw {
    Dirichlet,
    Sticks,
    Urn,
    /// The pictures of the runs.
    Pictures,
    /// A graph as the models of the runs pool it.
    Pooled,
    Histograms,
}

/// Every item, in the order in which the paper has them.
pub static ITEMS: LazyLock<Vec<Item>> = LazyLock::new(|| {
    #[derive(Deserialize)]
    #[serde(bound(deserialize = "'de: 'static"))]
    struct File {
        item: Vec<Item>,
    }
    let file: File = toml::from_str(include_str!("items.toml")).expect("a test reads it");
    file.item
});

/// The item of a name.
pub fn find(name: &str) -> Result<&'static Item, Failure> {
    ITEMS.iter().find(|item| item.name == name).ok_or_else(|| {
        let names: Vec<&str> = ITEMS.iter().map(|item| item.name).collect();
        Failure::input(format!(
            "there is no item `{name}`; there are {}; `bnpool reproduce --list` describes them",
            names.join(", ")
        ))
    })
}

impl Item {
    /// The grid of its runs: its own, or that of the table that a figure draws.
    pub fn grid(&self) -> Option<&'static Grid> {
        let table = match &self.figure {
            Some(figure) => figure.table?,
            None => self.name,
        };
        find(table).ok()?.grid.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bnpool::pool::find_pooler;
    use bnpool_io::dataset;

    #[test]
    fn items_name_what_there_is() {
        let mut names = std::collections::BTreeSet::new();
        for item in ITEMS.iter() {
            assert!(names.insert(item.name), "{} stands twice", item.name);
            assert_eq!(find(item.name).expect("it is there").what, item.what);
            let Some(grid) = item.grid() else { continue };
            for name in &grid.datasets {
                let entry = dataset::find(name).expect("a data set");
                assert_eq!(entry.name, *name);
                let one = entry.task == dataset::Task::Cluster;
                assert!(grid.task == Task::Count || one == (grid.task == Task::Cluster));
            }
            for name in grid.poolers.iter().filter(|name| !name.is_empty()) {
                find_pooler(name).expect("a pooler");
            }
            assert!(grid.quick.iter().all(|name| grid.datasets.contains(name)));
        }
        let Err(message) = find("table-7").map_err(|e| e.to_string()) else {
            panic!("an unknown item is refused");
        };
        assert!(message.contains("`table-7`") && message.contains("figure-urn"));
    }
}
