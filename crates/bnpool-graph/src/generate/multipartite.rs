//! Complete multipartite graphs, whose edges do not depend on the class.

use std::f64::consts::TAU;

use super::{GenerateError, Kind, at_least, check_memory, graph_bytes, stream};
use crate::csr::Csr;
use crate::graph::Graph;
use crate::matrix::Matrix;
use crate::target::Target;

/// Number of parts of a graph, and of classes.
const PARTS: usize = 10;
/// Distance of each centre from the origin.
const RADIUS: f64 = 200.0;
/// Largest size of a part.
const LARGEST_PART: u64 = 19;

/// The Multipartite set: ten classes of complete ten-partite graphs.
///
/// Ten centres lie on a regular decagon of radius 200; in class c, part j has
/// centre (j − c) mod 10. A part has 1 to 19 nodes, scattered around its centre
/// with unit variance; edges join all pairs of different parts. Features are the
/// coordinates and the number of the part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Multipartite {
    /// Number of graphs in each of the ten classes.
    pub graphs_per_class: usize,
}

impl Default for Multipartite {
    /// 500 graphs per class, as published.
    fn default() -> Self {
        Self {
            graphs_per_class: 500,
        }
    }
}

impl Multipartite {
    /// Number of classes.
    pub const CLASSES: usize = PARTS;

    /// Generates the graphs of a seed, class by class.
    ///
    /// # Errors
    ///
    /// Returns an error if a class would have no graphs, or there is not enough
    /// memory.
    ///
    /// # Complexity
    ///
    /// Time and memory linear in the edges, about 9000 entries per graph.
    pub fn generate(&self, seed: u64) -> Result<Vec<Graph>, GenerateError> {
        let count = self.graphs_per_class;
        at_least("graphs_per_class", count, 1, "there must be at least 1")?;
        let total = PARTS as f64 * count as f64;
        let (nodes, edges) = (100.0 * total, 4500.0 * total);
        check_memory(format!("{total:.0} graphs"), graph_bytes(nodes, edges))?;
        let stream = stream(seed, Kind::Multipartite);
        let mut graphs = Vec::with_capacity(PARTS * count);
        for class in 0..PARTS {
            for _ in 0..count {
                let mut draws = stream.draws(graphs.len() as u64);
                let sizes = [0; PARTS].map(|_| 1 + draws.below(LARGEST_PART) as usize);
                let mut rows = Vec::with_capacity(3 * sizes.iter().sum::<usize>());
                for (part, &size) in sizes.iter().enumerate() {
                    let corner = (part + PARTS - class) % PARTS;
                    let angle = TAU * corner as f64 / PARTS as f64;
                    for _ in 0..size {
                        let x = RADIUS * angle.cos() + draws.normal();
                        let y = RADIUS * angle.sin() + draws.normal();
                        rows.extend([x as f32, y as f32, part as f32]);
                    }
                }
                let graph = Graph::builder(complete_between_parts(&sizes))
                    .features(Matrix::new(rows.len() / 3, 3, rows)?)
                    .target(Target::Class(class as u32))
                    .build()?;
                graphs.push(graph);
            }
        }
        Ok(graphs)
    }
}

/// All edges between nodes of different parts, for consecutive parts.
pub fn complete_between_parts(sizes: &[usize]) -> Csr {
    let nodes: usize = sizes.iter().sum();
    let entries: usize = sizes.iter().map(|size| size * (nodes - size)).sum();
    let mut offsets = Vec::with_capacity(nodes + 1);
    let mut columns = Vec::with_capacity(entries);
    offsets.push(0);
    let mut start = 0;
    for &size in sizes {
        let end = start + size;
        for _ in 0..size {
            columns.extend(0..start as u32);
            columns.extend(end as u32..nodes as u32);
            offsets.push(columns.len());
        }
        start = end;
    }
    Csr::trusted(nodes, offsets, columns, None).assume_symmetric(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_join_different_parts_only() {
        let adjacency = complete_between_parts(&[2, 1, 0, 2]);
        assert_eq!(adjacency.row(0), [2, 3, 4]);
        assert_eq!(adjacency.row(2), [0, 1, 3, 4]);
        assert_eq!(adjacency.row(4), [0, 1, 2]);
        assert!(adjacency.without_weights().is_symmetric());
        assert_eq!(complete_between_parts(&[]).rows(), 0);
    }

    #[test]
    fn parts_sit_where_their_class_puts_them() {
        let set = Multipartite {
            graphs_per_class: 20,
        };
        let graphs = set.generate(4).unwrap();
        assert_eq!(graphs.len(), 200);
        assert_eq!(graphs, set.generate(4).unwrap());
        for (i, graph) in graphs.iter().enumerate() {
            let class = i / 20;
            assert_eq!(graph.target(), Some(&Target::Class(class as u32)));
            let features = graph.features().to_dense();
            let mut sizes = [0; PARTS];
            for u in 0..graph.nodes() {
                let [x, y, part] = *features.row(u) else {
                    unreachable!("three features")
                };
                sizes[part as usize] += 1;
                let angle = TAU * (part as f64 - class as f64) / 10.0;
                let off =
                    (f64::from(x) - 200.0 * angle.cos()).hypot(f64::from(y) - 200.0 * angle.sin());
                assert!(off < 7.0, "{off}");
            }
            assert!(sizes.iter().all(|size| (1..=19).contains(size)));
            let square: usize = sizes.iter().map(|size| size * size).sum();
            assert_eq!(graph.edges(), graph.nodes().pow(2) - square);
        }
        let nodes: usize = graphs.iter().map(Graph::nodes).sum();
        // Ten parts of mean 10: a standard error of about 1.2.
        assert!((nodes as f64 / 200.0 - 100.0).abs() < 6.0);
    }
}
