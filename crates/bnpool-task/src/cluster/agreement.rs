//! Agreement of assignments with known classes.

use bnpool_graph::UNLABELLED;
use bnpool_math::metrics::{
    LogisticError, adjusted_mutual_information, adjusted_rand_index, completeness,
    cosine_agreement, homogeneity, logistic_accuracy, normalised_mutual_information,
};
use serde::{Deserialize, Serialize};

/// Products of one iteration of the logistic regression that somebody would wait for:
/// a fit takes some hundred of them, and so some ten seconds.
const MOST_PRODUCTS: usize = 200_000_000;

/// How much time an evaluation may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effort {
    /// All that there is to measure.
    Thorough,
    /// Without what takes far longer than one look at the graph.
    Brief,
}

/// How well assignments agree with classes; 1 is perfect in every measure.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Agreement {
    /// Share of nodes whose class a logistic regression on S gets right; none if
    /// the training was stopped, or nodes times columns of S times classes are more
    /// than 2·10⁸.
    pub acc: Option<f64>,
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
    ///
    /// # Complexity
    ///
    /// O(N C) time, and some hundred times O(N · C · classes) for the logistic
    /// regression of a thorough comparison.
    pub(super) fn of(
        s: &[f32],
        clusters: usize,
        labels: &[u32],
        classes: &[u32],
        effort: Effort,
    ) -> Result<Self, LogisticError> {
        let known: Vec<usize> = (0..classes.len())
            .filter(|&node| classes[node] != UNLABELLED)
            .collect();
        if known.len() < classes.len() {
            let rows = |node: &usize| s.chunks_exact(clusters).nth(*node).unwrap_or_default();
            let s: Vec<f32> = known.iter().flat_map(rows).copied().collect();
            let of = |all: &[u32]| known.iter().map(|&node| all[node]).collect::<Vec<u32>>();
            return Self::of(&s, clusters, &of(labels), &of(classes), effort);
        }
        let numbers = classes.iter().max().map_or(0, |&class| class as usize + 1);
        let affordable = s.len().saturating_mul(numbers) <= MOST_PRODUCTS;
        let acc = match (effort, affordable) {
            (Effort::Thorough, true) => Some(match logistic_accuracy(s, clusters, classes) {
                // With one class there is nothing to get wrong.
                Err(LogisticError::OneClass { .. }) => 1.0,
                fitted => fitted?,
            }),
            _ => None,
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
        let (known, partly) = ([0, 1, 1], [0, 1, 1, UNLABELLED]);
        let whole = Agreement::of(&s[..6], 2, &[0, 1, 0], &known, Effort::Thorough);
        let partial = Agreement::of(&s, 2, &[0, 1, 0, 1], &partly, Effort::Thorough);
        assert_eq!(partial, whole);
    }

    #[test]
    fn nobody_waits_for_the_regression_of_a_huge_graph() {
        let nodes = 15_000;
        let classes: Vec<u32> = (0..nodes).map(|u| u % 7_000).collect();
        let s = vec![0.5; 2 * nodes as usize];
        let found = Agreement::of(&s, 2, &classes, &classes, Effort::Thorough);
        let found = found.expect("a class each");
        assert!(found.acc.is_none() && found.nmi > 0.999);
    }

    #[test]
    fn a_brief_comparison_lacks_only_the_regression() {
        let (s, labels, classes) = ([0.9, 0.1, 0.2, 0.8, 0.6, 0.4], [0, 1, 0], [0, 1, 1]);
        let of = |effort| Agreement::of(&s, 2, &labels, &classes, effort).expect("a class each");
        let (brief, thorough) = (of(Effort::Brief), of(Effort::Thorough));
        assert!(brief.acc.is_none() && thorough.acc.is_some());
        assert_eq!(
            Agreement {
                acc: None,
                ..thorough
            },
            brief
        );
    }
}
