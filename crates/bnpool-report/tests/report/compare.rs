//! The page of a comparison.

use bnpool_graph::{Csr, Graph, Matrix};
use bnpool_report::ReportError;
use bnpool_report::compare::{Cell, Column, CompareReport, PooledBy, render_html};

/// A ring of six nodes with two kinds of features.
fn ring() -> Graph {
    let edges = (0..6_u32).flat_map(|u| [(u, (u + 1) % 6), ((u + 1) % 6, u)]);
    let kinds = [1., 0., 1., 0., 1., 0., 0., 1., 0., 1., 0., 1.];
    let features = Matrix::new(6, 2, kinds.to_vec()).expect("features");
    let adjacency = Csr::from_edges(6, edges).expect("edges");
    let graph = Graph::builder(adjacency).features(features);
    graph.build().expect("a graph")
}

const HALVES: [f32; 12] = [1., 0., 1., 0., 1., 0., 0., 1., 0., 1., 0., 1.];
const UNSURE: [f32; 12] = [0.6, 0.4, 0.6, 0.4, 0.6, 0.4, 0.4, 0.6, 0.4, 0.6, 0.4, 0.6];
const PAIR: [f32; 4] = [4., 2., 2., 4.];
/// X_pool of two supernodes with three features.
const SUMS: [f32; 6] = [2., 1., 0.5, 1., 2., 0.];
const THREE: [f32; 9] = [0., 1., 0., 1., 0., 1., 0., 1., 0.];

fn divided<'a>(pooler: &'a str, assignments: &'a [f32]) -> PooledBy<'a> {
    PooledBy {
        pooler,
        summary: "Halves: two halves",
        assignments,
        kept: &[],
        clusters: 2,
        pooled_adjacency: &PAIR,
        pooled_features: &SUMS,
        feature_maps: 1,
    }
}

fn page(pooled: &[PooledBy<'_>]) -> Result<String, ReportError> {
    let graph = ring();
    render_html(&CompareReport {
        title: "Poolers on a <ring>",
        lead: "Accuracy & more.",
        columns: &[
            Column::new("pooler", "", false),
            Column::new("acc", "", true),
        ],
        rows: &[vec![Cell::text("<b>"), Cell::number("85.0 %", 0.85)]],
        remarks: &["the first is the best".to_owned()],
        graph: Some(&graph),
        graph_name: "the <ring>",
        class_names: &[],
        pooled,
        feature_words: "of the <graph>",
        config_toml: "seed = 0",
        version: "0.1.0",
    })
}

/// Positions of the nodes in the drawing with a name.
fn places(page: &str, id: &str) -> Vec<String> {
    let start = page.find(&format!("id=\"{id}\"")).expect("a drawing");
    let drawing = &page[start..start + page[start..].find("</svg>").expect("its end")];
    let mut places: Vec<String> = drawing
        .split("<circle ")
        .skip(1)
        .map(|circle| circle.split(" r=").next().unwrap_or_default().to_owned())
        .collect();
    places.sort();
    places
}

#[test]
fn all_poolers_share_the_places_of_the_nodes() {
    let kept = PooledBy {
        pooler: "top",
        summary: "keeps some",
        assignments: &[],
        kept: &[4, 0, 2],
        clusters: 3,
        pooled_adjacency: &THREE,
        pooled_features: &THREE,
        feature_maps: 1,
    };
    let nothing = PooledBy {
        kept: &[],
        pooled_adjacency: &[],
        pooled_features: &[],
        ..kept
    };
    let html = page(&[divided("a", &HALVES), divided("b", &UNSURE), kept, nothing]);
    let html = html.expect("a page");
    let graph = places(&html, "compare-graph");
    assert_eq!(graph.len(), 6);
    for id in ["compare-0-nodes", "compare-1-nodes", "compare-2-nodes"] {
        assert_eq!(places(&html, id), graph, "{id}");
    }
    assert_eq!(html.matches("<h3>Memberships S</h3>").count(), 3);
    assert!(html.contains("Memberships of 6 nodes in 3 supernodes"));
    assert_eq!(html.matches("<h3>Pooled graph</h3>").count(), 3);
    assert_eq!(html.matches("<h3>Pooled features X_pool</h3>").count(), 3);
    assert!(html.contains("3 nodes are kept"));
    assert!(html.contains(">Two halves</p>"));
}

#[test]
fn pooled_features_are_drawn_for_every_kind_of_membership() {
    let whole: Vec<f32> = (0..36).map(|i| f32::from(i % 7 == 0)).collect();
    let same = PooledBy {
        assignments: &[],
        clusters: 6,
        pooled_adjacency: &whole,
        pooled_features: &whole,
        ..divided("same", &HALVES)
    };
    let html = page(&[same]).expect("a page");
    assert!(html.contains("A row for each supernode, a column for each of 6 features"));
    assert!(html.contains("<h3>Pooled graph</h3>") && !html.contains("Kept nodes"));
    // Modes are concatenated, and each has a name.
    let modes = PooledBy {
        feature_maps: 3,
        ..divided("modes", &HALVES)
    };
    let html = page(&[modes]).expect("a page");
    for part in [
        "mode 0",
        "mode 2",
        "(3 modes side by side) of the &lt;graph&gt;",
    ] {
        assert!(html.contains(part), "{part}");
    }
    // Of many features, those with the largest variance are drawn, including
    // the last one.
    let mut many = vec![1.0; 2 * 3000];
    many[2999] = 5.0;
    let wide = PooledBy {
        pooled_features: &many,
        ..divided("wide", &HALVES)
    };
    let html = page(&[wide]).expect("a page");
    assert!(html.contains("256 of 3000 features that differ most"));
    assert!(html.contains("feature 2999"));
    // Unusual numbers must not cause an error.
    let odd = PooledBy {
        pooled_features: &[f32::NAN, f32::INFINITY, -1.0, 0.0],
        ..divided("odd", &HALVES)
    };
    assert!(page(&[odd]).is_ok());
}

#[test]
fn names_stay_names_and_nothing_is_loaded() {
    let html = page(&[divided("<script>alert(1)</script>", &HALVES)]).expect("a page");
    for risky in [
        "<b>",
        "<ring>",
        "<script>alert",
        "src=\"http",
        "href=\"http",
    ] {
        assert!(!html.contains(risky), "{risky}");
    }
    let again = page(&[divided("<script>alert(1)</script>", &HALVES)]).expect("a page");
    assert!(html == again);
}

#[test]
fn parts_that_do_not_fit_are_refused() {
    let short = page(&[divided("a", &HALVES[..10])]).expect_err("too short");
    assert!(short.to_string().contains("needs 12"), "{short}");
    let features = PooledBy {
        pooled_features: &SUMS[..5],
        ..divided("a", &HALVES)
    };
    let error = page(&[features]).expect_err("too short");
    assert!(error.to_string().contains("features of a pooled graph"));
    let maps = PooledBy {
        feature_maps: 2,
        ..divided("a", &HALVES)
    };
    assert!(page(&[maps]).is_err());
    let stray = PooledBy {
        assignments: &[],
        kept: &[0, 6],
        ..divided("a", &HALVES)
    };
    let error = page(&[stray]).expect_err("no such node");
    assert!(error.to_string().contains("kept node 6"), "{error}");
}
