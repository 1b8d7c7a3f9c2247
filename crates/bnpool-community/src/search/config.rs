//! Settings, and the search plan for a graph of a given size.

use crate::Partition;
use crate::description_length::Density;
use crate::merge::Effort;

/// Kind of structure to search for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Structure {
    /// Communities, or blocks if there are none.
    #[default]
    Auto,
    /// Communities only.
    Communities,
    /// Blocks: groups with similar connections.
    Blocks,
}

/// Parameters of the search.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchConfig {
    /// Kind of structure to search for.
    pub structure: Structure,
    /// Seed of all random streams.
    pub seed: u64,
    /// Number of random graphs to compare with if evidence is weak, or for blocks; at most
    /// 9 on graphs of more than 60 000 edges, and none beyond 400 000.
    pub replicas: usize,
    /// Additional partitions to start from, such as groups by features.
    pub given: Vec<Partition>,
}

impl Default for SearchConfig {
    fn default() -> Self {
        Self {
            structure: Structure::Auto,
            seed: 0,
            replicas: 19,
            given: Vec::new(),
        }
    }
}

/// Graphs above these numbers of edges are searched less thoroughly.
const MEDIUM: usize = 60_000;
const LARGE: usize = 400_000;

/// Thoroughness of the search for a graph of this size.
#[derive(Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) resolutions: &'static [f64],
    /// Iterations of Leiden per start.
    pub(crate) iterations: usize,
    pub(crate) densities: &'static [Density],
    pub(crate) effort: Effort,
    /// Whether the result of one model is a start for the others, and a result without
    /// evidence is worked on.
    pub(crate) thorough: bool,
    /// Whether to start from eigenvectors.
    pub(crate) spectral: bool,
    /// Whether to use the block model for communities.
    pub(crate) blocks: bool,
    /// Whether to search for blocks if there are no communities.
    pub(crate) only_blocks: bool,
    /// Largest number of random graphs to compare with.
    pub(crate) replicas: usize,
}

impl Plan {
    pub(crate) fn new(edges: usize) -> Self {
        let all = &[Density::RelativeOwn, Density::Relative, Density::Own];
        let effort = Effort {
            fewest: 2,
            ..Effort::default()
        };
        if edges <= MEDIUM {
            Self {
                resolutions: &[1.0, 2.0, 8.0],
                iterations: 2,
                thorough: true,
                densities: all,
                effort,
                spectral: true,
                blocks: true,
                only_blocks: true,
                replicas: usize::MAX,
            }
        } else if edges <= LARGE {
            Self {
                resolutions: &[1.0, 4.0],
                iterations: 2,
                thorough: true,
                densities: all,
                effort: Effort {
                    splits: 2,
                    ..effort
                },
                spectral: true,
                blocks: false,
                only_blocks: true,
                replicas: 9,
            }
        } else {
            Self {
                resolutions: &[2.0],
                iterations: 1,
                thorough: false,
                densities: &all[..2],
                effort: Effort {
                    visits: 4,
                    rounds: 2,
                    splits: 1,
                    ..effort
                },
                spectral: false,
                blocks: false,
                only_blocks: false,
                replicas: 0,
            }
        }
    }
}
