//! Random graphs whose class is the number of green nodes.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use bnpool_math::stream::Draws;

use super::{GenerateError, Kind, check_memory, graph_bytes, stream};
use crate::csr::Csr;
use crate::graph::Graph;
use crate::matrix::Matrix;
use crate::split::Split;
use crate::target::Target;

/// Columns of the node attributes: "is green", then four colour channels.
const COLUMNS: usize = 5;
const RED: [f32; COLUMNS] = [0.0, 1.0, 0.0, 0.0, 0.0];
const GREEN: [f32; COLUMNS] = [1.0, 0.0, 1.0, 0.0, 0.0];
const BLUE: [f32; COLUMNS] = [0.0, 0.0, 0.0, 1.0, 0.0];
/// Largest number of green nodes of a graph.
const MOST_GREEN: usize = 10;

/// The COLORS-3 set: the task is to count the green nodes, of which there are 0
/// to 10.
///
/// Small graphs have 4 to 25 nodes, large ones 26 to 200; the last test part has
/// large graphs whose other nodes have random bits in all three non-green
/// channels. Edges are uniform among all graphs with m = ⌊(1+U)·n⌋ edges. Graphs
/// are distinct. Node attributes are as published: the first column is "is
/// green" (an attention target), the other four are the colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Colors3 {
    /// Number of training graphs.
    pub train: usize,
    /// Number of validation graphs.
    pub validation: usize,
    /// Number of graphs in each of the three test parts.
    pub test: usize,
}

impl Default for Colors3 {
    /// 500 graphs for training, 2500 for validation and three times 2500 for
    /// testing.
    fn default() -> Self {
        Self {
            train: 500,
            validation: 2500,
            test: 2500,
        }
    }
}

impl Colors3 {
    /// Number of classes.
    pub const CLASSES: usize = MOST_GREEN + 1;

    /// Generates the graphs of a seed in the published order: training,
    /// validation, test, large test, large test with more colours.
    ///
    /// # Errors
    ///
    /// Returns an error if there is not enough memory for the graphs.
    ///
    /// # Complexity
    ///
    /// Time and memory linear in nodes and edges.
    pub fn generate(&self, seed: u64) -> Result<Vec<Graph>, GenerateError> {
        let [small, large] = [
            self.train as f64 + self.validation as f64 + self.test as f64,
            2.0 * self.test as f64,
        ];
        let nodes = 25.0 * small + 200.0 * large;
        check_memory(
            format!("{:.0} graphs", small + large),
            graph_bytes(nodes, 2.0 * nodes),
        )?;
        let stream = stream(seed, Kind::Colors3);
        let parts = [
            (self.train, 4..=25, false),
            (self.validation, 4..=25, false),
            (self.test, 4..=25, false),
            (self.test, 26..=200, false),
            (self.test, 26..=200, true),
        ];
        let mut graphs = Vec::new();
        let mut known = HashSet::new();
        for (count, sizes, many_colours) in parts {
            for _ in 0..count {
                let mut draws = stream.draws(graphs.len() as u64);
                let sketch = loop {
                    let sketch = Sketch::draw(&mut draws, sizes.clone(), many_colours);
                    if known.insert(sketch.clone()) {
                        break sketch;
                    }
                };
                graphs.push(sketch.build()?);
            }
        }
        Ok(graphs)
    }

    /// The published split of the graphs, with the three test parts combined.
    #[must_use]
    pub fn split(&self) -> Split {
        let train = self.train;
        let validation = train + self.validation;
        Split {
            train: (0..train).collect(),
            validation: (train..validation).collect(),
            test: (validation..validation + 3 * self.test).collect(),
        }
    }
}

/// A compact form of a graph, kept to detect duplicates.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Sketch {
    /// Three bits per node for the other channels, or `None` for green.
    colours: Vec<Option<u8>>,
    /// Each undirected edge once, sorted.
    edges: Vec<(u8, u8)>,
}

impl Sketch {
    fn draw(draws: &mut Draws, sizes: RangeInclusive<u64>, many_colours: bool) -> Self {
        let nodes = sizes.start() + draws.below(sizes.end() - sizes.start() + 1);
        let green = draws.below(nodes.min(MOST_GREEN as u64) + 1);
        let mut colours: Vec<Option<u8>> = (0..nodes)
            .map(|node| {
                let other = if many_colours {
                    draws.below(8)
                } else {
                    // One bit: red or blue.
                    1 + draws.below(2)
                };
                (node >= green).then_some(other as u8)
            })
            .collect();
        draws.shuffle(&mut colours);

        let all = nodes * (nodes - 1) / 2;
        let wanted = ((1.0 + draws.uniform()) * nodes as f64) as u64;
        let mut chosen = HashSet::new();
        while (chosen.len() as u64) < wanted.min(all) {
            let (a, b) = (draws.below(nodes) as u8, draws.below(nodes) as u8);
            if a != b {
                chosen.insert((a.min(b), a.max(b)));
            }
        }
        let mut edges: Vec<_> = chosen.into_iter().collect();
        edges.sort_unstable();
        Self { colours, edges }
    }

    fn build(&self) -> Result<Graph, GenerateError> {
        let attributes = |colour: &Option<u8>| match colour {
            None => GREEN,
            Some(bits) => {
                // Red, blue and the fourth channel.
                let bit = |place: u8| f32::from(bits >> place & 1);
                let mut row = [0.0; COLUMNS];
                for (place, channel) in [RED, BLUE, [0.0, 0.0, 0.0, 0.0, 1.0]].iter().enumerate() {
                    for (value, part) in row.iter_mut().zip(channel) {
                        *value += bit(place as u8) * part;
                    }
                }
                row
            }
        };
        let nodes = self.colours.len();
        let green = self.colours.iter().filter(|c| c.is_none()).count();
        let both_ways = self.edges.iter().flat_map(|&(u, v)| {
            let (u, v) = (u32::from(u), u32::from(v));
            [(u, v), (v, u)]
        });
        let graph = Graph::builder(Csr::from_edges(nodes, both_ways)?.assume_symmetric(true))
            .features(Matrix::from_rows(self.colours.iter().map(attributes))?)
            .target(Target::Class(green as u32))
            .build()?;
        Ok(graph)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: Colors3 = Colors3 {
        train: 200,
        validation: 100,
        test: 300,
    };

    #[test]
    fn the_class_is_the_number_of_green_nodes() {
        let graphs = SMALL.generate(11).unwrap();
        assert_eq!(graphs.len(), 1200);
        let mut classes = [0; Colors3::CLASSES];
        for (i, graph) in graphs.iter().enumerate() {
            let features = graph.features().to_dense();
            let rows = || (0..graph.nodes()).map(|u| features.row(u));
            let green = rows().filter(|row| row[0] == 1.0).count();
            assert!(rows().all(|row| (row[0] == 1.0) == (row[2] == 1.0)));
            assert!(rows().filter(|row| row[0] == 1.0).all(|row| row == GREEN));
            if i < 900 {
                assert!(rows().all(|row| row == RED || row == GREEN || row == BLUE));
            }
            assert_eq!(graph.target(), Some(&Target::Class(green as u32)));
            classes[green] += 1;
            let sizes = if i < 600 { 4..=25 } else { 26..=200 };
            assert!(sizes.contains(&graph.nodes()));
            let (nodes, edges) = (graph.nodes(), graph.edges() / 2);
            let all = nodes * (nodes - 1) / 2;
            assert!((nodes.min(all)..=(2 * nodes).min(all)).contains(&edges));
            assert!(graph.adjacency().without_weights().is_symmetric());
            assert!((0..nodes).all(|u| graph.adjacency().find(u, u).is_none()));
        }
        // Uniform if the size allows it: about 109 graphs per class, fewer for
        // many green nodes.
        assert!(
            classes.iter().all(|count| (60..170).contains(count)),
            "{classes:?}"
        );
    }

    #[test]
    fn the_split_is_the_published_one() {
        let split = Colors3::default().split();
        assert_eq!(
            (split.train.len(), split.validation.len(), split.test.len()),
            (500, 2500, 7500)
        );
        split.check(10_500).unwrap();
        assert_eq!(SMALL.split().len(), 1200);
    }

    #[test]
    fn the_seed_decides() {
        let few = Colors3 {
            train: 3,
            validation: 0,
            test: 1,
        };
        assert_eq!(few.generate(1), few.generate(1));
        assert_ne!(few.generate(1), few.generate(2));
    }
}
