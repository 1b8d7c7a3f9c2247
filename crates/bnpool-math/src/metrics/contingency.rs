//! Contingency tables, the basis of all comparisons of labelings.

/// Labels as 0, 1, 2, … in the order of their values, and these values.
pub(super) fn compact(labels: &[u32]) -> (Vec<usize>, Vec<u32>) {
    let mut values = labels.to_vec();
    values.sort_unstable();
    values.dedup();
    let places = labels
        .iter()
        .map(|l| values.partition_point(|v| v < l))
        .collect();
    (places, values)
}

/// The contingency table of two labelings. Zeros are not stored, as there may
/// be as many labels as nodes.
pub(super) struct Contingency {
    /// Number of nodes.
    pub(super) nodes: u64,
    /// (first label, second label, number of nodes with both), without empty
    /// cells.
    pub(super) cells: Vec<(usize, usize, u64)>,
    /// Number of nodes of each first label.
    pub(super) rows: Vec<u64>,
    /// Number of nodes of each second label.
    pub(super) columns: Vec<u64>,
}

impl Contingency {
    /// O(N log N).
    pub(super) fn new(a: &[u32], b: &[u32]) -> Self {
        assert_eq!(a.len(), b.len(), "two labels for every node");
        let (a, first) = compact(a);
        let (b, second) = compact(b);
        let (mut rows, mut columns) = (vec![0; first.len()], vec![0; second.len()]);
        let mut pairs: Vec<(usize, usize)> = a.into_iter().zip(b).collect();
        for &(i, j) in &pairs {
            rows[i] += 1;
            columns[j] += 1;
        }
        pairs.sort_unstable();
        Self {
            nodes: pairs.len() as u64,
            cells: pairs
                .chunk_by(|x, y| x == y)
                .map(|run| (run[0].0, run[0].1, run.len() as u64))
                .collect(),
            rows,
            columns,
        }
    }

    /// Entropy of the first labeling, in nats.
    pub(super) fn row_entropy(&self) -> f64 {
        self.entropy(&self.rows)
    }

    /// Entropy of the second labeling, in nats.
    pub(super) fn column_entropy(&self) -> f64 {
        self.entropy(&self.columns)
    }

    fn entropy(&self, counts: &[u64]) -> f64 {
        if counts.len() < 2 {
            return 0.0;
        }
        let n = self.nodes as f64;
        -counts
            .iter()
            .map(|&c| c as f64 / n * (c as f64 / n).ln())
            .sum::<f64>()
    }

    /// Mutual information of the two labelings, in nats; never negative.
    pub(super) fn information(&self) -> f64 {
        if self.rows.len() < 2 || self.columns.len() < 2 {
            return 0.0;
        }
        let n = self.nodes as f64;
        let terms = self.cells.iter().map(|&(i, j, x)| {
            let (x, r, c) = (x as f64, self.rows[i] as f64, self.columns[j] as f64);
            x / n * (n * x / (r * c)).ln()
        });
        terms.sum::<f64>().max(0.0)
    }
}
