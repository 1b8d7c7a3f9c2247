//! From graphs to the bytes of a container.

use std::collections::HashMap;
use std::io;

use safetensors::Dtype;
use safetensors::tensor::TensorView;

use super::{VERSION, VERSION_KEY, WORDS, Words, flag};
use bnpool_graph::{Csr, Features, Graph, Target};

/// The bytes of all tensors, by name.
#[derive(Default)]
struct Tensors {
    flags: Vec<u8>,
    /// Per graph: nodes, edges, features, feature entries, edge features and
    /// target values.
    sizes: Vec<u8>,
    words: [Vec<u8>; WORDS.len()],
    node_ids: Names,
}

/// Texts behind one another, and how long each is.
#[derive(Default)]
struct Names {
    text: Vec<u8>,
    lengths: Vec<u8>,
}

impl Names {
    fn push(&mut self, name: &str) {
        self.text.extend(name.bytes());
        self.lengths.extend((name.len() as u64).to_le_bytes());
    }
}

/// About how many bytes a graph takes in the file.
pub(super) fn size(graph: &Graph) -> u64 {
    let features = match graph.features() {
        Features::Dense(matrix) => 4 * matrix.as_slice().len(),
        Features::Sparse(matrix) => 8 * matrix.entries() + 4 * matrix.rows(),
    };
    let ids = graph.node_ids().unwrap_or_default();
    let names: usize = ids.iter().map(|id| id.len() + 8).sum();
    (8 * graph.nodes() + 8 * graph.edges() + features + names) as u64
}

pub(super) fn encode(graphs: &[Graph], classes: Option<&[String]>) -> io::Result<Vec<u8>> {
    let mut tensors = Tensors::default();
    for graph in graphs {
        tensors.push(graph);
    }
    let mut class_names = Names::default();
    for name in classes.unwrap_or_default() {
        class_names.push(name);
    }
    let Tensors { node_ids, .. } = &tensors;
    let mut named: Vec<(&str, Dtype, &[u8])> = vec![
        ("flags", Dtype::U8, &tensors.flags),
        ("sizes", Dtype::U64, &tensors.sizes),
        ("node_ids", Dtype::U8, &node_ids.text),
        ("node_id_lengths", Dtype::U64, &node_ids.lengths),
    ];
    let words = WORDS.iter().zip(&tensors.words);
    named.extend(words.map(|(&(name, dtype), bytes)| (name, dtype, &bytes[..])));
    if classes.is_some() {
        named.push(("classes", Dtype::U8, &class_names.text));
        named.push(("class_lengths", Dtype::U64, &class_names.lengths));
    }
    // One key only: more would come in no fixed order.
    let metadata = HashMap::from([(VERSION_KEY.to_owned(), VERSION.to_string())]);
    let views = named
        .into_iter()
        .map(|(name, dtype, bytes)| {
            let elements = bytes.len() / (dtype.bitsize() / 8);
            Ok((name, TensorView::new(dtype, vec![elements], bytes)?))
        })
        .collect::<Result<Vec<_>, safetensors::SafeTensorError>>();
    views
        .and_then(|views| safetensors::serialize(views, Some(metadata)))
        .map_err(io::Error::other)
}

impl Tensors {
    fn push(&mut self, graph: &Graph) {
        let mut flags = 0;
        let adjacency = graph.adjacency();
        self.push_rows(adjacency, Words::RowLengths, Words::Columns);
        if let Some(weights) = adjacency.weights() {
            flags |= flag::WEIGHTS;
            self.push_floats(Words::Weights, weights);
        }
        let mut feature_entries = 0;
        match graph.features() {
            Features::Dense(matrix) => self.push_floats(Words::Features, matrix.as_slice()),
            Features::Sparse(matrix) => {
                flags |= flag::SPARSE_FEATURES;
                feature_entries = matrix.entries();
                self.push_rows(matrix, Words::FeatureRowLengths, Words::FeatureColumns);
                if let Some(weights) = matrix.weights() {
                    flags |= flag::FEATURE_WEIGHTS;
                    self.push_floats(Words::Features, weights);
                }
            }
        }
        if let Some(matrix) = graph.edge_features() {
            flags |= flag::EDGE_FEATURES;
            self.push_floats(Words::EdgeFeatures, matrix.as_slice());
        }
        let mut target_width = 0;
        match graph.target() {
            None => {}
            Some(Target::Class(class)) => {
                flags |= flag::TARGET_CLASS;
                self.push_numbers(Words::TargetClasses, &[*class]);
            }
            Some(Target::Values(values)) => {
                flags |= flag::TARGET_VALUES;
                target_width = values.len();
                self.push_floats(Words::TargetValues, values);
            }
        }
        if let Some(labels) = graph.node_labels() {
            flags |= flag::NODE_LABELS;
            self.push_numbers(Words::NodeLabels, labels);
        }
        if let Some(ids) = graph.node_ids() {
            flags |= flag::NODE_IDS;
            for id in ids {
                self.node_ids.push(id);
            }
        }
        self.flags.push(flags);
        for size in [
            graph.nodes(),
            graph.edges(),
            graph.features().width(),
            feature_entries,
            graph.edge_features().map_or(0, |matrix| matrix.columns()),
            target_width,
        ] {
            self.sizes.extend((size as u64).to_le_bytes());
        }
    }

    fn push_rows(&mut self, matrix: &Csr, lengths: Words, columns: Words) {
        for row in 0..matrix.rows() {
            self.push_numbers(lengths, &[matrix.degree(row) as u32]);
        }
        self.push_numbers(columns, matrix.columns());
    }

    fn push_numbers(&mut self, words: Words, numbers: &[u32]) {
        let bytes = numbers.iter().flat_map(|number| number.to_le_bytes());
        self.words[words as usize].extend(bytes);
    }

    fn push_floats(&mut self, words: Words, numbers: &[f32]) {
        let bytes = numbers.iter().flat_map(|number| number.to_le_bytes());
        self.words[words as usize].extend(bytes);
    }
}
