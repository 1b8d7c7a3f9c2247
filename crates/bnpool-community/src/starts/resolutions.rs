//! Starts by Leiden.

use crate::leiden::{LeidenConfig, Quality, leiden};
use crate::merge::place_isolated;
use crate::{CommunityError, Links, Partition};

/// Finds communities by modularity at a resolution: connected groups, which are
/// smaller for higher resolutions. Nodes without edges are put into the largest
/// group.
///
/// # Errors
///
/// Returns an error if the resolution is negative or not finite.
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
