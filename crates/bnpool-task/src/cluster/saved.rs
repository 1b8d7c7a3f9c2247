//! Saving communities to a file, and loading them.

use super::{Communities, InParts};
use crate::TaskError;
use crate::run::{Checkpoint, NamedTensor, part};
use std::path::Path;

/// Prefix of the network parameters among the arrays.
const MODEL: &str = "model.";

/// Integers up to this value are exact in single precision.
const EXACT: usize = 1 << 24;

impl Communities {
    /// Saves the result as one safetensors file with a checksum: arrays by name,
    /// the rest in the header.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written.
    ///
    /// ```
    /// use bnpool_task::cluster::{ClusterConfig, Communities};
    /// use bnpool_graph::generate::builtin_community;
    /// use std::ops::ControlFlow;
    ///
    /// let go_on = |_: &_| ControlFlow::Continue(());
    /// let found = bnpool_task::cluster(&builtin_community()?, &ClusterConfig::default(), go_on)?;
    /// let path = std::env::temp_dir().join(format!("found-{}.safetensors", std::process::id()));
    /// found.save(&path)?;
    /// let loaded = Communities::load(&path)?;
    /// assert_eq!((&loaded.labels, &loaded.count), (&found.labels, &found.count));
    /// assert_eq!(loaded.assignments, found.assignments);
    /// assert_eq!(loaded.evidence, found.evidence);
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save(&self, path: &Path) -> Result<(), TaskError> {
        Ok(self.file().write(path)?)
    }

    /// Returns the result as the content of such a file.
    #[must_use]
    pub fn file(&self) -> Checkpoint<Self> {
        let mut tensors = self.node_arrays();
        tensors.extend([
            row("assignments", self.assignments.clone()),
            row("block_matrix", self.block_matrix.clone()),
            row("raw_assignments", self.raw_assignments.clone()),
            row("raw_block_matrix", self.raw_block_matrix.clone()),
        ]);
        tensors.extend(self.parameters.iter().map(|t| t.with_prefix(MODEL)));
        Checkpoint {
            tensors,
            state: self.without_arrays(),
        }
    }

    /// Returns the arrays with a value per node, or per pair of communities of a
    /// graph in parts. They do not fit into the JSON header, which is limited to 100
    /// MB.
    #[must_use]
    pub fn node_arrays(&self) -> Vec<NamedTensor> {
        let mut arrays = vec![
            row("confidence", self.confidence.clone()),
            row("entropy", self.entropy.clone()),
        ];
        if self.has_exact_labels() {
            arrays.push(row("labels", numbers(&self.labels)));
            for (i, level) in self.levels().iter().enumerate() {
                arrays.push(row(&level_name(i), numbers(level)));
            }
            let between = self.in_parts.iter().flat_map(|known| &known.between);
            let between = between.flat_map(|&(a, b, links)| [a as f32, b as f32, links]);
            arrays.push(row("between", between.collect()));
        }
        arrays
    }

    /// Restores [`Communities::node_arrays`].
    pub fn set_node_arrays(&mut self, arrays: &[NamedTensor]) {
        let find = |name: &str| {
            let found = arrays.iter().find(|array| array.name == name);
            found.map(|array| array.values.as_slice())
        };
        self.confidence = find("confidence").unwrap_or_default().to_vec();
        self.entropy = find("entropy").unwrap_or_default().to_vec();
        // Files of earlier versions contain the others in the header.
        if let Some(labels) = find("labels") {
            self.labels = labels.iter().map(|&x| x as u32).collect();
        }
        if let Some(evidence) = &mut self.evidence {
            let levels = (0..).map_while(|i| find(&level_name(i)));
            let levels = levels.map(|level| level.iter().map(|&x| x as u32).collect());
            evidence.levels.extend(levels);
        }
        if let (Some(known), Some(between)) = (&mut self.in_parts, find("between")) {
            let links = between.chunks_exact(3);
            known.between = links.map(|x| (x[0] as u32, x[1] as u32, x[2])).collect();
        }
    }

    /// Returns whether the numbers of communities are exact as array values.
    fn has_exact_labels(&self) -> bool {
        self.communities.len() <= EXACT
    }

    fn levels(&self) -> &[Vec<u32>] {
        self.evidence.as_ref().map_or(&[], |found| &found.levels)
    }

    /// Returns the result without the arrays and the parameters.
    #[must_use]
    pub fn without_arrays(&self) -> Self {
        let here = !self.has_exact_labels();
        Self {
            pooler: self.pooler,
            labels: if here {
                self.labels.clone()
            } else {
                Vec::new()
            },
            communities: self.communities.clone(),
            count: self.count.clone(),
            assignments: Vec::new(),
            block_matrix: Vec::new(),
            confidence: Vec::new(),
            entropy: Vec::new(),
            clusters: self.clusters,
            raw_assignments: Vec::new(),
            raw_block_matrix: Vec::new(),
            sample_agreement: self.sample_agreement,
            mean_agreement: self.mean_agreement,
            modularity: self.modularity,
            losses: self.losses.clone(),
            start: self.start,
            best_epoch: self.best_epoch,
            parameters: Vec::new(),
            unfinished: self.unfinished,
            evidence: self.evidence.as_ref().map(|found| {
                if here {
                    found.clone()
                } else {
                    found.without_levels()
                }
            }),
            in_parts: self.in_parts.as_ref().map(|known| InParts {
                between: if here {
                    known.between.clone()
                } else {
                    Vec::new()
                },
                assignments: known.assignments.clone(),
            }),
        }
    }

    /// Loads a file of [`Communities::save`].
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, is damaged, or contains no
    /// such result, or if its pooler is not one of this crate.
    pub fn load(path: &Path) -> Result<Self, TaskError> {
        Ok(Self::of_file(Checkpoint::read(path)?))
    }

    /// Restores the result from the content of [`Communities::file`].
    #[must_use]
    pub fn of_file(file: Checkpoint<Self>) -> Self {
        let Checkpoint { tensors, state } = file;
        let take = |name: &str| {
            let found = tensors.iter().find(|t| t.name == name);
            found.map(|t| t.values.clone()).unwrap_or_default()
        };
        let mut result = Self {
            assignments: take("assignments"),
            block_matrix: take("block_matrix"),
            raw_assignments: take("raw_assignments"),
            raw_block_matrix: take("raw_block_matrix"),
            parameters: part(&tensors, MODEL),
            ..state
        };
        result.set_node_arrays(&tensors);
        result
    }
}

/// Creates a one-dimensional array.
fn row(name: &str, values: Vec<f32>) -> NamedTensor {
    NamedTensor {
        name: name.to_owned(),
        shape: vec![values.len()],
        values,
    }
}

fn numbers(labels: &[u32]) -> Vec<f32> {
    labels.iter().map(|&label| label as f32).collect()
}

/// Returns the array name of a coarser level. Levels are numbered from 0 here, and
/// from 1 in names, as in `labels.csv`.
fn level_name(level: usize) -> String {
    format!("level_{}", level + 1)
}

/// Serialisation of a pooler by its name.
pub(super) mod pooler {
    use bnpool::pool::{PoolTraits, find_pooler};
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(traits: &PoolTraits, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(traits.name)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<PoolTraits, D::Error> {
        let name = String::deserialize(from)?;
        find_pooler(&name).copied().map_err(D::Error::custom)
    }
}
