//! A parsed data set as bytes: lengths of 64 bits, numbers of 32, all smallest
//! byte first.

use crate::csr::Csr;
use crate::dataset::load::Parsed;
use crate::features::Features;
use crate::format::tu::TuCoding;
use crate::graph::Graph;
use crate::matrix::Matrix;
use crate::target::Target;

/// What [`decode`](super::decode::decode) reads.
pub(super) fn encode(parsed: &Parsed) -> Vec<u8> {
    let mut out = Encoder(Vec::new());
    out.length(parsed.classes);
    out.texts(&parsed.class_names);
    out.flag(parsed.split.is_some());
    if let Some(split) = &parsed.split {
        for part in [&split.train, &split.validation, &split.test] {
            out.length(part.len());
            part.iter().for_each(|&example| out.length(example));
        }
    }
    out.flag(parsed.coding.is_some());
    if let Some(coding) = &parsed.coding {
        out.coding(coding);
    }
    out.length(parsed.graphs.len());
    parsed.graphs.iter().for_each(|graph| out.graph(graph));
    out.0
}

struct Encoder(Vec<u8>);

impl Encoder {
    fn flag(&mut self, flag: bool) {
        self.0.push(u8::from(flag));
    }

    fn length(&mut self, length: usize) {
        self.0.extend((length as u64).to_le_bytes());
    }

    fn integers(&mut self, values: &[u32]) {
        self.length(values.len());
        self.0.extend(values.iter().flat_map(|v| v.to_le_bytes()));
    }

    fn numbers(&mut self, values: &[f32]) {
        self.length(values.len());
        self.0.extend(values.iter().flat_map(|v| v.to_le_bytes()));
    }

    fn texts(&mut self, texts: &[String]) {
        self.length(texts.len());
        for text in texts {
            self.length(text.len());
            self.0.extend(text.bytes());
        }
    }

    fn coding(&mut self, coding: &TuCoding) {
        let flags = [
            coding.node_attributes,
            coding.drop_first_attribute,
            coding.edge_attributes,
        ];
        flags.into_iter().for_each(|flag| self.flag(flag));
        for ranges in [&coding.node_labels, &coding.edge_labels] {
            self.length(ranges.len());
            for label in ranges.iter().flat_map(|&(low, high)| [low, high]) {
                self.0.extend(label.to_le_bytes());
            }
        }
    }

    fn matrix(&mut self, matrix: &Matrix) {
        self.length(matrix.rows());
        self.length(matrix.columns());
        self.numbers(matrix.as_slice());
    }

    fn csr(&mut self, matrix: &Csr) {
        self.length(matrix.rows());
        self.length(matrix.columns_count());
        for u in 0..matrix.rows() {
            // Rows of distinct 32-bit columns are that short.
            self.0.extend((matrix.degree(u) as u32).to_le_bytes());
        }
        self.integers(matrix.columns());
        self.flag(matrix.weights().is_some());
        if let Some(weights) = matrix.weights() {
            self.numbers(weights);
        }
    }

    fn graph(&mut self, graph: &Graph) {
        self.csr(graph.adjacency());
        self.flag(graph.adjacency().is_symmetric());
        match graph.features() {
            Features::Dense(matrix) => {
                self.flag(false);
                self.matrix(matrix);
            }
            Features::Sparse(matrix) => {
                self.flag(true);
                self.csr(matrix);
            }
        }
        self.flag(graph.edge_features().is_some());
        if let Some(matrix) = graph.edge_features() {
            self.matrix(matrix);
        }
        match graph.target() {
            None => self.0.push(0),
            Some(Target::Class(class)) => {
                self.0.push(1);
                self.integers(&[*class]);
            }
            Some(Target::Values(values)) => {
                self.0.push(2);
                self.numbers(values);
            }
        }
        self.flag(graph.node_labels().is_some());
        if let Some(labels) = graph.node_labels() {
            self.integers(labels);
        }
        self.flag(graph.node_ids().is_some());
        if let Some(ids) = graph.node_ids() {
            self.texts(ids);
        }
    }
}
