//! Starting partitions with more groups than expected, from different methods.

mod components;
mod features;
mod resolutions;
mod spectral;

pub use features::{FeatureStart, by_features};
pub use resolutions::by_resolution;
pub use spectral::{SpectralStart, by_eigenvectors, by_singular_vectors};
