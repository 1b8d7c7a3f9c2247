//! Node ids that are numbers, and their ranks.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use crate::format::build::edge_table::NodeIds;

/// Replaces the ids by their ranks among all ids.
pub(super) fn number_nodes(edges: &mut [(u32, u32)]) -> NodeIds {
    let Some(greatest) = edges.iter().map(|&(u, v)| u.max(v)).max() else {
        return NodeIds::Range(0);
    };
    // Tables of all possible ids are the fastest, but only while they are small.
    let span = greatest as usize + 1;
    if span <= 1024 + 4 * edges.len() {
        dense_ranks(edges, span)
    } else {
        NodeIds::Numbers(sparse_ranks(edges))
    }
}

/// A bit for every id below `span`: they fit the cache, settle most files, and
/// with the ranks of every 64th id give all others.
fn dense_ranks(edges: &mut [(u32, u32)], span: usize) -> NodeIds {
    let mut seen = vec![0_u64; span.div_ceil(64)];
    for &(u, v) in &*edges {
        seen[u as usize / 64] |= 1 << (u % 64);
        seen[v as usize / 64] |= 1 << (v % 64);
    }
    let mut count = 0;
    let before: Vec<u32> = seen
        .iter()
        .map(|bits| {
            let before = count;
            count += bits.count_ones();
            before
        })
        .collect();
    if count as usize == span {
        return NodeIds::Range(span);
    }
    let rank = |id: u32| {
        let (word, lower) = (id as usize / 64, (1_u64 << (id % 64)) - 1);
        before[word] + (seen[word] & lower).count_ones()
    };
    for (u, v) in edges {
        (*u, *v) = (rank(*u), rank(*v));
    }
    let mut ids = Vec::with_capacity(count as usize);
    for (word, &bits) in seen.iter().enumerate() {
        let mut bits = bits;
        while bits != 0 {
            ids.push(64 * word as u64 + u64::from(bits.trailing_zeros()));
            bits &= bits - 1;
        }
    }
    NodeIds::Numbers(ids)
}

fn sparse_ranks(edges: &mut [(u32, u32)]) -> Vec<u64> {
    let mut ranks: HashMap<u32, u32, RandomState> = HashMap::default();
    for &(u, v) in &*edges {
        ranks.insert(u, 0);
        ranks.insert(v, 0);
    }
    let mut ids: Vec<_> = ranks.keys().copied().collect();
    ids.sort_unstable();
    for (id, rank) in ids.iter().zip(0..) {
        ranks.insert(*id, rank);
    }
    for (u, v) in edges {
        (*u, *v) = (ranks[u], ranks[v]);
    }
    ids.into_iter().map(u64::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_count_the_smaller_ids() {
        let ids: Vec<u32> = (0..1000).map(|k| k * k % 1777).collect();
        let mut sorted = ids.clone();
        sorted.sort_unstable();
        sorted.dedup();
        for scale in [1, 5000] {
            let mut edges: Vec<_> = ids
                .chunks(2)
                .map(|c| (c[0] * scale, c[1] * scale))
                .collect();
            let numbers = number_nodes(&mut edges);
            let expected = sorted.iter().map(|&id| u64::from(id * scale));
            assert_eq!(numbers, NodeIds::Numbers(expected.collect()));
            for (edge, chunk) in edges.iter().zip(ids.chunks(2)) {
                let rank = |id| sorted.partition_point(|&other| other < id) as u32;
                assert_eq!(*edge, (rank(chunk[0]), rank(chunk[1])));
            }
        }
    }
}
