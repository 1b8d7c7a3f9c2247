//! Large lists of edges joined into an adjacency, made symmetric on the way.
//!
//! The result is that of [`Csr::from_edges`] (or `from_weighted_edges`) followed
//! by [`undirect`](crate::transform::undirect). On a list of millions of edges
//! most of the time goes into waiting for memory, so every edge (and its mirror
//! image) is first thrown into one of a few hundred buckets of neighbouring
//! rows, and the rows of one bucket are then sorted and merged in the cache.

use crate::csr::Csr;
use crate::error::GraphError;

/// An adjacency, and what became of the list.
#[derive(Debug)]
pub(crate) struct Joined {
    pub(crate) adjacency: Csr,
    /// Edges of the list that another one repeated.
    pub(crate) duplicates: usize,
    /// Edges back that the list did not have.
    pub(crate) added: usize,
}

/// Joins edges between `nodes` nodes. The weights of repeated edges are added
/// up; with `both_ways` every edge gets its edge back, and the larger weight
/// where both are listed.
///
/// # Complexity
///
/// Time linear in nodes and edges but for the sorting of each row; extra memory
/// two indices an entry.
pub(crate) fn join(
    nodes: usize,
    edges: Vec<(u32, u32)>,
    weights: Option<Vec<f32>>,
    both_ways: bool,
) -> Result<Joined, GraphError> {
    // Half the range, because a key is a column and a direction.
    GraphError::check_limit("nodes", nodes.saturating_mul(2))?;
    match weights {
        None => {
            let buckets = Buckets::fill(nodes, &edges, |_| (), both_ways)?;
            drop(edges);
            buckets.merge(both_ways, |_| Ok(()))
        }
        Some(weights) => {
            let bits = |edge: usize| weights[edge].to_bits();
            let buckets = Buckets::fill(nodes, &edges, bits, both_ways)?;
            drop((edges, weights));
            buckets.merge(both_ways, sum)
        }
    }
}

/// A column, doubled, and one more for an edge that is a mirror image: sorting
/// puts an edge right before its mirror image.
type Key = u32;

/// What an edge carries: nothing, or the bits of its weight, which sort alike
/// however the list was ordered, so that sums do not depend on it.
trait Load: Copy + Ord + Default {
    /// What the entries of the result carry.
    type Merged: Copy;
    fn weights(merged: Vec<Self::Merged>) -> Option<Vec<f32>>;
    fn larger(a: Self::Merged, b: Self::Merged) -> Self::Merged;
}

impl Load for () {
    type Merged = ();

    fn weights(_: Vec<()>) -> Option<Vec<f32>> {
        None
    }

    fn larger((): (), (): ()) {}
}

impl Load for u32 {
    type Merged = f32;

    fn weights(merged: Vec<f32>) -> Option<Vec<f32>> {
        Some(merged)
    }

    fn larger(a: f32, b: f32) -> f32 {
        a.max(b)
    }
}

/// The sum of weights as 32-bit float; the error is the sum that is none.
fn sum(weights: &[(Key, u32)]) -> Result<f32, f64> {
    let weights = weights
        .iter()
        .map(|&(_, bits)| f64::from(f32::from_bits(bits)));
    let sum: f64 = weights.sum();
    // Checked after rounding: two finite weights may add up to infinity.
    let rounded = sum as f32;
    if rounded.is_finite() {
        Ok(rounded)
    } else {
        Err(sum)
    }
}

/// Fewest rows a bucket: some thousand rows of a few entries fit the cache.
const FEWEST_ROWS: usize = 1 << 12;

/// Most buckets: each is written to at its own place, and a processor keeps
/// track of only so many.
const MOST_BUCKETS: usize = 1 << 9;

/// The edges of every bucket of rows, in no order.
struct Buckets<L> {
    nodes: usize,
    rows_a_bucket: usize,
    ends: Vec<usize>,
    entries: Vec<(u32, Key, L)>,
}

impl<L: Load> Buckets<L> {
    fn fill(
        nodes: usize,
        edges: &[(u32, u32)],
        load: impl Fn(usize) -> L,
        both_ways: bool,
    ) -> Result<Self, GraphError> {
        let rows_a_bucket = (nodes / MOST_BUCKETS + 1)
            .next_power_of_two()
            .max(FEWEST_ROWS);
        let shift = rows_a_bucket.ilog2();
        let mut next = vec![0_usize; nodes / rows_a_bucket + 1];
        for (position, &(u, v)) in edges.iter().enumerate() {
            if u.max(v) as usize >= nodes {
                return Err(GraphError::EdgeOutOfRange {
                    position,
                    row: u,
                    column: v,
                    rows: nodes,
                    columns_count: nodes,
                });
            }
            next[(u >> shift) as usize] += 1;
            if both_ways && u != v {
                next[(v >> shift) as usize] += 1;
            }
        }
        let mut start = 0;
        for slot in &mut next {
            start += std::mem::replace(slot, start);
        }
        let mut entries = vec![(0, 0, L::default()); start];
        let mut place = |row: u32, key: Key, load: L| {
            let slot = &mut next[(row >> shift) as usize];
            entries[*slot] = (row, key, load);
            *slot += 1;
        };
        for (edge, &(u, v)) in edges.iter().enumerate() {
            place(u, 2 * v, load(edge));
            if both_ways && u != v {
                place(v, 2 * u + 1, load(edge));
            }
        }
        // Every start has moved to the end of its bucket.
        Ok(Self {
            nodes,
            rows_a_bucket,
            ends: next,
            entries,
        })
    }

    /// Sorts every row and merges the entries of each column.
    fn merge(
        self,
        both_ways: bool,
        merge: impl Fn(&[(Key, L)]) -> Result<L::Merged, f64>,
    ) -> Result<Joined, GraphError> {
        let mut result = Merged::<L> {
            columns: Vec::with_capacity(self.entries.len()),
            values: Vec::with_capacity(self.entries.len()),
            duplicates: 0,
            added: 0,
        };
        let mut offsets = Vec::with_capacity(self.nodes + 1);
        offsets.push(0);
        let (mut next, mut rows) = (Vec::new(), Vec::new());
        let mut start = 0;
        for (bucket, &end) in self.ends.iter().enumerate() {
            let entries = &self.entries[start..end];
            start = end;
            let first = bucket * self.rows_a_bucket;
            let count = self.rows_a_bucket.min(self.nodes - first);
            scatter(entries, first, count, &mut next, &mut rows);
            let mut row_start = 0;
            for (row, &row_end) in (first..).zip(&next) {
                result.push_row(row, &mut rows[row_start..row_end], &merge)?;
                row_start = row_end;
                offsets.push(result.columns.len());
            }
        }
        drop(self.entries);
        result.columns.shrink_to_fit();
        result.values.shrink_to_fit();
        let weights = L::weights(result.values);
        let adjacency = Csr::trusted(self.nodes, offsets, result.columns, weights);
        Ok(Joined {
            adjacency: if both_ways {
                adjacency.assume_symmetric(true)
            } else {
                adjacency
            },
            duplicates: result.duplicates,
            added: result.added,
        })
    }
}

/// Puts the entries of one bucket into their rows; `next` becomes the end of
/// every row.
fn scatter<L: Load>(
    entries: &[(u32, Key, L)],
    first: usize,
    count: usize,
    next: &mut Vec<usize>,
    rows: &mut Vec<(Key, L)>,
) {
    next.clear();
    next.resize(count, 0);
    rows.clear();
    rows.resize(entries.len(), Default::default());
    for &(row, ..) in entries {
        next[row as usize - first] += 1;
    }
    let mut start = 0;
    for slot in &mut *next {
        start += std::mem::replace(slot, start);
    }
    for &(row, key, load) in entries {
        let slot = &mut next[row as usize - first];
        rows[*slot] = (key, load);
        *slot += 1;
    }
}

/// The entries that are finished.
struct Merged<L: Load> {
    columns: Vec<u32>,
    values: Vec<L::Merged>,
    duplicates: usize,
    added: usize,
}

impl<L: Load> Merged<L> {
    fn push_row(
        &mut self,
        row: usize,
        entries: &mut [(Key, L)],
        merge: impl Fn(&[(Key, L)]) -> Result<L::Merged, f64>,
    ) -> Result<(), GraphError> {
        entries.sort_unstable();
        for run in entries.chunk_by(|a, b| a.0 / 2 == b.0 / 2) {
            let column = run[0].0 / 2;
            let own = run.partition_point(|(key, _)| key % 2 == 0);
            let merge_part = |part: &[(Key, L)]| {
                let refuse = |value| GraphError::NonFiniteWeight {
                    row,
                    column: column as usize,
                    value,
                };
                merge(part).map_err(refuse)
            };
            let value = match run.split_at(own) {
                (listed, []) => merge_part(listed)?,
                ([], mirrored) => merge_part(mirrored)?,
                (listed, mirrored) => L::larger(merge_part(listed)?, merge_part(mirrored)?),
            };
            self.duplicates += own.saturating_sub(1);
            self.added += usize::from(own == 0);
            self.columns.push(column);
            self.values.push(value);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::graph::Graph;
    use crate::transform::undirect;

    /// Enough nodes for several buckets, and edges between the far ones.
    #[test]
    fn buckets_agree_with_the_simple_way() {
        let nodes = 3 * FEWEST_ROWS + 5;
        let node = |k: u64, step: u64| ((k * step) % nodes as u64) as u32;
        let edges: Vec<_> = (0..50_000)
            .map(|k| (node(k * k, 7919), node(k, 104_729)))
            .collect();
        let expected = Csr::from_edges(nodes, edges.iter().copied()).unwrap();
        let joined = join(nodes, edges.clone(), None, false).unwrap();
        assert_eq!(joined.adjacency, expected);
        let both = join(nodes, edges, None, true).unwrap();
        let graph = undirect(&Graph::builder(expected).build().unwrap());
        assert_eq!(&both.adjacency, graph.adjacency());
    }

    fn edges() -> impl Strategy<Value = (usize, Vec<(u32, u32)>, Vec<f32>)> {
        (1_usize..12).prop_flat_map(|nodes| {
            let node = 0..nodes as u32;
            let edges = proptest::collection::vec((node.clone(), node), 0..60);
            // Eighths add up without rounding, so that no sum depends on order.
            let weights =
                proptest::collection::vec((0_u8..16).prop_map(|w| f32::from(w) / 8.0), 60);
            (Just(nodes), edges, weights)
        })
    }

    proptest! {
        #[test]
        fn equals_building_and_undirecting((nodes, edges, weights) in edges()) {
            let weighted = edges.iter().zip(&weights).map(|(&(u, v), &w)| (u, v, w));
            let plain = Csr::from_edges(nodes, edges.iter().copied()).unwrap();
            let weighted = Csr::from_weighted_edges(nodes, weighted).unwrap();
            for (expected, weights) in [(plain, None), (weighted, Some(weights[..edges.len()].to_vec()))] {
                let directed = join(nodes, edges.clone(), weights.clone(), false).unwrap();
                prop_assert_eq!(&directed.adjacency, &expected);
                prop_assert_eq!(directed.duplicates, edges.len() - expected.entries());
                prop_assert_eq!(directed.added, 0);
                let both = join(nodes, edges.clone(), weights, true).unwrap();
                let graph = undirect(&Graph::builder(expected.clone()).build().unwrap());
                prop_assert_eq!(&both.adjacency, graph.adjacency());
                prop_assert_eq!(both.duplicates, directed.duplicates);
                prop_assert_eq!(both.added, graph.edges() - expected.entries());
            }
        }
    }

    #[test]
    fn refuses_what_cannot_be() {
        assert!(join(2, vec![(0, 2)], None, true).is_err());
        assert!(join(usize::MAX, vec![], None, true).is_err());
        let twice = vec![(0, 1), (0, 1)];
        let error = join(2, twice, Some(vec![f32::MAX; 2]), true).unwrap_err();
        assert!(matches!(
            error,
            GraphError::NonFiniteWeight {
                row: 0,
                column: 1,
                ..
            }
        ));
        assert_eq!(join(0, vec![], None, true).unwrap().adjacency.rows(), 0);
    }
}
