//! Sparse matrices and random numbers for the tests of the kernels.

use bnpool_math::kernel::SparseRows;
use bnpool_math::stream::{Draws, Purpose, Stream};

/// A sparse matrix that owns its arrays.
pub struct OwnedRows {
    offsets: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f32>,
    weighted: bool,
    columns_count: usize,
}

impl OwnedRows {
    pub fn new(nodes: usize, entries: &[(usize, usize, f64)], weighted: bool) -> Self {
        let mut entries = entries.to_vec();
        entries.sort_by_key(|e| (e.0, e.1));
        let mut offsets = vec![0; nodes + 1];
        for e in &entries {
            offsets[e.0 + 1] += 1;
        }
        for u in 0..nodes {
            offsets[u + 1] += offsets[u];
        }
        Self {
            offsets,
            columns: entries.iter().map(|e| e.1 as u32).collect(),
            values: entries.iter().map(|e| e.2 as f32).collect(),
            weighted,
            columns_count: nodes,
        }
    }

    pub fn view(&self) -> SparseRows<'_> {
        SparseRows {
            offsets: &self.offsets,
            columns: &self.columns,
            weights: self.weighted.then_some(&self.values),
            columns_count: self.columns_count,
        }
    }

    fn entries(&self) -> Vec<(usize, usize, f64)> {
        let view = self.view();
        (0..view.rows())
            .flat_map(|u| view.row_entries(u).map(move |(v, w)| (u, v, f64::from(w))))
            .collect()
    }

    pub fn transpose(&self) -> Self {
        let entries: Vec<_> = self
            .entries()
            .into_iter()
            .map(|(u, v, w)| (v, u, w))
            .collect();
        Self::new(self.columns_count, &entries, self.weighted)
    }

    pub fn get(&self, u: usize, v: usize) -> f64 {
        self.view()
            .row_entries(u)
            .find(|e| e.0 == v)
            .map_or(0.0, |e| f64::from(e.1))
    }

    /// Extracts the block of the rows and columns of one graph.
    pub fn slice(&self, range: std::ops::Range<usize>) -> Self {
        let entries: Vec<_> = self
            .entries()
            .into_iter()
            .filter(|e| range.contains(&e.0))
            .map(|(u, v, w)| (u - range.start, v - range.start, w))
            .collect();
        Self::new(range.len(), &entries, self.weighted)
    }
}

/// Random numbers for a test.
pub struct Random(Draws);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(Stream::new(seed, Purpose::Other(0), 0).draws(0))
    }

    pub fn uniform(&mut self) -> f64 {
        self.0.uniform()
    }

    pub fn vector(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| 2.0 * self.uniform() - 1.0).collect()
    }
}

/// |got − want| ≤ tolerance · largest |want|.
#[track_caller]
pub fn assert_close(what: &str, got: &[f64], want: &[f64], tolerance: f64) {
    assert_eq!(got.len(), want.len(), "{what}: number of values");
    let largest = want.iter().fold(1e-30_f64, |m, x| m.max(x.abs()));
    for (i, (g, w)) in got.iter().zip(want).enumerate() {
        assert!(
            (g - w).abs() <= tolerance * largest,
            "{what}[{i}]: {g:e} is not {w:e} (largest {largest:e})"
        );
    }
}

/// The loss of listed pairs (u, v, target, weight) and its gradients with
/// respect to S and K, by definition, in `f64`.
pub fn brute_force(
    s: &[f64],
    clusters: usize,
    k: &[f64],
    pairs: &[(usize, usize, f64, f64)],
) -> (f64, Vec<f64>, Vec<f64>) {
    let mut ds = vec![0.0; s.len()];
    let mut dk = vec![0.0; k.len()];
    let mut loss = 0.0;
    for &(u, v, target, weight) in pairs {
        let mut x = 0.0;
        for c in 0..clusters {
            for d in 0..clusters {
                x += s[u * clusters + c] * k[c * clusters + d] * s[v * clusters + d];
            }
        }
        let softplus = x.max(0.0) + (-x.abs()).exp().ln_1p();
        loss += weight * (softplus - target * x);
        let g = weight * (1.0 / (1.0 + (-x).exp()) - target);
        for c in 0..clusters {
            for d in 0..clusters {
                let (su, sv) = (s[u * clusters + c], s[v * clusters + d]);
                ds[u * clusters + c] += g * k[c * clusters + d] * sv;
                ds[v * clusters + d] += g * k[c * clusters + d] * su;
                dk[c * clusters + d] += g * su * sv;
            }
        }
    }
    (loss, ds, dk)
}
