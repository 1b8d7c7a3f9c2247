//! Objects of the known classes, put together from plain data.

use super::arena::{ArrayParts, Item, Node, Span, TensorParts};
use super::error::{PickleError, PickleProblem};
use super::global::Global;
use super::machine::Machine;
use crate::format::npy::{Dtype, Endian, Kind};

/// No known class takes more arguments.
const MOST_ARGUMENTS: usize = 9;

impl Machine<'_> {
    /// The result of calling a known function.
    pub(super) fn call(&mut self, callable: Item, arguments: Item) -> Result<Item, PickleError> {
        let Item::Global(global) = callable else {
            return Err(self.malformed("only a known global can be called"));
        };
        let arguments = self.arguments(arguments)?;
        let node = match (global, arguments.as_slice()) {
            (Global::List, []) => Node::List(Vec::new()),
            (Global::Bytes, []) => {
                return Ok(Item::Bytes(Span {
                    start: 0,
                    length: 0,
                    decoded: false,
                }));
            }
            (Global::Dict, [] | [Item::Global(Global::List)]) => Node::Dict(Vec::new()),
            (Global::Dict, &[pairs]) => Node::Dict(self.pairs(pairs)?),
            (Global::Encode, &[Item::Text(text), encoding]) => {
                if !matches!(self.arena.raw(encoding), Some(b"latin1" | b"latin-1")) {
                    return Err(self.malformed("bytes must be encoded as latin1"));
                }
                Node::Latin1(text)
            }
            (Global::ArrayReconstruct, [Item::Global(Global::Array), ..]) => Node::Array(None),
            (Global::ArrayScalar, &[dtype, data]) => {
                let dtype = self.dtype(dtype)?;
                self.array(dtype, Vec::new(), false, data)
            }
            (Global::ArrayFromBuffer, &[data, dtype, shape, order]) => {
                let by_columns = self.arena.raw(order) == Some(b"F");
                let (dtype, shape) = (self.dtype(dtype)?, self.sizes(shape)?);
                self.array(dtype, shape, by_columns, data)
            }
            (Global::Dtype, &[name, ..]) => Node::Dtype(self.find_dtype(name)?),
            (Global::Tensor, &[storage, start, shape, strides, ..]) => {
                self.tensor(storage, start, shape, strides)?
            }
            _ => return Err(self.malformed("a call has the wrong arguments")),
        };
        self.arena.add(self.offset, node)
    }

    /// A new object of a known class, whose attributes are to follow.
    pub(super) fn create(&mut self, class: Item, arguments: Item) -> Result<Item, PickleError> {
        let Item::Global(class @ (Global::Csr | Global::Record)) = class else {
            return Err(self.malformed("only objects of a known class can be made"));
        };
        if !self.arguments(arguments)?.is_empty() {
            return Err(self.malformed("a new object takes no arguments"));
        }
        self.arena
            .add(self.offset, Node::Record { class, state: None })
    }

    /// Gives an object its content.
    pub(super) fn build(&mut self, object: Item, state: Item) -> Result<(), PickleError> {
        let content = match self.arena.node(object) {
            Some(Node::Array(None)) => {
                let &[_, shape, dtype, by_columns, data] = self.arguments(state)?.as_slice() else {
                    return Err(self.malformed("the content of an array has five parts"));
                };
                let (dtype, shape) = (self.dtype(dtype)?, self.sizes(shape)?);
                let by_columns = matches!(by_columns, Item::Bool(true) | Item::Int(1));
                self.array(dtype, shape, by_columns, data)
            }
            Some(&Node::Dtype(dtype)) => {
                let arguments = self.arguments(state)?;
                let order = arguments.get(1).and_then(|&order| self.arena.raw(order));
                let endian = match order {
                    Some(b">") => Endian::Big,
                    Some(b"<" | b"=" | b"|") => Endian::Little,
                    _ => return Err(self.malformed("the byte order of an array is missing")),
                };
                Node::Dtype(Dtype { endian, ..dtype })
            }
            Some(&Node::Record { class, .. }) => {
                let (Some(Node::Dict(_)), Item::Node(dict)) = (self.arena.node(state), state)
                else {
                    return Err(self.malformed("the attributes of an object must be named"));
                };
                Node::Record {
                    class,
                    state: Some(dict),
                }
            }
            _ => return Err(self.malformed("this object takes no content")),
        };
        if let Some(node) = self.arena.node_mut(object) {
            *node = content;
        }
        Ok(())
    }

    /// The storage of tensors that an entry of the archive holds.
    pub(super) fn persistent(&mut self, id: Item) -> Result<Item, PickleError> {
        let arguments = self.arguments(id)?;
        let &[kind, Item::Global(Global::Storage(dtype)), key, ..] = arguments.as_slice() else {
            return Err(self.malformed("only storages of tensors can be kept elsewhere"));
        };
        let (Some(b"storage"), Item::Text(key) | Item::OldText(key)) = (self.arena.raw(kind), key)
        else {
            return Err(self.malformed("only storages of tensors can be kept elsewhere"));
        };
        self.arena.add(self.offset, Node::Storage { dtype, key })
    }

    /// The items of a tuple that is short because it holds arguments.
    fn arguments(&self, tuple: Item) -> Result<Vec<Item>, PickleError> {
        match self.arena.tuple(tuple) {
            Some(items) if items.len() <= MOST_ARGUMENTS => Ok(items.to_vec()),
            Some(_) => Err(self.malformed("a call has too many arguments")),
            None => Err(self.malformed("arguments must be a tuple")),
        }
    }

    /// The keys and values of a list of pairs.
    fn pairs(&mut self, list: Item) -> Result<Vec<(Item, Item)>, PickleError> {
        let Some(Node::List(items)) = self.arena.node(list) else {
            return Err(self.malformed("a dictionary is made of a list of pairs"));
        };
        // The same list may be named again and again, so copies are counted.
        let what = "a dictionary";
        let Some(left) = self.copies.checked_sub(items.len()) else {
            let problem = PickleProblem::TooLarge { what };
            return Err(PickleError::new(self.offset, problem));
        };
        let pair = |item: &Item| match self.arena.node(*item) {
            Some(Node::List(pair) | Node::Tuple(pair)) if pair.len() == 2 => {
                Some((pair[0], pair[1]))
            }
            _ => None,
        };
        let pairs: Option<Vec<_>> = items.iter().map(pair).collect();
        self.copies = left;
        pairs.ok_or_else(|| self.malformed("a dictionary is made of a list of pairs"))
    }

    fn sizes(&self, shape: Item) -> Result<Vec<usize>, PickleError> {
        let sizes = self.arena.sizes(shape);
        sizes.ok_or_else(|| self.malformed("a shape must be a tuple of a few whole numbers"))
    }

    fn dtype(&self, item: Item) -> Result<Dtype, PickleError> {
        match self.arena.node(item) {
            Some(Node::Dtype(dtype)) => Ok(*dtype),
            _ => self.find_dtype(item),
        }
    }

    fn find_dtype(&self, name: Item) -> Result<Dtype, PickleError> {
        let Some(name) = self.arena.raw(name) else {
            return Err(self.malformed("the type of an array must have a name"));
        };
        dtype_of(name).ok_or_else(|| {
            let name = String::from_utf8_lossy(&name[..name.len().min(40)]);
            let problem = PickleProblem::Unsupported {
                what: "an array of type",
                name: name.escape_debug().to_string(),
            };
            PickleError::new(self.offset, problem)
        })
    }

    fn array(&self, dtype: Dtype, shape: Vec<usize>, by_columns: bool, data: Item) -> Node {
        Node::Array(Some(Box::new(ArrayParts {
            offset: self.offset,
            dtype,
            shape,
            by_columns,
            data,
        })))
    }

    fn tensor(
        &self,
        storage: Item,
        start: Item,
        shape: Item,
        strides: Item,
    ) -> Result<Node, PickleError> {
        let (Some(&Node::Storage { dtype, key }), Item::Int(start)) =
            (self.arena.node(storage), start)
        else {
            return Err(self.malformed("a tensor needs a storage and a place in it"));
        };
        let (shape, strides) = (self.sizes(shape)?, self.sizes(strides)?);
        let start = usize::try_from(start).ok();
        let (Some(start), true) = (start, shape.len() == strides.len()) else {
            return Err(self.malformed("a tensor has a contradictory shape"));
        };
        debug_assert_ne!(dtype.kind, Kind::Object);
        Ok(Node::Tensor(Box::new(TensorParts {
            offset: self.offset,
            dtype,
            key,
            start,
            shape,
            strides,
        })))
    }
}

/// The type of a short name such as `f4`, or `<f4`.
fn dtype_of(name: &[u8]) -> Option<Dtype> {
    let name = match std::str::from_utf8(name).ok()? {
        "?" => "b1",
        name => name,
    };
    let name = if name.starts_with(['<', '>', '|', '=']) {
        name.to_owned()
    } else {
        format!("<{name}")
    };
    let dtype: Dtype = name.parse().ok()?;
    let is_text = matches!(dtype.kind, Kind::Unicode | Kind::Bytes);
    (!is_text).then_some(dtype)
}
