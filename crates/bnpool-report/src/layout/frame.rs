//! A graph laid out on a drawing.

use std::collections::BTreeMap;

use bnpool_graph::Graph;

use super::{Point, extent, fit, force_directed, stress, turn};

/// Seed of the layout; fixed, so that a graph looks the same in all reports.
pub(crate) const SEED: u64 = 0;

/// Size of a drawing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sheet {
    pub(crate) width: f64,
    /// Smallest and largest height, which depends on the shape of the graph.
    pub(crate) height: [f64; 2],
    pub(crate) margin: f64,
}

impl Sheet {
    /// Width and height for places.
    pub(crate) fn size(&self, places: &[Point]) -> [f64; 2] {
        let [wide, tall] = extent(places);
        let height = (self.width - 2.0 * self.margin) * tall / wide + 2.0 * self.margin;
        let [least, most] = self.height;
        let height = if height.is_finite() {
            height.clamp(least, most).round()
        } else {
            least
        };
        [self.width, height]
    }
}

/// Bounds on the parts of a graph that are drawn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    /// Nodes; more would become a grey cloud.
    pub(crate) nodes: usize,
    /// Edges.
    pub(crate) edges: usize,
    /// Edges in the layout; more would make no visible difference.
    pub(crate) pulling: usize,
    /// Nodes of a graph that is laid out by stress instead of forces.
    pub(crate) stressed: usize,
}

/// Nodes and edges with their positions.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    /// Drawn nodes, in ascending order.
    pub(crate) chosen: Vec<usize>,
    /// Positions of the drawn nodes.
    pub(crate) places: Vec<Point>,
    /// Drawn edges, as indices into `chosen`.
    pub(crate) edges: Vec<(u32, u32)>,
    /// Number of edges between the chosen nodes.
    pub(crate) all_edges: usize,
    /// Width and height of the drawings.
    pub(crate) size: [f64; 2],
}

impl Frame {
    /// Lays out a graph, unless its coordinates are known. The force-directed layout keeps
    /// `groups` together.
    pub(crate) fn new(
        graph: &Graph,
        groups: Option<&[usize]>,
        coordinates: Option<&[[f32; 2]]>,
        bounds: &Bounds,
        sheet: &Sheet,
    ) -> Self {
        let nodes = graph.nodes();
        let groups = groups.map_or_else(|| vec![0; nodes], <[usize]>::to_vec);
        let adjacency = graph.adjacency();
        let degrees: Vec<usize> = (0..nodes).map(|u| adjacency.degree(u)).collect();
        let chosen = sample(&groups, &degrees, bounds.nodes);
        let edges = edges_among(graph, &chosen);
        let places = if let Some(known) = coordinates {
            // Screen coordinates point downwards.
            let place = |&u: &usize| [f64::from(known[u][0]), -f64::from(known[u][1])];
            chosen.iter().map(place).collect()
        } else if chosen.len() <= bounds.stressed {
            turn(&stress(chosen.len(), &edges, SEED))
        } else {
            let groups: Vec<usize> = chosen.iter().map(|&u| groups[u]).collect();
            turn(&force_directed(
                &thinned(&edges, bounds.pulling),
                &groups,
                SEED,
            ))
        };
        let size = sheet.size(&places);
        Self {
            places: fit(&places, size, sheet.margin),
            all_edges: edges.len(),
            edges: thinned(&edges, bounds.edges),
            chosen,
            size,
        }
    }
}

/// Name of a node: its id, or its number.
pub(crate) fn node_name(graph: &Graph, node: usize) -> String {
    match graph.node_ids() {
        Some(ids) => crate::escape::name(&ids[node]),
        None => format!("node {node}"),
    }
}

/// Keeps every k-th item, such that at most `most` remain.
pub(crate) fn thinned<T: Clone>(items: &[T], most: usize) -> Vec<T> {
    if items.len() <= most {
        return items.to_vec();
    }
    (0..most)
        .map(|i| items[i * items.len() / most].clone())
        .collect()
}

/// Edges between the chosen nodes, as indices into `chosen`, each pair once.
fn edges_among(graph: &Graph, chosen: &[usize]) -> Vec<(u32, u32)> {
    let adjacency = graph.adjacency();
    let mut place = vec![u32::MAX; graph.nodes()];
    for (i, &node) in chosen.iter().enumerate() {
        place[node] = i as u32;
    }
    let mut edges = Vec::new();
    for (i, &u) in chosen.iter().enumerate() {
        for &v in adjacency.row(u) {
            let v = v as usize;
            // A pair in both directions is one edge; self-loops are not
            // visible.
            let first = u < v || (u > v && adjacency.find(v, u).is_none());
            if first && place[v] != u32::MAX {
                edges.push((i as u32, place[v]));
            }
        }
    }
    edges
}

/// Selects about `most` nodes at most, in ascending order. Each group keeps its
/// share (and at least one node); within a group, nodes are selected evenly by
/// degree, hubs first.
#[must_use]
pub fn sample(groups: &[usize], degrees: &[usize], most: usize) -> Vec<usize> {
    let nodes = groups.len().min(degrees.len());
    if nodes <= most {
        return (0..nodes).collect();
    }
    let mut members = BTreeMap::<usize, Vec<usize>>::new();
    for (node, &group) in groups.iter().enumerate().take(nodes) {
        members.entry(group).or_default().push(node);
    }
    let mut chosen = Vec::with_capacity(most + members.len());
    for group in members.values_mut() {
        group.sort_by_key(|&node| (std::cmp::Reverse(degrees[node]), node));
        let share = (group.len() * most / nodes).max(1);
        chosen.extend((0..share).map(|i| group[i * group.len() / share]));
    }
    chosen.sort_unstable();
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_keep_their_share() {
        let groups: Vec<usize> = (0..1000).map(|i| usize::from(i >= 900)).collect();
        let degrees: Vec<usize> = (0..1000).collect();
        let chosen = sample(&groups, &degrees, 100);
        assert_eq!(chosen.len(), 100);
        assert_eq!(chosen.iter().filter(|&&u| u >= 900).count(), 10);
        assert!(
            chosen.contains(&999) && chosen.contains(&899),
            "hubs come first"
        );
        assert!(chosen.windows(2).all(|w| w[0] < w[1]));
    }

    #[test]
    fn tiny_groups_are_not_lost_and_small_graphs_stay_whole() {
        let mut groups = vec![0; 1000];
        groups[500] = 1;
        assert!(sample(&groups, &[1; 1000], 10).contains(&500));
        assert_eq!(sample(&[0, 1], &[1, 1], 10), [0, 1]);
    }
}
