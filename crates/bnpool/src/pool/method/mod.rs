//! The poolers, one file each: a SEL, its losses and its defaults.

mod bn;
mod diff;
mod dmon;
mod ec;
mod eigen;
mod graclus;
mod hosc;
mod jb;
mod kmis;
mod leiden;
mod mincut;
mod none;
mod sep;
mod topk;

pub use bn::{BnPass, BnPool, BnPoolConfig, PosteriorStart, Reconstruction, kl_weight};
pub use diff::{DiffPool, DiffPoolConfig};
pub use dmon::{Dmon, DmonConfig};
pub use ec::EdgeContraction;
pub use eigen::{EigenPool, EigenPoolConfig};
pub use graclus::Graclus;
pub use hosc::{Hosc, HoscConfig};
pub use jb::{JustBalance, JustBalanceConfig};
pub use kmis::{KMis, KMisConfig};
pub use leiden::{Leiden, LeidenPoolConfig};
pub use mincut::{MinCut, MinCutConfig};
pub use none::NoPool;
pub use sep::Sep;
pub use topk::TopK;
