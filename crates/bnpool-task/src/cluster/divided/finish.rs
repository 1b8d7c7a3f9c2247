//! Result of the training on a graph in parts.

use super::census::Census;
use super::training::Divided;
use super::weights::Weights;
use crate::TaskError;
use crate::cluster::count::CommunityCount;
use crate::cluster::result::entropy;
use crate::cluster::trainer::EVALUATION_STEPS;
use crate::cluster::{ClusterConfig, Communities, Community, FoundEvidence, InParts};
use crate::run::NamedTensor;
use bnpool::model::ClusterModel;
use bnpool::pool::{Pool, PoolSettings};
use bnpool_community::description_length::Density;
use bnpool_community::divided::Judged;
use bnpool_community::search::Judge;

/// Memberships are summed as integer multiples of 1 / UNIT. The sum over a hundred
/// million nodes of one community fits into 64 bits.
const UNIT: f64 = (1_u64 << 36) as f64;

/// Largest number of values in the coarser levels of all nodes.
const MOST_LEVELS: usize = 200_000_000;

impl Divided {
    /// Evaluates the communities. Arrays over all nodes are complete on rank 0; other
    /// ranks only hold the values of their own nodes. Memberships are left out.
    pub fn finish<C: PoolSettings, P: Pool>(
        &self,
        model: &ClusterModel<P>,
        config: &ClusterConfig<C>,
        parameters: &[NamedTensor],
    ) -> Result<Communities, TaskError> {
        let (weights, bn) = Weights::<f32>::of(model).ok_or(TaskError::NothingToTrain)?;
        let clusters = bn.max_clusters;
        let mut network = self.network();
        let sample = (config.seed, EVALUATION_STEPS);
        let evaluated = network.reconstruct(&weights, bn, sample, 1.0, false)?;
        let best = &self.groups.evidence.best;
        let density = match best.judge {
            Judge::Planted(density) => density,
            Judge::Blocks | Judge::DirectedBlocks => Density::Own,
        };
        let partition = self.groups.partition.clone();
        let engine = network.spread.engine.clone();
        let judged = Judged::new(&*network.source, &*engine, partition, density)?;
        let (labels, groups) = (
            self.groups.partition.labels(),
            self.groups.partition.groups(),
        );
        let mut memberships = vec![0_u64; groups * clusters];
        let (mut confidence, mut entropies) = (Vec::new(), Vec::new());
        network.means(&weights, bn, |part, s| {
            // Positive, so that every node belongs to the community of its
            // label.
            let sure = judged.own_probability(part);
            confidence.extend(sure.into_iter().map(|p| p.max(f32::MIN_POSITIVE)));
            entropies.extend(s.chunks_exact(clusters).map(entropy));
            for (row, u) in s.chunks_exact(clusters).zip(part.range()) {
                let group = labels[u] as usize;
                let sums = &mut memberships[group * clusters..(group + 1) * clusters];
                for (sum, &x) in sums.iter_mut().zip(row) {
                    // Integers: their sum does not depend on the number of
                    // ranks.
                    *sum += (f64::from(x) * UNIT) as u64;
                }
            }
            Ok(())
        })?;
        drop(judged);
        let memberships = network.spread.total(memberships);
        let census = Census::new(&network, labels, groups)?;
        let sizes = census.statistics.iter().map(|own| own.size as f64 * UNIT);
        let assignments: Vec<f32> = memberships
            .chunks_exact(clusters)
            .zip(sizes)
            .flat_map(|(row, size)| row.iter().map(move |&sum| (sum as f64 / size) as f32))
            .collect();
        let confidence = network.spread.collect(confidence);
        let entropy = network.spread.collect(entropies);
        let mut sums = vec![0.0_f64; groups];
        for (&label, &sure) in labels.iter().zip(&confidence) {
            sums[label as usize] += f64::from(sure);
        }
        let communities = census.statistics.into_iter().zip(&self.groups.columns);
        let complete = self.groups.is_complete();
        let non_empty = if complete { evaluated.active } else { groups };
        let raw_block_matrix = weights.block;
        Ok(Communities {
            pooler: config.pooler.traits(),
            labels: labels.to_vec(),
            communities: communities
                .zip(&sums)
                .map(|((statistics, &column), sum)| Community {
                    column: column as usize,
                    confidence: sum / statistics.size.max(1) as f64,
                    statistics,
                })
                .collect(),
            count: CommunityCount::new(groups, Vec::new(), &[non_empty])
                .widened(self.groups.interval()),
            assignments: Vec::new(),
            block_matrix: if complete {
                self.of_communities(&raw_block_matrix, clusters)
            } else {
                // There are no separate entries for communities that share a
                // column.
                Vec::new()
            },
            confidence,
            entropy,
            clusters,
            raw_assignments: Vec::new(),
            raw_block_matrix,
            sample_agreement: None,
            mean_agreement: None,
            modularity: census.modularity,
            losses: evaluated.losses(),
            start: 1,
            best_epoch: 0,
            parameters: parameters.to_vec(),
            unfinished: false,
            in_parts: Some(InParts {
                between: census.between,
                assignments,
            }),
            evidence: Some(self.evidence(labels, config.seed)?),
        })
    }

    /// Returns the entries of K for the communities.
    fn of_communities(&self, k: &[f32], clusters: usize) -> Vec<f32> {
        let columns = || self.groups.columns.iter().map(|&c| c as usize);
        columns()
            .flat_map(|a| columns().map(move |b| k[a * clusters + b]))
            .collect()
    }

    fn evidence(&self, labels: &[u32], seed: u64) -> Result<FoundEvidence, TaskError> {
        let (groups, evidence) = (&self.groups, &self.groups.evidence);
        let hierarchy = groups.hierarchy(labels, seed)?;
        let levels = hierarchy.levels.iter();
        let fits = hierarchy.levels.len() * labels.len() <= MOST_LEVELS;
        Ok(FoundEvidence {
            verdict: evidence.verdict,
            nats: groups.nats,
            p_value: None,
            agreement: None,
            weights: None,
            directions: None,
            by_features: false,
            refined: false,
            beyond_limit: groups.beyond_limit,
            isolated: evidence.isolated,
            levels: if fits {
                levels.map(|level| level.labels().to_vec()).collect()
            } else {
                Vec::new()
            },
            around: groups.width(),
            merges: hierarchy.merges,
        })
    }
}
