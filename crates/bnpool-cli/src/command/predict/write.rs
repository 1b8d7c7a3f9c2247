//! What is said of graphs, as files.

use super::Named;
use crate::command::cluster::csv_field;
use crate::command::train::Facts;
use crate::directory::path_part;
use crate::message::Failure;
use bnpool::task::learn::{Objective, Prediction};
use bnpool_graph::format::{npy, write_atomically};
use bnpool_math::metrics::predicted_classes;
use serde_json::{Map, Value, json};
use std::path::Path;

/// Predictions as rows: graph, prediction, probabilities, supernodes.
pub struct Table {
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

impl Table {
    /// The rows.
    pub fn new(facts: &Facts, named: &[Named], predictions: &[Prediction]) -> Self {
        let mut header = vec!["graph".to_owned()];
        let class = |c: usize| {
            facts
                .classes
                .get(c)
                .cloned()
                .unwrap_or_else(|| c.to_string())
        };
        match facts.objective {
            Objective::Classes { count } => {
                header.push("prediction".into());
                header.extend((0..count).map(|c| format!("probability_{}", class(c))));
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
        let rows = named.iter().zip(predictions).map(|(named, p)| {
            let mut row = vec![Cell::Text(named.name.clone())];
            match facts.objective {
                Objective::Classes { count } => {
                    let best = predicted_classes(&p.values, count)[0] as usize;
                    row.push(Cell::Text(class(best)));
                }
                Objective::Labels { .. } => {
                    row.extend(p.values.iter().map(|&v| Cell::Count(usize::from(v > 0.5))));
                }
                Objective::Numbers { .. } => {}
            }
            row.extend(p.values.iter().map(|&v| Cell::Number(v)));
            row.push(Cell::Count(p.supernodes));
            row
        });
        Self {
            header,
            rows: rows.collect(),
        }
    }

    /// As text with commas.
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

    /// As a list of objects.
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
            .map_err(|e| Failure::Running(format!("the predictions cannot be written: {e}")))
    }

    /// To a file, whole or not at all.
    pub fn write(&self, path: &Path) -> Result<(), Failure> {
        let text = self.csv();
        Ok(write_atomically(path, |out| {
            out.write_all(text.as_bytes())
        })?)
    }
}

/// Assignments, edges and features of every pooled graph as `.npy` files.
pub fn pooled(folder: &Path, named: &[Named], predictions: &[Prediction]) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|e| {
        Failure::Input(format!(
            "{}: the folder cannot be made: {e}; name another one with --pooled",
            folder.display()
        ))
    })?;
    for (named, prediction) in named.iter().zip(predictions) {
        let p = &prediction.pooled;
        let file = |what: &str| folder.join(format!("{}.{what}.npy", path_part(&named.name)));
        let (k, nodes) = (p.supernodes, named.graph.nodes());
        if !p.assignments.is_empty() {
            npy::write_f32(&file("assignments"), &[nodes, k], &p.assignments)?;
        }
        npy::write_f32(&file("adjacency"), &[k, k], &p.adjacency)?;
        let width = p.features.len() / k.max(1);
        npy::write_f32(&file("features"), &[k, width], &p.features)?;
    }
    Ok(())
}
