//! The graph whose nodes are groups.

use super::Moments;
use super::planted::Group;
use super::weights::WeightCode;
use crate::Links;
use crate::leiden::members;

/// Groups, and for each of them the adjacent groups with the edges between them. Both
/// directions of a pair have equal moments, to the bit.
#[derive(Debug, Clone, Default)]
pub(crate) struct GroupGraph {
    pub(crate) groups: Vec<Group>,
    offsets: Vec<usize>,
    targets: Vec<u32>,
    between: Vec<Moments>,
}

impl GroupGraph {
    /// Builds the graph of `count` groups of nodes.
    ///
    /// # Complexity
    ///
    /// O(N + E) time; O(P) memory for P pairs of adjacent groups.
    pub(crate) fn new(links: &Links, weights: &WeightCode, labels: &[u32], count: usize) -> Self {
        let (starts, members) = members(labels, count);
        let mut groups = vec![Group::default(); count];
        let mut sums = vec![Moments::default(); count];
        let mut touched: Vec<u32> = Vec::new();
        // Groups with smaller numbers only; the others follow by symmetry.
        let mut lower = vec![0_usize; count + 1];
        let mut pairs: Vec<(u32, Moments)> = Vec::new();
        for r in 0..count {
            let mut inside = Moments::default();
            let group = &mut groups[r];
            for &u in &members[starts[r]..starts[r + 1]] {
                let start = links.offsets()[u as usize];
                let row = links.neighbours(u as usize);
                group.size += 1;
                group.volume += row.len() as u64;
                for (i, &v) in row.iter().enumerate() {
                    let s = labels[v as usize] as usize;
                    if s == r && v < u {
                        inside = inside.plus(weights.moments(start + i));
                    } else if s < r {
                        let sum = &mut sums[s];
                        if sum.count == 0 {
                            touched.push(s as u32);
                        }
                        *sum = sum.plus(weights.moments(start + i));
                    }
                }
            }
            group.inside = inside;
            touched.sort_unstable();
            for s in touched.drain(..) {
                pairs.push((s, std::mem::take(&mut sums[s as usize])));
            }
            lower[r + 1] = pairs.len();
        }
        let mut offsets = vec![0_usize; count + 1];
        for r in 0..count {
            offsets[r + 1] += lower[r + 1] - lower[r];
            for (s, _) in &pairs[lower[r]..lower[r + 1]] {
                offsets[*s as usize + 1] += 1;
            }
        }
        for r in 0..count {
            offsets[r + 1] += offsets[r];
        }
        let mut next = offsets.clone();
        let mut targets = vec![0; 2 * pairs.len()];
        let mut between = vec![Moments::default(); 2 * pairs.len()];
        for r in 0..count {
            for &(s, edges) in &pairs[lower[r]..lower[r + 1]] {
                for (a, b) in [(r, s as usize), (s as usize, r)] {
                    targets[next[a]] = b as u32;
                    between[next[a]] = edges;
                    next[a] += 1;
                }
            }
        }
        Self {
            groups,
            offsets,
            targets,
            between,
        }
    }

    /// Adjacent groups of a group, in ascending order, with the edges between them.
    #[inline]
    pub(crate) fn row(&self, r: usize) -> impl Iterator<Item = (u32, Moments)> {
        let range = self.offsets[r]..self.offsets[r + 1];
        let targets = self.targets[range.clone()].iter().copied();
        targets.zip(self.between[range].iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Partition;
    use bnpool_graph::generate::Sbm;

    #[test]
    fn every_edge_is_inside_a_group_or_between_two() {
        let graph = Sbm::with_degree(300, 4, 8.0, 0.8)
            .unwrap()
            .generate(0)
            .unwrap();
        let links = Links::new(graph.adjacency()).unwrap();
        let partition = Partition::new(&(0..300).map(|u| u / 5).collect::<Vec<u32>>());
        let found = GroupGraph::new(&links, &WeightCode::ignored(), partition.labels(), 60);
        let mut ends = 0;
        for r in 0..60 {
            let row: Vec<_> = found.row(r).collect();
            assert!(row.is_sorted_by_key(|entry| entry.0));
            for &(s, between) in &row {
                assert!(found.row(s as usize).any(|e| e == (r as u32, between)));
            }
            let own = row.iter().map(|entry| entry.1.count).sum::<u64>();
            assert_eq!(
                own + 2 * found.groups[r].inside.count,
                found.groups[r].volume
            );
            ends += found.groups[r].volume;
        }
        assert_eq!(ends as usize, 2 * links.edges());
    }
}
