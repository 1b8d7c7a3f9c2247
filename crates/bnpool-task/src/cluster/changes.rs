//! Changes of communities between two versions of a graph.

use std::collections::BTreeMap;

/// A community of the new version that continues an old one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Continued {
    /// Number in the new version.
    pub community: u32,
    /// Number in the old version.
    pub previous: u32,
    /// Number of shared nodes.
    pub shared: usize,
}

/// Old and new communities, compared by the nodes they share.
///
/// A new community *continues* the old one with which it shares most nodes, if
/// these are at least half of the smaller of the two. Each continues at most
/// one; pairs with the largest overlap are matched first. An old community is
/// *split* if it contributes more than half of the known nodes of each of
/// several new ones. A new community is *merged* if it receives more than half
/// of the nodes of each of several old ones. All other communities are *born* or
/// *died*.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Changes {
    /// Number of nodes in both versions.
    pub shared_nodes: usize,
    /// Number of nodes in the new version only.
    pub new_nodes: usize,
    /// Number of nodes in the old version only.
    pub gone_nodes: usize,
    /// Number of nodes of each old community, in the old version.
    pub previous_sizes: Vec<usize>,
    /// Number of nodes of each new community.
    pub sizes: Vec<usize>,
    /// Continued communities, sorted by their new numbers.
    pub continued: Vec<Continued>,
    /// New communities without an old one.
    pub born: Vec<u32>,
    /// Old communities that no longer exist.
    pub died: Vec<u32>,
    /// Old communities, each with the new ones that it was split into.
    pub split: Vec<(u32, Vec<u32>)>,
    /// New communities, each with the old ones that were merged into it.
    pub merged: Vec<(u32, Vec<u32>)>,
}

impl Changes {
    /// Compares the old community of each node of the new version, if any, with
    /// the new one. `previous_sizes` are the sizes in the old version, including
    /// nodes that no longer exist.
    ///
    /// # Complexity
    ///
    /// O(N log N).
    #[must_use]
    pub fn between(previous: &[Option<u32>], labels: &[u32], previous_sizes: &[usize]) -> Self {
        let communities = labels.iter().max().map_or(0, |&most| most as usize + 1);
        let mut sizes = vec![0_usize; communities];
        let mut known = vec![0_usize; communities];
        let mut left = vec![0_usize; previous_sizes.len()];
        let mut overlaps: BTreeMap<(u32, u32), usize> = BTreeMap::new();
        for (&label, old) in labels.iter().zip(previous) {
            sizes[label as usize] += 1;
            if let Some(old) = *old {
                known[label as usize] += 1;
                left[old as usize] += 1;
                *overlaps.entry((old, label)).or_default() += 1;
            }
        }
        let shared_nodes: usize = known.iter().sum();
        let all: usize = previous_sizes.iter().sum();
        let mut changes = Self {
            shared_nodes,
            new_nodes: labels.len() - shared_nodes,
            gone_nodes: all.saturating_sub(shared_nodes),
            previous_sizes: previous_sizes.to_vec(),
            continued: continued(&overlaps, previous_sizes, &sizes),
            sizes,
            ..Self::default()
        };
        let mut children: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        let mut parents: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (&(old, new), &overlap) in &overlaps {
            if 2 * overlap > known[new as usize] {
                children.entry(old).or_default().push(new);
            }
            if 2 * overlap > left[old as usize] {
                parents.entry(new).or_default().push(old);
            }
        }
        let several = |all: BTreeMap<u32, Vec<u32>>| -> Vec<(u32, Vec<u32>)> {
            let several = all.into_iter().filter(|(_, others)| others.len() > 1);
            several.collect()
        };
        changes.split = several(children);
        changes.merged = several(parents);
        let goes_on = |new: u32| {
            let known = changes.continued.iter().any(|c| c.community == new);
            known || changes.split.iter().any(|(_, into)| into.contains(&new))
        };
        changes.born = (0..communities as u32)
            .filter(|&new| !goes_on(new))
            .collect();
        let lives_on = |old: u32| {
            let known = changes.continued.iter().any(|c| c.previous == old);
            known || changes.merged.iter().any(|(_, from)| from.contains(&old))
        };
        let old = 0..previous_sizes.len() as u32;
        changes.died = old.filter(|&old| !lives_on(old)).collect();
        changes
    }

    /// Returns for each new community the old one that it continues, if any.
    #[must_use]
    pub fn previous(&self) -> Vec<Option<u32>> {
        let mut previous = vec![None; self.sizes.len()];
        for found in &self.continued {
            previous[found.community as usize] = Some(found.previous);
        }
        previous
    }
}

/// Matches old and new communities, the largest overlap first.
fn continued(
    overlaps: &BTreeMap<(u32, u32), usize>,
    previous_sizes: &[usize],
    sizes: &[usize],
) -> Vec<Continued> {
    let mut pairs: Vec<(usize, u32, u32)> = overlaps
        .iter()
        .filter(|&(&(old, new), &overlap)| {
            2 * overlap >= previous_sizes[old as usize].min(sizes[new as usize])
        })
        .map(|(&(old, new), &overlap)| (overlap, old, new))
        .collect();
    pairs.sort_by_key(|&(overlap, old, new)| (std::cmp::Reverse(overlap), old, new));
    let (mut old_taken, mut new_taken) =
        (vec![false; previous_sizes.len()], vec![false; sizes.len()]);
    let mut found = Vec::new();
    for (shared, previous, community) in pairs {
        let (old, new) = (previous as usize, community as usize);
        if !old_taken[old] && !new_taken[new] {
            (old_taken[old], new_taken[new]) = (true, true);
            found.push(Continued {
                community,
                previous,
                shared,
            });
        }
    }
    found.sort_by_key(|found| found.community);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expands runs of (label, nodes) to labels of nodes.
    fn runs<T: Copy>(all: &[(T, usize)]) -> Vec<T> {
        all.iter()
            .flat_map(|&(label, nodes)| std::iter::repeat_n(label, nodes))
            .collect()
    }

    #[test]
    fn the_same_communities_go_on() {
        let labels = runs(&[(0, 5), (1, 4)]);
        // The old numbers are swapped.
        let old = runs(&[(Some(1), 5), (Some(0), 4)]);
        let changes = Changes::between(&old, &labels, &[4, 5]);
        assert_eq!(changes.previous(), [Some(1), Some(0)]);
        assert_eq!((changes.new_nodes, changes.gone_nodes), (0, 0));
        assert!(changes.born.is_empty() && changes.died.is_empty());
        assert!(changes.split.is_empty() && changes.merged.is_empty());
    }

    #[test]
    fn splits_and_merges_are_told_from_births_and_deaths() {
        // Old 0 is split into new 1 and 2, old 1 and 2 are merged into new 0,
        // old 3 dies, and new 3 is born.
        let old = runs(&[
            (Some(0), 6),
            (Some(0), 4),
            (Some(1), 7),
            (Some(2), 5),
            (None, 4),
        ]);
        let labels = runs(&[(1, 6), (2, 4), (0, 12), (3, 4)]);
        let changes = Changes::between(&old, &labels, &[10, 7, 5, 3]);
        assert_eq!(changes.previous(), [Some(1), Some(0), None, None]);
        assert_eq!(changes.split, [(0, vec![1, 2])]);
        assert_eq!(changes.merged, [(0, vec![1, 2])]);
        assert_eq!((&*changes.born, &*changes.died), (&[3][..], &[3][..]));
        assert_eq!((changes.new_nodes, changes.gone_nodes), (4, 3));
        assert_eq!(changes.continued[0].shared, 7);
    }

    #[test]
    fn a_few_nodes_make_no_heir() {
        // One node out of ten moved to another community.
        let old = runs(&[(Some(0), 1), (None, 9), (Some(1), 4)]);
        let labels = runs(&[(0, 10), (1, 4)]);
        let changes = Changes::between(&old, &labels, &[10, 4]);
        assert_eq!(changes.previous(), [None, Some(1)]);
        assert_eq!((&*changes.born, &*changes.died), (&[0][..], &[0][..]));
        let old = runs(&[(Some(0), 1), (Some(0), 9), (None, 9), (Some(1), 4)]);
        let labels = runs(&[(0, 1), (1, 9), (0, 9), (2, 4)]);
        let changes = Changes::between(&old, &labels, &[10, 4]);
        assert_eq!(changes.previous(), [None, Some(0), Some(1)]);
    }
}
