//! Counts and densities of a data set.

use super::load::Dataset;
use bnpool_graph::{Graph, UNLABELLED};

/// The density of edges inside and between the classes of nodes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClassDensity {
    /// Share of the ordered pairs of nodes of one class that are joined.
    pub intra: f64,
    /// Share of the ordered pairs of nodes of different classes that are joined.
    pub inter: f64,
}

/// Counts of a data set.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// Number of graphs.
    pub graphs: usize,
    /// Nodes of all graphs.
    pub total_nodes: usize,
    /// Directed edges of all graphs.
    pub total_edges: usize,
    /// Mean number of nodes of a graph.
    pub nodes: f64,
    /// Mean number of directed edges of a graph.
    pub edges: f64,
    /// Features of a node.
    pub features: usize,
    /// Features of an edge.
    pub edge_features: usize,
    /// Number of classes of nodes or graphs; 0 where numbers are to be found.
    pub classes: usize,
    /// Number of graphs of each class, or of nodes if there is one graph.
    pub class_sizes: Vec<usize>,
    /// For a graph with classes of nodes: how dense edges are in and between
    /// them, as in the paper's table.
    pub density: Option<ClassDensity>,
    /// Number of nodes of each degree, from 0 on.
    pub degrees: Vec<usize>,
}

impl Dataset {
    /// Counts nodes, edges, classes and degrees.
    ///
    /// # Complexity
    ///
    /// Time linear in nodes and edges.
    ///
    /// ```
    /// use bnpool_io::dataset::{self, LoadOptions};
    ///
    /// let summary = dataset::load("community", &LoadOptions::paper())?.summary();
    /// assert_eq!((summary.nodes, summary.edges), (400.0, 5904.0));
    /// # Ok::<(), bnpool_io::dataset::DatasetError>(())
    /// ```
    #[must_use]
    pub fn summary(&self) -> Summary {
        let graphs = self.graphs.len();
        let total_nodes: usize = self.graphs.iter().map(Graph::nodes).sum();
        let total_edges: usize = self.graphs.iter().map(Graph::edges).sum();
        let mean = |total: usize| total as f64 / graphs.max(1) as f64;
        let first = self.graphs.first();
        let mut degrees: Vec<usize> = Vec::new();
        for graph in &self.graphs {
            for u in 0..graph.nodes() {
                let degree = graph.adjacency().degree(u);
                if degree >= degrees.len() {
                    degrees.resize(degree + 1, 0);
                }
                degrees[degree] += 1;
            }
        }
        let edge_features = first.and_then(Graph::edge_features);
        Summary {
            graphs,
            total_nodes,
            total_edges,
            nodes: mean(total_nodes),
            edges: mean(total_edges),
            features: first.map_or(0, |graph| graph.features().width()),
            edge_features: edge_features.map_or(0, |features| features.columns()),
            classes: self.classes,
            class_sizes: self.class_sizes(),
            density: match self.graphs.as_slice() {
                [only] => class_density(only),
                _ => None,
            },
            degrees,
        }
    }

    fn class_sizes(&self) -> Vec<usize> {
        let mut sizes = vec![0; self.classes];
        let mut count = |class: u32| {
            if let Some(size) = sizes.get_mut(class as usize) {
                *size += 1;
            }
        };
        for graph in &self.graphs {
            match (graph.target(), graph.node_labels()) {
                (Some(bnpool_graph::Target::Class(class)), _) => count(*class),
                (None, Some(labels)) => labels.iter().for_each(|&label| count(label)),
                _ => {}
            }
        }
        sizes
    }
}

/// The density inside and between classes; `None` without labels.
fn class_density(graph: &Graph) -> Option<ClassDensity> {
    let labels = graph.node_labels()?;
    if labels.contains(&UNLABELLED) {
        return None;
    }
    let mut sizes: Vec<usize> = Vec::new();
    for &label in labels {
        let label = label as usize;
        if label >= sizes.len() {
            // Labels are numbers of classes, so there are no more than nodes.
            sizes.resize((label + 1).min(labels.len() + 1), 0);
        }
        *sizes.get_mut(label)? += 1;
    }
    let same = |&(u, v, _): &(u32, u32, f32)| labels[u as usize] == labels[v as usize];
    let inside = graph.adjacency().iter().filter(same).count() as f64;
    let pairs_inside: f64 = sizes.iter().map(|&size| (size as f64).powi(2)).sum();
    let pairs = (labels.len() as f64).powi(2);
    let share = |edges: f64, pairs: f64| if pairs > 0.0 { edges / pairs } else { 0.0 };
    Some(ClassDensity {
        intra: share(inside, pairs_inside),
        inter: share(graph.edges() as f64 - inside, pairs - pairs_inside),
    })
}

#[cfg(test)]
mod tests {
    use crate::dataset::{LoadOptions, load};

    #[test]
    fn community_is_as_dense_as_the_paper_says() {
        let summary = load("community", &LoadOptions::paper()).unwrap().summary();
        let density = summary.density.unwrap();
        assert!((density.intra - 0.1737).abs() < 5e-5);
        assert!((density.inter - 0.0025).abs() < 5e-5);
        assert_eq!(summary.class_sizes.iter().sum::<usize>(), 400);
        assert_eq!(summary.degrees.iter().sum::<usize>(), 400);
        let ends = summary.degrees.iter().enumerate().map(|(d, n)| d * n);
        assert_eq!(ends.sum::<usize>(), 5904);
    }
}
