//! The aggregated graph of one level of Leiden.

use super::Quality;
use crate::Links;

/// A weighted graph without loops whose nodes have a size: the degree for
/// modularity, the number of original nodes for the Potts model.
pub(crate) struct Level {
    offsets: Vec<usize>,
    targets: Vec<u32>,
    /// Weight of each entry; `None` means all ones.
    weights: Option<Vec<f64>>,
    pub(super) sizes: Vec<f64>,
}

impl Level {
    /// The original graph as the finest level.
    pub(super) fn finest(links: &Links, quality: Quality) -> Self {
        let weights: Option<Vec<f64>> = links
            .weights()
            .map(|w| w.iter().map(|&w| f64::from(w)).collect());
        let offsets = links.offsets().to_vec();
        let size = |u: usize| match (quality, &weights) {
            (Quality::Potts { .. }, _) => 1.0,
            (Quality::Modularity { .. }, None) => links.degree(u) as f64,
            (Quality::Modularity { .. }, Some(w)) => w[offsets[u]..offsets[u + 1]].iter().sum(),
        };
        Self {
            sizes: (0..links.nodes()).map(size).collect(),
            targets: links.view().columns.to_vec(),
            weights,
            offsets,
        }
    }

    /// The level with only the edges inside groups. Sizes are internal degrees
    /// divided by the root of the volume of the group, so that a penalty of 1
    /// gives modularity in each group.
    pub(super) fn within(links: &Links, labels: &[u32]) -> Self {
        let mut offsets = Vec::with_capacity(links.nodes() + 1);
        let mut targets = Vec::new();
        let mut weights = links.weights().map(|_| Vec::new());
        let mut sizes = Vec::with_capacity(links.nodes());
        let mut volumes = vec![0.0_f64; links.nodes()];
        offsets.push(0);
        for u in 0..links.nodes() {
            let start = links.offsets()[u];
            let mut size = 0.0;
            for (i, &v) in links.neighbours(u).iter().enumerate() {
                if labels[u] == labels[v as usize] {
                    targets.push(v);
                    let weight = links.weights().map_or(1.0, |w| f64::from(w[start + i]));
                    size += weight;
                    if let Some(weights) = &mut weights {
                        weights.push(weight);
                    }
                }
            }
            offsets.push(targets.len());
            volumes[labels[u] as usize] += size;
            sizes.push(size);
        }
        for (size, &label) in sizes.iter_mut().zip(labels) {
            let volume = volumes[label as usize];
            if volume > 0.0 {
                *size /= volume.sqrt();
            }
        }
        Self {
            offsets,
            targets,
            weights,
            sizes,
        }
    }

    /// Builds a level from its arrays, with one entry per direction of an edge.
    pub(crate) fn new(
        offsets: Vec<usize>,
        targets: Vec<u32>,
        weights: Vec<f64>,
        sizes: Vec<f64>,
    ) -> Self {
        debug_assert_eq!(offsets.len(), sizes.len() + 1);
        debug_assert_eq!(targets.len(), weights.len());
        Self {
            offsets,
            targets,
            weights: Some(weights),
            sizes,
        }
    }

    /// Penalty of a pair of nodes of size 1 in one group.
    pub(super) fn penalty(&self, quality: Quality) -> f64 {
        match quality {
            Quality::Modularity { resolution } => resolution / self.sizes.iter().sum::<f64>(),
            Quality::Potts { resolution } => resolution,
        }
    }

    pub(super) fn nodes(&self) -> usize {
        self.sizes.len()
    }

    /// Neighbours and weights of a node.
    #[inline]
    pub(super) fn entries(&self, u: usize) -> impl Iterator<Item = (usize, f64)> {
        let range = self.offsets[u]..self.offsets[u + 1];
        let weights = self.weights.as_ref().map(|w| &w[range.clone()]);
        self.targets[range]
            .iter()
            .enumerate()
            .map(move |(i, &v)| (v as usize, weights.map_or(1.0, |w| w[i])))
    }

    /// Aggregates the graph into `count` parts.
    pub(super) fn aggregate(&self, parts: &[u32], count: usize) -> Self {
        let (starts, members) = members(parts, count);
        let mut sizes = vec![0.0; count];
        let mut offsets = Vec::with_capacity(count + 1);
        let (mut targets, mut weights) = (Vec::new(), Vec::new());
        let mut sums = vec![0.0; count];
        let mut touched = Vec::new();
        offsets.push(0);
        for part in 0..count {
            for &u in &members[starts[part]..starts[part + 1]] {
                sizes[part] += self.sizes[u as usize];
                for (v, w) in self.entries(u as usize) {
                    let other = parts[v];
                    if other as usize != part {
                        if sums[other as usize] == 0.0 {
                            touched.push(other);
                        }
                        sums[other as usize] += w;
                    }
                }
            }
            for &other in &touched {
                targets.push(other);
                weights.push(std::mem::take(&mut sums[other as usize]));
            }
            touched.clear();
            offsets.push(targets.len());
        }
        Self {
            offsets,
            targets,
            weights: Some(weights),
            sizes,
        }
    }
}

/// Returns the start of each group, and the members of all groups, one after
/// the other.
pub(crate) fn members(labels: &[u32], groups: usize) -> (Vec<usize>, Vec<u32>) {
    let mut starts = vec![0; groups + 1];
    for &label in labels {
        starts[label as usize + 1] += 1;
    }
    for g in 0..groups {
        starts[g + 1] += starts[g];
    }
    let mut next = starts.clone();
    let mut members = vec![0; labels.len()];
    for (u, &label) in labels.iter().enumerate() {
        members[next[label as usize]] = u as u32;
        next[label as usize] += 1;
    }
    (starts, members)
}

/// Renumbers labels, all below the number of nodes, as 0, 1, … in the order of
/// their first nodes; returns their number.
pub(crate) fn compact(labels: &mut [u32]) -> usize {
    let mut names = vec![u32::MAX; labels.len()];
    let mut count = 0;
    for label in labels.iter_mut() {
        let name = &mut names[*label as usize];
        if *name == u32::MAX {
            *name = count;
            count += 1;
        }
        *label = *name;
    }
    count as usize
}
