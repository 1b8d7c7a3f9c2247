//! Python pickles of plain data, read without Python and without trust.
//!
//! A pickle is a programme for a small machine, and Python runs whatever it
//! names. This reader never runs anything: it knows how numbers, text, lists,
//! dictionaries, numpy arrays, scipy's compressed rows and PyTorch's tensors are
//! written (protocols 0 to 5), and every other instruction or name is an error
//! that says which and where.
//!
//! Nothing is copied while reading: text and arrays refer to the bytes of the
//! file, and are converted when asked for. What all conversions may take together
//! is bounded by the size of the file, so no small file can ask for much memory.
//!
//! ```
//! use bnpool_io::pickle::Pickle;
//!
//! // pickle.dumps({"edges": [1, 2.5]}, protocol=2)
//! let bytes = b"\x80\x02}q\x00X\x05\x00\x00\x00edgesq\x01]q\x02(K\x01G@\x04\x00\x00\x00\x00\x00\x00es.";
//! let pickle = Pickle::parse(bytes)?;
//! let edges = pickle.root().get("edges").and_then(|edges| edges.items());
//! let edges: Vec<f64> = edges.unwrap().filter_map(|edge| edge.as_float()).collect();
//! assert_eq!(edges, [1.0, 2.5]);
//!
//! let hostile = Pickle::parse(b"cos\nsystem\n(S'ls'\ntR.").unwrap_err();
//! assert!(hostile.to_string().starts_with("the global `os.system` is not allowed"));
//! # Ok::<(), bnpool_io::pickle::PickleError>(())
//! ```

mod arena;
mod array;
mod bytes;
mod construct;
mod error;
mod global;
mod literal;
mod machine;
mod torch;
mod value;

pub use array::Array;
pub use error::{PickleError, PickleProblem};
pub use torch::{Tensor, TorchFile};
pub use value::Value;

use std::cell::Cell;

use arena::{Arena, Item};
use machine::Machine;

/// The memory that all arrays of a pickle may take, in multiples of its size.
///
/// Every array stands in the file once; anything much beyond that is one array
/// named many times over to exhaust the memory.
const EXPANSION: u64 = 8;
/// The memory that any pickle may take.
const HARMLESS_BYTES: u64 = 1 << 20;

/// A pickle that was read: its values, and the bytes they refer to.
#[derive(Debug)]
pub struct Pickle<'b> {
    arena: Arena<'b>,
    root: Item,
    /// The bytes of arrays that may still be converted.
    allowance: Cell<u64>,
}

impl<'b> Pickle<'b> {
    /// Reads a pickle of any protocol from 0 to 5.
    ///
    /// Bytes behind the end of the pickle are ignored, as in Python.
    ///
    /// # Errors
    ///
    /// When the pickle is cut off or damaged, or holds anything but plain data
    /// and arrays; the message names the instruction or global and its place.
    ///
    /// # Complexity
    ///
    /// Time and memory linear in the length of the pickle.
    pub fn parse(bytes: &'b [u8]) -> Result<Self, PickleError> {
        let (arena, root) = Machine::new(bytes).run()?;
        let allowance = (bytes.len() as u64).saturating_mul(EXPANSION);
        Ok(Self {
            arena,
            root,
            allowance: Cell::new(allowance.saturating_add(HARMLESS_BYTES)),
        })
    }

    /// The value of the pickle.
    #[must_use]
    pub fn root(&self) -> Value<'_> {
        Value::new(self, self.root)
    }

    /// Takes some bytes from what may still be converted.
    fn charge(&self, offset: usize, bytes: usize) -> Result<(), PickleError> {
        match self.allowance.get().checked_sub(bytes as u64) {
            Some(left) => {
                self.allowance.set(left);
                Ok(())
            }
            None => {
                let problem = PickleProblem::TooLarge { what: "an array" };
                Err(PickleError::new(offset, problem))
            }
        }
    }
}
