//! Files of arrays and state, written atomically.

use super::Checksum;
use bnpool_io::format::{WriteError, write_atomically};
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A named array.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedTensor {
    /// Name, unique in a file.
    pub name: String,
    /// Shape.
    pub shape: Vec<usize>,
    /// Values, row-major.
    pub values: Vec<f32>,
}

impl NamedTensor {
    /// Adds a prefix to the name.
    #[must_use]
    pub fn with_prefix(&self, prefix: &str) -> Self {
        Self {
            name: format!("{prefix}{}", self.name),
            ..self.clone()
        }
    }
}

/// Returns the arrays whose name begins with `prefix`, and removes the prefix.
#[must_use]
pub fn part(tensors: &[NamedTensor], prefix: &str) -> Vec<NamedTensor> {
    tensors
        .iter()
        .filter_map(|tensor| {
            let name = tensor.name.strip_prefix(prefix)?.to_owned();
            Some(NamedTensor {
                name,
                ..tensor.clone()
            })
        })
        .collect()
}

/// Error of weights or checkpoints.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The file cannot be read.
    #[error("{}: cannot read: {source}", path.display())]
    Io {
        /// Path of the file.
        path: PathBuf,
        /// Error of the system.
        source: std::io::Error,
    },
    /// The file is damaged or of another format.
    #[error("{}: {problem}; it is damaged or was not written by bnpool: start the run again", path.display())]
    Malformed {
        /// Path of the file.
        path: PathBuf,
        /// Problem.
        problem: String,
    },
    /// A parameter does not match the model.
    #[error(
        "parameter {name} should have the shape {expected:?}, {}; the file belongs to another configuration",
        found.as_ref().map_or("but is missing".to_owned(), |f| format!("but has {f:?}"))
    )]
    Parameter {
        /// Name of the parameter.
        name: String,
        /// Shape in the model.
        expected: Vec<usize>,
        /// Shape in the file.
        found: Option<Vec<usize>>,
    },
    /// A parameter is NaN or infinite.
    #[error("parameter {name} holds values that are not finite; train it again")]
    NotFinite {
        /// Name of the parameter.
        name: String,
    },
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// Key of the state in the header of the file.
const STATE: &str = "bnpool";

/// Value of the state in the header of the file. Both parts are in one entry,
/// because the order of several entries would differ between processes.
#[derive(Serialize, Deserialize)]
struct Entry {
    /// Checksum of the arrays and of the state.
    sha256: String,
    /// State as JSON.
    state: String,
}

/// Computes the checksum of arrays, in the order of their names, and of the
/// state.
fn checksum<'a>(
    arrays: impl IntoIterator<Item = (&'a str, &'a [usize], &'a [u8])>,
    state: &str,
) -> String {
    let mut arrays: Vec<_> = arrays.into_iter().collect();
    arrays.sort_unstable_by_key(|array| array.0);
    let mut sum = Checksum::default();
    sum.add(state.as_bytes());
    for (name, shape, bytes) in arrays {
        sum.add(name.as_bytes());
        let shape: Vec<u8> = shape
            .iter()
            .flat_map(|&n| (n as u64).to_le_bytes())
            .collect();
        sum.add(&shape);
        sum.add(bytes);
    }
    sum.finish()
}

/// Content of a safetensors file: arrays, and a state in its header.
#[derive(Debug, Clone, PartialEq)]
pub struct Checkpoint<S> {
    /// Arrays.
    pub tensors: Vec<NamedTensor>,
    /// State.
    pub state: S,
}

impl<S: Serialize + DeserializeOwned> Checkpoint<S> {
    /// Writes the file under a temporary name and renames it.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written. An older file is
    /// unchanged in this case.
    pub fn write(&self, path: &Path) -> Result<(), CheckpointError> {
        let file = self.to_bytes().map_err(|source| WriteError {
            path: path.to_owned(),
            source,
        })?;
        Ok(write_atomically(path, |out| out.write_all(&file))?)
    }

    /// Returns the bytes of the file.
    ///
    /// # Errors
    ///
    /// Returns an error if the number of values of an array does not match its
    /// shape.
    pub fn to_bytes(&self) -> std::io::Result<Vec<u8>> {
        let invalid = |e: &dyn std::fmt::Display| std::io::Error::other(e.to_string());
        let state = serde_json::to_string(&self.state).map_err(|e| invalid(&e))?;
        let bytes: Vec<Vec<u8>> = self
            .tensors
            .iter()
            .map(|t| t.values.iter().flat_map(|x| x.to_le_bytes()).collect())
            .collect();
        let mut views = Vec::with_capacity(bytes.len());
        for (tensor, bytes) in self.tensors.iter().zip(&bytes) {
            let view = TensorView::new(Dtype::F32, tensor.shape.clone(), bytes)
                .map_err(|e| invalid(&e))?;
            views.push((tensor.name.as_str(), view));
        }
        let arrays = self.tensors.iter().zip(&bytes);
        let sum = checksum(
            arrays.map(|(t, bytes)| (t.name.as_str(), t.shape.as_slice(), bytes.as_slice())),
            &state,
        );
        let entry =
            serde_json::to_string(&Entry { sha256: sum, state }).map_err(|e| invalid(&e))?;
        let header = HashMap::from([(STATE.to_owned(), entry)]);
        safetensors::serialize(views, Some(header)).map_err(|e| invalid(&e))
    }

    /// Reads a file of [`Checkpoint::write`].
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, is not such a file, or was
    /// changed after it was written.
    pub fn read(path: &Path) -> Result<Self, CheckpointError> {
        let bytes = std::fs::read(path).map_err(|source| CheckpointError::Io {
            path: path.to_owned(),
            source,
        })?;
        Self::of_bytes(&bytes, path)
    }

    /// Reads the bytes of a file; `path` is only used in messages.
    ///
    /// # Errors
    ///
    /// As [`Checkpoint::read`].
    pub fn of_bytes(bytes: &[u8], path: &Path) -> Result<Self, CheckpointError> {
        let malformed = |problem: String| CheckpointError::Malformed {
            path: path.to_owned(),
            problem,
        };
        let (_, header) =
            SafeTensors::read_metadata(bytes).map_err(|e| malformed(e.to_string()))?;
        let entry = header
            .metadata()
            .as_ref()
            .and_then(|m| m.get(STATE))
            .ok_or_else(|| malformed(format!("its header has no {STATE:?} entry")))?;
        let Entry { sha256, state } =
            serde_json::from_str(entry).map_err(|_| malformed("it has no checksum".into()))?;
        let file = SafeTensors::deserialize(bytes).map_err(|e| malformed(e.to_string()))?;
        let views: Vec<_> = file.iter().collect();
        let arrays = views.iter().map(|(name, v)| (*name, v.shape(), v.data()));
        if sha256 != checksum(arrays, &state) {
            return Err(malformed("its checksum does not match".into()));
        }
        let state = serde_json::from_str(&state).map_err(|e| malformed(e.to_string()))?;
        let mut tensors = Vec::with_capacity(file.len());
        for (name, view) in views {
            if view.dtype() != Dtype::F32 {
                return Err(malformed(format!("{name} is not of single precision")));
            }
            let values = view
                .data()
                .chunks_exact(4)
                .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
                .collect();
            tensors.push(NamedTensor {
                name: name.to_owned(),
                shape: view.shape().to_vec(),
                values,
            });
        }
        Ok(Self { tensors, state })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_comes_back_and_damage_is_noticed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("checkpoint.safetensors");
        let checkpoint = Checkpoint {
            tensors: vec![NamedTensor {
                name: "a.weight".into(),
                shape: vec![2, 1],
                values: vec![1.5, -0.0],
            }],
            state: (7_usize, Some(0.1_f64)),
        };
        checkpoint.write(&path).expect("written");
        assert_eq!(Checkpoint::read(&path).expect("read"), checkpoint);
        let bytes = std::fs::read(&path).expect("bytes");
        checkpoint.write(&path).expect("written again");
        assert_eq!(std::fs::read(&path).expect("bytes"), bytes);
        let whole = std::fs::read(&path).expect("bytes");
        let refused = |bytes: &[u8], how: &str| {
            std::fs::write(&path, bytes).expect("written");
            let error = Checkpoint::<(usize, Option<f64>)>::read(&path).expect_err(how);
            assert!(
                matches!(error, CheckpointError::Malformed { .. }),
                "{error}"
            );
        };
        refused(&whole[..whole.len() - 1], "shortened");
        for bit in 0..8 * whole.len() {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            refused(&bytes, &format!("bit {bit} is flipped"));
        }
    }

    #[test]
    fn a_file_without_a_checksum_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("old.safetensors");
        let header = HashMap::from([(STATE.to_owned(), "7".to_owned())]);
        let none: Vec<(&str, TensorView<'_>)> = Vec::new();
        let bytes = safetensors::serialize(none, Some(header)).expect("bytes");
        std::fs::write(&path, bytes).expect("written");
        let error = Checkpoint::<usize>::read(&path).expect_err("no checksum");
        assert!(error.to_string().contains("it has no checksum"), "{error}");
    }
}
