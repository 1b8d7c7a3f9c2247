//! A trained model, with everything that using it needs.

use super::{LearnConfig, LearnData, Objective, Predictor};
use crate::TaskError;
use crate::run::{Checkpoint, NamedTensor};
use bnpool::model::InputKind;
use bnpool::pool::{PoolSettings, PoolerConfig};
use bnpool_io::format::tu::TuCoding;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A trained model. It is saved as one safetensors file: the parameters by
/// name, and all the rest in the header, under a checksum.
#[derive(Debug, Clone, PartialEq)]
pub struct TrainedModel<C = PoolerConfig> {
    /// What the parameters belong to.
    pub card: ModelCard<C>,
    /// The parameters.
    pub parameters: Vec<NamedTensor>,
}

/// What a model is and what it was trained on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound(deserialize = "C: PoolSettings"))]
#[non_exhaustive]
pub struct ModelCard<C = PoolerConfig> {
    /// The version of bnpool that trained it.
    pub version: String,
    /// The settings of the training; those of the evaluation, and the seed, can
    /// be changed before predicting.
    pub config: LearnConfig<C>,
    /// What is predicted.
    pub objective: Objective,
    /// What nodes and edges are described by.
    pub input: InputKind,
    /// Mean number of nodes of the training graphs, by which some poolers have
    /// their size.
    pub mean_nodes: f64,
    /// Names of the classes.
    pub class_names: Vec<String>,
    /// How labels and attributes of a TU set became features.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coding: Option<TuCoding>,
    /// The fold that it was trained in, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fold: Option<usize>,
}

impl<C: PoolSettings> ModelCard<C> {
    /// The card of a model that is trained on `data` by these settings.
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

    /// The same for the model of a fold.
    #[must_use]
    pub fn with_fold(self, fold: usize) -> Self {
        Self {
            fold: Some(fold),
            ..self
        }
    }

    /// The name of a class: that of the data, else its number.
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
    /// When the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), TaskError> {
        let file = Checkpoint {
            tensors: self.parameters.clone(),
            state: self.card.clone(),
        };
        Ok(file.write(path)?)
    }

    /// Loads a model that [`TrainedModel::save`] wrote.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, is damaged, or is not such a model.
    pub fn load(path: &Path) -> Result<Self, TaskError> {
        Ok(Self::of_file(Checkpoint::read(path)?))
    }

    /// The model in the bytes of the file `path`.
    pub(crate) fn of_bytes(bytes: &[u8], path: &Path) -> Result<Self, TaskError> {
        Ok(Self::of_file(Checkpoint::of_bytes(bytes, path)?))
    }

    fn of_file(file: Checkpoint<ModelCard<C>>) -> Self {
        Self {
            card: file.state,
            parameters: file.tensors,
        }
    }

    /// The model, ready to predict.
    ///
    /// # Errors
    ///
    /// When a setting is out of range, or the parameters are not those of the
    /// card.
    pub fn predictor(&self) -> Result<Predictor<C>, TaskError> {
        Predictor::new(&self.card, &self.parameters)
    }
}
