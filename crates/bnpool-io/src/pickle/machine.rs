//! The stack machine that a pickle is a programme for.
//!
//! Every instruction takes at least a byte and adds at most one small object, so
//! memory stays within a constant times the length of the pickle.

use std::collections::HashMap;

use super::arena::{Arena, Item, Node};
use super::bytes::Bytes;
use super::error::{PickleError, PickleProblem};
use super::literal::find_global;

/// The highest protocol there is.
const HIGHEST_PROTOCOL: u8 = 5;

pub(super) struct Machine<'b> {
    pub(super) arena: Arena<'b>,
    pub(super) bytes: Bytes<'b>,
    stack: Vec<Item>,
    /// Heights of the stack at which a group of values starts.
    marks: Vec<usize>,
    memo: HashMap<u64, Item>,
    /// The place of the current instruction.
    pub(super) offset: usize,
    /// The number of values that may still be copied between objects.
    pub(super) copies: usize,
}

impl<'b> Machine<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self {
            arena: Arena::new(bytes),
            bytes: Bytes::new(bytes),
            stack: Vec::new(),
            marks: Vec::new(),
            memo: HashMap::new(),
            offset: 0,
            copies: bytes.len(),
        }
    }

    /// Runs to the end; the value on top is what the pickle holds.
    pub(super) fn run(mut self) -> Result<(Arena<'b>, Item), PickleError> {
        loop {
            self.offset = self.bytes.position();
            let code = self.bytes.byte()?;
            if code == b'.' {
                let root = self.pop()?;
                return Ok((self.arena, root));
            }
            self.step(code)?;
        }
    }

    pub(super) fn malformed(&self, what: &'static str) -> PickleError {
        PickleError::malformed(self.offset, what)
    }

    fn step(&mut self, code: u8) -> Result<(), PickleError> {
        match code {
            // Protocol, frames.
            0x80 => self.check_protocol()?,
            0x95 => drop(self.bytes.length::<8>()?),
            // Simple values.
            b'N' => self.push(Item::None),
            0x88 => self.push(Item::Bool(true)),
            0x89 => self.push(Item::Bool(false)),
            b'J' => {
                let value = i32::from_le_bytes(self.bytes.array()?);
                self.push(Item::Int(value.into()));
            }
            b'K' => {
                let value = self.bytes.byte()?;
                self.push(Item::Int(value.into()));
            }
            b'M' => {
                let value = u16::from_le_bytes(self.bytes.array()?);
                self.push(Item::Int(value.into()));
            }
            b'I' => self.push_int_line()?,
            b'L' => self.push_long_line()?,
            0x8a => {
                let length = self.bytes.length::<1>()?;
                self.push_long(length)?;
            }
            0x8b => {
                let length = self.bytes.length::<4>()?;
                self.push_long(length)?;
            }
            b'F' => {
                let value = self.bytes.parsed()?;
                self.push(Item::Float(value));
            }
            b'G' => {
                let value = f64::from_be_bytes(self.bytes.array()?);
                self.push(Item::Float(value));
            }
            // Text and bytes.
            b'S' | b'V' => self.push_escaped(code)?,
            b'U' => self.push_span::<1>(Item::OldText)?,
            b'T' => self.push_span::<4>(Item::OldText)?,
            b'C' => self.push_span::<1>(Item::Bytes)?,
            b'B' => self.push_span::<4>(Item::Bytes)?,
            0x8e | 0x96 => self.push_span::<8>(Item::Bytes)?,
            0x8c => self.push_text::<1>()?,
            b'X' => self.push_text::<4>()?,
            0x8d => self.push_text::<8>()?,
            // Containers.
            b']' => self.push_node(Node::List(Vec::new()))?,
            b'}' => self.push_node(Node::Dict(Vec::new()))?,
            b')' => self.push_node(Node::Tuple(Vec::new()))?,
            0x85..=0x87 => self.push_tuple(usize::from(code - 0x84))?,
            b't' => {
                let items = self.pop_group()?;
                self.push_node(Node::Tuple(items))?;
            }
            b'l' => {
                let items = self.pop_group()?;
                self.push_node(Node::List(items))?;
            }
            b'd' => {
                let pairs = self.pop_pairs()?;
                self.push_node(Node::Dict(pairs))?;
            }
            b'a' => {
                let item = self.pop()?;
                self.append([item])?;
            }
            b'e' => {
                let items = self.pop_group()?;
                self.append(items)?;
            }
            b's' => {
                let value = self.pop()?;
                let key = self.pop()?;
                self.set([(key, value)])?;
            }
            b'u' => {
                let pairs = self.pop_pairs()?;
                self.set(pairs)?;
            }
            // The stack.
            b'(' => self.marks.push(self.stack.len()),
            b'0' => self.discard()?,
            b'1' => drop(self.pop_group()?),
            b'2' => {
                let top = self.top()?;
                self.push(top);
            }
            // The memo.
            b'p' => {
                let key = self.bytes.parsed()?;
                self.remember(key)?;
            }
            b'q' => {
                let key = self.bytes.length::<1>()? as u64;
                self.remember(key)?;
            }
            b'r' => {
                let key = self.bytes.length::<4>()? as u64;
                self.remember(key)?;
            }
            0x94 => self.remember(self.memo.len() as u64)?,
            b'g' => {
                let key = self.bytes.parsed()?;
                self.recall(key)?;
            }
            b'h' => {
                let key = self.bytes.length::<1>()? as u64;
                self.recall(key)?;
            }
            b'j' => {
                let key = self.bytes.length::<4>()? as u64;
                self.recall(key)?;
            }
            // Objects of known classes.
            b'c' => {
                let module = self.bytes.line()?;
                let name = self.bytes.line()?;
                let global = find_global(self.offset, module, name)?;
                self.push(Item::Global(global));
            }
            0x93 => self.push_stack_global()?,
            b'R' => {
                let arguments = self.pop()?;
                let callable = self.pop()?;
                let item = self.call(callable, arguments)?;
                self.push(item);
            }
            0x81 => {
                let arguments = self.pop()?;
                let class = self.pop()?;
                let item = self.create(class, arguments)?;
                self.push(item);
            }
            b'b' => {
                let state = self.pop()?;
                let object = self.top()?;
                self.build(object, state)?;
            }
            b'Q' => {
                let id = self.pop()?;
                let item = self.persistent(id)?;
                self.push(item);
            }
            _ => return Err(refuse(self.offset, code)),
        }
        Ok(())
    }

    fn check_protocol(&mut self) -> Result<(), PickleError> {
        if self.bytes.byte()? > HIGHEST_PROTOCOL {
            return Err(self.malformed("the protocol is newer than 5"));
        }
        Ok(())
    }

    pub(super) fn push(&mut self, item: Item) {
        self.stack.push(item);
    }

    fn push_node(&mut self, node: Node) -> Result<(), PickleError> {
        let item = self.arena.add(self.offset, node)?;
        self.push(item);
        Ok(())
    }

    /// Lowest height to which the stack may fall: the last mark.
    fn floor(&self) -> usize {
        self.marks.last().copied().unwrap_or(0)
    }

    pub(super) fn pop(&mut self) -> Result<Item, PickleError> {
        if self.stack.len() > self.floor()
            && let Some(item) = self.stack.pop()
        {
            return Ok(item);
        }
        Err(self.malformed("the stack is empty"))
    }

    fn top(&self) -> Result<Item, PickleError> {
        match self.stack.last() {
            Some(&item) if self.stack.len() > self.floor() => Ok(item),
            _ => Err(self.malformed("the stack is empty")),
        }
    }

    /// Drops the topmost value, or the mark if one is on top.
    fn discard(&mut self) -> Result<(), PickleError> {
        if self.marks.last() == Some(&self.stack.len()) {
            self.marks.pop();
            return Ok(());
        }
        self.pop().map(drop)
    }

    /// The values since the last mark.
    fn pop_group(&mut self) -> Result<Vec<Item>, PickleError> {
        match self.marks.pop() {
            Some(height) => Ok(self.stack.split_off(height)),
            None => Err(self.malformed("there is no mark on the stack")),
        }
    }

    fn pop_pairs(&mut self) -> Result<Vec<(Item, Item)>, PickleError> {
        let items = self.pop_group()?;
        if !items.len().is_multiple_of(2) {
            return Err(self.malformed("a key has no value"));
        }
        Ok(items
            .chunks_exact(2)
            .map(|pair| (pair[0], pair[1]))
            .collect())
    }

    fn append(&mut self, items: impl IntoIterator<Item = Item>) -> Result<(), PickleError> {
        let top = self.top()?;
        match self.arena.node_mut(top) {
            Some(Node::List(list)) => list.extend(items),
            _ => return Err(self.malformed("only a list can be appended to")),
        }
        Ok(())
    }

    fn set(&mut self, pairs: impl IntoIterator<Item = (Item, Item)>) -> Result<(), PickleError> {
        let top = self.top()?;
        match self.arena.node_mut(top) {
            Some(Node::Dict(dict)) => dict.extend(pairs),
            _ => return Err(self.malformed("only a dictionary has keys")),
        }
        Ok(())
    }

    fn push_tuple(&mut self, length: usize) -> Result<(), PickleError> {
        if self.stack.len() < self.floor() + length {
            return Err(self.malformed("the stack is empty"));
        }
        let items = self.stack.split_off(self.stack.len() - length);
        self.push_node(Node::Tuple(items))
    }

    fn remember(&mut self, key: u64) -> Result<(), PickleError> {
        let top = self.top()?;
        self.memo.insert(key, top);
        Ok(())
    }

    fn recall(&mut self, key: u64) -> Result<(), PickleError> {
        match self.memo.get(&key) {
            Some(&item) => self.push(item),
            None => return Err(self.malformed("nothing was kept under this number")),
        }
        Ok(())
    }
}

/// The refusal of an instruction, by its name in Python's documentation.
pub(super) fn refuse(offset: usize, code: u8) -> PickleError {
    let name = match code {
        b'i' => "INST",
        b'o' => "OBJ",
        b'P' => "PERSID",
        0x82 => "EXT1",
        0x83 => "EXT2",
        0x84 => "EXT4",
        0x8f => "EMPTY_SET",
        0x90 => "ADDITEMS",
        0x91 => "FROZENSET",
        0x92 => "NEWOBJ_EX",
        0x97 => "NEXT_BUFFER",
        0x98 => "READONLY_BUFFER",
        _ => {
            let what = "this byte is no instruction: the file is damaged or no pickle";
            return PickleError::malformed(offset, what);
        }
    };
    PickleError::new(offset, PickleProblem::Opcode { name, code })
}
