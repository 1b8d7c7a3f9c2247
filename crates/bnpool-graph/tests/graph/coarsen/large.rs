//! Larger graphs, and graphs whose shape makes trees deep.

use bnpool_graph::Csr;
use bnpool_graph::coarsen::{
    SpectralClustering, coding_tree, graclus, independent_set, local_modes, spectral_clusters,
};
use bnpool_graph::generate::Sbm;

fn both(nodes: usize, edges: impl Iterator<Item = (u32, u32)>) -> Csr {
    Csr::from_edges(nodes, edges.flat_map(|(u, v)| [(u, v), (v, u)])).unwrap()
}

#[test]
fn stars_and_paths_are_no_trap() {
    let n = 3000_u32;
    let star = both(n as usize, (1..n).map(|v| (0, v)));
    let path = both(n as usize, (1..n).map(|v| (v - 1, v)));
    for graph in [&star, &path] {
        for height in [2, 4] {
            let levels = coding_tree(graph, height).unwrap();
            assert!(levels[0].supernodes() < n as usize);
        }
    }
    assert_eq!(graclus(&star, 0).unwrap().supernodes(), n as usize - 1);
    let scores = vec![0.0_f32; n as usize];
    assert_eq!(independent_set(&star, &scores, 2).unwrap().centres, [0]);
    let set = independent_set(&path, &scores, 2).unwrap();
    assert!(set.centres.iter().copied().eq((0..n).step_by(3)));
}

/// Four communities of 300 nodes: too large for dense solvers and for a single
/// task.
fn communities() -> Csr {
    let probability = |place: usize| if place.is_multiple_of(5) { 0.04 } else { 0.002 };
    let graph = Sbm::new(vec![300; 4], (0..16).map(probability).collect()).unwrap();
    graph.generate(5).unwrap().adjacency().clone()
}

#[test]
fn threads_do_not_matter() {
    let graph = communities();
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads").install(|| {
            let found = spectral_clusters(&graph, &SpectralClustering::new(4)).unwrap();
            assert_eq!(found.supernodes(), 4);
            local_modes(&graph, &found, 3).unwrap()
        })
    };
    assert_eq!(run(1), run(2));
}
