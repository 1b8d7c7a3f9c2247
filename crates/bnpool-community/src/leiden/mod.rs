//! Leiden (Traag, Waltman and van Eck, 2019): communities of high modularity,
//! or of high density by the constant Potts model.
//!
//! An iteration moves single nodes while the quality increases (`local_move`),
//! divides every community into well-connected parts (`refine`), aggregates
//! each part into a node (`level`) and continues on the aggregated graph.
//! Because the parts are connected, so are the communities.

mod level;
mod local_move;
mod refine;

use crate::{CommunityError, Links, Partition};
use bnpool_math::kernel::connected_components;
use bnpool_math::stream::{Purpose, Stream};
pub(crate) use level::{Level, compact, members};

/// Random stream of the visiting orders.
const STREAM: Purpose = Purpose::Other(0x6c65_6964);

/// Quality function of a partition.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Quality {
    /// Modularity with a resolution γ (1 is the usual one): Σ over groups of
    /// w_c − γ d_c² / 4W, with w_c the internal weight, d_c the sum of degrees
    /// and W the total weight of all edges.
    Modularity {
        /// γ: the higher, the smaller the communities.
        resolution: f64,
    },
    /// The constant Potts model: Σ over groups of w_c − γ n_c (n_c − 1) / 2.
    /// Communities are denser than γ inside, and sparser than γ between each
    /// other.
    Potts {
        /// γ: a density, or a mean weight per pair.
        resolution: f64,
    },
}

impl Default for Quality {
    fn default() -> Self {
        Self::Modularity { resolution: 1.0 }
    }
}

/// Parameters of Leiden.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LeidenConfig {
    /// Quality function of a partition.
    pub quality: Quality,
    /// Seed of the visiting orders.
    pub seed: u64,
    /// Largest number of iterations; stops earlier if one changes nothing.
    pub iterations: usize,
}

impl Default for LeidenConfig {
    fn default() -> Self {
        Self {
            quality: Quality::default(),
            seed: 0,
            iterations: 10,
        }
    }
}

/// Finds communities by the Leiden algorithm. Weights are used; each community
/// is connected. Deterministic for a given seed.
///
/// # Errors
///
/// Returns an error if the resolution is negative or not finite.
///
/// # Complexity
///
/// About O(E log N) time per iteration in practice, O(N + E) memory.
///
/// ```
/// use bnpool_community::{Links, leiden::{LeidenConfig, leiden}};
/// use bnpool_graph::Csr;
///
/// // Two triangles joined by an edge.
/// let pairs = [(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (3, 5), (4, 5)];
/// let both = pairs.into_iter().flat_map(|(u, v)| [(u, v), (v, u)]);
/// let links = Links::new(&Csr::from_edges(6, both)?)?;
/// let found = leiden(&links, &LeidenConfig::default())?;
/// assert_eq!(found.labels(), [0, 0, 0, 1, 1, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn leiden(links: &Links, config: &LeidenConfig) -> Result<Partition, CommunityError> {
    let (Quality::Modularity { resolution } | Quality::Potts { resolution }) = config.quality;
    if !(resolution >= 0.0 && resolution.is_finite()) {
        return Err(CommunityError::Setting {
            name: "resolution",
            value: resolution,
            bound: "it must be finite and not negative",
        });
    }
    let finest = Level::finest(links, config.quality);
    let penalty = finest.penalty(config.quality);
    let labels = run(&finest, penalty, config);
    // A last move may have disconnected a community; separate components have
    // higher quality.
    let pieces = connected_components(links.view(), |u, v, _| labels[u] == labels[v]);
    Ok(Partition::new(&pieces.of_node))
}

/// Runs iterations, starting from single nodes; a pair of nodes of size 1 in
/// one group costs `penalty`.
pub(crate) fn run(finest: &Level, penalty: f64, config: &LeidenConfig) -> Vec<u32> {
    let mut labels: Vec<u32> = (0..finest.nodes() as u32).collect();
    for iteration in 0..config.iterations.max(1) {
        let stream = Stream::new(config.seed, STREAM, iteration as u64);
        if !iterate(finest, &mut labels, penalty, &stream) {
            break;
        }
    }
    labels
}

/// Finds communities inside each group, by the modularity of the group as a
/// separate graph. `labels` are below the number of nodes.
pub(crate) fn leiden_within(links: &Links, labels: &[u32], resolution: f64, seed: u64) -> Vec<u32> {
    let finest = Level::within(links, labels);
    let config = LeidenConfig {
        seed,
        iterations: 2,
        ..LeidenConfig::default()
    };
    run(&finest, resolution, &config)
}

/// Runs one iteration from the given labels; returns whether any node moved.
fn iterate(finest: &Level, labels: &mut [u32], penalty: f64, stream: &Stream) -> bool {
    let mut depth = 0;
    let mut moved = local_move::run(finest, labels, penalty, &mut stream.draws(depth));
    // Node of the current level for each original node.
    let mut place: Vec<u32> = (0..labels.len() as u32).collect();
    let mut current: Option<Level> = None;
    let mut level_labels = labels.to_vec();
    loop {
        let level = current.as_ref().unwrap_or(finest);
        let groups = level::compact(&mut level_labels);
        if groups == level.nodes() {
            break;
        }
        depth += 1;
        let (parts, count) = refine::run(
            level,
            &level_labels,
            groups,
            penalty,
            &mut stream.draws(depth),
        );
        if count == level.nodes() {
            break;
        }
        let mut coarse_labels = vec![0; count];
        for (part, label) in parts.iter().zip(&level_labels) {
            coarse_labels[*part as usize] = *label;
        }
        let coarse = level.aggregate(&parts, count);
        for p in &mut place {
            *p = parts[*p as usize];
        }
        level_labels = coarse_labels;
        moved |= local_move::run(
            &coarse,
            &mut level_labels,
            penalty,
            &mut stream.draws(depth | 1 << 32),
        );
        current = Some(coarse);
    }
    for (label, p) in labels.iter_mut().zip(&place) {
        *label = level_labels[*p as usize];
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;
    use bnpool_graph::Csr;
    use bnpool_graph::generate::Sbm;
    use bnpool_graph::structure::{modularity, split_disconnected};

    fn ring_of_cliques(cliques: u32, size: u32) -> Csr {
        let mut edges = Vec::new();
        for c in 0..cliques {
            let first = c * size;
            for u in 0..size {
                for v in 0..u {
                    edges.extend([(first + u, first + v), (first + v, first + u)]);
                }
            }
            let next = (c + 1) % cliques * size + 1;
            edges.extend([(first, next), (next, first)]);
        }
        Csr::from_edges((cliques * size) as usize, edges).unwrap()
    }

    #[test]
    fn cliques_are_found_by_both_qualities() {
        let graph = ring_of_cliques(12, 5);
        let links = Links::new(&graph).unwrap();
        for quality in [Quality::default(), Quality::Potts { resolution: 0.5 }] {
            let config = LeidenConfig {
                quality,
                ..LeidenConfig::default()
            };
            let found = leiden(&links, &config).unwrap();
            assert_eq!(found.sizes(), [5; 12], "{quality:?}");
        }
    }

    #[test]
    fn communities_are_connected_and_better_than_the_planted_ones() {
        let graph = Sbm::with_degree(2000, 10, 12.0, 0.7).unwrap();
        let graph = graph.generate(3).unwrap();
        let links = Links::new(graph.adjacency()).unwrap();
        for seed in 0..3 {
            let config = LeidenConfig {
                seed,
                ..LeidenConfig::default()
            };
            let found = leiden(&links, &config).unwrap();
            assert_eq!(found, leiden(&links, &config).unwrap());
            let pieces = split_disconnected(graph.adjacency(), found.labels()).unwrap();
            assert_eq!(Partition::new(&pieces), found);
            let truth = modularity(graph.adjacency(), graph.node_labels().unwrap()).unwrap();
            let own = modularity(graph.adjacency(), found.labels()).unwrap();
            assert!(own >= truth - 0.002, "{own} {truth}");
        }
    }

    #[test]
    fn weights_decide() {
        // A complete graph of six nodes, in which only the weights separate the
        // two halves.
        let mut edges = Vec::new();
        for u in 0..6_u32 {
            for v in (0..6).filter(|&v| v != u) {
                edges.push((u, v, if u / 3 == v / 3 { 4.0 } else { 1.0 }));
            }
        }
        let links = Links::new(&Csr::from_weighted_edges(6, edges).unwrap()).unwrap();
        let found = leiden(&links, &LeidenConfig::default()).unwrap();
        assert_eq!(found.labels(), [0, 0, 0, 1, 1, 1]);
    }

    #[test]
    fn nodes_on_the_fence_do_not_go_back_and_forth() {
        // Non-integer sizes, so that equal gains differ by rounding.
        for seed in 0..10 {
            let graph = Sbm::with_degree(300, 6, 9.0, 0.6).unwrap();
            let graph = graph.generate(seed).unwrap();
            let links = Links::new(graph.adjacency()).unwrap();
            let labels: Vec<u32> = (0..300).map(|u| u / 100).collect();
            for resolution in [0.6, 1.0, 1.5, 2.5] {
                let parts = leiden_within(&links, &labels, resolution, seed);
                for (u, v, _) in graph.adjacency().iter() {
                    let (u, v) = (u as usize, v as usize);
                    assert!(parts[u] != parts[v] || labels[u] == labels[v]);
                }
            }
        }
    }

    #[test]
    fn a_bad_resolution_is_refused() {
        let links = Links::new(&ring_of_cliques(2, 3)).unwrap();
        let config = LeidenConfig {
            quality: Quality::Modularity { resolution: -1.0 },
            ..LeidenConfig::default()
        };
        assert!(leiden(&links, &config).is_err());
    }
}
