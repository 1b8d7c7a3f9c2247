//! No pooling: a baseline without hierarchy.

use crate::batch::Level;
use crate::nn::Initialiser;
use crate::pool::registry::Registered;
use crate::pool::{
    Assigns, Membership, Pass, Pool, PoolError, PoolSite, PoolTraits, PoolerConfig, Selection,
};
use burn::module::Module;

/// Returns its input.
#[derive(Module, Debug)]
pub struct NoPool {
    #[module(skip)]
    unit: (),
}

impl Pool for NoPool {
    fn select(&self, _: &Level, _: &Pass) -> Selection {
        Selection::of(Membership::Same)
    }

    fn nodes_after(&self, nodes: f64) -> f64 {
        nodes
    }
}

impl Registered for NoPool {
    const TRAITS: PoolTraits = PoolTraits {
        name: "none",
        title: "no pooling",
        summary: "no pooling: the graph stays as it is",
        assigns: Assigns::None,
        adaptive: false,
        complexity: "O(1)",
        ..PoolTraits::FIRM
    };

    fn make(_: &PoolerConfig, _: &PoolSite, _: &mut Initialiser) -> Result<Self, PoolError> {
        Ok(Self { unit: () })
    }
}
