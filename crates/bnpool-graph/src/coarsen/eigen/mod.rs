//! EigenPooling: spectral clusters, and the Fourier modes inside them.

mod clusters;
mod local;
mod modes;

pub use clusters::{SpectralClustering, spectral_clusters};
pub use local::cluster_spectrum;
pub use modes::{Modes, local_modes};
