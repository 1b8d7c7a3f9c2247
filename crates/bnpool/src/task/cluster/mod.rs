//! Communities of one graph, without being told how many (section 5.1 of the
//! paper).

mod agreement;
mod communities;
mod config;
mod count;
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
pub use count::CommunityCount;
pub use result::{ClusterResult, Community};
pub use trainer::{ClusterState, Epoch, Trainer};
