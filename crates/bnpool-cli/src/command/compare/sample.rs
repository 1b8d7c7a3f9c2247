//! One graph, pooled by all methods, for the page.

use super::graphs::Evidence;
use super::job::Job;
use crate::terminal::message::Failure;
use bnpool_graph::split::Split;
use bnpool_graph::{Csr, Features, Graph};
use bnpool_io::format::{Limits, npy::Npy};
use bnpool_task::cluster;
use bnpool_task::learn;
use bnpool_task::learn::{TrainedModel, mean_and_deviation};

/// Largest number of entries of S that are drawn; more would take longer than
/// the runs.
const MOST: usize = 50_000_000;

/// A graph, with the pooled graph of each pooler.
pub struct Shown<'a> {
    pub graph: &'a Graph,
    /// Name of the graph.
    pub name: String,
    /// Names of the classes of its nodes.
    pub class_names: &'a [String],
    /// Description of the features in X_pool.
    pub feature_words: &'static str,
    /// Pooled graphs in the order of the jobs; `None` if too large to be drawn.
    pub pooled: Vec<Option<Pooled>>,
}

/// A pooled graph.
#[derive(Default)]
pub struct Pooled {
    /// S, [nodes, clusters]; empty if the pooler does not partition the nodes.
    pub assignments: Vec<f32>,
    /// Kept nodes, if the pooler drops nodes.
    pub kept: Vec<usize>,
    pub clusters: usize,
    /// A_pool, [clusters, clusters].
    pub adjacency: Vec<f32>,
    /// X_pool, [clusters, width]; empty if the nodes have no features.
    pub features: Vec<f32>,
    /// Number of linear maps in X_pool.
    pub maps: usize,
}

/// Returns the first test graph of the first fold, pooled by the models of this
/// fold.
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
            features: found.features,
            maps: found.maps,
        }));
    }
    Ok(Some(Shown {
        graph,
        name: format!("graph {number}, the first test graph of fold {fold}"),
        class_names: &[],
        feature_words: "that the network gives to the pooler",
        pooled,
    }))
}

/// Computes the mean number of supernodes of the test graphs, each pooled by the
/// model of its fold.
pub fn mean_supernodes(
    input: &learn::run::Input,
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

/// Reads the model of a pooler for a fold.
fn model(job: &Job, fold: usize) -> Result<TrainedModel, Failure> {
    let name = format!("model.fold-{fold}.safetensors");
    Ok(TrainedModel::load(&job.directory.file(&name))?)
}

/// Reads the communities of the runs.
pub fn of_one_graph<'a>(
    input: &'a cluster::run::Input,
    jobs: &[&Job],
) -> Result<Shown<'a>, Failure> {
    let mut pooled = Vec::with_capacity(jobs.len());
    for job in jobs {
        let path = job.directory.file("assignments.npy");
        // The memberships of a huge graph in many communities are not written.
        if !path.exists() {
            pooled.push(None);
            continue;
        }
        let array = Npy::open(&path, &Limits::default())?;
        if array.count() > MOST {
            pooled.push(None);
            continue;
        }
        let matrix = array.to_matrix(&path)?;
        if matrix.rows() != input.graph.nodes() {
            return Err(Failure::input(format!(
                "{}: it has {} rows for {} nodes; remove the run to have it made again",
                path.display(),
                matrix.rows(),
                input.graph.nodes()
            )));
        }
        let (assignments, clusters) = (matrix.as_slice().to_vec(), matrix.columns());
        pooled.push(Some(Pooled {
            adjacency: pooled_adjacency(input.graph.adjacency(), &assignments, clusters),
            features: pooled_features(input.graph.features(), &assignments, clusters),
            maps: 1,
            assignments,
            clusters,
            kept: Vec::new(),
        }));
    }
    Ok(Shown {
        graph: &input.graph,
        name: input.name.clone(),
        class_names: &input.class_names,
        feature_words: "of the nodes, summed by S",
        pooled,
    })
}

/// Computes Sᵀ A S, [clusters, clusters], without products of zeros.
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

/// Computes Sᵀ X, [clusters, width], without products of zeros; empty if it is
/// too large to be drawn.
fn pooled_features(features: &Features, s: &[f32], clusters: usize) -> Vec<f32> {
    let width = features.width();
    if clusters.saturating_mul(width) > MOST {
        return Vec::new();
    }
    let mut sums = vec![0.0_f64; clusters * width];
    for (u, memberships) in s.chunks_exact(clusters.max(1)).enumerate() {
        for (c, &share) in memberships.iter().enumerate().filter(|e| *e.1 != 0.0) {
            let row = &mut sums[c * width..(c + 1) * width];
            let mut add = |column: usize, value: f32| {
                row[column] += f64::from(share) * f64::from(value);
            };
            match features {
                Features::Dense(matrix) => {
                    let values = matrix.row(u).iter().enumerate();
                    values.for_each(|(column, &value)| add(column, value));
                }
                Features::Sparse(matrix) => {
                    let weights = matrix.row_weights(u);
                    for (k, &column) in matrix.row(u).iter().enumerate() {
                        add(column as usize, weights.map_or(1.0, |weights| weights[k]));
                    }
                }
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

    #[test]
    fn pooled_features_are_sums_over_nodes() {
        let s = [1.0, 0.0, 0.5, 0.5, 0.0, 1.0];
        let dense = bnpool_graph::Matrix::new(3, 2, vec![1.0, 2.0, 4.0, 0.0, 0.0, 3.0]);
        let dense = Features::Dense(dense.expect("a matrix"));
        assert_eq!(pooled_features(&dense, &s, 2), [3.0, 2.0, 2.0, 3.0]);
        let sparse = Csr::from_positions(3, 2, [(0, 1), (1, 0), (2, 1)]).expect("positions");
        let sparse = Features::Sparse(sparse);
        assert_eq!(pooled_features(&sparse, &s, 2), [0.5, 1.0, 0.5, 1.0]);
        assert!(pooled_features(&Features::absent(3), &s, 2).is_empty());
    }
}
