//! Trained models, with everything needed to use them.

use super::{LearnConfig, LearnData, Objective, Predictor};
use crate::TaskError;
use crate::run::{Checkpoint, NamedTensor};
use bnpool::model::InputKind;
use bnpool::pool::{PoolSettings, PoolerConfig};
use bnpool_io::format::tu::TuCoding;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A trained model. It is saved as one safetensors file with a checksum:
/// parameters by name, the rest in the header.
#[derive(Debug, Clone, PartialEq)]
pub struct TrainedModel<C = PoolerConfig> {
    /// Description of the model.
    pub card: ModelCard<C>,
    /// Parameters.
    pub parameters: Vec<NamedTensor>,
}

/// Description of a model and its training data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound(deserialize = "C: PoolSettings"))]
#[non_exhaustive]
pub struct ModelCard<C = PoolerConfig> {
    /// Version of bnpool that trained the model.
    pub version: String,
    /// Settings of the training. The evaluation settings and the seed can be
    /// changed before predicting.
    pub config: LearnConfig<C>,
    /// Kind of prediction.
    pub objective: Objective,
    /// Kind of node and edge features.
    pub input: InputKind,
    /// Mean number of nodes of the training graphs, which determines the size
    /// of some poolers.
    pub mean_nodes: f64,
    /// Names of the classes.
    pub class_names: Vec<String>,
    /// Conversion of labels and attributes of a TU set to features.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coding: Option<TuCoding>,
    /// Fold in which it was trained, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fold: Option<usize>,
}

impl<C: PoolSettings> ModelCard<C> {
    /// Creates the card of a model that is trained on `data` with these
    /// settings.
    #[must_use]
    pub fn new(data: &LearnData, config: &LearnConfig<C>) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            config: config.clone(),
            objective: data.objective,
            input: data.input(),
            mean_nodes: data.mean_nodes(),
            class_names: data.class_names.clone(),
            coding: data.coding.clone(),
            fold: None,
        }
    }

    /// Sets the fold.
    #[must_use]
    pub fn with_fold(self, fold: usize) -> Self {
        Self {
            fold: Some(fold),
            ..self
        }
    }

    /// Returns the name of a class: that of the data, or its number.
    #[must_use]
    pub fn class_name(&self, class: usize) -> String {
        let name = self.class_names.get(class);
        name.cloned().unwrap_or_else(|| class.to_string())
    }
}

impl<C: PoolSettings> TrainedModel<C> {
    /// Saves the model.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), TaskError> {
        let file = Checkpoint {
            tensors: self.parameters.clone(),
            state: self.card.clone(),
        };
        Ok(file.write(path)?)
    }

    /// Loads a file of [`TrainedModel::save`].
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, is damaged, or contains no
    /// such model.
    pub fn load(path: &Path) -> Result<Self, TaskError> {
        Ok(Self::of_file(Checkpoint::read(path)?))
    }

    /// Parses the model from the bytes of the file `path`.
    pub(crate) fn of_bytes(bytes: &[u8], path: &Path) -> Result<Self, TaskError> {
        Ok(Self::of_file(Checkpoint::of_bytes(bytes, path)?))
    }

    fn of_file(file: Checkpoint<ModelCard<C>>) -> Self {
        Self {
            card: file.state,
            parameters: file.tensors,
        }
    }

    /// Creates a predictor of the model.
    ///
    /// # Errors
    ///
    /// Returns an error if a setting is out of range, or the parameters do not
    /// match the card.
    pub fn predictor(&self) -> Result<Predictor<C>, TaskError> {
        Predictor::new(&self.card, &self.parameters)
    }
}
