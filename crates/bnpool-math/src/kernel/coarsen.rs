//! RED, CON and LIFT: products of a tall matrix with one small matrix per
//! graph.
//!
//! - [`reduce`] – Sᵀ X of every graph, C × F;
//! - [`lift`], [`lift_transposed`] – S P and G Pᵀ, each row times the small
//!   matrix of its graph;
//! - [`segment_sum`], [`segment_spread`] – the case of one all-ones cluster.
//!
//! With these, X_pool = `reduce`(S, X), SᵀAS = `reduce`(S, A S), and each backward pass
//! is again one of them: ∂S = `lift_transposed`(X, G), ∂X = `lift`(S, G).

use super::product::{Addend, Left, Onto, add_scaled};
use crate::Real;
use crate::buffer::take;
use rayon::prelude::*;
use std::borrow::Cow;

/// Rows summed by one task of [`reduce`]; partial sums are added in order.
const ROWS_PER_TASK: usize = 512;

/// Products smaller than this run on one thread.
const SERIAL: usize = 1 << 16;

/// Splits the rows of a batch into tasks that never cross a graph boundary.
fn tasks(offsets: &[usize]) -> Vec<(usize, std::ops::Range<usize>)> {
    offsets
        .windows(2)
        .enumerate()
        .flat_map(|(b, w)| {
            let (start, end) = (w[0], w[1]);
            (start..end)
                .step_by(ROWS_PER_TASK)
                .map(move |first| (b, first..(first + ROWS_PER_TASK).min(end)))
        })
        .collect()
}

/// Computes S_bᵀ X_b for every graph b, plus an addend: [graphs, C, F] from S
/// [nodes, C], X [nodes, F].
///
/// # Complexity
///
/// O(N · C · F) time, parallel over graphs and runs of nodes; O(C · F) memory
/// per run of 512 nodes.
///
/// # Panics
///
/// Panics if the shapes do not match.
#[must_use]
pub fn reduce<T: Real>(
    offsets: &[usize],
    s: &[T],
    clusters: usize,
    x: &[T],
    width: usize,
    addend: Addend<'_, T>,
) -> Vec<T> {
    let nodes = offsets.last().copied().unwrap_or(0);
    assert!(
        s.len() == nodes * clusters && x.len() == nodes * width,
        "a row of S and X for every node"
    );
    let graphs = offsets.len().saturating_sub(1);
    let size = clusters * width;
    assert!(
        addend.fits(graphs * clusters, width),
        "what is added has the shape of the product"
    );
    let mut out = take(graphs * size);
    if size == 0 {
        return out;
    }
    let product = |range: std::ops::Range<usize>, onto: Onto<'_, T>, out: &mut [T]| {
        let s = &s[range.start * clusters..range.end * clusters];
        let x = &x[range.start * width..range.end * width];
        let shape = (clusters, range.len(), width);
        let left = Left::Columns { stride: clusters };
        T::multiply(shape, s, left, x, onto, out);
    };
    if nodes <= ROWS_PER_TASK * graphs {
        // Many small graphs: each writes its own slice.
        out.par_chunks_mut(size)
            .zip(offsets.par_windows(2))
            .enumerate()
            .with_min_len(graphs_per_task(nodes * size, graphs))
            .for_each(|(b, (out, w))| {
                let end = w[1].min(w[0] + ROWS_PER_TASK);
                let addend = addend.skip_rows(b * clusters, width);
                product(w[0]..end, Onto::New(addend), out);
                for first in (end..w[1]).step_by(ROWS_PER_TASK) {
                    product(first..(first + ROWS_PER_TASK).min(w[1]), Onto::Old, out);
                }
            });
        return out;
    }
    let partial: Vec<(usize, Vec<T>)> = tasks(offsets)
        .into_par_iter()
        .map(|(b, range)| {
            let mut partial = vec![T::ZERO; size];
            product(range, Onto::New(Addend::None), &mut partial);
            (b, partial)
        })
        .collect();
    fill(&mut out, width, addend);
    for (b, partial) in partial {
        add_scaled(T::ONE, &partial, &mut out[b * size..(b + 1) * size]);
    }
    out
}

/// Writes the addend of a product that is zero.
fn fill<T: Real>(out: &mut [T], width: usize, addend: Addend<'_, T>) {
    for (r, out) in out.chunks_exact_mut(width.max(1)).enumerate() {
        match addend.row(r, width) {
            Some(row) => out.copy_from_slice(row),
            None => out.fill(T::ZERO),
        }
    }
}

/// Number of graphs per task, such that a task is worth a thread.
fn graphs_per_task(products: usize, graphs: usize) -> usize {
    (SERIAL * graphs / products.max(1)).clamp(1, graphs.max(1))
}

/// Computes S_b P_b for every graph, plus an addend: [nodes, F] from S
/// [nodes, C], P [graphs, C, F].
///
/// # Complexity
///
/// O(N · C · F) time, parallel over nodes; no memory besides the result.
///
/// # Panics
///
/// Panics if the shapes do not match.
#[must_use]
pub fn lift<T: Real>(
    offsets: &[usize],
    s: &[T],
    clusters: usize,
    p: &[T],
    width: usize,
    addend: Addend<'_, T>,
) -> Vec<T> {
    rows_times_each(offsets, s, clusters, p, width, addend, Cow::Borrowed)
}

/// Computes G_b P_bᵀ for every graph: [nodes, C] from G [nodes, F], P
/// [graphs, C, F].
///
/// # Complexity
///
/// As [`lift`], plus one transposition of P_b per run of 512 nodes of a graph.
///
/// # Panics
///
/// Panics if the shapes do not match.
#[must_use]
pub fn lift_transposed<T: Real>(
    offsets: &[usize],
    g: &[T],
    width: usize,
    p: &[T],
    clusters: usize,
) -> Vec<T> {
    rows_times_each(offsets, g, width, p, clusters, Addend::None, |p| {
        Cow::Owned(transpose(p, clusters, width))
    })
}

/// Multiplies each row of X [nodes, depth] by the matrix [depth, width] that
/// `factor` derives from the matrix of its graph, plus an addend.
fn rows_times_each<'p, T: Real>(
    offsets: &[usize],
    x: &[T],
    depth: usize,
    p: &'p [T],
    width: usize,
    addend: Addend<'_, T>,
    factor: impl Fn(&'p [T]) -> Cow<'p, [T]> + Sync,
) -> Vec<T> {
    let nodes = offsets.last().copied().unwrap_or(0);
    let graphs = offsets.len().saturating_sub(1);
    let size = depth * width;
    assert!(
        x.len() == nodes * depth && p.len() == graphs * size,
        "a row for every node, a matrix for every graph"
    );
    assert!(
        addend.fits(nodes, width),
        "what is added has the shape of the product"
    );
    let mut out = take(nodes * width);
    if size == 0 {
        fill(&mut out, width, addend);
        return out;
    }
    // Split the output along the tasks, which never cross a graph boundary.
    let mut rest = &mut out[..];
    let jobs: Vec<_> = tasks(offsets)
        .into_iter()
        .map(|(b, range)| {
            let (own, others) = std::mem::take(&mut rest).split_at_mut(range.len() * width);
            rest = others;
            (b, range, own)
        })
        .collect();
    let together = graphs_per_task(nodes * size, jobs.len());
    jobs.into_par_iter()
        .with_min_len(together)
        .for_each(|(b, range, out)| {
            let p = factor(&p[b * size..(b + 1) * size]);
            let x = &x[range.start * depth..range.end * depth];
            let shape = (range.len(), depth, width);
            let left = Left::Rows { stride: depth };
            let onto = Onto::New(addend.skip_rows(range.start, width));
            T::multiply(shape, x, left, &p, onto, out);
        });
    out
}

/// Transposes a [rows, columns] matrix that is small enough to stay in cache
/// while it is read column by column.
pub(super) fn transpose<T: Real>(matrix: &[T], rows: usize, columns: usize) -> Vec<T> {
    let mut out = Vec::with_capacity(rows * columns);
    for j in 0..columns {
        out.extend(matrix.chunks_exact(columns).map(|row| row[j]));
    }
    out
}

/// Sums the rows of each graph: [graphs, F] from X [nodes, F].
///
/// # Complexity
///
/// O(N · F) time, parallel over graphs.
#[must_use]
pub fn segment_sum<T: Real>(offsets: &[usize], x: &[T], width: usize) -> Vec<T> {
    let graphs = offsets.len().saturating_sub(1);
    let nodes = offsets.last().copied().unwrap_or(0);
    let mut out = vec![T::ZERO; graphs * width];
    if width > 0 {
        out.par_chunks_mut(width)
            .zip(offsets.par_windows(2))
            .with_min_len(graphs_per_task(nodes * width, graphs))
            .for_each(|(out, w)| {
                for x in x[w[0] * width..w[1] * width].chunks_exact(width) {
                    add_scaled(T::ONE, x, out);
                }
            });
    }
    out
}

/// Copies the row of each graph to all of its nodes: the backward pass of
/// [`segment_sum`].
#[must_use]
pub fn segment_spread<T: Real>(offsets: &[usize], rows: &[T], width: usize) -> Vec<T> {
    let nodes = offsets.last().copied().unwrap_or(0);
    let mut out = take(nodes * width);
    if width == 0 {
        return out;
    }
    let mut rest = &mut out[..];
    let jobs: Vec<(&[T], &mut [T])> = offsets
        .windows(2)
        .zip(rows.chunks_exact(width))
        .map(|(w, row)| {
            let (own, others) = std::mem::take(&mut rest).split_at_mut((w[1] - w[0]) * width);
            rest = others;
            (row, own)
        })
        .collect();
    let together = graphs_per_task(nodes * width, jobs.len());
    jobs.into_par_iter()
        .with_min_len(together)
        .for_each(|(row, out)| {
            for out in out.chunks_exact_mut(width) {
                out.copy_from_slice(row);
            }
        });
    out
}
