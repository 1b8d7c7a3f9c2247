//! From the bytes of a container to graphs.

use std::path::Path;

use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};

use super::flag;
use super::header::{check_version, not_safetensors};
use crate::bytes::error::ReadError;
use crate::bytes::limits::Limits;
use bnpool_graph::Csr;
use bnpool_graph::Features;
use bnpool_graph::Graph;
use bnpool_graph::Matrix;
use bnpool_graph::Target;

/// A problem of a container.
type Problem = String;

pub(super) fn decode(
    path: &Path,
    bytes: &[u8],
    limits: &Limits,
) -> Result<(Vec<Graph>, Option<Vec<String>>), ReadError> {
    let metadata = SafeTensors::read_metadata(bytes)
        .map_err(|error| not_safetensors(path, &error.to_string()))?;
    check_version(path, &metadata.1)?;
    let (graphs, classes) = decode_parts(bytes).map_err(|problem| {
        ReadError::in_file(
            path,
            format!("not a good container: {problem}"),
            "write it again",
        )
    })?;
    // Sparse features take no memory here, but their width does later on.
    let width = graphs.iter().map(|graph| graph.features().width()).max();
    limits.check_announced(path, "features", width.unwrap_or(0) as u64, bytes.len())?;
    Ok((graphs, classes))
}

fn decode_parts(bytes: &[u8]) -> Result<(Vec<Graph>, Option<Vec<String>>), Problem> {
    let tensors = SafeTensors::deserialize(bytes).map_err(|error| error.to_string())?;
    let mut parts = Parts {
        row_lengths: Words::numbers_of(&tensors, "row_lengths")?,
        columns: Words::numbers_of(&tensors, "columns")?,
        weights: Words::floats_of(&tensors, "weights")?,
        features: Words::floats_of(&tensors, "features")?,
        feature_row_lengths: Words::numbers_of(&tensors, "feature_row_lengths")?,
        feature_columns: Words::numbers_of(&tensors, "feature_columns")?,
        edge_features: Words::floats_of(&tensors, "edge_features")?,
        target_classes: Words::numbers_of(&tensors, "target_classes")?,
        target_values: Words::floats_of(&tensors, "target_values")?,
        node_labels: Words::numbers_of(&tensors, "node_labels")?,
        node_ids: Names::of(&tensors, "node_ids", "node_id_lengths")?,
    };
    let flags = raw(&tensors, "flags", Dtype::U8)?;
    let sizes = Sizes::of(&tensors, "sizes")?;
    let (per_graph, []) = sizes.0.as_chunks::<6>() else {
        return Err("`sizes` does not hold six numbers a graph".to_owned());
    };
    if per_graph.len() != flags.len() {
        return Err(format!(
            "{} flags for {} sizes",
            flags.len(),
            per_graph.len()
        ));
    }
    let graphs = flags
        .iter()
        .zip(per_graph)
        .enumerate()
        .map(|(number, (&flags, sizes))| {
            let graph = parts.next_graph(flags, *sizes);
            graph.map_err(|problem| format!("graph {number}: {problem}"))
        })
        .collect::<Result<_, _>>()?;
    parts.check_empty()?;
    let classes = match tensors.tensor("classes") {
        Ok(_) => Some(Names::of(&tensors, "classes", "class_lengths")?.rest()?),
        Err(_) => None,
    };
    Ok((graphs, classes))
}

/// The rest of the flat tensors.
struct Parts<'a> {
    row_lengths: Words<'a>,
    columns: Words<'a>,
    weights: Words<'a>,
    features: Words<'a>,
    feature_row_lengths: Words<'a>,
    feature_columns: Words<'a>,
    edge_features: Words<'a>,
    target_classes: Words<'a>,
    target_values: Words<'a>,
    node_labels: Words<'a>,
    node_ids: Names<'a>,
}

impl Parts<'_> {
    fn next_graph(&mut self, flags: u8, sizes: [usize; 6]) -> Result<Graph, Problem> {
        let [
            nodes,
            edges,
            width,
            feature_entries,
            edge_width,
            target_width,
        ] = sizes;
        let has = |flag: u8| flags & flag != 0;
        let lengths = self.row_lengths.numbers(nodes)?;
        let columns = self.columns.numbers(edges)?;
        let weights = has(flag::WEIGHTS)
            .then(|| self.weights.floats(edges))
            .transpose()?;
        let adjacency = rows(nodes, &lengths, columns, weights)?;
        let features: Features = if has(flag::SPARSE_FEATURES) {
            let lengths = self.feature_row_lengths.numbers(nodes)?;
            let columns = self.feature_columns.numbers(feature_entries)?;
            let weights = has(flag::FEATURE_WEIGHTS)
                .then(|| self.features.floats(feature_entries))
                .transpose()?;
            rows(width, &lengths, columns, weights)?.into()
        } else {
            self.features.matrix(nodes, width)?.into()
        };
        let mut builder = Graph::builder(adjacency).features(features);
        if has(flag::EDGE_FEATURES) {
            builder = builder.edge_features(self.edge_features.matrix(edges, edge_width)?);
        }
        builder = match (has(flag::TARGET_CLASS), has(flag::TARGET_VALUES)) {
            (false, false) => builder,
            (true, false) => {
                builder.target(self.target_classes.numbers(1)?.pop().map(Target::Class))
            }
            (false, true) => {
                builder.target(Target::Values(self.target_values.floats(target_width)?))
            }
            (true, true) => return Err("it has two kinds of target".to_owned()),
        };
        if has(flag::NODE_LABELS) {
            builder = builder.node_labels(self.node_labels.numbers(nodes)?);
        }
        if has(flag::NODE_IDS) {
            builder = builder.node_ids(self.node_ids.take(nodes)?);
        }
        builder.build().map_err(|error| error.to_string())
    }

    /// Tensors that are longer than all graphs together are damaged too.
    fn check_empty(&self) -> Result<(), Problem> {
        let left = [
            self.row_lengths.0,
            self.columns.0,
            self.weights.0,
            self.features.0,
            self.feature_row_lengths.0,
            self.feature_columns.0,
            self.edge_features.0,
            self.target_classes.0,
            self.target_values.0,
            self.node_labels.0,
            self.node_ids.text,
        ];
        if left.iter().all(|left| left.is_empty()) {
            return Ok(());
        }
        Err("its tensors are longer than its graphs".to_owned())
    }
}

fn rows(
    columns_count: usize,
    lengths: &[u32],
    columns: Vec<u32>,
    weights: Option<Vec<f32>>,
) -> Result<Csr, Problem> {
    let mut offsets = Vec::with_capacity(lengths.len() + 1);
    let mut end = 0_usize;
    offsets.push(end);
    for &length in lengths {
        end = end.saturating_add(length as usize);
        offsets.push(end);
    }
    let rows = lengths.len();
    Csr::new(rows, columns_count, offsets, columns, weights).map_err(|error| error.to_string())
}

fn tensor<'a>(
    tensors: &SafeTensors<'a>,
    name: &str,
    dtype: Dtype,
) -> Result<TensorView<'a>, Problem> {
    let view = tensors.tensor(name).map_err(|error| error.to_string())?;
    if view.dtype() != dtype {
        return Err(format!(
            "the tensor `{name}` has another type than {dtype:?}"
        ));
    }
    Ok(view)
}

fn raw<'a>(tensors: &SafeTensors<'a>, name: &str, dtype: Dtype) -> Result<&'a [u8], Problem> {
    tensor(tensors, name, dtype).map(|view| view.data())
}

fn too_short() -> Problem {
    "its tensors end too early".to_owned()
}

/// The next `count` elements of `SIZE` bytes; nothing is reserved before they
/// are known to be there.
fn take_chunks<'a, const SIZE: usize>(
    bytes: &mut &'a [u8],
    count: usize,
) -> Result<&'a [[u8; SIZE]], Problem> {
    let length = count.checked_mul(SIZE).ok_or_else(too_short)?;
    let (taken, rest) = bytes.split_at_checked(length).ok_or_else(too_short)?;
    *bytes = rest;
    Ok(taken.as_chunks().0)
}

/// The rest of a tensor of 32-bit numbers.
struct Words<'a>(&'a [u8]);

impl<'a> Words<'a> {
    fn numbers_of(tensors: &SafeTensors<'a>, name: &str) -> Result<Self, Problem> {
        raw(tensors, name, Dtype::U32).map(Self)
    }

    fn floats_of(tensors: &SafeTensors<'a>, name: &str) -> Result<Self, Problem> {
        raw(tensors, name, Dtype::F32).map(Self)
    }

    fn numbers(&mut self, count: usize) -> Result<Vec<u32>, Problem> {
        let chunks = take_chunks(&mut self.0, count)?.iter();
        Ok(chunks.map(|&bytes| u32::from_le_bytes(bytes)).collect())
    }

    fn floats(&mut self, count: usize) -> Result<Vec<f32>, Problem> {
        let chunks = take_chunks(&mut self.0, count)?.iter();
        Ok(chunks.map(|&bytes| f32::from_le_bytes(bytes)).collect())
    }

    fn matrix(&mut self, rows: usize, columns: usize) -> Result<Matrix, Problem> {
        let values = self.floats(rows.checked_mul(columns).ok_or_else(too_short)?)?;
        Matrix::new(rows, columns, values).map_err(|error| error.to_string())
    }
}

/// A tensor of sizes.
struct Sizes(Vec<usize>);

impl Sizes {
    fn of(tensors: &SafeTensors, name: &str) -> Result<Self, Problem> {
        let (chunks, _) = raw(tensors, name, Dtype::U64)?.as_chunks();
        let sizes = chunks
            .iter()
            .map(|&bytes| usize::try_from(u64::from_le_bytes(bytes)));
        let sizes: Result<_, _> = sizes.collect();
        sizes
            .map(Self)
            .map_err(|_| format!("`{name}` holds a size beyond any memory"))
    }
}

/// The rest of a tensor of texts.
struct Names<'a> {
    text: &'a [u8],
    lengths: std::vec::IntoIter<usize>,
}

impl<'a> Names<'a> {
    fn of(tensors: &SafeTensors<'a>, text: &str, lengths: &str) -> Result<Self, Problem> {
        Ok(Self {
            text: raw(tensors, text, Dtype::U8)?,
            lengths: Sizes::of(tensors, lengths)?.0.into_iter(),
        })
    }

    fn take(&mut self, count: usize) -> Result<Vec<String>, Problem> {
        if count > self.lengths.len() {
            return Err(too_short());
        }
        (0..count).map(|_| self.next()).collect()
    }

    fn rest(mut self) -> Result<Vec<String>, Problem> {
        self.take(self.lengths.len())
    }

    fn next(&mut self) -> Result<String, Problem> {
        let length = self.lengths.next().ok_or_else(too_short)?;
        let (name, rest) = self.text.split_at_checked(length).ok_or_else(too_short)?;
        self.text = rest;
        let name = std::str::from_utf8(name).map_err(|_| "a name is not UTF-8")?;
        Ok(name.to_owned())
    }
}
