//! Figures of one graph: clusters of Community, matrices of Cora.

use super::Drawn;
use crate::command::reproduce::cell::Run;
use crate::command::reproduce::place::{Data, Place};
use crate::command::reproduce::result::attachment;
use crate::message::Failure;
use bnpool::pool::find_pooler;
use bnpool_graph::Graph;
use bnpool_io::dataset::load;
use bnpool_io::format::{Limits, npy::Npy};
use bnpool_report::reproduce::{
    Drawing, NodeMatrix, communities as draw_communities, memberships, node_matrix,
};
use std::path::Path;

fn graph(name: &str, data: &Data) -> Result<Graph, Failure> {
    let mut set = load(name, &data.options(false))?;
    match set.graphs.len() {
        1 => Ok(set.graphs.remove(0)),
        n => Err(Failure::running(format!(
            "{name} has {n} graphs instead of one"
        ))),
    }
}

fn classes(graph: &Graph) -> Result<Vec<usize>, Failure> {
    let labels = graph.node_labels();
    let labels = labels.ok_or_else(|| Failure::running("the nodes have no classes"))?;
    Ok(labels.iter().map(|&label| label as usize).collect())
}

fn title(run: &Run) -> Result<&'static str, Failure> {
    Ok(find_pooler(&run.cell.pooler)
        .map_err(|e| Failure::running(e.to_string()))?
        .title)
}

fn damaged(path: &Path, problem: &str) -> Failure {
    Failure::input(format!(
        "{}: it is damaged: {problem}; remove it to have the run made again",
        path.display()
    ))
}

/// The clusters of Community.
pub fn communities(runs: &[Run], place: &Place, data: &Data) -> Result<Drawn, Failure> {
    let graph = graph("community", data)?;
    let features = graph.features().to_dense();
    let places: Vec<[f64; 2]> = (0..features.rows())
        .map(|u| [0, 1].map(|i| f64::from(features.row(u)[i])))
        .collect();
    let drawing = |run: &Run| {
        let labels = labels(
            &attachment(&place.results(), run, "labels.csv"),
            graph.nodes(),
        )?;
        let name = format!("{}-{}", run.cell.pooler, run.cell.preset);
        let heading = format!("{}, preset {}", title(run)?, run.cell.preset);
        Ok(draw_communities(
            &name,
            &heading,
            &graph,
            &labels,
            Some(&places),
        ))
    };
    let drawings: Result<Vec<Drawing>, Failure> = runs.iter().map(drawing).collect();
    Ok(Drawn {
        drawings: drawings?,
        remarks: vec!["MinCut is told that there are 5 communities; BN-Pool is not".to_owned()],
    })
}

/// The clusters of `labels.csv`.
fn labels(path: &Path, nodes: usize) -> Result<Vec<usize>, Failure> {
    let text = std::fs::read_to_string(path).map_err(|e| damaged(path, &e.to_string()))?;
    let cluster = |line: &str| line.split(',').nth(1)?.parse::<usize>().ok();
    let labels: Option<Vec<usize>> = text.lines().skip(1).map(cluster).collect();
    match labels {
        Some(labels) if labels.len() == nodes && labels.iter().all(|l| *l < nodes) => Ok(labels),
        _ => Err(damaged(path, "there is not one cluster for every node")),
    }
}

/// A matrix of a run, and its columns.
fn matrix(run: &Run, place: &Place, name: &str, rows: usize) -> Result<(Vec<f32>, usize), Failure> {
    let path = attachment(&place.results(), run, name);
    let matrix = Npy::open(&path, &Limits::default())?.to_matrix(&path)?;
    if matrix.rows() != rows {
        return Err(damaged(
            &path,
            &format!("it has {} rows instead of {rows}", matrix.rows()),
        ));
    }
    Ok((matrix.as_slice().to_vec(), matrix.columns()))
}

/// A, Y Yᵀ, S K Sᵀ of BN-Pool and S Sᵀ of MinCut.
pub fn spy(runs: &[Run], place: &Place, data: &Data) -> Result<Drawn, Failure> {
    let graph = graph("cora", data)?;
    let classes = classes(&graph)?;
    let pairs: Vec<(u32, u32)> = graph.adjacency().iter().map(|(u, v, _)| (u, v)).collect();
    let mut drawings = vec![
        node_matrix(
            "adjacency",
            "A",
            "The links of Cora. Nodes are sorted by class, and neighbouring nodes share a pixel.",
            &classes,
            NodeMatrix::Pairs(&pairs),
        ),
        node_matrix(
            "classes",
            "Y Yᵀ",
            "Pairs of nodes of the same class.",
            &classes,
            NodeMatrix::Classes,
        ),
    ];
    for run in runs {
        let (s, columns) = matrix(run, place, "assignments_raw.npy", graph.nodes())?;
        let bn = run.cell.pooler == "bn";
        let left = if bn {
            let (k, _) = matrix(run, place, "block_matrix_raw.npy", columns)?;
            times(&s, &k, columns)
        } else {
            s.clone()
        };
        let what = if bn { "S K Sᵀ" } else { "S Sᵀ" };
        let preset = &run.cell.preset;
        drawings.push(node_matrix(
            &format!("{}-{preset}", run.cell.pooler),
            &format!("{what} of {}, preset {preset}", title(run)?),
            if bn {
                "Scores of links before the logistic function: high where links are expected."
            } else {
                "Pairs of nodes that share clusters."
            },
            &classes,
            NodeMatrix::Product {
                left: &left,
                right: &s,
                columns,
            },
        ));
    }
    Ok(Drawn {
        drawings,
        remarks: Vec::new(),
    })
}

/// S K, [nodes × columns].
fn times(s: &[f32], k: &[f32], columns: usize) -> Vec<f32> {
    let mut out = vec![0.0_f32; s.len()];
    for (row, sums) in s.chunks(columns).zip(out.chunks_mut(columns)) {
        for (&membership, blocks) in row.iter().zip(k.chunks(columns)) {
            for (sum, &block) in sums.iter_mut().zip(blocks) {
                *sum += membership * block;
            }
        }
    }
    out
}

/// S of Cora by class.
pub fn s(runs: &[Run], place: &Place, data: &Data) -> Result<Drawn, Failure> {
    let graph = graph("cora", data)?;
    let classes = classes(&graph)?;
    let drawing = |run: &Run| {
        let (s, columns) = matrix(run, place, "assignments_raw.npy", graph.nodes())?;
        let name = format!("{}-{}", run.cell.pooler, run.cell.preset);
        let heading = format!("S of {}, preset {}", title(run)?, run.cell.preset);
        Ok(memberships(&name, &heading, &classes, &s, columns))
    };
    let drawings: Result<Vec<Drawing>, Failure> = runs.iter().map(drawing).collect();
    Ok(Drawn {
        drawings: drawings?,
        remarks: Vec::new(),
    })
}
