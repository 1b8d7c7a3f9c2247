//! Refinement: connected parts inside communities.

use super::level::{self, Level};
use bnpool_math::stream::Draws;

/// Divides each community into connected parts. Initially each node is its own
/// part. In random order, a node that is still alone joins the best part of its
/// community if both are well connected to the rest of the community. Returns
/// the part of each node, and the number of parts.
pub(super) fn run(
    level: &Level,
    labels: &[u32],
    groups: usize,
    penalty: f64,
    draws: &mut Draws,
) -> (Vec<u32>, usize) {
    let nodes = level.nodes();
    let mut volumes = vec![0.0; groups];
    for (u, &label) in labels.iter().enumerate() {
        volumes[label as usize] += level.sizes[u];
    }
    let mut parts: Vec<u32> = (0..nodes as u32).collect();
    let mut alone = vec![true; nodes];
    let mut part_sizes = level.sizes.clone();
    // Weight from each part to the rest of its community.
    let mut outward: Vec<f64> = (0..nodes)
        .map(|u| {
            let same = level.entries(u).filter(|(v, _)| labels[*v] == labels[u]);
            same.map(|(_, w)| w).sum()
        })
        .collect();
    let mut order: Vec<u32> = (0..nodes as u32).collect();
    draws.shuffle(&mut order);
    let mut weights = vec![0.0; nodes];
    let mut around: Vec<u32> = Vec::new();
    for u in order {
        let u = u as usize;
        let (own, volume, size) = (parts[u], volumes[labels[u] as usize], level.sizes[u]);
        if !alone[u] || outward[u] < penalty * size * (volume - size) {
            continue;
        }
        for (v, w) in level.entries(u).filter(|(v, _)| labels[*v] == labels[u]) {
            let part = parts[v];
            if weights[part as usize] == 0.0 {
                around.push(part);
            }
            weights[part as usize] += w;
        }
        let (mut best, mut best_gain) = (own, 0.0);
        for &part in &around {
            let inside = part_sizes[part as usize];
            let connected = outward[part as usize] >= penalty * inside * (volume - inside);
            let gain = weights[part as usize] - penalty * size * inside;
            if connected && gain > best_gain {
                (best, best_gain) = (part, gain);
            }
        }
        if best != own {
            // Both directions of the newly internal edges leave the boundary.
            outward[best as usize] += outward[u] - 2.0 * weights[best as usize];
            part_sizes[best as usize] += size;
            part_sizes[own as usize] = 0.0;
            alone[best as usize] = false;
            alone[u] = false;
            parts[u] = best;
        }
        for part in around.drain(..) {
            weights[part as usize] = 0.0;
        }
    }
    let count = level::compact(&mut parts);
    (parts, count)
}
