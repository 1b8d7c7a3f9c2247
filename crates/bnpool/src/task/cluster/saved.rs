//! Communities as one file, and back.

use super::Communities;
use crate::task::TaskError;
use crate::train::{Checkpoint, NamedTensor, part};
use std::path::Path;

/// Prefix of the parameters of the network among the arrays.
const MODEL: &str = "model.";

impl Communities {
    /// Saves all of the result as one safetensors file, under a checksum: arrays
    /// by name, the rest in the header.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    ///
    /// ```
    /// use bnpool::task::cluster::{ClusterConfig, Communities};
    /// use bnpool_graph::dataset::builtin_community;
    /// use std::ops::ControlFlow;
    ///
    /// let go_on = |_: &_| ControlFlow::Continue(());
    /// let found = bnpool::cluster(&builtin_community()?, &ClusterConfig::default(), go_on)?;
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

    /// The result as the content of such a file.
    #[must_use]
    pub fn file(&self) -> Checkpoint<Self> {
        let mut tensors: Vec<NamedTensor> = self
            .arrays()
            .into_iter()
            .map(|(name, values)| NamedTensor {
                name: name.to_owned(),
                shape: vec![values.len()],
                values: values.clone(),
            })
            .collect();
        tensors.extend(self.parameters.iter().map(|t| t.with_prefix(MODEL)));
        Checkpoint {
            tensors,
            state: self.without_arrays(),
        }
    }

    /// The same without the arrays of numbers and the parameters, which are no part
    /// of its serialised form either.
    #[must_use]
    pub fn without_arrays(&self) -> Self {
        Self {
            pooler: self.pooler,
            labels: self.labels.clone(),
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
            evidence: self.evidence.clone(),
            in_parts: self.in_parts.clone(),
        }
    }

    /// Loads what [`Communities::save`] wrote.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, is damaged, or is no such result; also when
    /// its pooler is not one of this crate.
    pub fn load(path: &Path) -> Result<Self, TaskError> {
        Ok(Self::of_file(Checkpoint::read(path)?))
    }

    /// The result that [`Communities::file`] is the content of.
    #[must_use]
    pub fn of_file(file: Checkpoint<Self>) -> Self {
        let Checkpoint { tensors, state } = file;
        let take = |name: &str| {
            let found = tensors.iter().find(|t| t.name == name);
            found.map(|t| t.values.clone()).unwrap_or_default()
        };
        Self {
            assignments: take("assignments"),
            block_matrix: take("block_matrix"),
            confidence: take("confidence"),
            entropy: take("entropy"),
            raw_assignments: take("raw_assignments"),
            raw_block_matrix: take("raw_block_matrix"),
            parameters: part(&tensors, MODEL),
            ..state
        }
    }

    /// The arrays of the result by name.
    fn arrays(&self) -> [(&'static str, &Vec<f32>); 6] {
        [
            ("assignments", &self.assignments),
            ("block_matrix", &self.block_matrix),
            ("confidence", &self.confidence),
            ("entropy", &self.entropy),
            ("raw_assignments", &self.raw_assignments),
            ("raw_block_matrix", &self.raw_block_matrix),
        ]
    }
}

/// A pooler by its name.
pub(super) mod pooler {
    use crate::pool::{PoolTraits, find_pooler};
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(traits: &PoolTraits, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(traits.name)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<PoolTraits, D::Error> {
        let name = String::deserialize(from)?;
        find_pooler(&name).copied().map_err(D::Error::custom)
    }
}
