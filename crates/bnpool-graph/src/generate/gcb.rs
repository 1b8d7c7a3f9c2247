//! The hard graph-classification benchmark: three point clouds at three
//! positions.

use std::f64::consts::PI;

use bnpool_math::stream::Draws;

use super::{GenerateError, Kind, at_least, check_memory, graph_bytes, neighbours, stream};
use crate::csr::Csr;
use crate::graph::Graph;
use crate::matrix::Matrix;
use crate::target::Target;

const CLASSES: usize = 3;
const COLOURS: usize = 5;
const NEIGHBOURS: usize = 3;
/// Centres of moons, Gaussian and blob in each class.
const CENTRES: [[[f64; 2]; 3]; CLASSES] = [
    [[4.0, 0.0], [0.0, 0.0], [2.0, -2.0]],
    [[2.0, -2.0], [4.0, 0.0], [0.0, 0.0]],
    [[0.0, 0.0], [2.0, -2.0], [4.0, 0.0]],
];
const MOON_NOISE: f64 = 0.1;
const GAUSSIAN_VARIANCE: f64 = 0.2;
const BLOB_DEVIATION: f64 = 0.4;

/// The GCB-H set: three classes of nearest-neighbour graphs of coloured clouds.
///
/// Each graph has three clouds of equal size in the plane: two moons (outer
/// colour 0, inner colour 1), a Gaussian split at its median radius (inner colour
/// 2, outer colour 3) and a blob (colour 4). The class determines the position of
/// each cloud. Each coordinate is divided by its largest value, each point is
/// joined to its three nearest neighbours, and features are the one-hot colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GcbHard {
    /// Number of graphs in each of the three classes.
    pub graphs_per_class: usize,
    /// Smallest number of nodes of a graph, before rounding down to a multiple
    /// of three.
    pub least_nodes: usize,
    /// Largest number of nodes of a graph.
    pub most_nodes: usize,
}

impl Default for GcbHard {
    /// 600 graphs per class with 100 to 199 nodes, as published.
    fn default() -> Self {
        Self {
            graphs_per_class: 600,
            least_nodes: 100,
            most_nodes: 199,
        }
    }
}

impl GcbHard {
    /// Number of classes.
    pub const CLASSES: usize = CLASSES;

    /// Generates the graphs of a seed, class by class.
    ///
    /// # Errors
    ///
    /// Returns an error if a class would have no graphs, or a cloud no points.
    ///
    /// # Complexity
    ///
    /// Time quadratic in the nodes of a graph.
    pub fn generate(&self, seed: u64) -> Result<Vec<Graph>, GenerateError> {
        let (count, least, most) = (self.graphs_per_class, self.least_nodes, self.most_nodes);
        at_least("graphs_per_class", count, 1, "there must be at least 1")?;
        at_least(
            "least_nodes",
            least,
            3,
            "each of the three clouds needs a point",
        )?;
        at_least("most_nodes", most, least, "it must not be below the least")?;
        let total = CLASSES as f64 * count as f64;
        check_memory(
            format!("{total:.0} graphs of up to {most} nodes"),
            graph_bytes(total * most as f64, total * NEIGHBOURS as f64 * most as f64),
        )?;
        let stream = stream(seed, Kind::GcbHard);
        let mut graphs = Vec::with_capacity(CLASSES * count);
        for (class, centres) in CENTRES.iter().enumerate() {
            for _ in 0..count {
                let mut draws = stream.draws(graphs.len() as u64);
                let nodes = least as u64 + draws.below((most - least) as u64 + 1);
                let mut cloud = Cloud::default();
                cloud.add_moons(&mut draws, nodes as usize / 3, centres[0]);
                cloud.add_gaussian(&mut draws, nodes as usize / 3, centres[1]);
                cloud.add_blob(&mut draws, nodes as usize / 3, centres[2]);
                graphs.push(cloud.build(class as u32)?);
            }
        }
        Ok(graphs)
    }
}

#[derive(Default)]
struct Cloud {
    points: Vec<[f64; 2]>,
    colours: Vec<usize>,
}

impl Cloud {
    fn push(&mut self, centre: [f64; 2], offset: [f64; 2], colour: usize) {
        self.points
            .push([centre[0] + offset[0], centre[1] + offset[1]]);
        self.colours.push(colour);
    }

    fn add_moons(&mut self, draws: &mut Draws, size: usize, centre: [f64; 2]) {
        let outer = size / 2;
        for (colour, count) in [(0, outer), (1, size - outer)] {
            for i in 0..count {
                // Evenly along the half circle, both ends included.
                let angle = PI * i as f64 / (count.max(2) - 1) as f64;
                let [x, y] = match colour {
                    0 => [angle.cos(), angle.sin()],
                    _ => [1.0 - angle.cos(), 0.5 - angle.sin()],
                };
                let noise = [draws.normal(), draws.normal()].map(|z| MOON_NOISE * z);
                self.push(centre, [x + noise[0], y + noise[1]], colour);
            }
        }
    }

    fn add_gaussian(&mut self, draws: &mut Draws, size: usize, centre: [f64; 2]) {
        let deviation = GAUSSIAN_VARIANCE.sqrt();
        let mut offsets: Vec<[f64; 2]> = (0..size)
            .map(|_| [draws.normal(), draws.normal()].map(|z| deviation * z))
            .collect();
        let radius = |offset: &[f64; 2]| offset[0].hypot(offset[1]);
        offsets.sort_by(|a, b| radius(a).total_cmp(&radius(b)));
        for (rank, offset) in offsets.into_iter().enumerate() {
            self.push(centre, offset, if rank < size / 2 { 2 } else { 3 });
        }
    }

    fn add_blob(&mut self, draws: &mut Draws, size: usize, centre: [f64; 2]) {
        for _ in 0..size {
            let offset = [draws.normal(), draws.normal()].map(|z| BLOB_DEVIATION * z);
            self.push(centre, offset, 4);
        }
    }

    fn build(mut self, class: u32) -> Result<Graph, GenerateError> {
        for axis in 0..2 {
            let values = self.points.iter().map(|point| point[axis]);
            let largest = values.fold(f64::NEG_INFINITY, f64::max);
            self.points
                .iter_mut()
                .for_each(|point| point[axis] /= largest);
        }
        let nodes = self.points.len();
        let pairs = neighbours::nearest(&self.points, NEIGHBOURS);
        let both_ways = pairs.into_iter().flat_map(|(u, v)| {
            let (u, v) = (u as u32, v as u32);
            [(u, v), (v, u)]
        });
        let mut features = vec![0.0; nodes * COLOURS];
        for (u, colour) in self.colours.iter().enumerate() {
            features[u * COLOURS + colour] = 1.0;
        }
        let graph = Graph::builder(Csr::from_edges(nodes, both_ways)?.assume_symmetric(true))
            .features(Matrix::new(nodes, COLOURS, features)?)
            .target(Target::Class(class))
            .build()?;
        Ok(graph)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn graphs_have_the_described_make() {
        let set = GcbHard {
            graphs_per_class: 40,
            ..GcbHard::default()
        };
        let graphs = set.generate(2).unwrap();
        assert_eq!(graphs, set.generate(2).unwrap());
        assert_eq!(graphs.len(), 120);
        for (i, graph) in graphs.iter().enumerate() {
            let nodes = graph.nodes();
            assert!((99..=198).contains(&nodes) && nodes.is_multiple_of(3));
            assert_eq!(graph.target(), Some(&Target::Class(i as u32 / 40)));
            let features = graph.features().to_dense();
            let mut counts = [0; COLOURS];
            for u in 0..nodes {
                let row = features.row(u);
                let colour = row.iter().position(|&value| value == 1.0).unwrap();
                assert_eq!(row.iter().sum::<f32>(), 1.0);
                counts[colour] += 1;
                assert!(graph.adjacency().degree(u) >= NEIGHBOURS);
                assert!(graph.adjacency().find(u, u).is_none());
            }
            let (share, half) = (nodes / 3, nodes / 6);
            assert_eq!(counts, [half, share - half, half, share - half, share]);
            assert!(graph.adjacency().without_weights().is_symmetric());
        }
        // The published set has 148.3 nodes and 572.3 directed edges per graph.
        let edges: usize = graphs.iter().map(Graph::edges).sum();
        let nodes: usize = graphs.iter().map(Graph::nodes).sum();
        let degree = edges as f64 / nodes as f64;
        assert!((degree - 572.32 / 148.32).abs() < 0.05, "{degree}");
    }

    #[test]
    fn small_or_contrary_sizes() {
        let tiny = GcbHard {
            graphs_per_class: 1,
            least_nodes: 3,
            most_nodes: 3,
        };
        assert_eq!(tiny.generate(0).unwrap()[2].nodes(), 3);
        let contrary = GcbHard {
            least_nodes: 9,
            most_nodes: 8,
            ..tiny
        };
        assert!(contrary.generate(0).is_err());
    }
}
