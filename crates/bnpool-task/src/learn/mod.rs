//! Classification and regression of whole graphs (`sec:exp_class` of the
//! paper).

mod cache;
mod config;
mod crew;
mod data;
mod divided;
mod evaluate;
mod fit;
mod network;
mod objective;
mod predict;
mod prepare;
mod preset;
mod result;
pub mod run;
mod sums;
mod train;
mod trained;
mod trainer;

pub use config::{
    DataConfig, Encoder, EvaluationConfig, LearnConfig, ModelConfig, Monitor, SplitKind,
    TrainingConfig,
};
pub use data::{LearnBatch, LearnData};
pub use evaluate::{Evaluation, evaluate};
pub use fit::{Learned, fit};
pub use objective::{Objective, Score};
pub use predict::{PooledGraph, Prediction, Predictor};
pub use result::{FoldResult, mean_and_deviation};
pub use train::{Trained, best_fold, train};
pub use trained::{ModelCard, TrainedModel};
pub use trainer::{FoldTrainer, LearnEpoch, LearnState};
