//! Confidence in the group of a node, given all others.

use super::Judge;
use crate::description_length::{Blocks, Planted, WeightModel};
use crate::{CommunityError, Links, Partition};

/// Up to this number of blocks, all of them are alternatives; nodes of a block
/// need not be adjacent.
const ALL_BLOCKS: usize = 32;

/// Computes the probability of each node to belong to its own group rather than
/// to an adjacent one, given the groups of all other nodes: exp(−ΔΣ), normalised
/// over these groups, as in a Gibbs sampler. For a node without edges, it is the
/// fraction of nodes in its group.
///
/// # Errors
///
/// Returns an error if the number of labels is not the number of nodes.
///
/// # Complexity
///
/// O(N + E) time and memory for the planted partition; O(E B) time in the worst
/// case for the block model of B groups.
///
/// ```
/// use bnpool_community::description_length::{Density, WeightModel};
/// use bnpool_community::search::{Judge, own_probability};
/// use bnpool_community::{Links, Partition};
/// use bnpool_graph::generate::Sbm;
///
/// let graph = Sbm::with_degree(200, 4, 12.0, 0.9)?.generate(0)?;
/// let truth = Partition::new(graph.node_labels().expect("planted"));
/// let links = Links::new(graph.adjacency())?;
/// let judge = Judge::Planted(Density::RelativeOwn);
/// let sure = own_probability(&links, &truth, judge, WeightModel::Ignored)?;
/// assert!(sure.iter().filter(|&&p| p > 0.9).count() > 150);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn own_probability(
    links: &Links,
    partition: &Partition,
    judge: Judge,
    weights: WeightModel,
) -> Result<Vec<f32>, CommunityError> {
    let links = &judge.sees(links);
    let own = partition.labels();
    let nodes = 0..links.nodes();
    let all: Vec<u32> = (0..partition.groups() as u32).collect();
    let mut sure: Vec<f32> = match judge {
        Judge::Planted(density) => {
            let mut state = Planted::new(links, partition, density, weights)?;
            nodes
                .map(|u| {
                    let around = state.look_around(u).to_vec();
                    probability(&around, own[u], |g| state.change(u, g))
                })
                .collect()
        }
        Judge::Blocks | Judge::DirectedBlocks => {
            let mut state = Blocks::new(links, partition, weights)?;
            nodes
                .map(|u| {
                    let around = state.look_around(u).to_vec();
                    let others = if all.len() <= ALL_BLOCKS {
                        &all
                    } else {
                        &around
                    };
                    probability(others, own[u], |g| state.change(u, g))
                })
                .collect()
        }
    };
    for (u, sure) in sure.iter_mut().enumerate() {
        if links.degree(u) == 0 {
            let size = partition.sizes()[own[u] as usize];
            *sure = size as f32 / links.nodes() as f32;
        }
    }
    Ok(sure)
}

/// Probability of the own group, whose change is 0.
pub(crate) fn probability(around: &[u32], own: u32, change: impl Fn(u32) -> f64) -> f32 {
    let others = around.iter().filter(|&&g| g != own);
    let odds: f64 = others.map(|&g| (-change(g)).exp()).sum();
    (1.0 / (1.0 + odds)) as f32
}
