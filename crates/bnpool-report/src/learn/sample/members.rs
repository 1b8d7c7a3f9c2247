//! Memberships of nodes in clusters.

use std::collections::BTreeSet;

use crate::learn::SampleGraph;

/// Largest number of shown clusters; those with the largest mass are selected.
const MOST: usize = 200;

/// Memberships of the nodes of a sample.
#[derive(Debug, Clone)]
pub(crate) struct Members {
    /// The most probable cluster of each node.
    pub(super) label: Vec<usize>,
    /// Membership of each node in that cluster.
    pub(super) confidence: Vec<f32>,
    /// Non-empty clusters, i.e. preferred by a node or with a membership above
    /// 1/C, in ascending order.
    pub(super) shown: Vec<usize>,
    /// Sum of the memberships in each cluster.
    pub(super) mass: Vec<f64>,
}

/// Treats invalid fractions as 0.
fn share(value: f32) -> f32 {
    if value.is_finite() {
        value.max(0.0)
    } else {
        0.0
    }
}

impl Members {
    /// Computes the memberships; `None` if the pooler has none.
    pub(super) fn of(sample: &SampleGraph<'_>) -> Option<Self> {
        let clusters = sample.clusters;
        if sample.assignments.is_empty() || clusters == 0 {
            return None;
        }
        let threshold = 1.0 / clusters as f32;
        let mut mass = vec![0.0; clusters];
        let mut used = vec![false; clusters];
        let (mut label, mut confidence) = (Vec::new(), Vec::new());
        for row in sample.assignments.chunks(clusters) {
            let mut best = (0, 0.0);
            for (cluster, value) in row.iter().map(|&value| share(value)).enumerate() {
                mass[cluster] += f64::from(value);
                used[cluster] |= value > threshold;
                if value > best.1 {
                    best = (cluster, value);
                }
            }
            used[best.0] = true;
            label.push(best.0);
            confidence.push(best.1);
        }
        let mut shown: Vec<usize> = (0..clusters).filter(|&cluster| used[cluster]).collect();
        shown.sort_by(|&a, &b| mass[b].total_cmp(&mass[a]).then(a.cmp(&b)));
        shown.truncate(MOST);
        shown.sort_unstable();
        Some(Self {
            label,
            confidence,
            shown,
            mass,
        })
    }

    /// Clusters that are the first choice of some node, in ascending order.
    pub(super) fn preferred(&self) -> Vec<usize> {
        let clusters: BTreeSet<usize> = self.label.iter().copied().collect();
        clusters.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bnpool_graph::{Csr, Graph};

    fn members(nodes: usize, clusters: usize, assignments: &[f32]) -> Option<Members> {
        let adjacency = Csr::from_edges(nodes, []).unwrap();
        let graph = Graph::builder(adjacency).build().unwrap();
        Members::of(&SampleGraph {
            name: String::new(),
            graph: &graph,
            truth: String::new(),
            prediction: String::new(),
            assignments,
            clusters,
            pooled_adjacency: &[],
            pooled_features: &[],
            feature_maps: 1,
        })
    }

    #[test]
    fn clusters_are_shown_where_they_hold_something() {
        let rows = [0.7, 0.2, 0.1, 0.0, 0.4, 0.1, 0.5, 0.0];
        let found = members(2, 4, &rows).unwrap();
        assert_eq!(found.label, [0, 2]);
        assert_eq!(found.preferred(), [0, 2]);
        assert_eq!(found.shown, [0, 2]);
        let close = members(2, 4, &[0.6, 0.3, 0.1, 0.0, 0.6, 0.3, 0.1, 0.0]).unwrap();
        assert_eq!((close.preferred(), close.shown), (vec![0], vec![0, 1]));
    }

    #[test]
    fn odd_memberships_count_as_nothing() {
        let rows = [f32::NAN, 0.5, f32::NEG_INFINITY, f32::INFINITY];
        let found = members(2, 2, &rows).unwrap();
        assert_eq!((found.label, found.mass), (vec![1, 0], vec![0.0, 0.5]));
        assert!(members(0, 3, &[]).is_none());
        assert!(members(2, 0, &[]).is_none());
    }
}
