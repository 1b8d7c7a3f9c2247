//! Converts columns of S to communities.
//!
//! A node belongs to the column of its largest membership. Non-empty columns are
//! communities. If configured, disconnected communities are split and small ones
//! are merged. Memberships in communities follow from those in columns: the mass
//! of a node on its own column goes to its community, and the mass on another
//! column is shared among the communities of that column's nodes, in proportion
//! to the numbers of nodes. Mass on empty columns goes to no community, so a row
//! sums to at most one. If several columns became one community, their sum could
//! exceed the membership of a node in its own community. The sum is then
//! clipped, so the largest membership of a node is always that in its community.

use super::EvaluationConfig;
use crate::TaskError;
use bnpool_graph::Csr;
use bnpool_graph::structure::{merge_small, rank_by_size, split_disconnected};

/// Communities of the nodes, largest first.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Partition {
    /// Community of each node.
    pub labels: Vec<u32>,
    /// For each community, the column of S of most of its nodes.
    pub columns: Vec<usize>,
    /// For each column, the communities of its nodes with their shares of it.
    shares: Vec<Vec<(u32, f64)>>,
    /// Column of each node.
    column_of: Vec<u32>,
}

impl Partition {
    /// Finds the communities of memberships `s`, [nodes, clusters].
    pub fn of(
        s: &[f32],
        clusters: usize,
        adjacency: &Csr,
        evaluation: &EvaluationConfig,
    ) -> Result<Self, TaskError> {
        let column_of = argmax(s, clusters);
        Self::given(
            &column_of.clone(),
            column_of,
            clusters,
            adjacency,
            evaluation,
        )
    }

    /// Creates the communities `labels`. `column_of` holds the columns of the
    /// largest memberships of the nodes.
    pub fn given(
        labels: &[u32],
        column_of: Vec<u32>,
        clusters: usize,
        adjacency: &Csr,
        evaluation: &EvaluationConfig,
    ) -> Result<Self, TaskError> {
        let mut labels = labels.to_vec();
        if evaluation.split_disconnected {
            labels = split_disconnected(adjacency, &labels)?;
        }
        if evaluation.min_size > 1 {
            labels = merge_small(adjacency, &labels, evaluation.min_size)?;
        }
        Ok(Self::assemble(&labels, column_of, clusters))
    }

    fn assemble(labels: &[u32], column_of: Vec<u32>, clusters: usize) -> Self {
        let labels = rank_by_size(labels);
        let count = labels.iter().max().map_or(0, |&l| l as usize + 1);
        let mut pairs: Vec<(u32, u32)> = column_of.iter().copied().zip(labels.clone()).collect();
        pairs.sort_unstable();
        let mut sizes = vec![0_usize; clusters];
        for &column in &column_of {
            sizes[column as usize] += 1;
        }
        let mut shares = vec![Vec::new(); clusters];
        let mut columns = vec![(0_usize, 0_usize); count];
        for run in pairs.chunk_by(|a, b| a == b) {
            let ((column, label), nodes) = (run[0], run.len());
            let part = nodes as f64 / sizes[column as usize] as f64;
            shares[column as usize].push((label, part));
            let leading = &mut columns[label as usize];
            // Columns are visited in rising order, so ties go to the first.
            if nodes > leading.1 {
                *leading = (column as usize, nodes);
            }
        }
        Self {
            labels,
            columns: columns.into_iter().map(|(column, _)| column).collect(),
            shares,
            column_of,
        }
    }

    /// Returns the membership of each node in its own community: that in its
    /// column, since the mass of other columns goes to other communities.
    pub fn confidence(&self, s: &[f32]) -> Vec<f32> {
        let rows = s.chunks_exact(self.shares.len()).zip(&self.column_of);
        rows.map(|(row, &column)| row[column as usize].clamp(f32::MIN_POSITIVE, 1.0))
            .collect()
    }

    /// Returns the number of communities.
    pub fn count(&self) -> usize {
        self.columns.len()
    }

    /// Returns the memberships in the communities, [nodes, communities]. The
    /// first largest entry of a row is that of its label.
    pub fn memberships(&self, s: &[f32]) -> Vec<f32> {
        let (clusters, count) = (self.shares.len(), self.count());
        let mut memberships = Vec::with_capacity(self.labels.len() * count);
        let mut sums = vec![0.0_f64; count];
        for (u, row) in s.chunks_exact(clusters).enumerate() {
            sums.fill(0.0);
            let (own, label) = (self.column_of[u] as usize, self.labels[u] as usize);
            for (column, (&mass, shares)) in row.iter().zip(&self.shares).enumerate() {
                if column == own {
                    sums[label] += f64::from(mass);
                    continue;
                }
                for &(community, part) in shares {
                    sums[community as usize] += f64::from(mass) * part;
                }
            }
            let start = memberships.len();
            memberships.extend(sums.iter().map(|&sum| (sum as f32).min(1.0)));
            settle(&mut memberships[start..], label);
        }
        memberships
    }

    /// Maps a matrix over columns, [clusters, clusters], to communities. Each
    /// community takes the entries of the column of most of its nodes.
    pub fn block_matrix(&self, raw: &[f32]) -> Vec<f32> {
        let clusters = self.shares.len();
        let row = |&a: &usize| self.columns.iter().map(move |&b| raw[a * clusters + b]);
        self.columns.iter().flat_map(row).collect()
    }
}

/// Makes the entry of the label the first largest one.
fn settle(row: &mut [f32], label: usize) {
    // The label of an all-zero row also becomes its maximum.
    row[label] = row[label].max(f32::MIN_POSITIVE);
    let most = row[label];
    for (community, entry) in row.iter_mut().enumerate() {
        if community < label && *entry >= most {
            *entry = most.next_down();
        } else if community > label {
            *entry = entry.min(most);
        }
    }
}

/// Returns the column of the largest membership of each node; ties go to the
/// first.
pub(super) fn argmax(s: &[f32], clusters: usize) -> Vec<u32> {
    let largest = |row: &[f32]| {
        let mut best = 0;
        for (column, value) in row.iter().enumerate() {
            if *value > row[best] {
                best = column;
            }
        }
        best as u32
    };
    s.chunks_exact(clusters).map(largest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bnpool_math::stream::{Purpose, Stream};
    use proptest::prelude::*;

    fn plain() -> EvaluationConfig {
        EvaluationConfig {
            samples: 1,
            min_size: 1,
            split_disconnected: false,
        }
    }

    /// Adjacency matrix of an undirected graph.
    fn undirected(nodes: usize, edges: &[(u32, u32)]) -> Csr {
        let both = edges.iter().flat_map(|&(u, v)| [(u, v), (v, u)]);
        Csr::from_edges(nodes, both).expect("a graph")
    }

    #[test]
    fn columns_are_communities_by_size() {
        let s = [0.1, 0.2, 0.7, 0.6, 0.3, 0.1, 0.0, 0.2, 0.8];
        let found = Partition::of(&s, 3, &undirected(3, &[]), &plain()).expect("communities");
        assert_eq!(found.labels, [0, 1, 0]);
        assert_eq!(found.columns, [2, 0]);
        // The second column is empty: memberships in it go to no community.
        assert_eq!(found.memberships(&s), [0.7, 0.1, 0.1, 0.6, 0.8, 0.0]);
        let k = [0.0, 0.1, 0.2, 1.0, 1.1, 1.2, 2.0, 2.1, 2.2];
        assert_eq!(found.block_matrix(&k), [2.2, 2.0, 0.2, 0.0]);
    }

    #[test]
    fn pieces_share_what_others_have_of_their_column() {
        // Column 0 has two components: nodes 0, 1, 2 and node 3.
        let graph = undirected(5, &[(0, 1), (1, 2), (2, 4), (4, 3)]);
        let s = [0.9, 0.1, 0.8, 0.2, 0.7, 0.3, 0.6, 0.4, 0.4, 0.6];
        let split = EvaluationConfig {
            split_disconnected: true,
            ..plain()
        };
        let found = Partition::of(&s, 2, &graph, &split).expect("communities");
        assert_eq!(found.labels, [0, 0, 0, 1, 2]);
        assert_eq!(found.columns, [0, 0, 1]);
        let rows = found.memberships(&s);
        assert_eq!(rows[..3], [0.9, 0.0, 0.1]);
        assert_eq!(rows[9..12], [0.0, 0.6, 0.4]);
        let expected = [0.4 * 0.75, 0.4 * 0.25, 0.6];
        for (found, expected) in rows[12..].iter().zip(expected) {
            assert!((found - expected).abs() < 1e-6, "{rows:?}");
        }
    }

    #[test]
    fn merged_columns_add_up_but_not_beyond_the_own_community() {
        // Node 3 is alone in column 1 and joins column 2; node 0 prefers column
        // 0 to each of them, but not to their sum.
        let graph = undirected(6, &[(0, 1), (2, 3), (2, 4), (4, 5), (3, 5)]);
        let s = [
            [0.4, 0.35, 0.25],
            [0.8, 0.1, 0.1],
            [0.1, 0.3, 0.6],
            [0.0, 0.7, 0.3],
            [0.1, 0.1, 0.8],
            [0.0, 0.2, 0.8],
        ]
        .concat();
        let merge = EvaluationConfig {
            min_size: 2,
            ..plain()
        };
        let found = Partition::of(&s, 3, &graph, &merge).expect("communities");
        assert_eq!(found.labels, [1, 1, 0, 0, 0, 0]);
        let rows = found.memberships(&s);
        assert_eq!(argmax(&rows, 2), found.labels);
        assert!(
            (rows[6] - 1.0).abs() < 1e-6,
            "both of its columns: {rows:?}"
        );
        assert!(rows[0] < 0.4 && rows[1] == 0.4, "cut: {rows:?}");
    }

    proptest! {
        #[test]
        fn the_largest_membership_is_that_of_the_label(
            seed in 0..10_000_u64, nodes in 1..40_usize, clusters in 1..8_usize,
            split_disconnected: bool, min_size in 1..6_usize, coarse: bool,
        ) {
            let mut draws = Stream::new(seed, Purpose::Other(3), 0).draws(0);
            let mut s = Vec::new();
            for _ in 0..nodes {
                // Coarse values produce many ties, and rows of zeros.
                let row: Vec<f64> = (0..clusters)
                    .map(|_| if coarse { draws.below(3) as f64 } else { draws.uniform() })
                    .collect();
                let sum = row.iter().sum::<f64>().max(1e-9);
                s.extend(row.iter().map(|x| (x / sum) as f32));
            }
            let edges: Vec<(u32, u32)> = (0..2 * nodes)
                .map(|_| (draws.below(nodes as u64) as u32, draws.below(nodes as u64) as u32))
                .collect();
            let evaluation = EvaluationConfig { samples: 1, min_size, split_disconnected };
            let graph = undirected(nodes, &edges);
            let found = Partition::of(&s, clusters, &graph, &evaluation).expect("communities");
            let rows = found.memberships(&s);
            prop_assert_eq!(rows.len(), nodes * found.count());
            prop_assert_eq!(&argmax(&rows, found.count()), &found.labels);
            for row in rows.chunks_exact(found.count()) {
                prop_assert!(row.iter().all(|x| (0.0..=1.0).contains(x)));
                prop_assert!(row.iter().sum::<f32>() <= 1.0 + 1e-5);
            }
            let mut sizes = vec![0_usize; found.count()];
            for &label in &found.labels {
                sizes[label as usize] += 1;
            }
            prop_assert!(sizes.is_sorted_by(|a, b| a >= b) && sizes.iter().all(|&n| n > 0));
        }
    }
}
