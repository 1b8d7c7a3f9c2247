//! A part as input of the network: its rows, and adjacent nodes of other parts.

use bnpool_graph::divide::Part;
use bnpool_math::kernel::{Activation, Addend, SparseRows, spmm};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;

use super::Number;

/// The rows of a part, with local positions instead of nodes: own nodes come
/// first, in their order, followed by the adjacent nodes of other parts.
#[derive(Debug)]
pub(super) struct Local {
    /// The rows, with node numbers.
    pub part: Arc<Part>,
    offsets: Vec<usize>,
    columns: Vec<u32>,
    /// Adjacent nodes of other parts, in ascending order.
    pub halo: Vec<u32>,
}

impl Local {
    pub fn new(part: Arc<Part>) -> Self {
        let range = part.range();
        let (mut offsets, mut columns) = (Vec::with_capacity(part.len() + 1), Vec::new());
        columns.reserve_exact(part.entries());
        offsets.push(0);
        for i in 0..part.len() {
            columns.extend_from_slice(part.row(i));
            offsets.push(columns.len());
        }
        let foreign = |&v: &u32| !range.contains(&(v as usize));
        let mut halo: Vec<u32> = columns.par_iter().copied().filter(foreign).collect();
        halo.par_sort_unstable();
        halo.dedup();
        halo.shrink_to_fit();
        columns.par_iter_mut().with_min_len(4096).for_each(|v| {
            *v = if range.contains(&(*v as usize)) {
                *v - range.start as u32
            } else {
                // Every adjacent node is in the halo by construction.
                (range.len() + halo.partition_point(|other| other < v)) as u32
            }
        });
        Self {
            part,
            offsets,
            columns,
            halo,
        }
    }

    /// Returns the own nodes.
    pub fn range(&self) -> Range<usize> {
        self.part.range()
    }

    /// Returns the number of positions: own nodes and the halo.
    pub fn places(&self) -> usize {
        self.part.len() + self.halo.len()
    }

    /// Returns the rows, with local positions.
    pub fn view(&self) -> SparseRows<'_> {
        SparseRows {
            offsets: &self.offsets,
            columns: &self.columns,
            weights: None,
            columns_count: self.places(),
        }
    }

    /// Computes Â X of the own rows, given g ⊙ X of all positions (see
    /// [`Filter`]).
    pub fn propagate<T: Number>(&self, rows: &[T], width: usize, filter: &Filter<T>) -> Vec<T> {
        let mut sums = spmm(self.view(), rows, width, Addend::None, Activation::None);
        sums.par_chunks_exact_mut(width)
            .zip(rows.par_chunks_exact(width))
            .zip(filter.scale.par_iter().zip(&filter.own))
            .with_min_len(1024)
            .for_each(|((sums, own), (&scale, &weight))| {
                for (sum, &x) in sums.iter_mut().zip(own) {
                    *sum = scale * (*sum + weight * x);
                }
            });
        sums
    }
}

/// Â of graph convolutions on I − δL, as row factors:
/// Â X = g ⊙ (A (g ⊙ X) + o ⊙ (g ⊙ X)).
///
/// With degrees d, row sums r of I − δL and A without weights, Â_uv is
/// δ A_uv / √(d_u d_v r_u r_v) off the diagonal, which is g_u g_v A_uv, and
/// (1 − δ) / r_u is added on it. So messages that are scaled by the sender need no
/// edge weights, and Âᵀ = Â.
#[derive(Debug, Clone, Default)]
pub(super) struct Filter<T> {
    /// g.
    pub scale: Vec<T>,
    /// o.
    pub own: Vec<T>,
}

impl<T: Number> Filter<T> {
    /// Creates the factors of a part, given the degrees of all nodes.
    pub fn new(part: &Part, degrees: &[u32], delta: f64) -> Self {
        let first = part.range().start;
        let factors = |i: usize| -> (T, T) {
            let (row, node) = (part.row(i), (first + i) as u32);
            if delta <= 0.0 {
                // D^−½ (A + I) D^−½, unless a node has a loop already.
                let own = match row.binary_search(&node) {
                    Ok(_) => 0.0,
                    Err(_) => 1.0,
                };
                let degree = row.len() as f64 + own;
                return (T::of(degree.sqrt().recip()), T::of(own));
            }
            if row.is_empty() {
                // An isolated node keeps its features unless δ = 1.
                return (T::ONE, T::of(f64::from(u8::from(delta < 1.0))));
            }
            let inverse_root = |&v: &u32| f64::from(degrees[v as usize]).sqrt().recip();
            let around: f64 = row.iter().map(inverse_root).sum();
            let degree = row.len() as f64;
            let row_sum = 1.0 - delta + delta * around / degree.sqrt();
            let scale = (delta / (degree * row_sum)).sqrt();
            (T::of(scale), T::of((1.0 - delta) / delta * degree))
        };
        let (scale, own) = (0..part.len())
            .into_par_iter()
            .with_min_len(1024)
            .map(factors)
            .unzip();
        Self { scale, own }
    }

    /// Multiplies rows by g.
    pub fn scale(&self, rows: &mut [T], width: usize) {
        rows.par_chunks_exact_mut(width)
            .zip(&self.scale)
            .with_min_len(1024)
            .for_each(|(row, &scale)| row.iter_mut().for_each(|x| *x *= scale));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bnpool_graph::divide::{Held, PartSource};
    use bnpool_graph::{Csr, Graph, transform};

    #[test]
    fn parts_propagate_as_the_whole_with_loops_and_lonely_nodes() {
        // Node 8 has only a loop; node 9 has no edges.
        let mut edges = vec![(0, 0), (8, 8)];
        for (u, v) in [
            (0, 1),
            (0, 2),
            (1, 5),
            (2, 7),
            (3, 4),
            (5, 6),
            (6, 7),
            (3, 7),
        ] {
            edges.extend([(u, v), (v, u)]);
        }
        let adjacency = Csr::from_edges(10, edges).expect("edges");
        let graph = Graph::builder(adjacency).build().expect("a graph");
        let degrees: Vec<u32> = (0..10)
            .map(|u| graph.adjacency().degree(u) as u32)
            .collect();
        let x: Vec<f64> = (0..20).map(|i| f64::from(i).sin()).collect();
        for delta in [0.0, 0.6, 0.85, 1.0] {
            let seen = if delta > 0.0 {
                transform::graph_filter(&graph, delta).expect("a filter")
            } else {
                graph.clone()
            };
            let matrix = transform::normalise_gcn(seen.adjacency()).expect("weights");
            let want = spmm(matrix.view(), &x, 2, Addend::None, Activation::None);
            let source = Held::new(graph.clone(), 9);
            assert!(source.cuts().parts() >= 3);
            let part = |p: usize| Local::new(source.part(p).expect("a part"));
            let filters: Vec<Filter<f64>> = (0..source.cuts().parts())
                .map(|p| Filter::new(&part(p).part, &degrees, delta))
                .collect();
            let scale: Vec<f64> = filters.iter().flat_map(|f| f.scale.clone()).collect();
            let mut got = Vec::new();
            for (p, filter) in filters.iter().enumerate() {
                let local = part(p);
                let halo = local.halo.iter().map(|&v| v as usize);
                let rows: Vec<f64> = local
                    .range()
                    .chain(halo)
                    .flat_map(|u| [x[2 * u] * scale[u], x[2 * u + 1] * scale[u]])
                    .collect();
                got.extend(local.propagate(&rows, 2, filter));
            }
            for (found, expected) in got.iter().zip(&want) {
                assert!(
                    (found - expected).abs() < 1e-6,
                    "{delta}: {got:?} and {want:?}"
                );
            }
        }
    }
}
