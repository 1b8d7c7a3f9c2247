//! How well assignments agree with known classes.

mod agreement;

pub use agreement::{cosine_agreement, normalised_mutual_information};
