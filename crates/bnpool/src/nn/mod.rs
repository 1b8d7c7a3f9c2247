//! Layers, one per file: `XConfig` → `init` → `forward`.

mod batch_norm;
mod categories;
mod gcn;
mod gin;
mod init;
mod layer;
mod mlp;
mod mode;
mod readout;
mod standardise;

pub use batch_norm::{BatchNorm, BatchNormConfig};
pub use categories::{
    ATOM_CATEGORIES, BOND_CATEGORIES, CategoryEncoder, CategoryEncoderConfig, CategoryError,
    one_hot,
};
pub use gcn::{Gcn, GcnConfig};
pub use gin::{Gin, GinConfig};
pub use init::Initialiser;
pub use layer::{LAYERS, Layer, LayerKind, LayerSite};
pub use mlp::{Mlp, MlpConfig};
pub use mode::Mode;
pub use readout::Readout;
pub use standardise::{ColumnMoments, Standardise, StandardiseConfig};
