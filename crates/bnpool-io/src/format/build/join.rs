//! Large lists of edges joined into an adjacency, made symmetric on the way.
//!
//! The result is that of [`Csr::from_edges`] (or `from_weighted_edges`) followed
//! by [`undirect`](bnpool_graph::transform::undirect). The list is sorted where it is,
//! and repeated edges are merged where they are, so that beside the list there is
//! only the result. An edge that is to go both ways is kept once, under its
//! smaller node, until its two entries are written.

use bnpool_graph::Csr;
use bnpool_graph::GraphError;

/// An adjacency, and what became of the list.
#[derive(Debug)]
pub(crate) struct Joined {
    pub(crate) adjacency: Csr,
    /// Edges of the list that another one repeated.
    pub(crate) duplicates: usize,
    /// Edges back that the list did not have.
    pub(crate) added: usize,
    /// Whether the weights are the numbers of times that the edges were listed.
    pub(crate) counted: bool,
}

/// Whether the weight of an edge is the number of times that it is listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counting {
    /// It is not.
    Never,
    /// It is if the edges are listed a different number of times.
    IfDifferent,
    /// It is.
    Always,
}

/// Joins edges between `nodes` nodes. The weights of repeated edges are added
/// up; with `both_ways` every edge gets its edge back, and the larger weight
/// where both are listed. Without weights the edges may be counted; the counts of
/// both directions are added up, unless every edge is listed as often as its edge
/// back.
///
/// # Complexity
///
/// Time E log E in the length E of the list; no memory beside the list and the
/// result (with weights, the list and a copy of it at first).
pub(crate) fn join(
    nodes: usize,
    mut edges: Vec<(u32, u32)>,
    weights: Option<Vec<f32>>,
    both_ways: bool,
    counting: Counting,
) -> Result<Joined, GraphError> {
    // Half the range, because a key is a column and a direction.
    GraphError::check_limit("nodes", nodes.saturating_mul(2))?;
    check_range(nodes, &edges)?;
    edges.shrink_to_fit();
    match weights {
        // Of the same size, so that the list stays where it is.
        None => {
            let entries = edges.into_iter().map(|edge| entry(edge, (), both_ways));
            let mut entries: Vec<_> = entries.collect();
            sort(&mut entries);
            match counts(&entries, counting) {
                None => Ok(Merged::of(entries, Both::Larger)?.into_joined(nodes, both_ways)),
                Some(counts) => {
                    let duplicates = entries.len() - counts.len();
                    drop(entries);
                    let both = if is_mirrored(&counts) {
                        Both::Larger
                    } else {
                        Both::Sum
                    };
                    Ok(Joined {
                        duplicates,
                        counted: true,
                        ..Merged::of(counts, both)?.into_joined(nodes, both_ways)
                    })
                }
            }
        }
        Some(weights) => {
            let bits = weights.into_iter().map(f32::to_bits);
            let edges = edges.into_iter().zip(bits);
            let entries = edges.map(|(edge, bits)| entry(edge, bits, both_ways));
            let mut entries: Vec<_> = entries.collect();
            sort(&mut entries);
            Ok(Merged::of(entries, Both::Larger)?.into_joined(nodes, both_ways))
        }
    }
}

/// Different entries with the number of times that each is there, if they are to be
/// counted.
fn counts(entries: &[Entry<()>], counting: Counting) -> Option<Vec<Entry<u32>>> {
    let runs = || entries.chunk_by(|one, other| one == other);
    let counted = match counting {
        Counting::Never => false,
        Counting::IfDifferent => {
            let first = runs().next().map(<[_]>::len);
            // Most lists have no repeats, which this tells faster.
            let repeats = entries.windows(2).any(|pair| pair[0] == pair[1]);
            repeats && runs().any(|run| Some(run.len()) != first)
        }
        Counting::Always => true,
    };
    let count = |run: &[Entry<()>]| (run[0].0, run[0].1, (run.len() as f32).to_bits());
    counted.then(|| {
        let mut counts = Vec::with_capacity(runs().count());
        counts.extend(runs().map(count));
        counts
    })
}

/// Whether every edge between two nodes is listed as often as its edge back.
fn is_mirrored(counts: &[Entry<u32>]) -> bool {
    let edges = |one: &Entry<u32>, other: &Entry<u32>| (one.0, one.1 / 2) == (other.0, other.1 / 2);
    counts.chunk_by(edges).all(|edge| match edge {
        [(row, key, _)] => *row == key / 2,
        [forth, back] => forth.2 == back.2,
        _ => false,
    })
}

fn check_range(nodes: usize, edges: &[(u32, u32)]) -> Result<(), GraphError> {
    match edges.iter().position(|&(u, v)| u.max(v) as usize >= nodes) {
        None => Ok(()),
        Some(position) => Err(GraphError::EdgeOutOfRange {
            position,
            row: edges[position].0,
            column: edges[position].1,
            rows: nodes,
            columns_count: nodes,
        }),
    }
}

/// A row, a key and a load. The key is a column, doubled, and one more for an
/// edge that is listed from its larger node to its smaller one while both
/// directions count: sorting puts it right after the edge it mirrors.
type Entry<L> = (u32, u32, L);

fn entry<L>((u, v): (u32, u32), load: L, both_ways: bool) -> Entry<L> {
    if both_ways && u > v {
        (v, 2 * u + 1, load)
    } else {
        (u, 2 * v, load)
    }
}

/// The load of an edge: nothing, or the bits of its weight, which sort alike
/// however the list was ordered, so that sums do not depend on it.
trait Load: Copy + Ord + Default {
    /// The load of repeated edges together; the error is a sum that is no
    /// finite 32-bit float.
    fn sum(run: &[Entry<Self>]) -> Result<Self, f64>;
    /// The load of an edge that is listed in both directions.
    fn larger(self, other: Self) -> Self;
    /// The weights of a matrix whose entries carry `loads`.
    fn weights(loads: Vec<Self>) -> Option<Vec<f32>>;
}

impl Load for () {
    fn sum(_: &[Entry<()>]) -> Result<(), f64> {
        Ok(())
    }

    fn larger(self, (): ()) {}

    fn weights(_: Vec<()>) -> Option<Vec<f32>> {
        None
    }
}

impl Load for u32 {
    fn sum(run: &[Entry<u32>]) -> Result<u32, f64> {
        let weights = run.iter().map(|entry| f64::from(f32::from_bits(entry.2)));
        let sum: f64 = weights.sum();
        // Checked after rounding: two finite weights may add up to infinity.
        let rounded = sum as f32;
        if rounded.is_finite() {
            Ok(rounded.to_bits())
        } else {
            Err(sum)
        }
    }

    fn larger(self, other: u32) -> u32 {
        f32::from_bits(self).max(f32::from_bits(other)).to_bits()
    }

    fn weights(loads: Vec<u32>) -> Option<Vec<f32>> {
        Some(loads.into_iter().map(f32::from_bits).collect())
    }
}

/// Sorts entries by their places, and those of a place by their loads.
fn sort<L: Load>(entries: &mut [Entry<L>]) {
    let place = |&(row, key, _): &Entry<L>| u64::from(row) << 32 | u64::from(key);
    entries.sort_unstable_by_key(|entry| (place(entry), entry.2));
}

/// The load of an edge that is listed in both directions.
#[derive(Clone, Copy, PartialEq)]
enum Both {
    Larger,
    Sum,
}

/// Different edges `(row, column, load)`, sorted.
struct Merged<L> {
    edges: Vec<Entry<L>>,
    duplicates: usize,
    /// Edges listed in one direction only, if there is another.
    one_way: usize,
}

impl<L: Load> Merged<L> {
    /// Merges the sorted entries of each place, where they are.
    fn of(mut entries: Vec<Entry<L>>, both: Both) -> Result<Self, GraphError> {
        let (mut duplicates, mut one_way) = (0, 0);
        let (mut start, mut kept) = (0, 0);
        while let Some(&first) = entries.get(start) {
            let (row, column) = (first.0, first.1 / 2);
            let same = |entry: &&Entry<L>| (entry.0, entry.1 / 2) == (row, column);
            let run = &entries[start..];
            let run = &run[..1 + run[1..].iter().take_while(same).count()];
            let forth = run.iter().take_while(|entry| entry.1 % 2 == 0).count();
            let load = match run.split_at(forth) {
                (run, []) | ([], run) => {
                    duplicates += run.len() - 1;
                    one_way += usize::from(row != column);
                    L::sum(run)
                }
                (_, _) if both == Both::Sum => L::sum(run),
                (forth, back) => {
                    duplicates += run.len() - 2;
                    L::sum(forth).and_then(|forth| Ok(forth.larger(L::sum(back)?)))
                }
            };
            let load = load.map_err(|value| GraphError::NonFiniteWeight {
                row: row as usize,
                column: column as usize,
                value,
            })?;
            start += run.len();
            entries[kept] = (row, column, load);
            kept += 1;
        }
        entries.truncate(kept);
        Ok(Self {
            edges: entries,
            duplicates,
            one_way,
        })
    }

    fn into_joined(self, nodes: usize, both_ways: bool) -> Joined {
        let adjacency = if both_ways {
            rows_both_ways(nodes, &self.edges).assume_symmetric(true)
        } else {
            rows_one_way(nodes, &self.edges)
        };
        Joined {
            adjacency,
            duplicates: self.duplicates,
            added: if both_ways { self.one_way } else { 0 },
            counted: false,
        }
    }
}

/// The matrix with an entry for each edge.
fn rows_one_way<L: Load>(nodes: usize, edges: &[Entry<L>]) -> Csr {
    let mut offsets = vec![0; nodes + 1];
    for edge in edges {
        offsets[edge.0 as usize + 1] += 1;
    }
    sum_up(&mut offsets);
    let columns = edges.iter().map(|edge| edge.1).collect();
    let loads = edges.iter().map(|edge| edge.2).collect();
    Csr::trusted(nodes, offsets, columns, L::weights(loads))
}

/// The matrix with two entries for each edge, one for a self-loop. Edges are
/// sorted by their smaller nodes, so a row first gets its smaller neighbours,
/// rising, and then, when its own turn comes, the larger ones.
fn rows_both_ways<L: Load>(nodes: usize, edges: &[Entry<L>]) -> Csr {
    let mut next = vec![0; nodes + 1];
    for &(u, v, _) in edges {
        next[u as usize + 1] += 1;
        next[v as usize + 1] += usize::from(u != v);
    }
    sum_up(&mut next);
    let mut columns = vec![0; next[nodes]];
    let mut loads = vec![L::default(); next[nodes]];
    let mut place = |row: u32, column, load| {
        let slot = &mut next[row as usize];
        columns[*slot] = column;
        loads[*slot] = load;
        *slot += 1;
    };
    for &(u, v, load) in edges {
        place(u, v, load);
        if u != v {
            place(v, u, load);
        }
    }
    // Every start has moved to the start of the next row.
    next.rotate_right(1);
    next[0] = 0;
    Csr::trusted(nodes, next, columns, L::weights(loads))
}

/// Turns the length of row `u` at `u + 1` into its end.
fn sum_up(lengths: &mut [usize]) {
    for row in 1..lengths.len() {
        lengths[row] += lengths[row - 1];
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use bnpool_graph::Graph;
    use bnpool_graph::transform::undirect;

    #[test]
    fn long_lists_agree_with_the_simple_way() {
        let nodes = 12_293;
        let node = |k: u64, step: u64| ((k * step) % nodes as u64) as u32;
        let edges: Vec<_> = (0..50_000)
            .map(|k| (node(k * k, 7919), node(k, 104_729)))
            .collect();
        let expected = Csr::from_edges(nodes, edges.iter().copied()).unwrap();
        let joined = join(nodes, edges.clone(), None, false, Counting::Never).unwrap();
        assert_eq!(joined.adjacency, expected);
        let both = join(nodes, edges, None, true, Counting::Never).unwrap();
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
                let directed = join(nodes, edges.clone(), weights.clone(), false, Counting::Never).unwrap();
                prop_assert_eq!(&directed.adjacency, &expected);
                prop_assert_eq!(directed.duplicates, edges.len() - expected.entries());
                prop_assert_eq!(directed.added, 0);
                let both = join(nodes, edges.clone(), weights, true, Counting::Never).unwrap();
                let graph = undirect(&Graph::builder(expected.clone()).build().unwrap());
                prop_assert_eq!(&both.adjacency, graph.adjacency());
                prop_assert_eq!(both.duplicates, directed.duplicates);
                prop_assert_eq!(both.added, graph.edges() - expected.entries());
            }
        }
    }

    #[test]
    fn repeats_are_counted() {
        let weights = |edges: &[(u32, u32)], both_ways, counting| {
            let joined = join(4, edges.to_vec(), None, both_ways, counting).unwrap();
            let edges: Vec<_> = joined.adjacency.iter().collect();
            let weighted = joined.adjacency.weights().is_some();
            assert_eq!(joined.counted, weighted);
            (weighted, edges)
        };
        let log = [(0, 1), (0, 1), (1, 0), (2, 3), (2, 2)];
        let both = weights(&log, true, Counting::IfDifferent);
        let expected = [
            (0, 1, 3.0),
            (1, 0, 3.0),
            (2, 2, 1.0),
            (2, 3, 1.0),
            (3, 2, 1.0),
        ];
        assert_eq!(both, (true, expected.to_vec()));
        let one = weights(&log, false, Counting::IfDifferent);
        let expected = [(0, 1, 2.0), (1, 0, 1.0), (2, 2, 1.0), (2, 3, 1.0)];
        assert_eq!(one, (true, expected.to_vec()));
        assert!(!weights(&log, true, Counting::Never).0);
        // Every edge in both directions, or twice, is no count.
        for list in [
            &[(0, 1), (1, 0), (1, 2), (2, 1)][..],
            &[(0, 1), (0, 1), (1, 2), (1, 2)],
        ] {
            assert!(!weights(list, true, Counting::IfDifferent).0, "{list:?}");
        }
        let mirrored = [(0, 1), (1, 0), (0, 1), (1, 0), (1, 2), (2, 1)];
        let (_, edges) = weights(&mirrored, true, Counting::IfDifferent);
        assert_eq!(edges[0], (0, 1, 2.0));
        assert_eq!(edges[2], (1, 2, 1.0));
        assert!(weights(&[(0, 1)], true, Counting::Always).0);
    }

    #[test]
    fn refuses_what_cannot_be() {
        assert!(join(2, vec![(0, 2)], None, true, Counting::Never).is_err());
        assert!(join(usize::MAX, vec![], None, true, Counting::Never).is_err());
        let twice = vec![(0, 1), (0, 1)];
        let error = join(2, twice, Some(vec![f32::MAX; 2]), true, Counting::Never).unwrap_err();
        assert!(matches!(
            error,
            GraphError::NonFiniteWeight {
                row: 0,
                column: 1,
                ..
            }
        ));
        assert_eq!(
            join(0, vec![], None, true, Counting::Never)
                .unwrap()
                .adjacency
                .rows(),
            0
        );
    }
}
