//! Renumbering of labels.

/// Arbitrary labels, renumbered as 0, 1, 2, … in the order of their values.
pub(super) struct Numbering {
    /// Renumbered label of each node.
    pub(super) of_node: Vec<u32>,
    /// The labels, in ascending order.
    pub(super) labels: Vec<u32>,
}

impl Numbering {
    /// O(N) for labels below 4 N, O(N log N) for others.
    pub(super) fn new(labels: &[u32]) -> Self {
        let largest = labels.iter().copied().max().map_or(0, |l| l as usize);
        if largest > 4 * labels.len() {
            let mut values = labels.to_vec();
            values.sort_unstable();
            values.dedup();
            let place = |l: &u32| values.partition_point(|v| v < l) as u32;
            return Self {
                of_node: labels.iter().map(place).collect(),
                labels: values,
            };
        }
        let mut numbers = vec![u32::MAX; largest + 1];
        for &label in labels {
            numbers[label as usize] = 0;
        }
        let mut values = Vec::new();
        for (label, number) in numbers.iter_mut().enumerate() {
            if *number == 0 {
                *number = values.len() as u32;
                values.push(label as u32);
            }
        }
        Self {
            of_node: labels.iter().map(|&l| numbers[l as usize]).collect(),
            labels: values,
        }
    }

    /// Number of distinct labels.
    pub(super) fn count(&self) -> usize {
        self.labels.len()
    }

    /// Number of nodes of each community.
    pub(super) fn sizes(&self) -> Vec<usize> {
        let mut sizes = vec![0; self.count()];
        for &c in &self.of_node {
            sizes[c as usize] += 1;
        }
        sizes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_large_labels_are_numbered_alike() {
        let small = Numbering::new(&[5, 2, 5, 9]);
        assert_eq!(
            (&small.of_node[..], &small.labels[..]),
            (&[1, 0, 1, 2][..], &[2, 5, 9][..])
        );
        let large = Numbering::new(&[500, 200, 500, u32::MAX]);
        assert_eq!(large.of_node, small.of_node);
        assert_eq!(large.labels, [200, 500, u32::MAX]);
        assert_eq!(small.sizes(), [1, 2, 1]);
        assert_eq!(Numbering::new(&[]).count(), 0);
    }
}
