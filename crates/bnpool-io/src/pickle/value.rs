//! The values of a pickle, without copying them.

use std::borrow::Cow;
use std::fmt;

use super::Pickle;
use super::arena::{Item, Node};
use super::array::Array;
use super::error::PickleError;
use super::global::Global;
use super::torch::Tensor;
use bnpool_graph::Csr;

/// A value of a pickle. Asking for another kind than it has gives `None`.
///
/// A value may contain itself, so nothing here walks a value to its leaves.
#[derive(Clone, Copy)]
pub struct Value<'p> {
    pickle: &'p Pickle<'p>,
    item: Item,
}

impl<'p> Value<'p> {
    pub(super) fn new(pickle: &'p Pickle<'p>, item: Item) -> Self {
        Self { pickle, item }
    }

    fn node(self) -> Option<&'p Node> {
        self.pickle.arena.node(self.item)
    }

    /// The kind of this value, for messages.
    #[must_use]
    pub fn kind(self) -> &'static str {
        match self.item {
            Item::None => "None",
            Item::Bool(_) => "a truth value",
            Item::Int(_) => "a whole number",
            Item::Float(_) => "a real number",
            Item::Text(_) | Item::OldText(_) => "text",
            Item::Bytes(_) => "bytes",
            Item::Global(_) => "a class",
            Item::Node(_) => match self.node() {
                Some(Node::List(_)) => "a list",
                Some(Node::Tuple(_)) => "a tuple",
                Some(Node::Dict(_)) => "a dictionary",
                Some(Node::Latin1(_)) => "bytes",
                Some(Node::Array(_)) => "an array",
                Some(Node::Record {
                    class: Global::Csr, ..
                }) => "a sparse matrix",
                Some(Node::Tensor(_)) => "a tensor",
                _ => "an object",
            },
        }
    }

    /// A whole number, also one of numpy.
    #[must_use]
    pub fn as_int(self) -> Option<i64> {
        match self.item {
            Item::Int(value) => Some(value),
            Item::Bool(value) => Some(value.into()),
            _ => {
                let single = self.as_array().filter(|array| array.shape().is_empty())?;
                single.to_i64().ok()?.first().copied()
            }
        }
    }

    /// A number, whole or real.
    #[must_use]
    pub fn as_float(self) -> Option<f64> {
        match self.item {
            Item::Float(value) => Some(value),
            _ => self.as_int().map(|value| value as f64),
        }
    }

    /// Text; that of Python 2 has a byte for each character (latin-1).
    #[must_use]
    pub fn as_text(self) -> Option<Cow<'p, str>> {
        match self.item {
            Item::Text(span) => Some(String::from_utf8_lossy(self.pickle.arena.span(span))),
            Item::OldText(span) => {
                let bytes = self.pickle.arena.span(span);
                Some(bytes.iter().map(|&byte| char::from(byte)).collect())
            }
            _ => None,
        }
    }

    /// The values of a list or a tuple, in order.
    #[must_use]
    pub fn items(self) -> Option<impl ExactSizeIterator<Item = Value<'p>>> {
        match self.node()? {
            Node::List(items) | Node::Tuple(items) => {
                Some(items.iter().map(move |&item| Self::new(self.pickle, item)))
            }
            _ => None,
        }
    }

    /// The keys and values of a dictionary, in the order they were written; a
    /// key that was written twice comes twice.
    #[must_use]
    pub fn entries(self) -> Option<impl ExactSizeIterator<Item = (Value<'p>, Value<'p>)>> {
        match self.node()? {
            Node::Dict(pairs) => Some(pairs.iter().map(move |&(key, value)| {
                (Self::new(self.pickle, key), Self::new(self.pickle, value))
            })),
            _ => None,
        }
    }

    /// The value of a key of a dictionary, or of an attribute of an object; the
    /// last one if there are several.
    #[must_use]
    pub fn get(self, key: &str) -> Option<Value<'p>> {
        let dict = match self.node()? {
            Node::Record { state, .. } => Item::Node((*state)?),
            _ => self.item,
        };
        let Node::Dict(pairs) = self.pickle.arena.node(dict)? else {
            return None;
        };
        let found = pairs
            .iter()
            .rfind(|pair| self.pickle.arena.raw(pair.0) == Some(key.as_bytes()));
        found.map(|&(_, value)| Self::new(self.pickle, value))
    }

    /// An array of numpy.
    #[must_use]
    pub fn as_array(self) -> Option<Array<'p>> {
        match self.node()? {
            Node::Array(Some(parts)) => Some(Array::new(self.pickle, parts)),
            _ => None,
        }
    }

    /// A tensor of PyTorch, whose numbers a [`TorchFile`](super::TorchFile)
    /// holds.
    #[must_use]
    pub fn as_tensor(self) -> Option<Tensor<'p>> {
        match self.node()? {
            Node::Tensor(parts) => Some(Tensor::new(self.pickle, parts)),
            _ => None,
        }
    }

    /// A sparse matrix of scipy in compressed rows; `None` if this is none.
    ///
    /// # Errors
    ///
    /// When parts of the matrix are missing or contradict each other.
    pub fn as_csr(self) -> Option<Result<Csr, PickleError>> {
        match self.node()? {
            Node::Record {
                class: Global::Csr, ..
            } => Some(super::array::read_csr(self)),
            _ => None,
        }
    }

    pub(super) fn sizes(self) -> Option<Vec<usize>> {
        self.pickle.arena.sizes(self.item)
    }
}

impl fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Value({})", self.kind())
    }
}
