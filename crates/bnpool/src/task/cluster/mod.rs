//! Communities of one graph, without being told how many (`sec:exp_clustering` of the
//! paper).

mod agreement;
mod communities;
mod config;
mod count;
mod demand;
mod features;
mod find;
mod input;
mod result;
mod start;
mod trainer;

pub use agreement::Agreement;
pub use config::{
    ClusterConfig, EvaluationConfig, FeatureConfig, FeatureSource, ModelConfig, Monitor,
    TargetMatrix, TrainingConfig, WarmStart,
};
pub use count::CommunityCount;
pub use find::cluster;
pub use result::{Communities, Community};
pub use trainer::{ClusterState, Epoch, Trainer};
