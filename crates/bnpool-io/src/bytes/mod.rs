//! Bytes of files: read within limits, unpacked and hashed on the way, and written
//! whole or not at all.

pub(crate) mod archive;
pub(crate) mod atomic;
pub(crate) mod bounded;
pub(crate) mod error;
pub(crate) mod hash;
pub(crate) mod intake;
pub(crate) mod ledger;
pub(crate) mod limits;
pub(crate) mod packing;
pub(crate) mod source;
