//! From graphs to the bytes of a container.

use std::collections::HashMap;
use std::io;

use safetensors::Dtype;
use safetensors::tensor::TensorView;

use super::{VERSION, VERSION_KEY, flag};
use bnpool_graph::Csr;
use bnpool_graph::Features;
use bnpool_graph::Graph;
use bnpool_graph::Target;

/// The bytes of all tensors, by name.
#[derive(Default)]
struct Tensors {
    flags: Vec<u8>,
    /// Per graph: nodes, edges, features, feature entries, edge features and
    /// target values.
    sizes: Vec<u8>,
    row_lengths: Vec<u8>,
    columns: Vec<u8>,
    weights: Vec<u8>,
    features: Vec<u8>,
    feature_row_lengths: Vec<u8>,
    feature_columns: Vec<u8>,
    edge_features: Vec<u8>,
    target_classes: Vec<u8>,
    target_values: Vec<u8>,
    node_labels: Vec<u8>,
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
        ("row_lengths", Dtype::U32, &tensors.row_lengths),
        ("columns", Dtype::U32, &tensors.columns),
        ("weights", Dtype::F32, &tensors.weights),
        ("features", Dtype::F32, &tensors.features),
        (
            "feature_row_lengths",
            Dtype::U32,
            &tensors.feature_row_lengths,
        ),
        ("feature_columns", Dtype::U32, &tensors.feature_columns),
        ("edge_features", Dtype::F32, &tensors.edge_features),
        ("target_classes", Dtype::U32, &tensors.target_classes),
        ("target_values", Dtype::F32, &tensors.target_values),
        ("node_labels", Dtype::U32, &tensors.node_labels),
        ("node_ids", Dtype::U8, &node_ids.text),
        ("node_id_lengths", Dtype::U64, &node_ids.lengths),
    ];
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
        push_rows(adjacency, &mut self.row_lengths, &mut self.columns);
        if let Some(weights) = adjacency.weights() {
            flags |= flag::WEIGHTS;
            push_floats(&mut self.weights, weights);
        }
        let mut feature_entries = 0;
        match graph.features() {
            Features::Dense(matrix) => push_floats(&mut self.features, matrix.as_slice()),
            Features::Sparse(matrix) => {
                flags |= flag::SPARSE_FEATURES;
                feature_entries = matrix.entries();
                push_rows(
                    matrix,
                    &mut self.feature_row_lengths,
                    &mut self.feature_columns,
                );
                if let Some(weights) = matrix.weights() {
                    flags |= flag::FEATURE_WEIGHTS;
                    push_floats(&mut self.features, weights);
                }
            }
        }
        if let Some(matrix) = graph.edge_features() {
            flags |= flag::EDGE_FEATURES;
            push_floats(&mut self.edge_features, matrix.as_slice());
        }
        let mut target_width = 0;
        match graph.target() {
            None => {}
            Some(Target::Class(class)) => {
                flags |= flag::TARGET_CLASS;
                push_numbers(&mut self.target_classes, &[*class]);
            }
            Some(Target::Values(values)) => {
                flags |= flag::TARGET_VALUES;
                target_width = values.len();
                push_floats(&mut self.target_values, values);
            }
        }
        if let Some(labels) = graph.node_labels() {
            flags |= flag::NODE_LABELS;
            push_numbers(&mut self.node_labels, labels);
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
}

fn push_rows(matrix: &Csr, lengths: &mut Vec<u8>, columns: &mut Vec<u8>) {
    for row in 0..matrix.rows() {
        // A row has no more entries than columns, which 32 bits can count.
        lengths.extend((matrix.degree(row) as u32).to_le_bytes());
    }
    push_numbers(columns, matrix.columns());
}

fn push_numbers(bytes: &mut Vec<u8>, numbers: &[u32]) {
    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
}

fn push_floats(bytes: &mut Vec<u8>, numbers: &[f32]) {
    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
}
