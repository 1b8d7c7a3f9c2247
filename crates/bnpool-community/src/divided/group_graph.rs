//! Groups, and the edges between them.

use super::DividedError;
use super::world::{World, neighbours};
use crate::description_length::{Group, Moments};
use crate::leiden::Level;
use crate::merge::Neighbours;
use std::sync::atomic::{AtomicU64, Ordering};

/// Sums per group over the parts of all ranks.
struct Sums(Vec<AtomicU64>);

impl Sums {
    fn new(groups: usize) -> Self {
        Self((0..groups).map(|_| AtomicU64::new(0)).collect())
    }

    /// Adds a count; integers make the result independent of the order of
    /// threads.
    #[inline]
    fn add(&self, group: u32, count: u64) {
        self.0[group as usize].fetch_add(count, Ordering::Relaxed);
    }

    fn finish(self, world: &World<'_>) -> Result<Vec<u64>, DividedError> {
        let own = self.0.into_iter().map(AtomicU64::into_inner).collect();
        Ok(world.ranks.sum(own)?)
    }
}

/// Computes nodes, volume and internal edges of each of `count` groups.
pub(super) fn groups(
    world: &World<'_>,
    labels: &[u32],
    count: usize,
) -> Result<Vec<Group>, DividedError> {
    let (volumes, inside) = (Sums::new(count), Sums::new(count));
    world.each(|part| {
        for (i, u) in part.range().enumerate() {
            let own = labels[u];
            let (mut degree, mut same) = (0, 0);
            for v in neighbours(part, i) {
                degree += 1;
                same += u64::from(labels[v] == own && v < u);
            }
            volumes.add(own, degree);
            inside.add(own, same);
        }
    })?;
    let (volumes, inside) = (volumes.finish(world)?, inside.finish(world)?);
    Ok(assemble(labels, &volumes, &inside))
}

fn assemble(labels: &[u32], volumes: &[u64], inside: &[u64]) -> Vec<Group> {
    let mut groups: Vec<Group> = volumes
        .iter()
        .zip(inside)
        .map(|(&volume, &count)| Group {
            size: 0,
            volume,
            inside: Moments::edges(count),
        })
        .collect();
    for &label in labels {
        groups[label as usize].size += 1;
    }
    groups
}

/// The graph whose nodes are groups: for each group, the adjacent groups in ascending
/// order, with the number of edges.
pub(super) struct GroupGraph {
    pub(super) groups: Vec<Group>,
    offsets: Vec<usize>,
    targets: Vec<u32>,
    counts: Vec<u32>,
}

impl GroupGraph {
    /// Builds the graph of `count` groups. With `within`, only edges inside the
    /// groups of those labels count, including in volumes.
    ///
    /// # Complexity
    ///
    /// O(E) time plus a sort of the edges between groups; each rank receives 8 bytes
    /// per pair of adjacent groups and direction.
    pub(super) fn new(
        world: &World<'_>,
        labels: &[u32],
        count: usize,
        within: Option<&[u32]>,
    ) -> Result<Self, DividedError> {
        let (volumes, inside) = (Sums::new(count), Sums::new(count));
        let lists = world.each(|part| {
            let mut keys: Vec<u64> = Vec::new();
            for (i, u) in part.range().enumerate() {
                let own = labels[u];
                let (mut degree, mut same) = (0, 0);
                for v in neighbours(part, i) {
                    if within.is_some_and(|outer| outer[u] != outer[v]) {
                        continue;
                    }
                    let other = labels[v];
                    degree += 1;
                    same += u64::from(other == own && v < u);
                    // Each edge is visited from both sides.
                    if own < other {
                        keys.push(u64::from(own) << 32 | u64::from(other));
                    }
                }
                volumes.add(own, degree);
                inside.add(own, same);
            }
            keys.sort_unstable();
            keys.chunk_by(|a, b| a == b)
                .map(|run| [(run[0] >> 32) as u32, run[0] as u32, run.len() as u32])
                .collect::<Vec<[u32; 3]>>()
        })?;
        let (volumes, inside) = (volumes.finish(world)?, inside.finish(world)?);
        let pairs = world.ranks.gather(one_after_another(lists))?;
        let (offsets, targets, counts) = both_ways(count, pairs);
        Ok(Self {
            groups: assemble(labels, &volumes, &inside),
            offsets,
            targets,
            counts,
        })
    }

    /// Iterates over the pairs of adjacent groups, each once, smaller number
    /// first.
    pub(super) fn pairs(&self) -> impl Iterator<Item = ((u32, u32), u32)> {
        (0..self.groups.len()).flat_map(move |r| {
            self.row(r)
                .filter(move |&(s, _)| r < s as usize)
                .map(move |(s, count)| ((r as u32, s), count))
        })
    }

    fn row(&self, r: usize) -> impl Iterator<Item = (u32, u32)> {
        let range = self.offsets[r]..self.offsets[r + 1];
        let targets = self.targets[range.clone()].iter().copied();
        targets.zip(self.counts[range].iter().copied())
    }

    /// Adjacent groups of each group, in the form used by merges.
    pub(super) fn around(&self) -> Vec<Neighbours<u32>> {
        let rows = 0..self.groups.len();
        rows.map(|r| self.row(r).collect()).collect()
    }

    /// Converts the graph to a level of Leiden with these sizes.
    pub(super) fn level(self, sizes: Vec<f64>) -> Level {
        let weights = self.counts.iter().map(|&n| f64::from(n)).collect();
        Level::new(self.offsets, self.targets, weights, sizes)
    }
}

/// Concatenates lists. Each list is freed after copying, so that they do not take
/// twice their memory.
fn one_after_another<T: Copy>(lists: Vec<Vec<T>>) -> Vec<T> {
    let mut all = Vec::with_capacity(lists.iter().map(Vec::len).sum());
    for list in lists {
        all.extend_from_slice(&list);
    }
    all
}

/// Builds the rows of a symmetric matrix from the entries above its diagonal.
/// Duplicates are added.
fn both_ways(count: usize, pairs: Vec<[u32; 3]>) -> (Vec<usize>, Vec<u32>, Vec<u32>) {
    let mut next = vec![0_usize; count + 1];
    for &[r, s, _] in &pairs {
        next[r as usize + 1] += 1;
        next[s as usize + 1] += 1;
    }
    for r in 0..count {
        next[r + 1] += next[r];
    }
    let starts = next.clone();
    let mut entries = vec![(0_u32, 0_u32); 2 * pairs.len()];
    for [r, s, n] in pairs {
        for (a, b) in [(r, s), (s, r)] {
            entries[next[a as usize]] = (b, n);
            next[a as usize] += 1;
        }
    }
    let mut offsets = Vec::with_capacity(count + 1);
    let (mut targets, mut counts) = (Vec::new(), Vec::new());
    offsets.push(0);
    for r in 0..count {
        let row = &mut entries[starts[r]..starts[r + 1]];
        row.sort_unstable();
        for same in row.chunk_by(|a, b| a.0 == b.0) {
            targets.push(same[0].0);
            counts.push(same.iter().map(|entry| entry.1).sum());
        }
        offsets.push(targets.len());
    }
    (offsets, targets, counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_of_several_parts_are_added_up() {
        let pairs = vec![[0, 2, 1], [1, 2, 5], [0, 2, 3]];
        let (offsets, targets, counts) = both_ways(4, pairs);
        assert_eq!(offsets, [0, 1, 2, 4, 4]);
        assert_eq!(targets, [2, 2, 0, 1]);
        assert_eq!(counts, [4, 5, 4, 5]);
    }
}
