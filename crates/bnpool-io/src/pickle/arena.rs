//! The memory of the objects of a pickle.
//!
//! Objects refer to one another by number, not by pointer: a pickle may share
//! an object a million times or put a list into itself, and that must neither
//! copy nor recurse.

use super::error::{PickleError, PickleProblem};
use super::global::Global;
use crate::format::npy::Dtype;

/// A piece of text or bytes: of the file, or of what was decoded from it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) length: usize,
    pub(super) decoded: bool,
}

/// A value: small ones in place, others by number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Item {
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    /// UTF-8.
    Text(Span),
    /// A string of Python 2: bytes, or text with a byte for each character.
    OldText(Span),
    Bytes(Span),
    Global(Global),
    Node(u32),
}

#[derive(Debug)]
pub(super) enum Node {
    List(Vec<Item>),
    Tuple(Vec<Item>),
    Dict(Vec<(Item, Item)>),
    /// Bytes written as text, a character for each.
    Latin1(Span),
    Dtype(Dtype),
    /// An array; empty until its content has come.
    Array(Option<Box<ArrayParts>>),
    /// An object of a known class and its attributes, a [`Node::Dict`].
    Record {
        class: Global,
        state: Option<u32>,
    },
    Storage {
        dtype: Dtype,
        key: Span,
    },
    Tensor(Box<TensorParts>),
}

#[derive(Debug)]
pub(super) struct ArrayParts {
    /// The place in the pickle where it was built, for messages.
    pub(super) offset: usize,
    pub(super) dtype: Dtype,
    pub(super) shape: Vec<usize>,
    /// Whether numbers stand column after column.
    pub(super) by_columns: bool,
    pub(super) data: Item,
}

#[derive(Debug)]
pub(super) struct TensorParts {
    pub(super) offset: usize,
    pub(super) dtype: Dtype,
    pub(super) key: Span,
    /// Its start in the storage, in numbers.
    pub(super) start: usize,
    pub(super) shape: Vec<usize>,
    pub(super) strides: Vec<usize>,
}

/// All objects of a pickle, and the bytes they refer to.
#[derive(Debug)]
pub(super) struct Arena<'b> {
    pub(super) bytes: &'b [u8],
    pub(super) decoded: Vec<u8>,
    pub(super) nodes: Vec<Node>,
}

impl<'b> Arena<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self {
            bytes,
            decoded: Vec::new(),
            nodes: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, offset: usize, node: Node) -> Result<Item, PickleError> {
        let number = u32::try_from(self.nodes.len())
            .map_err(|_| PickleError::new(offset, PickleProblem::TooLarge { what: "an object" }))?;
        self.nodes.push(node);
        Ok(Item::Node(number))
    }

    pub(super) fn node(&self, item: Item) -> Option<&Node> {
        match item {
            Item::Node(number) => self.nodes.get(number as usize),
            _ => None,
        }
    }

    pub(super) fn node_mut(&mut self, item: Item) -> Option<&mut Node> {
        match item {
            Item::Node(number) => self.nodes.get_mut(number as usize),
            _ => None,
        }
    }

    /// The bytes of a span, which was valid when it was made.
    pub(super) fn span(&self, span: Span) -> &[u8] {
        let all = if span.decoded {
            &self.decoded
        } else {
            self.bytes
        };
        all.get(span.start..span.start + span.length)
            .unwrap_or_default()
    }

    /// The bytes of text or bytes that stand in the pickle as they are.
    pub(super) fn raw(&self, item: Item) -> Option<&[u8]> {
        match item {
            Item::Text(span) | Item::OldText(span) | Item::Bytes(span) => Some(self.span(span)),
            _ => None,
        }
    }

    pub(super) fn tuple(&self, item: Item) -> Option<&[Item]> {
        match self.node(item)? {
            Node::Tuple(items) => Some(items),
            _ => None,
        }
    }

    /// A tuple of a few sizes.
    pub(super) fn sizes(&self, item: Item) -> Option<Vec<usize>> {
        // As many axes as numpy allows; a shape may be named a million times.
        const MOST_AXES: usize = 64;
        let items = self.tuple(item)?;
        if items.len() > MOST_AXES {
            return None;
        }
        let size = |item: &Item| match item {
            Item::Int(value) => usize::try_from(*value).ok(),
            _ => None,
        };
        items.iter().map(size).collect()
    }
}
