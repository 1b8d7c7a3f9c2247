//! Instructions that are refused.

use super::error::{PickleError, PickleProblem};

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
