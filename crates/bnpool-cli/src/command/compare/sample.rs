//! One graph, pooled by every method, for the page.

use super::graphs::Evidence;
use super::job::Job;
use crate::command::{cluster, train};
use crate::message::Failure;
use bnpool::task::learn::{TrainedModel, mean_and_deviation};
use bnpool_graph::format::{Limits, npy::Npy};
use bnpool_graph::split::Split;
use bnpool_graph::{Csr, Graph};

/// Most entries of S that are drawn: more would take longer than the runs.
const MOST: usize = 50_000_000;

/// A graph and what each pooler made of it.
pub struct Shown<'a> {
    pub graph: &'a Graph,
    /// What the graph is called.
    pub name: String,
    /// Names of the classes of its nodes.
    pub class_names: &'a [String],
    /// In the order of the jobs; none if it is too large to be drawn.
    pub pooled: Vec<Option<Pooled>>,
}

/// What a pooler made of the graph.
#[derive(Default)]
pub struct Pooled {
    /// S, [nodes, clusters]; empty if the pooler does not divide the nodes.
    pub assignments: Vec<f32>,
    /// Nodes that are kept, if the pooler keeps some.
    pub kept: Vec<usize>,
    pub clusters: usize,
    /// A_pool, [clusters, clusters].
    pub adjacency: Vec<f32>,
}

/// The first test graph of the first fold, pooled by its models.
pub fn of_graphs<'a>(evidence: &Evidence<'a>) -> Result<Option<Shown<'a>>, Failure> {
    let Evidence { input, jobs, .. } = *evidence;
    let Some(&fold) = evidence.folds.first() else {
        return Ok(None);
    };
    let Some(&number) = evidence.splits[fold].test.first() else {
        return Ok(None);
    };
    let graph = &input.originals[number];
    let mut pooled = Vec::with_capacity(jobs.len());
    for job in jobs {
        let predictor = model(job, fold)?.predictor()?.with_pooled_graphs();
        let mut said = predictor.predict(vec![graph.clone()])?;
        let found = said.pop().and_then(|prediction| prediction.pooled);
        pooled.push(found.map(|found| Pooled {
            assignments: found.assignments,
            kept: found.kept,
            clusters: found.supernodes,
            adjacency: found.adjacency,
        }));
    }
    Ok(Some(Shown {
        graph,
        name: format!("graph {number}, the first test graph of fold {fold}"),
        class_names: &[],
        pooled,
    }))
}

/// Mean number of supernodes of the test graphs, each pooled by the model of its
/// fold.
pub fn mean_supernodes(
    input: &train::Input,
    splits: &[Split],
    folds: &[usize],
    job: &Job,
) -> Result<Option<f64>, Failure> {
    let mut counts = Vec::new();
    for &fold in folds {
        let graphs = splits[fold].test.iter();
        let graphs = graphs.map(|&graph| input.originals[graph].clone());
        let said = model(job, fold)?.predictor()?.predict(graphs.collect())?;
        counts.extend(said.iter().map(|prediction| prediction.supernodes as f64));
    }
    Ok(mean_and_deviation(&counts).map(|found| found.0))
}

/// The model that a pooler learned of a fold.
fn model(job: &Job, fold: usize) -> Result<TrainedModel, Failure> {
    let name = format!("model.fold-{fold}.safetensors");
    Ok(TrainedModel::load(&job.directory.file(&name))?)
}

/// The communities that the runs wrote.
pub fn of_one_graph<'a>(input: &'a cluster::Input, jobs: &[Job]) -> Result<Shown<'a>, Failure> {
    let mut pooled = Vec::with_capacity(jobs.len());
    for job in jobs {
        let path = job.directory.file("assignments.npy");
        let array = Npy::open(&path, &Limits::default())?;
        if array.count() > MOST {
            pooled.push(None);
            continue;
        }
        let matrix = array.to_matrix(&path)?;
        if matrix.rows() != input.graph.nodes() {
            return Err(Failure::Input(format!(
                "{}: it has {} rows for {} nodes; remove the run to have it made again",
                path.display(),
                matrix.rows(),
                input.graph.nodes()
            )));
        }
        let (assignments, clusters) = (matrix.as_slice().to_vec(), matrix.columns());
        pooled.push(Some(Pooled {
            adjacency: pooled_adjacency(input.graph.adjacency(), &assignments, clusters),
            assignments,
            clusters,
            kept: Vec::new(),
        }));
    }
    Ok(Shown {
        graph: &input.graph,
        name: input.name.clone(),
        class_names: &input.class_names,
        pooled,
    })
}

/// Sᵀ A S without products of zeros, [clusters, clusters].
fn pooled_adjacency(adjacency: &Csr, s: &[f32], clusters: usize) -> Vec<f32> {
    let mut sums = vec![0.0_f64; clusters * clusters];
    // Row u of A S.
    let mut reached = vec![0.0_f64; clusters];
    let entries = |u: usize| {
        let row = s[u * clusters..(u + 1) * clusters].iter().enumerate();
        row.filter(|entry| *entry.1 != 0.0)
            .map(|(c, &value)| (c, f64::from(value)))
    };
    for u in 0..adjacency.rows() {
        reached.fill(0.0);
        let weights = adjacency.row_weights(u);
        for (k, &v) in adjacency.row(u).iter().enumerate() {
            let weight = weights.map_or(1.0, |weights| f64::from(weights[k]));
            for (c, value) in entries(v as usize) {
                reached[c] += weight * value;
            }
        }
        for (c, value) in entries(u) {
            let row = &mut sums[c * clusters..(c + 1) * clusters];
            for (sum, reach) in row.iter_mut().zip(&reached) {
                *sum += value * reach;
            }
        }
    }
    sums.into_iter().map(|sum| sum as f32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pooled_edges_are_sums_over_edges() {
        let edges = [(0, 1), (1, 0), (1, 2), (2, 1)];
        let adjacency = Csr::from_edges(3, edges).expect("edges");
        let s = [1.0, 0.0, 0.5, 0.5, 0.0, 1.0];
        assert_eq!(pooled_adjacency(&adjacency, &s, 2), [1.0, 1.0, 1.0, 1.0]);
    }
}
