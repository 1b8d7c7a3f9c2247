//! Serialisation of matrices as their raw parts, which are checked on
//! deserialisation.

use std::borrow::Cow;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Csr;

/// The parts of a matrix, borrowed to be written.
#[derive(Serialize, Deserialize)]
struct Parts<'a> {
    rows: usize,
    columns_count: usize,
    offsets: Cow<'a, [usize]>,
    columns: Cow<'a, [u32]>,
    weights: Option<Cow<'a, [f32]>>,
}

impl Serialize for Csr {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Parts {
            rows: self.rows(),
            columns_count: self.columns_count,
            offsets: self.offsets.as_slice().into(),
            columns: self.columns.as_slice().into(),
            weights: self.weights.as_deref().map(Cow::from),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Csr {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let parts = Parts::deserialize(deserializer)?;
        Self::new(
            parts.rows,
            parts.columns_count,
            parts.offsets.into_owned(),
            parts.columns.into_owned(),
            parts.weights.map(Cow::into_owned),
        )
        .map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_nonsense_is_refused() {
        let matrix = Csr::from_entries(2, 3, [(0, 2, 0.1), (1, 0, -2.5)]).unwrap();
        for matrix in [matrix.without_weights(), matrix] {
            let text = serde_json::to_string(&matrix).unwrap();
            assert_eq!(serde_json::from_str::<Csr>(&text).unwrap(), matrix);
        }
        let text = r#"{"rows":1,"columns_count":1,"offsets":[0,1],"columns":[7],"weights":null}"#;
        let error = serde_json::from_str::<Csr>(text).unwrap_err().to_string();
        assert!(error.contains("column 7"), "{error}");
    }
}
