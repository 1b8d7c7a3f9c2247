//! Layers: a file each, `XConfig` → `init` → `forward`.

mod gcn;
mod init;
mod mlp;

pub use gcn::{Gcn, GcnConfig, NodeInput};
pub use init::Initialiser;
pub use mlp::{Mlp, MlpConfig};
