//! poolers.json: the whole poolers MinCut, top-k and no pooling.

use super::fixture::{Number, Rows, flat, read as fixture, transposed};
use super::tensors::{PRECISIONS, device, from_values, matrix, read, vector};
use super::tolerance::{CHAIN, SINGLE, assert_all_close, assert_close};
use bnpool::nn::Initialiser;
use bnpool::pool::{
    Level, Membership, Pass, Pool, PoolSite, Pooler, PoolerConfig, Structure, Topology,
};
use bnpool_graph::{Batch, Csr, Graph};
use burn::module::Param;
use burn::tensor::{DType, Tensor};
use serde::Deserialize;
use std::collections::HashMap;

#[derive(Deserialize)]
struct File {
    mincut_forward: MinCutForward,
    topk: TopKCase,
    nopool: NoPoolCase,
}

#[derive(Deserialize)]
#[allow(non_snake_case)] // The names of the files.
struct MinCutForward {
    W: Rows,
    b: Vec<Number>,
    X: Rows,
    edge_index: [Vec<u32>; 2],
    batch: Vec<usize>,
    x_pool: Vec<Rows>,
    adj_pool: Vec<Rows>,
    S: Vec<Rows>,
    losses: HashMap<String, f64>,
}

#[derive(Deserialize)]
#[allow(non_snake_case)]
struct TopKCase {
    X: Rows,
    edge_index: [Vec<u32>; 2],
    batch: Vec<usize>,
    node_index: Vec<usize>,
    cluster_index: Vec<usize>,
    weight: Vec<Number>,
    x_pool: Rows,
    pooled_edge_index: [Vec<u32>; 2],
    pooled_batch: Vec<usize>,
    weight_param: Rows,
    w: Rows,
    grad_X: Rows,
    grad_weight_param: Rows,
}

#[derive(Deserialize)]
struct NoPoolCase {
    x_pool: Rows,
    pooled_edge_index: [Vec<u32>; 2],
}

/// Creates the pooler with a name and the values of the paper.
pub(crate) fn make(name: &str, site: &PoolSite) -> Pooler {
    let config = PoolerConfig::paper().with_name(name);
    Pooler::make(&config, site, &mut Initialiser::new(0, &device())).expect("a pooler")
}

pub(crate) fn tolerance(dtype: DType) -> f64 {
    if dtype == DType::F32 { SINGLE } else { CHAIN }
}

/// The real nodes of padded graphs.
pub(crate) fn unpadded(padded: &[Rows], sizes: &[usize]) -> Rows {
    padded
        .iter()
        .zip(sizes)
        .flat_map(|(rows, &n)| rows[..n].to_vec())
        .collect()
}

/// The graphs of a batch given by one list of edges.
pub(crate) fn topology(edges: &[Vec<u32>; 2], batch: &[usize]) -> Topology {
    let graphs = batch.iter().max().map_or(0, |&b| b + 1);
    let starts: Vec<usize> = (0..graphs)
        .map(|g| {
            batch
                .iter()
                .position(|&b| b == g)
                .expect("nodes of every graph")
        })
        .collect();
    let graphs: Vec<Graph> = (0..graphs)
        .map(|g| {
            let nodes = batch.iter().filter(|&&b| b == g).count();
            let shift = starts[g] as u32;
            // Messages flow from the first index to the second: rows are targets.
            let own = edges[1]
                .iter()
                .zip(&edges[0])
                .filter(|(u, _)| batch[**u as usize] == g)
                .map(|(u, v)| (u - shift, v - shift));
            Graph::builder(Csr::from_edges(nodes, own).expect("edges"))
                .build()
                .expect("a graph")
        })
        .collect();
    Topology::of_batch(&Batch::new(&graphs.iter().collect::<Vec<_>>()).expect("a batch"))
}

#[test]
fn mincut_pools_as_the_reference() {
    let case = fixture::<File>("poolers.json").mincut_forward;
    let site = PoolSite {
        inputs: case.X[0].len(),
        nodes: 9.0,
        clusters: Some(case.b.len()),
        seed: 0,
    };
    for dtype in PRECISIONS {
        let Pooler::MinCut(mut pool) = make("mincut", &site) else {
            panic!("MinCut was asked for");
        };
        pool.affine.weight = Param::from_tensor(matrix(&transposed(&case.W), dtype));
        pool.affine.bias = Some(Param::from_tensor(vector(&case.b, dtype)));
        let level = Level::new(
            matrix(&case.X, dtype),
            topology(&case.edge_index, &case.batch),
        );
        let out = pool.pool(&level, &Pass::mean());
        let sizes: Vec<usize> = level.segments().ranges().map(|r| r.len()).collect();
        let all = |rows: &[Rows]| rows.iter().flat_map(|r| flat(r)).collect::<Vec<_>>();
        let s = read(out.assignments().expect("soft"));
        assert_all_close("S", s, &flat(&unpadded(&case.S, &sizes)), tolerance(dtype));
        assert_all_close(
            "X_pool",
            read(out.features()),
            &all(&case.x_pool),
            tolerance(dtype),
        );
        assert_all_close(
            "A_pool",
            read(out.adjacency()),
            &all(&case.adj_pool),
            tolerance(dtype),
        );
        for (name, want) in [("cut", "cut_loss"), ("ortho", "ortho_loss")] {
            let got = read(out.losses.get(name).expect("a term").clone())[0];
            assert_close(name, got, case.losses[want], tolerance(dtype), 0.0);
        }
    }
}

#[test]
fn topk_keeps_the_nodes_of_the_reference() {
    let case = fixture::<File>("poolers.json").topk;
    let site = PoolSite {
        inputs: case.X[0].len(),
        nodes: 10.0,
        clusters: None,
        seed: 0,
    };
    for dtype in PRECISIONS {
        let Pooler::TopK(mut pool) = make("topk", &site) else {
            panic!("top-k was asked for");
        };
        let direction = matrix(&transposed(&case.weight_param), dtype);
        pool.direction = Param::from_tensor(direction.clone());
        let x = matrix(&case.X, dtype);
        let level = Level::new(x.clone(), topology(&case.edge_index, &case.batch));
        let out = pool.pool(&level, &Pass::mean());
        let Membership::Kept { nodes, weights, .. } = &out.membership else {
            panic!("some nodes are kept");
        };
        let mut order = vec![0_usize; case.node_index.len()];
        for ((&node, &place), weight) in case
            .node_index
            .iter()
            .zip(&case.cluster_index)
            .zip(&case.weight)
        {
            order[place] = node;
            let got = read(weights.clone())[place];
            assert_close("weight", got, weight.0, tolerance(dtype), 1e-3);
        }
        assert_eq!(nodes, &order);
        let pooled = &out.level;
        assert_all_close(
            "X_pool",
            read(pooled.x()),
            &flat(&case.x_pool),
            tolerance(dtype),
        );
        let Structure::Sparse(structure) = &pooled.structure else {
            panic!("the pooled graph is sparse");
        };
        // The reference numbers the ends of edges by the position of a node
        // among the kept ones, but the rows of X_pool by score. Here both are
        // by score, so edges join the correct rows.
        let by_score = |place: &u32| case.cluster_index[*place as usize] as u32;
        let mut want: Vec<(u32, u32)> = case.pooled_edge_index[1]
            .iter()
            .zip(&case.pooled_edge_index[0])
            .map(|(u, v)| (by_score(u), by_score(v)))
            .collect();
        want.sort_unstable();
        let got: Vec<(u32, u32)> = structure.adjacency.iter().map(|(u, v, _)| (u, v)).collect();
        assert_eq!(got, want);
        for (b, range) in pooled.segments().ranges().enumerate() {
            assert!(range.clone().all(|u| case.pooled_batch[u] == b));
        }
        let w: Tensor<2> = from_values(flat(&case.w), pooled.x().dims(), dtype).detach();
        let grads = (pooled.x() * w).sum().backward();
        let got = read(x.grad(&grads).expect("a gradient"));
        assert_all_close("∂X", got, &flat(&case.grad_X), tolerance(dtype));
        let got = read(direction.grad(&grads).expect("a gradient"));
        assert_all_close("∂p", got, &flat(&case.grad_weight_param), tolerance(dtype));
    }
}

#[test]
fn no_pooling_changes_nothing() {
    let file = fixture::<File>("poolers.json");
    let (case, graph) = (file.nopool, file.topk);
    let site = PoolSite {
        inputs: 3,
        nodes: 10.0,
        clusters: None,
        seed: 0,
    };
    let pool = make("none", &site);
    let x = matrix(&graph.X, DType::F64);
    let level = Level::new(x, topology(&graph.edge_index, &graph.batch));
    let out = pool.pool(&level, &Pass::mean());
    assert_all_close("X", read(out.level.x()), &flat(&case.x_pool), CHAIN);
    assert_eq!(
        level.structure.topology().adjacency.entries(),
        case.pooled_edge_index[0].len()
    );
    assert!(out.losses.total().is_none());
    assert_all_close(
        "lifted",
        read(out.lift(out.level.x())),
        &flat(&case.x_pool),
        CHAIN,
    );
}
