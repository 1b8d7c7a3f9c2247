//! Conversion of pairs to compressed rows.

/// Sorts the pairs (see `pairs`) of a graph: a counting sort by first node,
/// followed by sorting each short row.
pub(super) fn sort_by_first(mut pairs: Vec<u64>, nodes: usize) -> Vec<u64> {
    if pairs.len() < nodes / 8 {
        // Most rows are empty, so a counting sort would not pay off.
        pairs.sort_unstable();
        return pairs;
    }
    let mut next = vec![0_usize; nodes + 1];
    for pair in &pairs {
        next[(pair >> 32) as usize + 1] += 1;
    }
    for u in 0..nodes {
        next[u + 1] += next[u];
    }
    let mut sorted = vec![0; pairs.len()];
    for pair in pairs {
        let slot = &mut next[(pair >> 32) as usize];
        sorted[*slot] = pair;
        *slot += 1;
    }
    for row in sorted.chunk_by_mut(|a, b| a >> 32 == b >> 32) {
        row.sort_unstable();
    }
    sorted
}

/// Compressed rows that own their arrays.
pub(super) struct Rows {
    pub(super) offsets: Vec<usize>,
    pub(super) columns: Vec<u32>,
}

impl Rows {
    /// Builds rows from sorted pairs u < v of one graph, in both directions;
    /// columns are offset by `first`.
    pub(super) fn new(pairs: &[u64], first: usize, nodes: usize) -> Self {
        let halves = |pair: u64| ((pair >> 32) as usize, (pair & 0xFFFF_FFFF) as usize);
        // A row consists of its lower neighbours followed by its higher ones,
        // each in order because the pairs are.
        let mut lower = vec![0_usize; nodes + 1];
        let mut higher = vec![0_usize; nodes + 1];
        for &pair in pairs {
            let (u, v) = halves(pair);
            lower[v] += 1;
            higher[u] += 1;
        }
        let mut offsets = Vec::with_capacity(nodes + 1);
        let mut start = 0;
        for u in 0..=nodes {
            offsets.push(start);
            let (low, high) = (lower[u], higher[u]);
            (lower[u], higher[u]) = (start, start + low);
            start += low + high;
        }
        let mut columns = vec![0; start];
        for &pair in pairs {
            let (u, v) = halves(pair);
            columns[lower[v]] = (first + u) as u32;
            lower[v] += 1;
            columns[higher[u]] = (first + v) as u32;
            higher[u] += 1;
        }
        Self { offsets, columns }
    }

    /// Stacks the rows of several graphs.
    pub(super) fn stack(graphs: &[Self]) -> Self {
        let sum = |size: fn(&Self) -> usize| graphs.iter().map(size).sum::<usize>();
        let mut offsets = Vec::with_capacity(sum(|g| g.offsets.len() - 1) + 1);
        let mut columns = Vec::with_capacity(sum(|g| g.columns.len()));
        offsets.push(0);
        for graph in graphs {
            offsets.extend(graph.offsets[1..].iter().map(|o| columns.len() + o));
            columns.extend_from_slice(&graph.columns);
        }
        Self { offsets, columns }
    }
}
