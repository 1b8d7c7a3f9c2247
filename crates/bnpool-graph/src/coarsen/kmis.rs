//! Maximal k-independent sets, and the supernodes around them.

use bnpool_math::Real;
use std::collections::VecDeque;

use super::assigned::Assigned;
use super::error::{CoarsenError, check_positive};
use super::matching::falling;
use super::prepare::undirected;
use crate::csr::Csr;
use crate::error::GraphError;

/// A maximal k-independent set, and the assignment of all nodes to its members.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndependentSet {
    /// Members of the set, in ascending order; supernode c is centred at
    /// `centres[c]`.
    pub centres: Vec<u32>,
    /// Supernode of each node.
    pub assigned: Assigned,
}

/// Computes the maximal set of nodes more than `order` hops apart, greedily by
/// descending score, and assigns each node to the best member within `order`
/// hops.
///
/// Ties are broken by node number. Directed edges count in both directions; weights,
/// including zero, are ignored. To prefer nodes with small neighbourhoods, as k-MIS
/// pooling does, rank by [`scores_by_neighbourhood`].
///
/// # Errors
///
/// Returns an error if the matrix is not square, the number of scores is not
/// the number of nodes, a score is not finite, or `order` is 0.
///
/// # Complexity
///
/// O(N log N + k E) time, O(N) memory.
///
/// ```
/// use bnpool_graph::Csr;
/// use bnpool_graph::coarsen::independent_set;
///
/// // A path of five nodes, of which the middle one has the highest score.
/// let edges = (0..4).flat_map(|u| [(u, u + 1), (u + 1, u)]);
/// let path = Csr::from_edges(5, edges)?;
/// let scores = [0.5, 0.4, 0.9, 0.1, 0.2_f32];
/// let set = independent_set(&path, &scores, 1)?;
/// assert_eq!(set.centres, [0, 2, 4]);
/// assert_eq!(set.assigned.clusters(), [0, 1, 1, 1, 2]);
/// assert_eq!(independent_set(&path, &scores, 2)?.centres, [2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn independent_set<T: Real>(
    adjacency: &Csr,
    scores: &[T],
    order: usize,
) -> Result<IndependentSet, CoarsenError> {
    check_positive("order", order)?;
    GraphError::check_count("scores", scores.len(), adjacency.rows(), "nodes")?;
    if let Some(position) = scores.iter().position(|score| !score.finite()) {
        return Err(CoarsenError::NonFinite {
            what: "score",
            position,
            value: scores[position].f64(),
        });
    }
    let graph = undirected(adjacency)?;
    let mut ranking: Vec<(u64, u32)> = scores
        .iter()
        .zip(0..)
        .map(|(score, u)| (falling(score.f64()), u))
        .collect();
    ranking.sort_unstable();
    let chosen = choose(&graph, &ranking, order);
    Ok(gather(&graph, chosen, order))
}

/// Returns the members of the set, best first.
///
/// Each member runs a breadth-first search restricted to nodes that are nearer
/// to it than to all earlier members. Nodes it does not reach again are already
/// covered, so a node is visited at most `order` + 1 times.
fn choose(graph: &Csr, ranking: &[(u64, u32)], order: usize) -> Vec<u32> {
    let mut distance = vec![usize::MAX; graph.rows()];
    let mut queue = VecDeque::new();
    let mut chosen = Vec::new();
    for &(_, u) in ranking {
        if distance[u as usize] != usize::MAX {
            continue;
        }
        chosen.push(u);
        distance[u as usize] = 0;
        queue.push_back(u as usize);
        while let Some(v) = queue.pop_front() {
            let next = distance[v] + 1;
            if next > order {
                continue;
            }
            for &w in graph.row(v) {
                let w = w as usize;
                if next < distance[w] {
                    distance[w] = next;
                    queue.push_back(w);
                }
            }
        }
    }
    chosen
}

/// Assigns each node to the best member within `order` hops by propagating the
/// smallest rank.
fn gather(graph: &Csr, chosen: Vec<u32>, order: usize) -> IndependentSet {
    let mut best = vec![u32::MAX; graph.rows()];
    for (&u, rank) in chosen.iter().zip(0..) {
        best[u as usize] = rank;
    }
    let mut before = Vec::new();
    // More hops than nodes reach nothing new.
    for _ in 0..order.min(graph.rows()) {
        before.clone_from(&best);
        for (u, best) in best.iter_mut().enumerate() {
            for &v in graph.row(u) {
                *best = (*best).min(before[v as usize]);
            }
        }
        if before == best {
            break;
        }
    }
    let mut centres = chosen.clone();
    centres.sort_unstable();
    let mut number_of_rank = vec![0; chosen.len()];
    for (rank, u) in chosen.iter().enumerate() {
        let place = centres.partition_point(|centre| centre < u);
        number_of_rank[rank] = place as u32;
    }
    for best in &mut best {
        *best = number_of_rank[*best as usize];
    }
    IndependentSet {
        assigned: Assigned::trusted(best, centres.len()),
        centres,
    }
}

/// Divides scores by the size of the neighbourhood: the number of lazy walks of
/// `order` steps. It is computed from s = 1 by repeating s ← s + (sum of s over
/// the neighbours) `order` times.
///
/// A k-independent set ranked by these scores has a total score provably close
/// to the optimum. Directed edges count in both directions; weights and
/// self-loops are ignored.
///
/// # Errors
///
/// Returns an error if the matrix is not square or the number of scores is not
/// the number of nodes.
///
/// # Complexity
///
/// O(k (N + E)) time, O(N) memory.
///
/// ```
/// use bnpool_graph::Csr;
/// use bnpool_graph::coarsen::scores_by_neighbourhood;
///
/// let path = Csr::from_edges(3, [(0, 1), (1, 0), (1, 2), (2, 1)])?;
/// assert_eq!(scores_by_neighbourhood(&path, &[1.0_f64; 3], 1)?, [1.0 / 2.0, 1.0 / 3.0, 1.0 / 2.0]);
/// assert_eq!(scores_by_neighbourhood(&path, &[1.0_f64; 3], 2)?, [1.0 / 5.0, 1.0 / 7.0, 1.0 / 5.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn scores_by_neighbourhood<T: Real>(
    adjacency: &Csr,
    scores: &[T],
    order: usize,
) -> Result<Vec<f64>, CoarsenError> {
    GraphError::check_count("scores", scores.len(), adjacency.rows(), "nodes")?;
    let graph = undirected(adjacency)?;
    let mut around = vec![1.0_f64; graph.rows()];
    let mut before = Vec::new();
    for _ in 0..order {
        before.clone_from(&around);
        for (u, around) in around.iter_mut().enumerate() {
            let others = graph.row(u).iter().filter(|&&v| v as usize != u);
            *around += others.map(|&v| before[v as usize]).sum::<f64>();
        }
    }
    let divided = scores.iter().zip(around).map(|(score, s)| score.f64() / s);
    Ok(divided.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_graphs() {
        let empty = Csr::from_edges(0, []).unwrap();
        let set = independent_set::<f32>(&empty, &[], 1).unwrap();
        assert!(set.centres.is_empty());
        let bare = Csr::from_edges(3, []).unwrap();
        let set = independent_set(&bare, &[0.0_f32; 3], 4).unwrap();
        assert_eq!(set.centres, [0, 1, 2]);
        let complete = (0..5).flat_map(|u| (0..5).map(move |v| (u, v)));
        let complete = Csr::from_edges(5, complete).unwrap();
        let set = independent_set(&complete, &[0.0, 1.0, 1.0, 0.0, 0.0_f64], usize::MAX).unwrap();
        assert_eq!(set.centres, [1], "ties go to the smaller number");
    }

    #[test]
    fn directed_edges_lead_both_ways() {
        let edge = Csr::from_edges(2, [(0, 1)]).unwrap();
        assert_eq!(
            independent_set(&edge, &[0.1, 0.2_f32], 1).unwrap().centres,
            [1]
        );
        assert_eq!(
            scores_by_neighbourhood(&edge, &[1.0_f32; 2], 1).unwrap(),
            [0.5; 2]
        );
    }

    #[test]
    fn refusals() {
        let edge = Csr::from_edges(2, [(0, 1)]).unwrap();
        let refuse = |scores: &[f32], order| {
            independent_set(&edge, scores, order)
                .unwrap_err()
                .to_string()
        };
        assert_eq!(
            refuse(&[1.0, 2.0], 0),
            "order = 0 is out of range: it must be at least 1"
        );
        assert!(refuse(&[1.0], 1).contains("1 scores for 2 nodes"));
        assert!(refuse(&[1.0, f32::NAN], 1).contains("score NaN at position 1"));
    }
}
