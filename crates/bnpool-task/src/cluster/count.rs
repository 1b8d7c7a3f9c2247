//! Number of communities, with its uncertainty.

use serde::{Deserialize, Serialize};

/// The number of communities. This is the single source of the number in the
/// terminal, metrics, report, labels and arrays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CommunityCount {
    /// Number of communities of the posterior mean of S, split and merged as
    /// configured.
    pub communities: usize,
    /// Range of the number in the central 90 % of posterior samples,
    /// [low, high], widened if necessary to contain
    /// [`communities`](Self::communities). For poolers without a posterior, both
    /// ends are the number itself.
    pub interval: [usize; 2],
    /// Number of clusters in which the membership of some node exceeds 1/C, in
    /// one posterior sample: the paper's count of non-empty clusters.
    pub non_empty: usize,
    /// Range of `non_empty` in the central 90 % of posterior samples.
    pub non_empty_interval: [usize; 2],
    /// Number of communities of each posterior sample, found like those of the
    /// mean; empty for poolers without a posterior.
    pub samples: Vec<usize>,
}

impl CommunityCount {
    /// Creates the counts from those of samples; `non_empty` has at least one
    /// entry.
    pub(super) fn new(communities: usize, samples: Vec<usize>, non_empty: &[usize]) -> Self {
        let interval = match central_90(&samples) {
            Some([low, high]) => [low.min(communities), high.max(communities)],
            None => [communities; 2],
        };
        let first = non_empty.first().copied().unwrap_or(0);
        let [low, high] = central_90(non_empty).unwrap_or([first; 2]);
        Self {
            communities,
            interval,
            non_empty: first,
            non_empty_interval: [low.min(first), high.max(first)],
            samples,
        }
    }
}

impl CommunityCount {
    /// Extends the interval so that it contains `[low, high]`.
    pub(super) fn widened(self, [low, high]: [usize; 2]) -> Self {
        let interval = [self.interval[0].min(low), self.interval[1].max(high)];
        Self { interval, ..self }
    }
}

/// Returns the range of the central 90 % of counts, [low, high].
fn central_90(counts: &[usize]) -> Option<[usize; 2]> {
    let mut sorted = counts.to_vec();
    sorted.sort_unstable();
    let last = sorted.len().checked_sub(1)? as f64;
    Some([0.05, 0.95].map(|q| sorted[(last * q).round() as usize]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_holds_nine_tenths_and_the_number() {
        let samples: Vec<usize> = (1..=101).collect();
        let count = |communities| CommunityCount::new(communities, samples.clone(), &[7]);
        assert_eq!(count(50).interval, [6, 96]);
        assert_eq!(count(3).interval, [3, 96]);
        assert_eq!(count(120).interval, [6, 120]);
        assert_eq!(
            (count(3).non_empty, count(3).non_empty_interval),
            (7, [7, 7])
        );
    }

    #[test]
    fn without_samples_the_interval_is_the_number() {
        let count = CommunityCount::new(4, vec![], &[5]);
        assert_eq!((count.interval, count.non_empty_interval), ([4, 4], [5, 5]));
    }
}
