//! Evaluation of a given partition of a divided graph.

use super::DividedError;
use super::group_graph::groups;
use super::ranks::Ranks;
use super::settle::State;
use super::world::World;
use crate::Partition;
use crate::description_length::{Density, PlantedCode, Whole};
use bnpool_graph::divide::{Part, PartSource};
use bnpool_parallel::Collective;
use std::ops::ControlFlow;

/// A partition of a graph in parts, with its statistics under the planted
/// partition model.
///
/// ```
/// use bnpool_community::Partition;
/// use bnpool_community::description_length::Density;
/// use bnpool_community::divided::Judged;
/// use bnpool_graph::divide::{Held, PartSource};
/// use bnpool_graph::generate::Sbm;
/// use bnpool_parallel::Alone;
///
/// let graph = Sbm::with_degree(200, 4, 12.0, 0.9)?.generate(0)?;
/// let truth = Partition::new(graph.node_labels().expect("planted"));
/// let source = Held::new(graph, 500);
/// let judged = Judged::new(&source, &Alone, truth, Density::RelativeOwn)?;
/// let sure = judged.own_probability(&*source.part(0)?);
/// assert!(sure.iter().filter(|&&p| p > 0.9).count() * 4 > sure.len() * 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Judged {
    code: PlantedCode,
    state: State,
}

impl Judged {
    /// Computes the statistics of the groups. All ranks of the job call it
    /// collectively.
    ///
    /// # Errors
    ///
    /// As [`find_divided`](super::find_divided).
    ///
    /// # Complexity
    ///
    /// Two passes over the parts.
    pub fn new(
        source: &dyn PartSource,
        engine: &dyn Collective,
        partition: Partition,
        density: Density,
    ) -> Result<Self, DividedError> {
        partition.check(source.nodes())?;
        let world = World::new(source, Ranks::new(engine, &|_| ControlFlow::Continue(())))?;
        Ok(Self {
            code: world.code(density),
            state: State {
                groups: groups(&world, partition.labels(), partition.groups())?,
                labels: partition.into_labels(),
            },
        })
    }

    /// Σ, in nats.
    #[must_use]
    pub fn total(&self) -> f64 {
        let groups = &self.state.groups;
        Whole::of(groups).total(&self.code, groups)
    }

    /// Probability of each node of a part to belong to its group rather than to an
    /// adjacent one, given the groups of all other nodes (see
    /// [`own_probability`](crate::search::own_probability)).
    ///
    /// # Complexity
    ///
    /// Linear in the entries of the part.
    #[must_use]
    pub fn own_probability(&self, part: &Part) -> Vec<f32> {
        self.state.own_probability(&self.code, part)
    }
}
