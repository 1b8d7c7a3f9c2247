//! Sparse products, coarsening and negative edges against their definitions.

use crate::matrix::{OwnedRows, Random, assert_close};
use bnpool_math::kernel::{
    Activation, Addend, activate, lift, lift_transposed, reduce, sample_negatives, segment_spread,
    segment_sum, spmm,
};
use bnpool_math::stream::{Purpose, Stream};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn random_rows(random: &mut Random, nodes: usize, density: f64, directed: bool) -> OwnedRows {
    let mut entries = BTreeSet::new();
    for u in 0..nodes {
        for v in 0..=u {
            if random.uniform() < density {
                entries.insert((u, v));
                if !directed {
                    entries.insert((v, u));
                }
            }
        }
    }
    let entries: Vec<_> = entries
        .into_iter()
        .map(|(u, v)| (u, v, 1.0 + (u * 7 + v) as f64 % 3.0))
        .collect();
    OwnedRows::new(nodes, &entries, true)
}

proptest! {
    #[test]
    fn sparse_product_matches_its_definition(
        seed in any::<u64>(), nodes in 1..90_usize, width in 0..75_usize, density in 0.0..0.4_f64,
    ) {
        let mut random = Random::new(seed);
        let a = random_rows(&mut random, nodes, density, true);
        let x = random.vector(nodes * width);
        let y = spmm(a.view(), &x, width, Addend::None, Activation::None);
        let mut want = vec![0.0; nodes * width];
        for u in 0..nodes {
            for (v, w) in a.view().row_entries(u) {
                for f in 0..width {
                    want[u * width + f] += f64::from(w) * x[v * width + f];
                }
            }
        }
        assert_close("A X", &y, &want, 1e-12);
        let single: Vec<f32> = x.iter().map(|&x| x as f32).collect();
        let y = spmm(a.view(), &single, width, Addend::None, Activation::None);
        assert_close("A X in f32", &y.iter().map(|&y| f64::from(y)).collect::<Vec<_>>(), &want, 1e-5);
        let bias = random.vector(width);
        let fused = spmm(a.view(), &x, width, Addend::Row(&bias), Activation::Elu);
        let mut sums = want;
        sums.iter_mut().enumerate().for_each(|(i, y)| *y += bias[i % width]);
        assert_close("f(A X + b)", &fused, &activate(&sums, Activation::Elu), 1e-12);
        let own = spmm(a.view(), &x, width, Addend::Rows(&sums), Activation::None);
        let twice: Vec<f64> = y.iter().zip(&sums).map(|(&y, s)| f64::from(y) + s).collect();
        assert_close("A X + B", &own, &twice, 1e-5);
    }

    #[test]
    fn coarsening_matches_its_definition(
        seed in any::<u64>(), sizes in prop::collection::vec(0..20_usize, 1..5), clusters in 1..9_usize, width in 0..13_usize,
    ) {
        let mut random = Random::new(seed);
        let mut offsets = vec![0];
        for n in &sizes {
            offsets.push(offsets[offsets.len() - 1] + n);
        }
        let nodes = offsets[sizes.len()];
        let s = random.vector(nodes * clusters);
        let x = random.vector(nodes * width);
        let p = random.vector(sizes.len() * clusters * width);
        let (mut pooled, mut lifted) = (vec![0.0; p.len()], vec![0.0; x.len()]);
        let mut back = vec![0.0; s.len()];
        let mut sums = vec![0.0; sizes.len() * width];
        for b in 0..sizes.len() {
            for u in offsets[b]..offsets[b + 1] {
                for f in 0..width {
                    sums[b * width + f] += x[u * width + f];
                    for c in 0..clusters {
                        let at = (b * clusters + c) * width + f;
                        pooled[at] += s[u * clusters + c] * x[u * width + f];
                        lifted[u * width + f] += s[u * clusters + c] * p[at];
                        back[u * clusters + c] += x[u * width + f] * p[at];
                    }
                }
            }
        }
        let reduced = |addend| reduce(&offsets, &s, clusters, &x, width, addend);
        let raised = |addend| lift(&offsets, &s, clusters, &p, width, addend);
        assert_close("SᵀX", &reduced(Addend::None), &pooled, 1e-12);
        assert_close("S P", &raised(Addend::None), &lifted, 1e-12);
        let row = random.vector(width);
        let plus = |product: &[f64], more: &[f64]| -> Vec<f64> {
            let sum = |(i, x): (usize, &f64)| x + more[i % more.len()];
            product.iter().enumerate().map(sum).collect()
        };
        assert_close("SᵀX + Q", &reduced(Addend::Rows(&p)), &plus(&pooled, &p), 1e-12);
        assert_close("SᵀX + b", &reduced(Addend::Row(&row)), &plus(&pooled, &row), 1e-12);
        assert_close("S P + X", &raised(Addend::Rows(&x)), &plus(&lifted, &x), 1e-12);
        assert_close("S P + b", &raised(Addend::Row(&row)), &plus(&lifted, &row), 1e-12);
        assert_close("X Pᵀ", &lift_transposed(&offsets, &x, width, &p, clusters), &back, 1e-12);
        assert_close("sums", &segment_sum(&offsets, &x, width), &sums, 1e-12);
        let spread = segment_spread(&offsets, &sums, width);
        prop_assert_eq!(spread.len(), x.len());
    }

    #[test]
    fn negatives_are_what_they_say(
        seed in any::<u64>(), sizes in prop::collection::vec(0..30_usize, 1..4), density in 0.0..1.0_f64, directed in any::<bool>(),
    ) {
        let mut random = Random::new(seed);
        let mut offsets = vec![0];
        let mut entries = Vec::new();
        for &n in &sizes {
            let start = offsets[offsets.len() - 1];
            let block = random_rows(&mut random, n, density, directed);
            for u in 0..n {
                entries.extend(block.view().row(u).iter().map(|&v| (start + u, start + v as usize, 1.0)));
            }
            offsets.push(start + n);
        }
        let nodes = offsets[sizes.len()];
        let a = OwnedRows::new(nodes, &entries, false);
        let keys: Vec<u32> = (10..10 + sizes.len() as u32).collect();
        let stream = Stream::new(seed, Purpose::NegativeEdges, 3);
        let negatives = sample_negatives(a.view(), &offsets, &keys, &stream);
        prop_assert_eq!(&negatives, &sample_negatives(a.view(), &offsets, &keys, &stream));
        let view = negatives.view();
        for b in 0..sizes.len() {
            let range = offsets[b]..offsets[b + 1];
            let (mut found, mut edges, mut free) = (0, 0, 0);
            for u in range.clone() {
                prop_assert!(view.row(u).is_sorted_by(|x, y| x < y), "sorted, no duplicates");
                for &v in view.row(u) {
                    let v = v as usize;
                    prop_assert!(range.contains(&v) && u != v);
                    prop_assert!(a.get(u, v) == 0.0 && a.get(v, u) == 0.0);
                    prop_assert!(view.row(v).contains(&(u as u32)), "both directions");
                    found += 1;
                }
                for v in range.clone() {
                    if u != v {
                        edges += usize::from(a.get(u, v) != 0.0);
                        free += usize::from(a.get(u, v) == 0.0 && a.get(v, u) == 0.0);
                    }
                }
            }
            prop_assert_eq!(found, negatives.counts()[b]);
            prop_assert_eq!(found, (2 * (edges / 2)).min(free));
            // A graph on its own gets the same negatives.
            let alone = sample_negatives(a.slice(range.clone()).view(), &[0, range.len()], &keys[b..=b], &stream);
            for u in range.clone() {
                let shifted: Vec<u32> = alone.view().row(u - range.start).iter().map(|v| v + range.start as u32).collect();
                prop_assert_eq!(view.row(u), &shifted[..]);
            }
        }
    }
}

#[test]
fn large_graphs_are_cut_into_tasks_without_changing_the_result() {
    let mut random = Random::new(1);
    let offsets = [0, 1700, 1703];
    let (s, x) = (random.vector(1703 * 6), random.vector(1703 * 5));
    let run = |threads| {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("a thread pool")
            .install(|| {
                (
                    reduce(&offsets, &s, 6, &x, 5, Addend::None),
                    lift(&offsets, &s, 6, &random_p(), 5, Addend::None),
                )
            })
    };
    fn random_p() -> Vec<f64> {
        Random::new(2).vector(2 * 6 * 5)
    }
    assert_eq!(run(1), run(2));
    let mut want = vec![0.0; 60];
    for u in 0..1703 {
        let b = usize::from(u >= 1700);
        for c in 0..6 {
            for f in 0..5 {
                want[(b * 6 + c) * 5 + f] += s[u * 6 + c] * x[u * 5 + f];
            }
        }
    }
    assert_close("SᵀX", &run(2).0, &want, 1e-12);
}

#[test]
fn negatives_of_a_sparse_graph_are_uniform_over_the_free_pairs() {
    // A path of 12 nodes: 11 edges, 55 free pairs, 11 negatives per draw.
    let entries: Vec<_> = (0..11)
        .flat_map(|u| [(u, u + 1, 1.0), (u + 1, u, 1.0)])
        .collect();
    let a = OwnedRows::new(12, &entries, false);
    let mut counts = vec![0_u32; 144];
    for step in 0..4000 {
        let negatives = sample_negatives(
            a.view(),
            &[0, 12],
            &[0],
            &Stream::new(0, Purpose::NegativeEdges, step),
        );
        for u in 0..12 {
            for &v in negatives.view().row(u) {
                counts[u * 12 + v as usize] += 1;
            }
        }
    }
    for u in 0..12_usize {
        for v in 0..u {
            let expected = if u - v == 1 {
                0.0
            } else {
                4000.0 * 11.0 / 55.0
            };
            assert!(
                (f64::from(counts[u * 12 + v]) - expected).abs() <= 5.0 * f64::sqrt(expected),
                "{u} {v}"
            );
        }
    }
}
