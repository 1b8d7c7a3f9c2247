//! Agreement of assignments with known classes.

use bnpool_graph::UNLABELLED;
use bnpool_math::metrics::{
    LogisticError, adjusted_mutual_information, adjusted_rand_index, completeness,
    cosine_agreement, homogeneity, logistic_accuracy, normalised_mutual_information,
};
use serde::{Deserialize, Serialize};

/// How well assignments agree with classes; 1 is perfect in every measure.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Agreement {
    /// Share of nodes whose class a logistic regression on S gets right.
    pub acc: f64,
    /// Cosine of S Sᵀ and Y Yᵀ.
    pub cos: f64,
    /// Normalised mutual information of labels and classes.
    pub nmi: f64,
    /// 1 when every community has nodes of one class only.
    pub homogeneity: f64,
    /// 1 when every class is within one community.
    pub completeness: f64,
    /// Rand index, 0 for chance.
    pub ari: f64,
    /// Mutual information, 0 for chance.
    pub ami: f64,
}

impl Agreement {
    /// Compares memberships s, [nodes, C], and their labels with classes. Nodes
    /// without a class ([`UNLABELLED`]) are left out.
    ///
    /// # Errors
    ///
    /// When there is not a class for every row of s.
    pub fn of(
        s: &[f32],
        clusters: usize,
        labels: &[u32],
        classes: &[u32],
    ) -> Result<Self, LogisticError> {
        let known: Vec<usize> = (0..classes.len())
            .filter(|&node| classes[node] != UNLABELLED)
            .collect();
        if known.len() < classes.len() {
            let rows = |node: &usize| s.chunks_exact(clusters).nth(*node).unwrap_or_default();
            let s: Vec<f32> = known.iter().flat_map(rows).copied().collect();
            let of = |all: &[u32]| known.iter().map(|&node| all[node]).collect::<Vec<u32>>();
            return Self::of(&s, clusters, &of(labels), &of(classes));
        }
        let acc = match logistic_accuracy(s, clusters, classes) {
            // With one class there is nothing to get wrong.
            Err(LogisticError::OneClass { .. }) => 1.0,
            fitted => fitted?,
        };
        Ok(Self {
            acc,
            cos: cosine_agreement(s, clusters, classes),
            nmi: normalised_mutual_information(labels, classes),
            homogeneity: homogeneity(classes, labels),
            completeness: completeness(classes, labels),
            ari: adjusted_rand_index(labels, classes),
            ami: adjusted_mutual_information(labels, classes),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_without_a_class_do_not_count() {
        let s = [0.9, 0.1, 0.2, 0.8, 0.6, 0.4, 0.3, 0.7];
        let whole = Agreement::of(&s[..6], 2, &[0, 1, 0], &[0, 1, 1]);
        let partial = Agreement::of(&s, 2, &[0, 1, 0, 1], &[0, 1, 1, UNLABELLED]);
        assert_eq!(partial, whole);
    }
}
