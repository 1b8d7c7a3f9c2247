//! The eigenvectors with a closed form: each connected component has the
//! eigenvalue 1, with D^1/2 restricted to the component as its eigenvector.

use super::block::Block;
use super::operator::Normalised;
use crate::kernel::connected_components;
use rayon::prelude::*;
use std::cmp::Reverse;

/// Members of a component per task.
const MEMBERS_PER_TASK: usize = 2048;
/// Rows per task.
const ROWS_PER_TASK: usize = 1024;

/// The components with edges, largest first (ties by smallest node), and their
/// eigenvectors.
pub(super) struct Trivial {
    /// Component of each node; an isolated node has an index that does not
    /// exist.
    of_node: Vec<u32>,
    /// The members of all components, one component after the other, each in
    /// ascending order.
    members: Vec<u32>,
    /// Start of each component in `members`, and the end of the last.
    offsets: Vec<usize>,
    /// The single nonzero entry of each node; 0 for isolated nodes.
    entries: Vec<f64>,
}

impl Trivial {
    pub(super) fn new(matrix: &Normalised<'_>) -> Self {
        let nodes = matrix.nodes();
        let components = connected_components(matrix.view(), |_, _, w| w > 0.0);
        let mut sizes = vec![0_usize; components.count];
        let mut volumes = vec![0.0; components.count];
        for (&c, &degree) in components.of_node.iter().zip(&matrix.degrees) {
            sizes[c as usize] += usize::from(degree > 0.0);
            volumes[c as usize] += degree;
        }
        let mut order: Vec<usize> = (0..components.count).filter(|&c| sizes[c] > 0).collect();
        order.sort_by_key(|&c| (Reverse(sizes[c]), c));
        let mut ranks = vec![u32::MAX; components.count];
        let mut offsets = vec![0];
        for (rank, &c) in order.iter().enumerate() {
            ranks[c] = rank as u32;
            offsets.push(offsets[rank] + sizes[c]);
        }
        let of_node: Vec<u32> = components
            .of_node
            .iter()
            .map(|&c| ranks[c as usize])
            .collect();
        let mut next = offsets.clone();
        let mut members = vec![0; offsets[order.len()]];
        for (u, &c) in of_node.iter().enumerate().filter(|(_, c)| **c != u32::MAX) {
            members[next[c as usize]] = u as u32;
            next[c as usize] += 1;
        }
        let entries = (0..nodes)
            .map(|u| match of_node[u] {
                u32::MAX => 0.0,
                _ => (matrix.degrees[u] / volumes[components.of_node[u] as usize]).sqrt(),
            })
            .collect();
        Self {
            of_node,
            members,
            offsets,
            entries,
        }
    }

    /// Number of components with edges.
    pub(super) fn count(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Number of nodes with edges.
    pub(super) fn nodes(&self) -> usize {
        self.members.len()
    }

    /// Members of a component.
    pub(super) fn members(&self, component: usize) -> &[u32] {
        &self.members[self.offsets[component]..self.offsets[component + 1]]
    }

    /// Entry of a node in the vector of its component.
    pub(super) fn entry(&self, u: usize) -> f64 {
        self.entries[u]
    }

    /// Returns whether a node has edges.
    pub(super) fn has_edges(&self, u: usize) -> bool {
        self.of_node[u] != u32::MAX
    }

    /// Makes a block orthogonal to all these vectors.
    pub(super) fn project_out(&self, block: &mut Block) {
        let width = block.width;
        let tasks: Vec<(usize, &[u32])> = (0..self.count())
            .flat_map(|c| {
                self.members(c)
                    .chunks(MEMBERS_PER_TASK)
                    .map(move |m| (c, m))
            })
            .collect();
        let parts: Vec<(usize, Vec<f64>)> = tasks
            .into_par_iter()
            .map(|(c, members)| {
                let mut sum = vec![0.0; width];
                for &u in members {
                    let (u, entry) = (u as usize, self.entries[u as usize]);
                    let row = &block.values[u * width..(u + 1) * width];
                    for (sum, &x) in sum.iter_mut().zip(row) {
                        *sum += entry * f64::from(x);
                    }
                }
                (c, sum)
            })
            .collect();
        let mut along = vec![0.0; self.count() * width];
        for (c, part) in parts {
            let sum = &mut along[c * width..(c + 1) * width];
            sum.iter_mut().zip(part).for_each(|(s, x)| *s += x);
        }
        block
            .values
            .par_chunks_mut(ROWS_PER_TASK * width)
            .enumerate()
            .for_each(|(task, rows)| {
                let first = task * ROWS_PER_TASK;
                let nodes = self.of_node[first..].iter().zip(&self.entries[first..]);
                for ((&c, &entry), row) in nodes.zip(rows.chunks_exact_mut(width)) {
                    if c != u32::MAX {
                        let along = &along[c as usize * width..(c as usize + 1) * width];
                        for (x, along) in row.iter_mut().zip(along) {
                            *x = (f64::from(*x) - entry * along) as f32;
                        }
                    }
                }
            });
    }
}
