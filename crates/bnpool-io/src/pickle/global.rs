//! The classes and functions that a pickle may name.
//!
//! None of them is ever run: each stands for a way of putting plain data
//! together, which the machine does itself.

use crate::format::npy::{Dtype, Endian, Kind};

/// A name on the list of harmless ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Global {
    /// `list`, as the default of a `defaultdict`.
    List,
    /// `bytes`, called without arguments for the empty string of bytes.
    Bytes,
    /// `dict` and its relatives.
    Dict,
    /// `_codecs.encode`, by which older protocols write bytes.
    Encode,
    /// An array without content, which follows.
    ArrayReconstruct,
    /// An array around a buffer.
    ArrayFromBuffer,
    /// One number of an array type.
    ArrayScalar,
    /// The class of arrays.
    Array,
    /// The type of an array's numbers.
    Dtype,
    /// A sparse matrix in compressed rows.
    Csr,
    /// A tensor around a storage.
    Tensor,
    /// The numbers of tensors.
    Storage(Dtype),
    /// An object that is nothing but its attributes.
    Record,
}

impl Global {
    /// The meaning of a name, if it is on the list.
    pub(super) fn find(module: &[u8], name: &[u8]) -> Option<Self> {
        // Python 3 moved modules, and so did numpy and scipy.
        let found = match (module, name) {
            (b"__builtin__" | b"builtins", b"list") => Self::List,
            (b"__builtin__" | b"builtins", b"bytes") => Self::Bytes,
            (b"__builtin__" | b"builtins", b"dict") => Self::Dict,
            (b"collections", b"defaultdict" | b"OrderedDict") => Self::Dict,
            (b"_codecs", b"encode") => Self::Encode,
            (b"numpy.core.multiarray" | b"numpy._core.multiarray", b"_reconstruct") => {
                Self::ArrayReconstruct
            }
            (b"numpy.core.multiarray" | b"numpy._core.multiarray", b"scalar") => Self::ArrayScalar,
            (b"numpy.core.numeric" | b"numpy._core.numeric", b"_frombuffer") => {
                Self::ArrayFromBuffer
            }
            (b"numpy", b"ndarray") => Self::Array,
            (b"numpy", b"dtype") => Self::Dtype,
            (b"scipy.sparse.csr" | b"scipy.sparse._csr", b"csr_matrix" | b"csr_array") => Self::Csr,
            (b"torch._utils", b"_rebuild_tensor_v2") => Self::Tensor,
            (b"torch", _) => Self::Storage(storage(name)?),
            // Newer graphs also name the classes that describe their parts.
            (b"torch_geometric.data.data", b"Data" | b"DataEdgeAttr" | b"DataTensorAttr") => {
                Self::Record
            }
            (b"torch_geometric.data.storage", b"GlobalStorage") => Self::Record,
            _ => return None,
        };
        Some(found)
    }
}

/// The numbers in a storage of PyTorch.
fn storage(name: &[u8]) -> Option<Dtype> {
    let (kind, size) = match name {
        b"FloatStorage" => (Kind::Float, 4),
        b"DoubleStorage" => (Kind::Float, 8),
        b"LongStorage" => (Kind::Int, 8),
        b"IntStorage" => (Kind::Int, 4),
        b"ShortStorage" => (Kind::Int, 2),
        b"CharStorage" => (Kind::Int, 1),
        b"ByteStorage" => (Kind::Uint, 1),
        b"BoolStorage" => (Kind::Bool, 1),
        _ => return None,
    };
    Some(Dtype {
        kind,
        size,
        endian: Endian::Little,
    })
}
