//! Output of predictions.

use crate::terminal::message::Failure;
use bnpool_io::format::npy;
use bnpool_math::metrics::predicted_classes;
use bnpool_task::learn::{ModelCard, Objective, PooledGraph, Prediction};
use bnpool_task::run::csv_field;
use bnpool_task::run::{Inputs, make_folder, path_part};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

/// Predictions as rows: graph, prediction, probabilities, supernodes.
pub struct Table<'a> {
    card: &'a ModelCard,
    header: Vec<String>,
    rows: Vec<Vec<Cell>>,
}

enum Cell {
    Text(String),
    Number(f64),
    Count(usize),
}

impl Cell {
    fn csv(&self) -> String {
        match self {
            Self::Text(text) => csv_field(text),
            Self::Number(x) => format!("{x:.6}"),
            Self::Count(n) => n.to_string(),
        }
    }

    fn json(&self) -> Value {
        match self {
            Self::Text(text) => json!(text),
            Self::Number(x) => json!(x),
            Self::Count(n) => json!(n),
        }
    }
}

impl<'a> Table<'a> {
    /// Creates an empty table.
    pub fn new(card: &'a ModelCard) -> Self {
        let mut table = Self {
            card,
            header: vec!["graph".to_owned()],
            rows: Vec::new(),
        };
        let header = &mut table.header;
        match card.objective {
            Objective::Classes { count } => {
                header.push("prediction".into());
                header.extend((0..count).map(|c| format!("probability_{}", card.class_name(c))));
            }
            Objective::Labels { count } => {
                header.extend((0..count).map(|i| format!("prediction_{i}")));
                header.extend((0..count).map(|i| format!("probability_{i}")));
            }
            Objective::Numbers { count: 1 } => header.push("prediction".into()),
            Objective::Numbers { count } => {
                header.extend((0..count).map(|i| format!("prediction_{i}")));
            }
        }
        header.push("supernodes".into());
        table
    }

    /// Adds the prediction for a graph.
    pub fn push(&mut self, name: &str, said: &Prediction) {
        let mut row = vec![Cell::Text(name.to_owned())];
        match self.card.objective {
            Objective::Classes { count } => {
                let best = predicted_classes(&said.values, count)[0] as usize;
                row.push(Cell::Text(self.card.class_name(best)));
            }
            Objective::Labels { .. } => {
                let yes = |&p: &f64| Cell::Count(usize::from(p > 0.5));
                row.extend(said.values.iter().map(yes));
            }
            Objective::Numbers { .. } => {}
        }
        row.extend(said.values.iter().map(|&v| Cell::Number(v)));
        row.push(Cell::Count(said.supernodes));
        self.rows.push(row);
    }

    /// Converts to csv.
    pub fn csv(&self) -> String {
        let header: Vec<String> = self.header.iter().map(|h| csv_field(h)).collect();
        let mut text = header.join(",") + "\n";
        for row in &self.rows {
            let cells: Vec<String> = row.iter().map(Cell::csv).collect();
            text += &cells.join(",");
            text.push('\n');
        }
        text
    }

    /// Converts to a JSON list of objects.
    pub fn json(&self) -> Result<String, Failure> {
        let rows: Vec<Value> = self
            .rows
            .iter()
            .map(|row| {
                let cells = self.header.iter().cloned().zip(row.iter().map(Cell::json));
                Value::Object(cells.collect::<Map<_, _>>())
            })
            .collect();
        serde_json::to_string_pretty(&rows)
            .map_err(|e| Failure::running(format!("the predictions cannot be written: {e}")))
    }
}

/// Files of a pooled graph.
const PARTS: [&str; 3] = ["assignments", "adjacency", "features"];

/// A folder for assignments, edges and features of pooled graphs (`.npy`).
pub struct PooledFolder<'a> {
    path: &'a Path,
}

impl<'a> PooledFolder<'a> {
    /// Creates the folder for graphs with these names. Returns an error before any
    /// prediction if one of its files is an input.
    pub fn new(path: &'a Path, names: &[String], inputs: &Inputs) -> Result<Self, Failure> {
        make_folder(path)?;
        let folder = Self { path };
        for name in names {
            for what in PARTS {
                inputs.check(&folder.file(name, what))?;
            }
        }
        Ok(folder)
    }

    fn file(&self, name: &str, what: &str) -> PathBuf {
        self.path.join(format!("{}.{what}.npy", path_part(name)))
    }

    /// Writes one graph.
    pub fn write(&self, name: &str, pooled: &PooledGraph) -> Result<(), Failure> {
        let [assignments, adjacency, features] = PARTS.map(|what| self.file(name, what));
        let k = pooled.supernodes;
        let columns = |values: &[f32]| values.len() / k.max(1);
        let (nodes, width) = (columns(&pooled.assignments), columns(&pooled.features));
        if nodes > 0 {
            npy::write_f32(&assignments, &[nodes, k], &pooled.assignments)?;
        }
        npy::write_f32(&adjacency, &[k, k], &pooled.adjacency)?;
        npy::write_f32(&features, &[k, width], &pooled.features)?;
        Ok(())
    }
}
