//! Divisions to start from: more groups than there are, by different means.

mod resolutions;
mod spectral;

pub use resolutions::by_resolution;
pub use spectral::{SpectralStart, by_eigenvectors};
