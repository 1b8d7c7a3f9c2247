//! Statistics of the communities of a graph in parts, from counts of the parts.

use super::network::Network;
use crate::TaskError;
use bnpool_graph::structure::CommunityStatistics;
use bnpool_math::kernel::Forest;
use std::collections::HashMap;

/// Counts of communities.
pub(super) struct Census {
    pub statistics: Vec<CommunityStatistics>,
    pub modularity: f64,
    /// Entries between different communities, on rank 0.
    pub between: Vec<(u32, u32, f32)>,
}

/// Largest number of communities whose links are counted.
const MOST_LINKED: usize = 50_000;

impl Census {
    /// Counts the nodes, entries and connected components of `groups`
    /// communities.
    pub fn new(network: &Network<f32>, labels: &[u32], groups: usize) -> Result<Self, TaskError> {
        let spread = &network.spread;
        // Nodes, internal entries, loops and outgoing entries.
        let mut counts = vec![0_u64; 4 * groups];
        let mut forest = Forest::new(labels.len());
        let mut joined: Vec<[u32; 2]> = Vec::new();
        let mut links: HashMap<[u32; 2], u64> = HashMap::new();
        spread.visit(|p| {
            let part = network.source.part(p)?;
            for (i, u) in part.range().enumerate() {
                let own = labels[u] as usize;
                let counts = &mut counts[4 * own..4 * own + 4];
                counts[0] += 1;
                for &v in part.row(i) {
                    let v = v as usize;
                    if labels[v] as usize != own {
                        counts[3] += 1;
                        if groups <= MOST_LINKED {
                            *links.entry([labels[u], labels[v]]).or_default() += 1;
                        }
                        continue;
                    }
                    counts[1] += 1;
                    counts[2] += u64::from(u == v);
                    if forest.join(u, v) {
                        joined.push([u as u32, v as u32]);
                    }
                }
            }
            Ok(())
        })?;
        let counts = spread.total(counts);
        let links = links.into_iter().map(|([a, b], n)| [a.into(), b.into(), n]);
        let mut links: Vec<[u64; 3]> = spread.collect(links.collect());
        links.sort_unstable();
        for [u, v] in spread.concatenate(joined) {
            forest.join(u as usize, v as usize);
        }
        let components = forest.into_components();
        let mut pieces = vec![0_usize; groups];
        let mut seen = 0;
        for (u, &component) in components.of_node.iter().enumerate() {
            // Components are numbered by their first node.
            if component as usize == seen {
                pieces[labels[u] as usize] += 1;
                seen += 1;
            }
        }
        let total: f64 = counts.chunks_exact(4).map(|c| (c[1] + c[3]) as f64).sum();
        let mut modularity = 0.0;
        let describe = |(label, (counts, components)): (usize, (&[u64], usize))| {
            let (size, inside, out) = (counts[0] as f64, counts[1] as f64, counts[3] as f64);
            let (places, volume) = (size * (size - 1.0), inside + out);
            let smaller = volume.min(total - volume);
            if total > 0.0 {
                modularity += inside / total - (volume / total).powi(2);
            }
            let ratio = |x: f64, of: f64| if of > 0.0 { x / of } else { 0.0 };
            CommunityStatistics {
                label: label as u32,
                size: counts[0] as usize,
                internal_edges: counts[1] as usize,
                internal_weight: inside,
                internal_density: ratio((counts[1] - counts[2]) as f64, places),
                cut_edges: counts[3] as usize,
                cut_weight: out,
                conductance: ratio(out, smaller),
                components,
            }
        };
        let rows = counts.chunks_exact(4).zip(pieces);
        Ok(Self {
            statistics: rows.enumerate().map(describe).collect(),
            modularity,
            between: links
                .chunk_by(|x, y| x[..2] == y[..2])
                .map(|same| {
                    let entries: u64 = same.iter().map(|link| link[2]).sum();
                    (same[0][0] as u32, same[0][1] as u32, entries as f32)
                })
                .collect(),
        })
    }
}
