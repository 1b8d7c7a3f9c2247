//! Settings, and what they mean for a graph of some size.

use crate::Partition;
use crate::description_length::Density;
use crate::merge::Effort;

/// What is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Structure {
    /// Communities; blocks when there are none.
    #[default]
    Auto,
    /// Communities only.
    Communities,
    /// Blocks: groups that behave alike.
    Blocks,
}

/// How communities are looked for.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchConfig {
    /// What is looked for.
    pub structure: Structure,
    /// Seed of everything random.
    pub seed: u64,
    /// Random graphs to compare with when evidence is weak; on large graphs 9 or
    /// 3 at most.
    pub replicas: usize,
    /// Further divisions to start from, such as groups by features.
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

/// How thoroughly a graph of this size is searched.
#[derive(Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) resolutions: &'static [f64],
    pub(crate) densities: &'static [Density],
    pub(crate) effort: Effort,
    /// Whether eigenvectors are looked at.
    pub(crate) spectral: bool,
    /// Whether the block model is heard about communities.
    pub(crate) blocks: bool,
    /// Most random graphs to compare with.
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
