//! Start from groups by eigenvectors, which the network imitates before
//! training.
//!
//! With random weights the network breaks sticks in half, so all nodes begin in
//! a few clusters, and communities that share one often stay merged. The
//! leading eigenvectors of the normalised adjacency matrix give a better start.
//! Eigenvalues beyond 2√(d̄−1)/d̄, the edge of the spectrum of a random graph
//! of mean degree d̄, belong to eigenvectors that separate communities, one per
//! community. Training then continues with the ELBO alone, and may merge and
//! split groups.

use super::ClusterConfig;
use super::features::LazySpectrum;
use super::input::ClusterInput;
use crate::TaskError;
use crate::optim::{Adam, AdamConfig};
use bnpool::batch::Topology;
use bnpool::model::ClusterModel;
use bnpool::pool::{Membership, Pass, Pool, PoolSettings, coarsen};
use bnpool_graph::Graph;
use bnpool_graph::structure::rank_by_size;
use bnpool_math::kmeans::{KMeansConfig, k_means};
use burn::tensor::{Device, Tensor, TensorData};

/// Number of imitation steps and their learning rate: enough to agree with the
/// groups in nearly all nodes, and short compared with the training.
const STEPS: usize = 150;
pub(super) const RATE: f64 = 1e-2;

/// Above this number of nodes, k-means has fewer starts and the imitation is
/// shorter, because a step costs as much as an epoch.
const LARGE: usize = 50_000;
const STEPS_IF_LARGE: usize = 40;

/// Above this number of nodes there are only a few steps.
const HUGE: usize = 200_000;
const STEPS_IF_HUGE: usize = 12;

/// Finds groups of nodes by eigenvectors, largest first; `None` if the graph
/// has no eigenvalue beyond those of a random graph.
pub(super) fn spectral_groups<C: PoolSettings>(
    graph: &Graph,
    config: &ClusterConfig<C>,
    spectrum: &LazySpectrum,
) -> Result<Option<Vec<u32>>, TaskError> {
    let nodes = graph.nodes();
    let spectrum = spectrum.of(graph, config)?;
    // A graph with a mean degree below two falls apart into trees, whose
    // eigenvectors are not informative; the edge of the spectrum is 1 there.
    let degree = (graph.edges() as f64 / nodes as f64).max(2.0);
    let edge = 2.0 * (degree - 1.0).sqrt() / degree;
    let informative = spectrum.values.iter().filter(|&&v| v > edge).count();
    let most = match config.pooler.max_clusters() {
        0 => usize::MAX,
        most => most,
    };
    // The trivial vector is not counted, so there is one more group than
    // vectors.
    let groups = (informative + 1).min(most);
    if informative == 0 {
        return Ok(None);
    }
    let width = spectrum.values.len();
    let mut points = Vec::with_capacity(nodes * informative);
    for row in spectrum.vectors.chunks_exact(width) {
        points.extend_from_slice(&row[..informative]);
    }
    let found = k_means(
        &points,
        informative,
        groups,
        &KMeansConfig {
            seed: config.seed,
            starts: if nodes > LARGE { 3 } else { 10 },
            ..KMeansConfig::default()
        },
    );
    Ok(Some(rank_by_size(&found.labels)))
}

/// Returns the number of imitation steps on a graph with this number of nodes.
pub(super) fn steps(nodes: usize) -> usize {
    match nodes {
        nodes if nodes > HUGE => STEPS_IF_HUGE,
        nodes if nodes > LARGE => STEPS_IF_LARGE,
        _ => STEPS,
    }
}

/// Trains the network until the mean memberships agree with `groups`. The model
/// is unchanged if its pooler has no soft memberships.
pub(super) fn imitate<P: Pool>(
    mut model: ClusterModel<P>,
    input: &ClusterInput,
    groups: &[u32],
    device: &Device,
) -> Result<ClusterModel<P>, TaskError> {
    let mut adam = Adam::new(AdamConfig::default());
    let mut wanted = None;
    for _ in 0..steps(groups.len()) {
        let Membership::Soft(mean) = model.membership(&input.level, &Pass::mean()) else {
            return Ok(model);
        };
        let wanted = wanted.get_or_insert_with(|| one_hot(groups, mean.dims()[1], device));
        let membership = (mean * wanted.clone()).sum_dim(1);
        let loss = -(membership + 1e-6).log().mean();
        (model, _) = adam
            .step(RATE, model, loss.backward())
            .map_err(|bad| TaskError::diverged(0, bad))?;
    }
    Ok(model)
}

/// Creates the one-hot encoding of the groups, [nodes, clusters].
fn one_hot(groups: &[u32], clusters: usize, device: &Device) -> Tensor<2> {
    let mut wanted = vec![0.0_f32; groups.len() * clusters];
    for (row, &group) in wanted.chunks_exact_mut(clusters).zip(groups) {
        row[group as usize] = 1.0;
    }
    Tensor::from_data(TensorData::new(wanted, [groups.len(), clusters]), device)
}

/// Sets K to the log odds of the edges between groups, if the pooler has a
/// block model.
pub(super) fn with_block_matrix<P: Pool>(
    model: ClusterModel<P>,
    input: &ClusterInput,
    groups: &[u32],
    device: &Device,
) -> ClusterModel<P> {
    let Some(clusters) = model.pool.block_matrix().map(|k| k.dims()[0]) else {
        return model;
    };
    let mut s = vec![0.0_f32; groups.len() * clusters];
    for (row, &group) in s.chunks_exact_mut(clusters).zip(groups) {
        row[group as usize] = 1.0;
    }
    let values = fitted_block_matrix(&input.topology(), &s, clusters, &device.clone().inner());
    let data = TensorData::new(values, [clusters, clusters]);
    ClusterModel {
        pool: model
            .pool
            .with_block_matrix(Tensor::from_data(data, device)),
        ..model
    }
}

/// Computes the log odds of an edge between two clusters, given soft
/// assignments.
pub(super) fn fitted_block_matrix(
    topology: &Topology,
    s: &[f32],
    clusters: usize,
    device: &Device,
) -> Vec<f32> {
    let nodes = topology.segments.nodes();
    let data = TensorData::new(s.to_vec(), [nodes, clusters]);
    let s_tensor = Tensor::<2>::from_data(data, device);
    let structure = topology
        .clone()
        .with_adjacency(topology.targets.clone())
        .into();
    let edges: Vec<f32> = coarsen(&structure, s_tensor)
        .into_data()
        .iter::<f32>()
        .collect();
    let mut sizes = vec![0.0_f32; clusters];
    for row in s.chunks_exact(clusters) {
        for (size, s) in sizes.iter_mut().zip(row) {
            *size += s;
        }
    }
    log_odds(&edges, &sizes)
}

/// Computes the log odds of an edge between two clusters, given the entries between
/// them and their sizes.
pub(super) fn log_odds(edges: &[f32], sizes: &[f32]) -> Vec<f32> {
    let clusters = sizes.len();
    let log_odds = |(i, &edges): (usize, &f32)| {
        let pairs = sizes[i / clusters] * sizes[i % clusters];
        // The additional half edge keeps the odds of empty clusters finite.
        let share = (edges + 0.5) / (pairs + 1.0);
        let share = share.clamp(1e-6, 1.0 - 1e-6);
        (share / (1.0 - share)).ln()
    };
    edges.iter().enumerate().map(log_odds).collect()
}
