//! The header of a container: which tensors there are, and where.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use safetensors::Dtype;
use safetensors::tensor::Metadata;

use super::{TOO_SHORT, VERSION, VERSION_KEY, floats, numbers, sizes};
use crate::bytes::error::ReadError;

/// Headers beyond this are not ours.
const LONGEST: u64 = 1 << 20;

/// A file that is no safetensors file.
pub(super) fn not_safetensors(path: &Path, error: &str) -> ReadError {
    ReadError::in_file(
        path,
        format!("this is no good safetensors file ({error})"),
        "fetch or write it again",
    )
}

/// Refuses safetensors files of others, and of newer versions.
pub(super) fn check_version(path: &Path, metadata: &Metadata) -> Result<(), ReadError> {
    let keys = metadata.metadata().as_ref();
    let version = keys.and_then(|keys| keys.get(VERSION_KEY));
    match version.map(|version| version.parse::<u32>()) {
        Some(Ok(1..=VERSION)) => Ok(()),
        Some(Ok(version)) if version > VERSION => Err(ReadError::in_file(
            path,
            format!("the container has version {version}, but only up to {VERSION} is understood"),
            "update the program, or write the container again",
        )),
        _ => Err(ReadError::in_file(
            path,
            "this safetensors file holds no graphs of ours",
            "give a file that was written as a graph container",
        )),
    }
}

/// A container that stays on disk: tensors are read by pieces.
#[derive(Debug)]
pub(crate) struct OpenContainer {
    path: PathBuf,
    file: Mutex<File>,
    /// Type of every tensor, and its bytes in the file.
    tensors: HashMap<String, (Dtype, Range<u64>)>,
}

impl OpenContainer {
    /// Reads the header.
    pub(crate) fn open(path: &Path) -> Result<Self, ReadError> {
        let failed = |error| ReadError::io(path, error);
        let mut file = File::open(path).map_err(failed)?;
        let status = file.metadata().map_err(failed)?;
        if !status.is_file() {
            return Err(ReadError::in_file(
                path,
                "parts of a graph are read from a file on disk, and this is none",
                "copy it to a file",
            ));
        }
        let mut length = [0; 8];
        file.read_exact(&mut length).map_err(failed)?;
        let length = u64::from_le_bytes(length);
        if length > LONGEST || length + 8 > status.len() {
            return Err(not_safetensors(path, "the header does not fit"));
        }
        let mut header = vec![0; length as usize];
        file.read_exact(&mut header).map_err(failed)?;
        let metadata: Metadata = serde_json::from_slice(&header)
            .map_err(|error| not_safetensors(path, &error.to_string()))?;
        check_version(path, &metadata)?;
        let start = length + 8;
        let tensors: HashMap<String, (Dtype, Range<u64>)> = metadata
            .tensors()
            .into_iter()
            .map(|(name, info)| {
                let (from, to) = info.data_offsets;
                let place = |at: usize| start.saturating_add(at as u64);
                (name, (info.dtype, place(from)..place(to)))
            })
            .collect();
        let end = tensors.values().map(|(_, bytes)| bytes.end).max();
        if end.unwrap_or(start) != status.len() {
            return Err(not_safetensors(path, "it is cut off or too long"));
        }
        Ok(Self {
            path: path.to_owned(),
            file: Mutex::new(file),
            tensors,
        })
    }

    /// The file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Something is wrong with the content.
    pub(crate) fn damaged(&self, problem: impl std::fmt::Display) -> ReadError {
        ReadError::in_file(
            &self.path,
            format!("not a good container: {problem}"),
            "write it again",
        )
    }

    /// Number of elements of a tensor.
    pub(crate) fn elements(&self, name: &str, dtype: Dtype) -> Result<usize, ReadError> {
        let bytes = self.bytes(name, dtype)?;
        Ok(((bytes.end - bytes.start) / (dtype.bitsize() as u64 / 8)) as usize)
    }

    fn bytes(&self, name: &str, dtype: Dtype) -> Result<Range<u64>, ReadError> {
        match self.tensors.get(name) {
            Some((found, bytes)) if *found == dtype => Ok(bytes.clone()),
            Some(_) => Err(self.damaged(format!(
                "the tensor `{name}` has another type than {dtype:?}"
            ))),
            None => Err(self.damaged(format!("there is no tensor `{name}`"))),
        }
    }

    /// Some elements of a tensor, as bytes.
    pub(crate) fn read(
        &self,
        name: &str,
        dtype: Dtype,
        elements: Range<usize>,
    ) -> Result<Vec<u8>, ReadError> {
        let bytes = self.bytes(name, dtype)?;
        let size = dtype.bitsize() as u64 / 8;
        if elements.start > elements.end || elements.end as u64 > (bytes.end - bytes.start) / size {
            return Err(self.damaged(TOO_SHORT));
        }
        let mut read = vec![0; elements.len() * size as usize];
        let place = bytes.start + elements.start as u64 * size;
        self.read_at(place, &mut read)
            .map_err(|error| ReadError::io(&self.path, error))?;
        Ok(read)
    }

    /// One reader at a time: a disk has one head, and the system one cache.
    fn read_at(&self, place: u64, into: &mut [u8]) -> io::Result<()> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(place))?;
        file.read_exact(into)
    }

    /// Some elements of a tensor of 32-bit integers.
    pub(crate) fn numbers(
        &self,
        name: &str,
        elements: Range<usize>,
    ) -> Result<Vec<u32>, ReadError> {
        Ok(numbers(&self.read(name, Dtype::U32, elements)?))
    }

    /// Some elements of a tensor of 32-bit floats.
    pub(crate) fn floats(&self, name: &str, elements: Range<usize>) -> Result<Vec<f32>, ReadError> {
        Ok(floats(&self.read(name, Dtype::F32, elements)?))
    }

    /// Some elements of a tensor of sizes.
    pub(crate) fn sizes(
        &self,
        name: &str,
        elements: Range<usize>,
    ) -> Result<Vec<usize>, ReadError> {
        let bytes = self.read(name, Dtype::U64, elements)?;
        sizes(name, &bytes).map_err(|problem| self.damaged(problem))
    }
}
