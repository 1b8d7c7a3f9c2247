//! No pooling: the network without a hierarchy, to compare with.

use super::registry::{Pool, PoolSite};
use super::{Level, Losses, Membership, PoolError, PoolPass, Pooled, PoolerConfig, Selection};
use crate::nn::Initialiser;
use burn::module::Module;

/// Gives back what it gets.
#[derive(Module, Debug)]
pub struct NoPool {
    #[module(skip)]
    unit: (),
}

impl Pool for NoPool {
    const NAME: &'static str = "none";
    const TITLE: &'static str = "no pooling";
    const SUMMARY: &'static str = "no pooling: the graph stays as it is";
    const SOFT: bool = false;

    fn make(_: &PoolerConfig, _: &PoolSite, _: &mut Initialiser) -> Result<Self, PoolError> {
        Ok(Self { unit: () })
    }

    fn pool(&self, level: &Level, _: &PoolPass) -> Pooled {
        Pooled {
            level: level.clone(),
            membership: Membership::Same,
            losses: Losses::default(),
            segments: level.segments().clone(),
        }
    }

    fn select(&self, _: &Level, _: &PoolPass) -> Option<Selection> {
        None
    }

    fn nodes_after(&self, nodes: f64) -> f64 {
        nodes
    }
}
