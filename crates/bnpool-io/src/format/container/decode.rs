//! From the bytes of a container to graphs.

use std::path::Path;

use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};

use super::header::{check_version, not_safetensors};
use super::{TOO_SHORT, WORDS, Words, flag, floats, names, numbers, sizes};
use crate::bytes::error::ReadError;
use crate::bytes::limits::Limits;
use bnpool_graph::{Csr, Features, Graph, Matrix, Target};

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
    let mut words = [&[][..]; WORDS.len()];
    for (words, (name, dtype)) in words.iter_mut().zip(WORDS) {
        *words = raw(&tensors, name, dtype)?;
    }
    let mut parts = Parts {
        words,
        node_ids: Names::of(&tensors, "node_ids", "node_id_lengths")?,
    };
    let flags = raw(&tensors, "flags", Dtype::U8)?;
    let sizes = sizes_of(&tensors, "sizes")?;
    let (per_graph, []) = sizes.as_chunks::<6>() else {
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
    words: [&'a [u8]; WORDS.len()],
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
        let lengths = self.numbers(Words::RowLengths, nodes)?;
        let columns = self.numbers(Words::Columns, edges)?;
        let weights = has(flag::WEIGHTS)
            .then(|| self.floats(Words::Weights, edges))
            .transpose()?;
        let adjacency = rows(nodes, &lengths, columns, weights)?;
        let features: Features = if has(flag::SPARSE_FEATURES) {
            let lengths = self.numbers(Words::FeatureRowLengths, nodes)?;
            let columns = self.numbers(Words::FeatureColumns, feature_entries)?;
            let weights = has(flag::FEATURE_WEIGHTS)
                .then(|| self.floats(Words::Features, feature_entries))
                .transpose()?;
            rows(width, &lengths, columns, weights)?.into()
        } else {
            self.matrix(Words::Features, nodes, width)?.into()
        };
        let mut builder = Graph::builder(adjacency).features(features);
        if has(flag::EDGE_FEATURES) {
            builder = builder.edge_features(self.matrix(Words::EdgeFeatures, edges, edge_width)?);
        }
        builder = match (has(flag::TARGET_CLASS), has(flag::TARGET_VALUES)) {
            (false, false) => builder,
            (true, false) => builder.target(
                self.numbers(Words::TargetClasses, 1)?
                    .pop()
                    .map(Target::Class),
            ),
            (false, true) => builder.target(Target::Values(
                self.floats(Words::TargetValues, target_width)?,
            )),
            (true, true) => return Err("it has two kinds of target".to_owned()),
        };
        if has(flag::NODE_LABELS) {
            builder = builder.node_labels(self.numbers(Words::NodeLabels, nodes)?);
        }
        if has(flag::NODE_IDS) {
            builder = builder.node_ids(self.node_ids.take(nodes)?);
        }
        builder.build().map_err(|error| error.to_string())
    }

    /// Tensors that are longer than all graphs together are damaged too.
    fn check_empty(&self) -> Result<(), Problem> {
        let mut left = self.words.iter().chain([&self.node_ids.text]);
        if left.all(|left| left.is_empty()) {
            return Ok(());
        }
        Err("its tensors are longer than its graphs".to_owned())
    }

    /// The next bytes of a tensor: `count` elements of four.
    fn take(&mut self, words: Words, count: usize) -> Result<&[u8], Problem> {
        let left = &mut self.words[words as usize];
        let length = count.checked_mul(4).ok_or(TOO_SHORT)?;
        let (taken, rest) = left.split_at_checked(length).ok_or(TOO_SHORT)?;
        *left = rest;
        Ok(taken)
    }

    fn numbers(&mut self, words: Words, count: usize) -> Result<Vec<u32>, Problem> {
        self.take(words, count).map(numbers)
    }

    fn floats(&mut self, words: Words, count: usize) -> Result<Vec<f32>, Problem> {
        self.take(words, count).map(floats)
    }

    fn matrix(&mut self, words: Words, rows: usize, columns: usize) -> Result<Matrix, Problem> {
        let values = self.floats(words, rows.checked_mul(columns).ok_or(TOO_SHORT)?)?;
        Matrix::new(rows, columns, values).map_err(|error| error.to_string())
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

fn sizes_of(tensors: &SafeTensors, name: &str) -> Result<Vec<usize>, Problem> {
    sizes(name, raw(tensors, name, Dtype::U64)?)
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
            lengths: sizes_of(tensors, lengths)?.into_iter(),
        })
    }

    fn take(&mut self, count: usize) -> Result<Vec<String>, Problem> {
        if count > self.lengths.len() {
            return Err(TOO_SHORT.to_owned());
        }
        Ok(names(&mut self.text, self.lengths.by_ref().take(count))?)
    }

    fn rest(mut self) -> Result<Vec<String>, Problem> {
        self.take(self.lengths.len())
    }
}
