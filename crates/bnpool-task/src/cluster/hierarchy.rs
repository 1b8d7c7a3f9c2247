//! Merges from the communities of a result down to a single one.

use super::evidence::Groups;
use crate::TaskError;
use bnpool_community::Partition;
use bnpool_community::description_length::{Blocks, Planted};
use bnpool_community::merge::{Dendrogram, agglomerate, agglomerate_blocks};
use bnpool_community::search::Judge;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A merge of two communities.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Merge {
    /// Community whose number is kept.
    pub kept: u32,
    /// Community that is merged into the other.
    pub gone: u32,
    /// Increase of the description length of the graph after this merge,
    /// relative to the communities of the result, in nats.
    pub length: f64,
}

/// Merges of the communities of a result, with coarser partitions along the
/// path.
pub(super) struct Hierarchy {
    /// Merges down to one community, numbered as in the result.
    pub merges: Vec<Merge>,
    /// Partitions, finest first, each with about half as many groups as the
    /// previous one.
    pub levels: Vec<Partition>,
}

impl Groups {
    /// Computes the hierarchy above a result.
    pub fn hierarchy(&self, labels: &[u32], seed: u64) -> Result<Hierarchy, TaskError> {
        let answer = Partition::new(labels);
        let found = answer.groups();
        let path = self.path_from(&answer, seed)?;
        let mut levels = Vec::new();
        let mut groups = found / 2;
        while groups >= 2 {
            levels.extend(path.cut(groups));
            groups /= 2;
        }
        Ok(Hierarchy {
            merges: merges(&path, labels, found),
            levels,
        })
    }

    /// Returns a path of merges through the result: the one that led to it, or a
    /// new one if the result was changed afterwards.
    fn path_from(&self, answer: &Partition, seed: u64) -> Result<Cow<'_, Dendrogram>, TaskError> {
        if self.path.cut(answer.groups()).as_ref() == Some(answer) {
            return Ok(Cow::Borrowed(&self.path));
        }
        // On a graph in parts, the result is on the path.
        let Some(links) = &self.links else {
            return Ok(Cow::Borrowed(&self.path));
        };
        let best = &self.evidence.best;
        let links = &best.judge.sees(links);
        Ok(Cow::Owned(match best.judge {
            Judge::Planted(density) => {
                agglomerate(&Planted::new(links, answer, density, best.weights)?)
            }
            Judge::Blocks | Judge::DirectedBlocks => {
                agglomerate_blocks(&Blocks::new(links, answer, best.weights)?, seed)
            }
        }))
    }
}

/// Returns the merges of a path after the partition into `found` communities.
fn merges(path: &Dendrogram, labels: &[u32], found: usize) -> Vec<Merge> {
    let (Some(names), Some(base)) = (path.names(found), path.total(found)) else {
        return Vec::new();
    };
    // Maps the numbers of the path to those of the result.
    let mut numbers = vec![0; path.finest()];
    for (&group, &label) in path.labels().iter().zip(labels) {
        numbers[names[group as usize] as usize] = label;
    }
    let behind = path.merges().iter().skip(path.finest() - found);
    behind
        .zip((1..found).rev())
        .map(|(&(kept, gone), left)| Merge {
            kept: numbers[kept as usize],
            gone: numbers[gone as usize],
            length: path.total(left).unwrap_or(base) - base,
        })
        .collect()
}
