//! Selection of nodes and edges for drawings.

use bnpool_graph::Graph;

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
pub(crate) fn edges_among(graph: &Graph, chosen: &[usize]) -> Vec<(u32, u32)> {
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
