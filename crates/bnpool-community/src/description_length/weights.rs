//! Models of edge weights given the groups.
//!
//! Weights are described by their ranks: all edges are ordered by weight and cut into a
//! few bins of about equally many edges, and the model describes the bin of each edge.
//! Edges of one class (inside a group, between all groups, or between a pair of groups)
//! share the probabilities of the bins, which are integrated out with a uniform prior.
//!
//! A distribution of weights, such as the geometric or the log-normal one, would use
//! them better where it fits. Where it does not, many groups fit it better than one,
//! even if weights are drawn independently of everything: heavy tails alone made
//! hundreds of nats. Every sequence of bins has a probability, so this cannot happen
//! here: weights drawn independently of the groups shorten the description by x nats
//! with a probability of about exp(−x). Ranks also have no unit and no overflow.

use super::ln_factorial;
use crate::Links;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Largest number of bins.
const MOST: usize = 5;

/// Sufficient statistics of the weights of a class of edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Moments {
    /// Number of edges.
    pub count: u64,
    /// Number of edges in each bin but the last.
    pub bins: [u32; MOST - 1],
}

impl Moments {
    /// Moments of unweighted edges.
    pub(crate) fn edges(count: u64) -> Self {
        Self {
            count,
            ..Self::default()
        }
    }

    /// Moments of the union of two classes.
    #[inline]
    #[must_use]
    pub fn plus(mut self, other: Self) -> Self {
        self.count += other.count;
        for (bin, more) in self.bins.iter_mut().zip(other.bins) {
            *bin += more;
        }
        self
    }

    /// Moments of the rest of the class, without its subset `other`.
    #[inline]
    #[must_use]
    pub fn minus(mut self, other: Self) -> Self {
        self.count -= other.count;
        for (bin, less) in self.bins.iter_mut().zip(other.bins) {
            *bin -= less;
        }
        self
    }
}

/// Description of the weights of a class of edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum WeightModel {
    /// Weights are ignored.
    Ignored,
    /// Whether it is among the smaller or the larger half of all weights, by rank.
    Halves,
    /// The fifth of all weights that it is in. Results of earlier versions have
    /// names of distributions.
    #[serde(
        alias = "geometric",
        alias = "poisson",
        alias = "exponential",
        alias = "log-normal"
    )]
    Fifths,
    /// As halves, with the larger half cut into halves again, three times: for few large
    /// weights among many small ones.
    Tail,
}

/// A model with the bins of one graph's weights.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct WeightCode {
    pub(crate) model: WeightModel,
    /// Bin of each entry of the graph; empty if weights are ignored.
    bins: Arc<[u8]>,
    /// Number of bins with edges.
    count: usize,
    /// Length of all weights in one class, in nats.
    one_class: f64,
}

impl WeightModel {
    /// All models of weights.
    pub(crate) const ALL: [Self; 3] = [Self::Halves, Self::Fifths, Self::Tail];

    /// Ranks at which the bins but the first begin.
    fn cuts(self) -> &'static [f32] {
        match self {
            Self::Ignored => &[],
            Self::Halves => &[0.5],
            Self::Fifths => &[0.2, 0.4, 0.6, 0.8],
            Self::Tail => &[0.5, 0.75, 0.875, 0.9375],
        }
    }
}

impl WeightCode {
    pub(crate) fn new(links: &Links, model: WeightModel) -> Self {
        let cuts = model.cuts();
        // Bins are counted in 32 bits.
        if cuts.is_empty() || u32::try_from(links.edges()).is_err() {
            return Self::ignored();
        }
        let Some(ranks) = links.ranks() else {
            return Self::ignored();
        };
        let bin = |&rank: &f32| cuts.iter().filter(|&&cut| cut <= rank).count();
        // Two entries for each edge.
        let mut entries = [0_u64; MOST];
        ranks.iter().for_each(|rank| entries[bin(rank)] += 1);
        // Many equal weights may leave bins empty; the others are numbered without gaps.
        let mut names = [0; MOST];
        let mut all = Moments::edges(links.edges() as u64);
        let mut count = 0;
        for (name, entries) in names.iter_mut().zip(entries) {
            *name = count as u8;
            if entries > 0 {
                if let Some(bin) = all.bins.get_mut(count) {
                    *bin = (entries / 2) as u32;
                }
                count += 1;
            }
        }
        let mut code = Self {
            model,
            bins: ranks.iter().map(|rank| names[bin(rank)]).collect(),
            count,
            one_class: 0.0,
        };
        code.one_class = code.length(all);
        code
    }

    /// The code that ignores weights.
    pub(crate) fn ignored() -> Self {
        Self {
            model: WeightModel::Ignored,
            bins: Arc::new([]),
            count: 1,
            one_class: 0.0,
        }
    }

    /// Contribution of an entry of the graph to the moments of its class.
    #[inline]
    pub(crate) fn moments(&self, entry: usize) -> Moments {
        let mut moments = Moments::edges(1);
        if let Some(&bin) = self.bins.get(entry)
            && usize::from(bin) + 1 < self.count
        {
            moments.bins[usize::from(bin)] = 1;
        }
        moments
    }

    /// Length of the bins of a class in nats.
    #[inline]
    pub(crate) fn length(&self, class: Moments) -> f64 {
        if self.count == 1 || class.count == 0 {
            return 0.0;
        }
        let free = self.count - 1;
        let mut last = class.count;
        let mut ways = 0.0;
        for &bin in &class.bins[..free] {
            last -= u64::from(bin);
            ways += ln_factorial(u64::from(bin));
        }
        let free = free as u64;
        ln_factorial(class.count + free) - ln_factorial(free) - ln_factorial(last) - ways
    }

    /// Part of Σ that does not depend on the partition. Only the difference to weights in
    /// one class counts, so that models with and without weights can be compared.
    pub(crate) fn constant(&self) -> f64 {
        -self.one_class
    }

    /// Number of nats by which a partition shortens the description of the weights, with a
    /// class for the edges inside of each group and one for those between groups.
    pub(crate) fn gain(&self, links: &Links, labels: &[u32]) -> f64 {
        self.one_class - self.by_group(links, labels)
    }

    fn by_group(&self, links: &Links, labels: &[u32]) -> f64 {
        let groups = labels.iter().max().map_or(0, |&g| g as usize + 1);
        // The last class is between groups.
        let mut classes = vec![Moments::default(); groups + 1];
        for u in 0..links.nodes() {
            for (&v, entry) in links.neighbours(u).iter().zip(links.offsets()[u]..) {
                let v = v as usize;
                if v < u {
                    let same = labels[u] == labels[v];
                    let class = if same { labels[u] as usize } else { groups };
                    classes[class] = classes[class].plus(self.moments(entry));
                }
            }
        }
        classes.into_iter().map(|class| self.length(class)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bnpool_graph::Csr;

    /// A path whose edges have these weights.
    fn path(weights: &[f32]) -> Links {
        let edges = (0..).zip(weights).map(|(u, &w)| (u, u + 1, w));
        let both = edges.flat_map(|(u, v, w)| [(u, v, w), (v, u, w)]);
        Links::new(&Csr::from_weighted_edges(weights.len() + 1, both).unwrap()).unwrap()
    }

    /// Bin of each edge of a path.
    fn bins(weights: &[f32], model: WeightModel) -> (Vec<u8>, usize) {
        let code = WeightCode::new(&path(weights), model);
        // The first entry, and then every second one.
        let bins = code.bins.iter().step_by(2).copied().collect();
        (bins, code.count)
    }

    #[test]
    fn bins_are_cut_by_rank() {
        let weights = [4.0, 1e30, 2.0, 1e-30, 3.0, 1e20, 1e12, 1.0, 5.0, 6.0];
        let (halves, fifths) = (WeightModel::Halves, WeightModel::Fifths);
        assert_eq!(
            bins(&weights, halves),
            (vec![0, 1, 0, 0, 0, 1, 1, 0, 1, 1], 2)
        );
        assert_eq!(
            bins(&weights, fifths),
            (vec![2, 4, 1, 0, 1, 4, 3, 0, 2, 3], 5)
        );
        let tail = bins(&weights, WeightModel::Tail);
        assert_eq!(tail, (vec![0, 3, 0, 0, 0, 2, 2, 0, 1, 1], 4));
    }

    #[test]
    fn equal_weights_share_a_bin_and_empty_bins_are_left_out() {
        let weights = [1.0, 100.0, 1.0, 1.0];
        for model in WeightModel::ALL {
            assert_eq!(bins(&weights, model), (vec![0, 1, 0, 0], 2), "{model:?}");
        }
    }

    #[test]
    fn probabilities_of_the_next_weight_sum_to_one() {
        for model in WeightModel::ALL {
            let weights: Vec<f32> = (1..40).map(|w| w as f32).collect();
            let code = WeightCode::new(&path(&weights), model);
            let one_of_each_bin: Vec<Moments> = (0..code.count)
                .map(|bin| {
                    let entry = code.bins.iter().position(|&b| usize::from(b) == bin);
                    code.moments(entry.unwrap())
                })
                .collect();
            let mut class = Moments::default();
            for seen in [0, 0, 1, 0, 1, 1, 0] {
                let before = code.length(class);
                let next = one_of_each_bin.iter().map(|&one| class.plus(one));
                let sum: f64 = next.map(|c| (before - code.length(c)).exp()).sum();
                assert!((sum - 1.0).abs() < 1e-12, "{model:?}: {sum}");
                class = class.plus(one_of_each_bin[seen]);
                assert_eq!(
                    class
                        .minus(one_of_each_bin[seen])
                        .plus(one_of_each_bin[seen]),
                    class
                );
            }
        }
    }

    #[test]
    fn names_of_earlier_versions_are_read() {
        for (name, model) in [
            ("ignored", WeightModel::Ignored),
            ("tail", WeightModel::Tail),
            ("log-normal", WeightModel::Fifths),
        ] {
            let read: WeightModel = serde_json::from_str(&format!("\"{name}\"")).unwrap();
            assert_eq!(read, model);
        }
    }
}
