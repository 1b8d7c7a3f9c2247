//! The graph-classification benchmark: an npz of arrays of objects.

use std::path::Path;

use super::files::{refuse_pickle, wrong_array};
use crate::format::npy::{Npy, NpyData};
use crate::format::npz::Npz;
use crate::format::{Limits, ReadError, Source};
use crate::pickle::{Pickle, Value};
use bnpool_graph::split::Split;
use bnpool_graph::transform::undirect;
use bnpool_graph::{Graph, GraphError, Matrix, Target};

/// The graphs of a file, the number of their classes, and its own partition.
pub(super) struct Benchmark {
    pub(super) graphs: Vec<Graph>,
    pub(super) classes: usize,
    pub(super) split: Split,
}

/// Reads training, validation and test graphs, one after the other.
pub(super) fn read_gcb(path: &Path, limits: &Limits) -> Result<Benchmark, ReadError> {
    let mut npz = Npz::open(path, limits)?;
    let mut graphs = Vec::new();
    let mut classes = 0;
    let mut split = Split::default();
    for (part, numbers) in [
        ("tr", &mut split.train),
        ("val", &mut split.validation),
        ("te", &mut split.test),
    ] {
        let first = graphs.len();
        let labels = npz.required(&format!("{part}_class"))?;
        classes = read_part(&mut npz, part, &labels, limits, &mut graphs)?;
        numbers.extend(first..graphs.len());
    }
    Ok(Benchmark {
        graphs,
        classes,
        split,
    })
}

fn read_part(
    npz: &mut Npz,
    part: &str,
    labels: &Npy,
    limits: &Limits,
    graphs: &mut Vec<Graph>,
) -> Result<usize, ReadError> {
    let path = npz.path().to_path_buf();
    let wrong = |name: &str| wrong_array(&path, &format!("{part}_{name}"));
    let (&[count, classes], Some(one_hot)) = (labels.shape.as_slice(), labels.data.to_f32()) else {
        return Err(wrong("class"));
    };
    let mut pickled = |name: &str| -> Result<Source, ReadError> {
        let array = npz.required(&format!("{part}_{name}"))?;
        let NpyData::Object(bytes) = array.data else {
            return Err(wrong(name));
        };
        Source::from_bytes(path.join(format!("{part}_{name}.npy")), bytes, limits)
    };
    let (adjacencies, features) = (pickled("adj")?, pickled("feat")?);
    let adjacency_pickle =
        Pickle::parse(adjacencies.bytes()).map_err(refuse_pickle(adjacencies.path()))?;
    let feature_pickle = Pickle::parse(features.bytes()).map_err(refuse_pickle(features.path()))?;
    let objects = |pickle: &'_ Pickle<'_>, name: &str| -> Result<usize, ReadError> {
        let array = pickle.root().as_array();
        let objects = array.and_then(|array| array.objects().map(|o| o.len()));
        objects.ok_or_else(|| wrong(name))
    };
    if objects(&adjacency_pickle, "adj")? != count || objects(&feature_pickle, "feat")? != count {
        return Err(wrong("adj"));
    }
    let each = |pickle| Value::as_array(pickle).and_then(|array| array.objects());
    let pairs = each(adjacency_pickle.root())
        .into_iter()
        .flatten()
        .zip(each(feature_pickle.root()).into_iter().flatten());
    for (graph, (adjacency, feature)) in pairs.enumerate() {
        let adjacency = adjacency.as_csr().ok_or_else(|| wrong("adj"))?;
        let adjacency = adjacency.map_err(refuse_pickle(adjacencies.path()))?;
        let feature = feature.as_array().ok_or_else(|| wrong("feat"))?;
        let &[nodes, width] = feature.shape() else {
            return Err(wrong("feat"));
        };
        let values = feature.to_f32().map_err(refuse_pickle(features.path()))?;
        let row = &one_hot[graph * classes..(graph + 1) * classes];
        let class = row.iter().position(|&value| value == 1.0);
        let class = class.ok_or_else(|| wrong("class"))? as u32;
        let build = || -> Result<Graph, GraphError> {
            Graph::builder(adjacency.without_weights())
                .features(Matrix::new(nodes, width, values)?)
                .target(Target::Class(class))
                .build()
        };
        let built = build().map_err(|error| ReadError::graph(&path, error))?;
        graphs.push(undirect(&built));
    }
    Ok(classes)
}
