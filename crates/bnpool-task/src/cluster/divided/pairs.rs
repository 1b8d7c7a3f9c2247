//! Pairs of a part, which are its edges and negatives, and their loss.

use super::Number;
use super::local::Local;
use super::spread::Wanted;
use super::store::RowStore;
use crate::TaskError;
use bnpool_graph::divide::Part;
use bnpool_math::kernel::{
    BlockLoss, PairWeights, RegularPairs, SomeRows, SparseRows, padded_width, sparse_loss_of_rows,
};
use rayon::prelude::*;
use std::sync::Arc;

/// The pairs of a part, as input of its loss.
pub(super) struct Ends {
    pub local: Arc<Local>,
    /// Offsets of the negatives of the own rows.
    offsets: Vec<usize>,
    columns: Vec<u32>,
    /// Nodes at the positions after the own ones.
    others: Vec<u32>,
}

/// Correction of the logits by degrees.
#[derive(Clone, Copy)]
pub(super) struct Correction<'a> {
    pub degrees: &'a [u32],
    pub mean: f64,
}

impl Correction<'_> {
    fn of(&self, node: usize) -> f64 {
        // Isolated nodes count half an edge.
        let degree = f64::from(self.degrees[node]).max(0.5);
        (degree / self.mean).ln().clamp(-20.0, 20.0)
    }
}

/// Requests S at the ends of the edges and negatives of a part.
pub(super) fn ends<T: Number>(
    local: Arc<Local>,
    store: &RowStore<T>,
    pairs: &RegularPairs,
    corrected: bool,
) -> Result<Wanted<T, Ends>, TaskError> {
    let (range, own) = (local.range(), local.part.len());
    let (offsets, mut columns) = free_pairs(&local.part, pairs);
    let mut others = local.halo.clone();
    for v in &mut columns {
        *v = if range.contains(&(*v as usize)) {
            *v - range.start as u32
        } else {
            others.push(*v);
            (own + others.len() - 1) as u32
        }
    }
    let clusters = store.width();
    let stride = padded_width(clusters + if corrected { 2 } else { 0 });
    let mut rows = vec![T::ZERO; (own + others.len()) * stride];
    let s = store.get(&range)?;
    for (row, s) in rows.chunks_exact_mut(stride).zip(s.chunks_exact(clusters)) {
        row[..clusters].copy_from_slice(s);
    }
    Ok(Wanted {
        rows,
        stride,
        first: own,
        ids: others.clone(),
        keep: Ends {
            local,
            offsets,
            columns,
            others,
        },
    })
}

impl Ends {
    pub(super) fn loss<T: Number>(
        &self,
        mut rows: Vec<T>,
        k: &[T],
        clusters: usize,
        correction: Option<Correction<'_>>,
        weights: PairWeights,
        wanted: bool,
    ) -> BlockLoss<T> {
        let mut all = clusters;
        if let Some(correction) = correction {
            all += 2;
            let first = self.local.range().start;
            let own = self.local.part.len();
            rows.par_chunks_exact_mut(padded_width(all))
                .enumerate()
                .with_min_len(1024)
                .for_each(|(place, row)| {
                    let node = if place < own {
                        first + place
                    } else {
                        self.others[place - own] as usize
                    };
                    row[clusters] = T::of(correction.of(node));
                    row[clusters + 1] = T::ONE;
                });
        }
        let places = self.local.part.len() + self.others.len();
        let some = SomeRows {
            assignments: rows,
            clusters: all,
            edges: SparseRows {
                columns_count: places,
                ..self.local.view()
            },
            negatives: SparseRows {
                offsets: &self.offsets,
                columns: &self.columns,
                weights: None,
                columns_count: places,
            },
        };
        sparse_loss_of_rows(some, k, weights, wanted)
    }
}

/// Returns K, extended by the diagonal block [[0, 1], [1, 0]] for the degree
/// correction.
pub(super) fn extended<T: Number>(k: &[T], clusters: usize, corrected: bool) -> Vec<T> {
    if !corrected {
        return k.to_vec();
    }
    let all = clusters + 2;
    let mut out = vec![T::ZERO; all * all];
    for (row, own) in out.chunks_exact_mut(all).zip(k.chunks_exact(clusters)) {
        row[..clusters].copy_from_slice(own);
    }
    out[clusters * all + clusters + 1] = T::ONE;
    out[(clusters + 1) * all + clusters] = T::ONE;
    out
}

/// Returns the first `clusters` columns of a matrix. It has as many columns as K, of
/// `entries` entries, has rows.
pub(super) fn columns<T: Number>(matrix: &[T], clusters: usize, entries: usize) -> Vec<T> {
    let all = entries.isqrt();
    let rows = matrix.chunks_exact(all);
    rows.flat_map(|row| &row[..clusters]).copied().collect()
}

/// Number of rows whose pairs are listed by one task.
const ROWS: usize = 1024;

/// Returns the pairs of a part that are not edges, by rows.
fn free_pairs(part: &Part, pairs: &RegularPairs) -> (Vec<usize>, Vec<u32>) {
    let blocks: Vec<(Vec<usize>, Vec<u32>)> = (0..part.len().div_ceil(ROWS))
        .into_par_iter()
        .map(|block| {
            let (mut lengths, mut columns) = (Vec::new(), Vec::new());
            for i in block * ROWS..((block + 1) * ROWS).min(part.len()) {
                let before = columns.len();
                columns.extend(free(part, pairs, i));
                lengths.push(columns.len() - before);
            }
            (lengths, columns)
        })
        .collect();
    let (mut offsets, mut columns) = (vec![0], Vec::new());
    let mut end = 0;
    for (lengths, own) in blocks {
        columns.extend(own);
        offsets.extend(lengths.into_iter().map(|length| {
            end += length;
            end
        }));
    }
    (offsets, columns)
}

fn free<'a>(part: &'a Part, pairs: &'a RegularPairs, i: usize) -> impl Iterator<Item = u32> + 'a {
    let node = (part.range().start + i) as u32;
    let row = part.row(i);
    pairs
        .partners(node)
        .filter(move |v| row.binary_search(v).is_err())
}

/// Returns the number of pairs of a part that are not edges.
pub(super) fn count(part: &Part, pairs: &RegularPairs) -> u64 {
    let rows = (0..part.len()).into_par_iter().with_min_len(ROWS);
    rows.map(|i| free(part, pairs, i).count() as u64).sum()
}
