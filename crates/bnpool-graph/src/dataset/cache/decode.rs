//! A parsed data set from bytes, or nothing where they are damaged.

use crate::csr::Csr;
use crate::dataset::load::Parsed;
use crate::features::Features;
use crate::format::tu::TuCoding;
use crate::graph::Graph;
use crate::matrix::Matrix;
use crate::split::Split;
use crate::target::Target;

/// What [`encode`](super::encode::encode) wrote.
pub(super) fn decode(bytes: &[u8]) -> Option<Parsed> {
    let mut from = Decoder(bytes);
    let classes = from.length()?;
    let class_names = from.texts()?;
    let split = match from.flag()? {
        true => Some(Split {
            train: from.lengths()?,
            validation: from.lengths()?,
            test: from.lengths()?,
        }),
        false => None,
    };
    let coding = match from.flag()? {
        true => Some(from.coding()?),
        false => None,
    };
    let count = from.count(1)?;
    let graphs = (0..count).map(|_| from.graph()).collect::<Option<_>>()?;
    from.0.is_empty().then_some(Parsed {
        graphs,
        classes,
        class_names,
        split,
        coding,
    })
}

/// The bytes that are left.
struct Decoder<'b>(&'b [u8]);

impl<'b> Decoder<'b> {
    fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|byte| byte[0])
    }

    fn flag(&mut self) -> Option<bool> {
        match self.byte()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    fn word(&mut self) -> Option<[u8; 8]> {
        self.take(8)?.try_into().ok()
    }

    fn length(&mut self) -> Option<usize> {
        usize::try_from(u64::from_le_bytes(self.word()?)).ok()
    }

    fn ranges(&mut self) -> Option<Vec<(i64, i64)>> {
        let count = self.count(16)?;
        let mut label = || self.word().map(i64::from_le_bytes);
        (0..count).map(|_| Some((label()?, label()?))).collect()
    }

    fn coding(&mut self) -> Option<TuCoding> {
        Some(TuCoding {
            node_attributes: self.flag()?,
            drop_first_attribute: self.flag()?,
            edge_attributes: self.flag()?,
            node_labels: self.ranges()?,
            edge_labels: self.ranges()?,
        })
    }

    /// A number of things that take at least `size` bytes each, and so cannot be
    /// more than the bytes allow.
    fn count(&mut self, size: usize) -> Option<usize> {
        let count = self.length()?;
        (count <= self.0.len() / size).then_some(count)
    }

    fn lengths(&mut self) -> Option<Vec<usize>> {
        let count = self.count(8)?;
        (0..count).map(|_| self.length()).collect()
    }

    fn words<T>(&mut self, count: usize, word: fn([u8; 4]) -> T) -> Option<Vec<T>> {
        let bytes = self.take(count.checked_mul(4)?)?;
        let (words, _) = bytes.as_chunks::<4>();
        Some(words.iter().map(|&bytes| word(bytes)).collect())
    }

    fn integers(&mut self) -> Option<Vec<u32>> {
        let count = self.count(4)?;
        self.words(count, u32::from_le_bytes)
    }

    fn numbers(&mut self) -> Option<Vec<f32>> {
        let count = self.count(4)?;
        self.words(count, f32::from_le_bytes)
    }

    fn texts(&mut self) -> Option<Vec<String>> {
        let count = self.count(8)?;
        let text = |_| {
            let length = self.length()?;
            let bytes = self.take(length)?;
            String::from_utf8(bytes.to_vec()).ok()
        };
        (0..count).map(text).collect()
    }

    fn matrix(&mut self) -> Option<Matrix> {
        let (rows, columns) = (self.length()?, self.length()?);
        Matrix::new(rows, columns, self.numbers()?).ok()
    }

    fn csr(&mut self) -> Option<Csr> {
        let (rows, columns_count) = (self.length()?, self.length()?);
        let degrees = self.words(rows, u32::from_le_bytes)?;
        let mut offsets = Vec::with_capacity(rows + 1);
        let mut end = 0_usize;
        offsets.push(0);
        for degree in degrees {
            end = end.checked_add(degree as usize)?;
            offsets.push(end);
        }
        let columns = self.integers()?;
        let weights = match self.flag()? {
            true => Some(self.numbers()?),
            false => None,
        };
        Csr::new(rows, columns_count, offsets, columns, weights).ok()
    }

    fn graph(&mut self) -> Option<Graph> {
        let adjacency = self.csr()?;
        let adjacency = match self.flag()? {
            // The checksum says that this was true when it was written.
            true => adjacency.assume_symmetric(true),
            false => adjacency,
        };
        let features = match self.flag()? {
            true => Features::Sparse(self.csr()?),
            false => Features::Dense(self.matrix()?),
        };
        let edge_features = match self.flag()? {
            true => Some(self.matrix()?),
            false => None,
        };
        let target = match self.byte()? {
            0 => None,
            1 => Some(Target::Class(*self.integers()?.first()?)),
            2 => Some(Target::Values(self.numbers()?)),
            _ => return None,
        };
        let labels = match self.flag()? {
            true => Some(self.integers()?),
            false => None,
        };
        let ids = match self.flag()? {
            true => Some(self.texts()?),
            false => None,
        };
        Graph::builder(adjacency)
            .features(features)
            .edge_features(edge_features)
            .target(target)
            .node_labels(labels)
            .node_ids(ids)
            .build()
            .ok()
    }
}
