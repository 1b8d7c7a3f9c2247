//! Communities of one graph, without being told how many (`sec:exp_clustering` of the
//! paper).

mod agreement;
mod config;
mod demand;
mod features;
mod input;
mod result;
mod start;
mod trainer;

pub use agreement::Agreement;
pub use config::{
    ClusterConfig, EvaluationConfig, FeatureConfig, FeatureSource, ModelConfig, Monitor,
    TargetMatrix, TrainingConfig, WarmStart,
};
pub use result::{ClusterResult, Community, CommunityCounts, interval_90};
pub use trainer::{ClusterState, Epoch, Trainer};
