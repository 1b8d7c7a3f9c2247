//! Starts by Leiden.

use crate::leiden::{LeidenConfig, Quality, leiden};
use crate::merge::place_isolated;
use crate::{CommunityError, Links, Partition};

/// Communities by modularity at a resolution: connected groups, the smaller the
/// higher the resolution. Nodes without edges are in the largest group.
///
/// # Errors
///
/// When the resolution is negative or not finite.
///
/// # Complexity
///
/// As [`leiden`].
pub fn by_resolution(
    links: &Links,
    resolution: f64,
    iterations: usize,
    seed: u64,
) -> Result<Partition, CommunityError> {
    let config = LeidenConfig {
        quality: Quality::Modularity { resolution },
        seed,
        iterations,
    };
    let mut labels = leiden(links, &config)?.labels().to_vec();
    place_isolated(links, &mut labels);
    Ok(Partition::new(&labels))
}
