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
    /// Number of random graphs to compare with if evidence is weak; at most 9 or
    /// 3 on large graphs.
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
    pub(crate) densities: &'static [Density],
    pub(crate) effort: Effort,
    /// Whether to start from eigenvectors.
    pub(crate) spectral: bool,
    /// Whether to use the block model for communities.
    pub(crate) blocks: bool,
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
                densities: all,
                effort,
                spectral: true,
                blocks: true,
                replicas: usize::MAX,
            }
        } else if edges <= LARGE {
            Self {
                resolutions: &[1.0, 4.0],
                densities: all,
                effort: Effort {
                    splits: 2,
                    ..effort
                },
                spectral: true,
                blocks: false,
                replicas: 9,
            }
        } else {
            Self {
                resolutions: &[2.0],
                densities: &all[..2],
                effort: Effort {
                    visits: 4,
                    rounds: 2,
                    splits: 1,
                    ..effort
                },
                spectral: false,
                blocks: false,
                replicas: 3,
            }
        }
    }
}
