//! Communities of one graph, with an inferred number (`sec:exp_clustering` of the
//! paper).

mod agreement;
mod body;
mod changes;
mod communities;
mod config;
mod count;
mod divided;
mod epoch;
mod evidence;
mod features;
mod find;
mod hierarchy;
mod input;
pub(crate) mod pooled;
mod predict;
mod previous;
mod result;
pub mod run;
mod saved;
mod setup;
mod start;
mod state;
mod trainer;

pub use agreement::{AGREEMENT, Agreement, Measure};
pub use changes::{Changes, Continued};
pub use config::{
    ClusterConfig, EvaluationConfig, FeatureConfig, FeatureSource, ModelConfig, Monitor,
    SearchSettings, StructureKind, TargetMatrix, TrainingConfig, WarmStart,
};
pub use count::CommunityCount;
pub use divided::Room;
pub use epoch::Epoch;
pub use evidence::SearchObserver;
pub use find::cluster;
pub use hierarchy::Merge;
pub use predict::{CommunityModel, Labelled};
pub use previous::carry_over;
pub use result::{Communities, Community, FoundEvidence, InParts};
pub use state::ClusterState;
pub use trainer::Trainer;

/// Types of the search for groups.
pub use bnpool_community::description_length::WeightModel;
pub use bnpool_community::search::{Progress as SearchProgress, Stage as SearchStage, Verdict};
