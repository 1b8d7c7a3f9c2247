//! Leading eigenvectors against dense brute force, residuals and symmetries.

use crate::matrix::{OwnedRows, Random, assert_close};
use bnpool_math::kernel::SparseRows;
use bnpool_math::spectral::{
    SpectralConfig, SpectralError, Spectrum, leading_eigenvectors, symmetric_eigen,
};
use proptest::prelude::*;

/// Random symmetric weighted graph: `groups` dense groups, few edges between.
fn planted(seed: u64, nodes: usize, groups: usize, degree: f64, inside: f64) -> OwnedRows {
    let mut random = Random::new(seed);
    let mut entries = std::collections::BTreeMap::new();
    let size = nodes as f64 / groups as f64;
    for u in 0..nodes {
        for v in 0..u {
            let p = if u % groups == v % groups {
                degree * inside / size
            } else {
                degree * (1.0 - inside) / (nodes as f64 - size)
            };
            if random.uniform() < p {
                let weight = 0.5 + random.uniform();
                entries.insert((u, v), weight);
                entries.insert((v, u), weight);
            }
        }
    }
    let entries: Vec<_> = entries.into_iter().map(|((u, v), w)| (u, v, w)).collect();
    OwnedRows::new(nodes, &entries, true)
}

/// M as a dense matrix.
fn dense(rows: SparseRows<'_>) -> Vec<f64> {
    let n = rows.rows();
    let degree: Vec<f64> = (0..n)
        .map(|u| rows.row_entries(u).map(|e| f64::from(e.1)).sum())
        .collect();
    let mut m = vec![0.0; n * n];
    for u in 0..n {
        for (v, w) in rows.row_entries(u).filter(|e| e.1 > 0.0) {
            m[u * n + v] = f64::from(w) / (degree[u] * degree[v]).sqrt();
        }
    }
    m
}

/// Eigenvalues by cyclic Jacobi rotations, largest first: nothing in common
/// with the solver under test.
fn jacobi(mut a: Vec<f64>, n: usize) -> Vec<f64> {
    for _ in 0..30 {
        for p in 0..n {
            for q in p + 1..n {
                let off = a[p * n + q];
                if off.abs() < 1e-16 {
                    continue;
                }
                let angle = 0.5 * (2.0 * off).atan2(a[q * n + q] - a[p * n + p]);
                let (s, c) = angle.sin_cos();
                for k in 0..n {
                    let (x, y) = (a[k * n + p], a[k * n + q]);
                    (a[k * n + p], a[k * n + q]) = (c * x - s * y, s * x + c * y);
                }
                for k in 0..n {
                    let (x, y) = (a[p * n + k], a[q * n + k]);
                    (a[p * n + k], a[q * n + k]) = (c * x - s * y, s * x + c * y);
                }
            }
        }
    }
    let mut values: Vec<f64> = (0..n).map(|i| a[i * n + i]).collect();
    values.sort_by(|x, y| y.total_cmp(x));
    values
}

/// Checks residuals and products of the vectors in `f64`.
#[track_caller]
fn check(rows: SparseRows<'_>, spectrum: &Spectrum, residual: f64) {
    let (n, k) = (rows.rows(), spectrum.values.len());
    assert_eq!(spectrum.vectors.len(), n * k);
    assert_eq!(spectrum.residuals.len(), k);
    assert!(spectrum.values.is_sorted_by(|a, b| *a >= *b - 1e-6));
    let degree: Vec<f64> = (0..n)
        .map(|u| rows.row_entries(u).map(|e| f64::from(e.1)).sum())
        .collect();
    let at = |u: usize, j: usize| f64::from(spectrum.vectors[u * k + j]);
    for j in 0..k {
        let mut square = 0.0;
        let mut extreme = 0.0_f64;
        for u in 0..n {
            let image: f64 = rows
                .row_entries(u)
                .filter(|e| e.1 > 0.0)
                .map(|(v, w)| f64::from(w) / (degree[u] * degree[v]).sqrt() * at(v, j))
                .sum();
            square += (image - spectrum.values[j] * at(u, j)).powi(2);
            if degree[u] == 0.0 {
                assert_eq!(at(u, j), 0.0, "an isolated node");
            }
            if at(u, j).abs() > extreme.abs() {
                extreme = at(u, j);
            }
        }
        assert!(
            square.sqrt() <= residual,
            "residual of vector {j}: {:e}",
            square.sqrt()
        );
        assert!(extreme > 0.0, "sign of vector {j}");
        for i in 0..=j {
            let product: f64 = (0..n).map(|u| at(u, i) * at(u, j)).sum();
            let want = f64::from(u8::from(i == j));
            assert!((product - want).abs() < 2e-5, "{i} · {j} = {product}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn dense_solver_agrees_with_jacobi(seed in any::<u64>(), n in 1..24_usize) {
        let mut random = Random::new(seed);
        let mut a = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..=i {
                let x = random.vector(1)[0];
                (a[i * n + j], a[j * n + i]) = (x, x);
            }
        }
        let mut got = symmetric_eigen(&a, n).values;
        got.reverse();
        assert_close("eigenvalues", &got, &jacobi(a, n), 1e-11);
    }

    #[test]
    fn small_graphs_agree_with_jacobi(
        seed in any::<u64>(), nodes in 1..50_usize, degree in 0.0..6.0_f64, count in 0..60_usize,
    ) {
        // Sparse enough to have isolated nodes and several components.
        let graph = planted(seed, nodes, 1, degree, 1.0);
        let spectrum = leading_eigenvectors(graph.view(), count, &SpectralConfig::default()).unwrap();
        check(graph.view(), &spectrum, 1e-5);
        let view = graph.view();
        let busy = (0..nodes).filter(|&u| !view.row(u).is_empty()).count();
        prop_assert_eq!(spectrum.values.len(), count.min(busy));
        // Isolated nodes have the eigenvalue 0 in the full matrix: leave them out.
        let mut want = jacobi(dense(view), nodes);
        for _ in busy..nodes {
            let zero = (0..want.len()).min_by(|&a, &b| want[a].abs().total_cmp(&want[b].abs())).unwrap();
            want.remove(zero);
        }
        assert_close("eigenvalues", &spectrum.values, &want[..spectrum.values.len()], 1e-6);
    }
}

#[test]
fn the_block_method_agrees_with_the_dense_solver() {
    for (seed, groups, degree, inside) in [(0, 5, 12.0, 0.9), (1, 1, 8.0, 1.0), (2, 40, 9.0, 0.8)] {
        let nodes = 500;
        let graph = planted(seed, nodes, groups, degree, inside);
        let config = SpectralConfig {
            tolerance: 2e-5,
            products: 3000,
            ..SpectralConfig::default()
        };
        let spectrum = leading_eigenvectors(graph.view(), 12, &config).unwrap();
        assert!(spectrum.products > 0, "no shortcut on this size");
        check(graph.view(), &spectrum, 3e-5);
        let mut want = symmetric_eigen(&dense(graph.view()), nodes).values;
        want.reverse();
        assert_close("eigenvalues", &spectrum.values, &want[..12], 1e-6);
    }
}

#[test]
fn repeated_eigenvalues_are_found_with_their_multiplicity() {
    // 60 rings of 10 nodes, every eigenvalue 60 times (but for ±1, 120 times).
    let mut entries = Vec::new();
    for ring in 0..60 {
        for i in 0..10 {
            let (u, v) = (ring * 10 + i, ring * 10 + (i + 1) % 10);
            entries.extend([(u, v, 1.0), (v, u, 1.0)]);
        }
    }
    let graph = OwnedRows::new(600, &entries, false);
    let config = SpectralConfig {
        skip_components: true,
        ..SpectralConfig::default()
    };
    let spectrum = leading_eigenvectors(graph.view(), 50, &config).unwrap();
    check(graph.view(), &spectrum, 2e-4);
    let second = (std::f64::consts::TAU / 10.0).cos();
    assert!(spectrum.values.iter().all(|x| (x - second).abs() < 1e-6));
    let all = leading_eigenvectors(graph.view(), 70, &SpectralConfig::default()).unwrap();
    check(graph.view(), &all, 2e-4);
    assert!(all.values[..60].iter().all(|&x| x == 1.0));
    assert!(all.values[60..].iter().all(|x| (x - second).abs() < 1e-6));
}

#[test]
fn bipartite_graphs_and_pairs_do_not_confuse_the_filter() {
    // 150 separate pairs: eigenvalues 1 and −1 only.
    let entries: Vec<_> = (0..150)
        .flat_map(|i| [(2 * i, 2 * i + 1, 1.0), (2 * i + 1, 2 * i, 1.0)])
        .collect();
    let graph = OwnedRows::new(300, &entries, false);
    let config = SpectralConfig {
        skip_components: true,
        ..SpectralConfig::default()
    };
    let spectrum = leading_eigenvectors(graph.view(), 4, &config).unwrap();
    check(graph.view(), &spectrum, 2e-4);
    assert!(spectrum.values.iter().all(|x| (x + 1.0).abs() < 1e-6));
}

#[test]
fn renumbering_the_nodes_renumbers_the_vectors() {
    let nodes = 400;
    let graph = planted(5, nodes, 4, 14.0, 0.85);
    let mut random = Random::new(9);
    let mut order: Vec<usize> = (0..nodes).collect();
    order.sort_by_cached_key(|_| random.uniform().to_bits());
    let entries: Vec<_> = (0..nodes)
        .flat_map(|u| {
            let order = &order;
            let view = graph.view();
            view.row_entries(u)
                .map(move |(v, w)| (order[u], order[v], f64::from(w)))
                .collect::<Vec<_>>()
        })
        .collect();
    let moved = OwnedRows::new(nodes, &entries, true);
    let config = SpectralConfig {
        tolerance: 1e-5,
        products: 3000,
        ..SpectralConfig::default()
    };
    let a = leading_eigenvectors(graph.view(), 4, &config).unwrap();
    let b = leading_eigenvectors(moved.view(), 4, &config).unwrap();
    for j in 0..4 {
        let product: f64 = (0..nodes)
            .map(|u| f64::from(a.vectors[u * 4 + j]) * f64::from(b.vectors[order[u] * 4 + j]))
            .sum();
        assert!((product.abs() - 1.0).abs() < 1e-6, "vector {j}: {product}");
    }
}

#[test]
fn threads_change_no_byte_and_seeds_only_the_rounding() {
    let graph = planted(3, 3000, 8, 10.0, 0.9);
    let run = |threads, seed| {
        let config = SpectralConfig {
            seed,
            ..SpectralConfig::default()
        };
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("a thread pool")
            .install(|| leading_eigenvectors(graph.view(), 8, &config).unwrap())
    };
    let one = run(1, 0);
    assert!(one.products > 0);
    assert_eq!(one, run(2, 0));
    let other = run(2, 1);
    assert_ne!(one.vectors, other.vectors);
    assert_close("eigenvalues", &one.values, &other.values, 1e-6);
}

#[test]
fn what_is_no_graph_is_refused() {
    let wide = SparseRows {
        offsets: &[0, 0],
        columns: &[],
        weights: None,
        columns_count: 2,
    };
    let config = SpectralConfig::default();
    assert!(matches!(
        leading_eigenvectors(wide, 1, &config),
        Err(SpectralError::NotSquare {
            rows: 1,
            columns: 2
        })
    ));
    for weight in [-1.0, f64::NAN, f64::INFINITY] {
        let bad = OwnedRows::new(2, &[(0, 1, weight), (1, 0, weight)], true);
        let error = leading_eigenvectors(bad.view(), 1, &config).unwrap_err();
        assert!(error.to_string().contains("row 0, column 1"), "{error}");
    }
    let nothing = OwnedRows::new(5, &[], false);
    let spectrum = leading_eigenvectors(nothing.view(), 3, &config).unwrap();
    assert!(spectrum.values.is_empty() && spectrum.vectors.is_empty());
    let empty = leading_eigenvectors(OwnedRows::new(0, &[], false).view(), 3, &config).unwrap();
    assert!(empty.values.is_empty());
}

#[test]
fn the_lower_end_is_that_of_the_dense_solver() {
    for nodes in [60, 500] {
        let graph = planted(4, nodes, 3, 9.0, 0.2);
        let config = SpectralConfig {
            tolerance: 2e-5,
            products: 3000,
            lower_end: true,
            ..SpectralConfig::default()
        };
        let spectrum = leading_eigenvectors(graph.view(), 5, &config).unwrap();
        let want = symmetric_eigen(&dense(graph.view()), nodes).values;
        assert_close("eigenvalues", &spectrum.values, &want[..5], 1e-6);
    }
}
