//! Files of PyTorch: a zip archive of a pickle and the numbers of its tensors.

use std::collections::HashMap;
use std::path::Path;

use super::arena::TensorParts;
use super::error::{PickleError, PickleProblem};
use super::{EXPANSION, HARMLESS_BYTES, Pickle};
use crate::format::npy::{Dtype, Endian, gather};
use crate::format::{Archive, Limits, ReadError};

/// A tensor of PyTorch; its numbers are in the [`TorchFile`] it came from.
#[derive(Debug, Clone, Copy)]
pub struct Tensor<'p> {
    pickle: &'p Pickle<'p>,
    parts: &'p TensorParts,
}

impl<'p> Tensor<'p> {
    pub(super) fn new(pickle: &'p Pickle<'p>, parts: &'p TensorParts) -> Self {
        Self { pickle, parts }
    }

    /// Length of every axis; none for a single number.
    #[must_use]
    pub fn shape(&self) -> &'p [usize] {
        &self.parts.shape
    }

    /// The numbers, row after row, as 32-bit real numbers.
    ///
    /// # Errors
    ///
    /// When the file does not hold as many numbers as the tensor needs.
    pub fn to_f32(&self, file: &TorchFile) -> Result<Vec<f32>, PickleError> {
        self.convert(file, Dtype::floats)
    }

    /// The numbers, row after row, as whole numbers.
    ///
    /// # Errors
    ///
    /// As [`to_f32`](Self::to_f32), and when a number is not whole.
    pub fn to_i64(&self, file: &TorchFile) -> Result<Vec<i64>, PickleError> {
        self.convert(file, Dtype::integers)
    }

    fn convert<T>(
        &self,
        file: &TorchFile,
        numbers: impl Fn(Dtype, &[u8]) -> Option<Vec<T>>,
    ) -> Result<Vec<T>, PickleError> {
        let TensorParts {
            offset,
            mut dtype,
            key,
            ..
        } = *self.parts;
        dtype.endian = file.endian;
        let key = String::from_utf8_lossy(self.pickle.arena.span(key));
        let Some(storage) = file.storages.get(key.as_ref()) else {
            return Err(PickleError::malformed(
                offset,
                "the numbers of a tensor are missing",
            ));
        };
        let bytes = self.gather(storage, dtype.size)?;
        numbers(dtype, &bytes).ok_or_else(|| {
            PickleError::malformed(offset, "the numbers of a tensor are not of the kind needed")
        })
    }

    /// The bytes of all numbers, row after row.
    fn gather(&self, storage: &[u8], size: usize) -> Result<Vec<u8>, PickleError> {
        let TensorParts {
            offset,
            start,
            shape,
            strides,
            ..
        } = self.parts;
        let too_large = || PickleError::new(*offset, PickleProblem::TooLarge { what: "a tensor" });
        let count = shape.iter().try_fold(1_usize, |n, &m| n.checked_mul(m));
        let count = count.and_then(|count| count.checked_mul(size));
        self.pickle.charge(*offset, count.ok_or_else(too_large)?)?;
        if shape.contains(&0) {
            return Ok(Vec::new());
        }
        // The last number lies furthest from the start, so if it is inside the
        // storage, all are.
        let axes = || shape.iter().zip(strides);
        let last = axes().try_fold(*start, |place, (&length, &stride)| {
            place.checked_add((length - 1).checked_mul(stride)?)
        });
        let end = last.and_then(|last| last.checked_add(1)?.checked_mul(size));
        if end.is_none_or(|end| end > storage.len()) {
            return Err(too_large());
        }
        Ok(gather(storage, size, *start, shape, strides))
    }
}

/// A file that `torch.save` wrote: its pickle, and the numbers of its tensors.
#[derive(Debug)]
pub struct TorchFile {
    pickle: Vec<u8>,
    storages: HashMap<String, Vec<u8>>,
    endian: Endian,
}

impl TorchFile {
    /// Opens a file of PyTorch 1.6 or newer.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, is no zip archive or no file of PyTorch.
    pub fn open(path: &Path, limits: &Limits) -> Result<Self, ReadError> {
        Self::from_archive(Archive::open(path, limits)?)
    }

    /// Reads a file of PyTorch that stands in memory; the path is only a name
    /// for messages.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn from_bytes(path: &Path, bytes: Vec<u8>, limits: &Limits) -> Result<Self, ReadError> {
        Self::from_archive(Archive::from_bytes(path, bytes, limits)?)
    }

    fn from_archive(mut archive: Archive) -> Result<Self, ReadError> {
        let path = archive.path().to_path_buf();
        let names: Vec<String> = archive.names().map(str::to_owned).collect();
        let root = names.iter().find_map(|name| match name.as_str() {
            "data.pkl" => Some(""),
            name => name.strip_suffix("data.pkl").filter(|r| r.ends_with('/')),
        });
        let Some(root) = root else {
            return Err(ReadError::in_file(
                path,
                "there is no `data.pkl` inside",
                "give a file that `torch.save` of PyTorch 1.6 or newer wrote",
            ));
        };
        let mut file = Self {
            pickle: Vec::new(),
            storages: HashMap::new(),
            endian: Endian::Little,
        };
        let storage_root = format!("{root}data/");
        for name in &names {
            let Some(inner) = name.strip_prefix(root) else {
                continue;
            };
            let key = name.strip_prefix(&storage_root);
            if key.is_none() && !matches!(inner, "data.pkl" | "byteorder") {
                continue;
            }
            let Some(member) = archive.read(name)? else {
                continue;
            };
            match (key, inner) {
                (Some(key), _) => drop(file.storages.insert(key.to_owned(), member.into_bytes())),
                (None, "byteorder") if member.bytes().starts_with(b"big") => {
                    file.endian = Endian::Big;
                }
                (None, "byteorder") => {}
                (None, _) => file.pickle = member.into_bytes(),
            }
        }
        Ok(file)
    }

    /// Reads the pickle of the file.
    ///
    /// # Errors
    ///
    /// As [`Pickle::parse`].
    pub fn pickle(&self) -> Result<Pickle<'_>, PickleError> {
        let pickle = Pickle::parse(&self.pickle)?;
        let numbers: usize = self.storages.values().map(Vec::len).sum();
        let allowance = (numbers as u64).saturating_mul(EXPANSION);
        pickle
            .allowance
            .set(allowance.saturating_add(HARMLESS_BYTES));
        Ok(pickle)
    }
}
