//! Connected groups.

use super::DividedError;
use super::world::{World, neighbours};
use crate::Partition;
use bnpool_math::kernel::Forest;

/// Splits groups into their connected components. Nodes without edges are put into the
/// largest group, as they belong to none.
///
/// # Complexity
///
/// About O(N + E) time; ranks exchange 8 bytes per node that they join to another.
pub(super) fn in_one_piece(world: &World<'_>, labels: &[u32]) -> Result<Partition, DividedError> {
    let mut forest = Forest::new(world.nodes);
    let alone = world.ranks.place().1 == 1;
    let mut joined: Vec<[u32; 2]> = Vec::new();
    world.each_in_turn(|part| {
        for (i, u) in part.range().enumerate() {
            for v in neighbours(part, i) {
                if labels[u] == labels[v] && forest.join(u, v) && !alone {
                    joined.push([u as u32, v as u32]);
                }
            }
        }
    })?;
    for [u, v] in world.ranks.gather(joined)? {
        forest.join(u as usize, v as usize);
    }
    let mut pieces = forest.into_components();
    if let Some(&first) = world.isolated.first() {
        let mut sizes = vec![0_usize; pieces.count];
        for &piece in &pieces.of_node {
            sizes[piece as usize] += 1;
        }
        for &u in &world.isolated {
            sizes[pieces.of_node[u as usize] as usize] = 0;
        }
        let largest = (0..sizes.len()).rev().max_by_key(|&g| sizes[g]);
        let largest = largest.map_or(pieces.of_node[first as usize], |g| g as u32);
        for &u in &world.isolated {
            pieces.of_node[u as usize] = largest;
        }
    }
    Ok(Partition::new(&pieces.of_node))
}
