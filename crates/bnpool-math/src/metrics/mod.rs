//! Quality metrics: agreement with ground-truth classes, classification and
//! regression, number of clusters in use, and comparison of two methods.

mod agreement;
mod classification;
mod logistic;
mod occupancy;
mod paired;
mod ranking;

pub use agreement::adjusted_mutual_information;
pub use agreement::{
    adjusted_rand_index, completeness, cosine_agreement, homogeneity, normalised_mutual_information,
};
pub use classification::{accuracy, class_probabilities, predicted_classes};
pub use logistic::{LogisticConfig, LogisticError, LogisticRegression, logistic_accuracy};
pub use occupancy::{cluster_shares, non_empty_clusters};
pub use paired::{PairedDifference, student_quantile};
pub use ranking::{area_under_roc, macro_area_under_roc, roc_curve};
