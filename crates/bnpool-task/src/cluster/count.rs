//! How many communities there are, and how sure that is.

use serde::{Deserialize, Serialize};

/// The number of communities. There is one such number: terminal, metrics,
/// report, labels and arrays all have it from here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CommunityCount {
    /// Communities of the posterior mean of S, split and merged as configured.
    pub communities: usize,
    /// The number in the central 90 % of posterior samples, [low, high], widened
    /// where that is needed to contain [`communities`](Self::communities). Both
    /// ends are the number itself for poolers without a posterior.
    pub interval: [usize; 2],
    /// Clusters in which some node's membership exceeds 1/C, in one posterior
    /// sample: the paper's count of non-empty clusters.
    pub non_empty: usize,
    /// The same in the central 90 % of posterior samples.
    pub non_empty_interval: [usize; 2],
    /// Communities of every posterior sample, found as those of the mean are;
    /// empty for poolers without a posterior.
    pub samples: Vec<usize>,
}

impl CommunityCount {
    /// Counts of samples, in which `non_empty` has at least one entry.
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
    /// The same with an interval that also holds this one.
    pub(super) fn widened(self, [low, high]: [usize; 2]) -> Self {
        let interval = [self.interval[0].min(low), self.interval[1].max(high)];
        Self { interval, ..self }
    }
}

/// The central 90 % of counts, [low, high].
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
