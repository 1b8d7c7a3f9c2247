//! Auxiliary losses as numbers.

use crate::pool::Losses;
use std::collections::BTreeMap;

/// The losses as numbers, by the names of the history.
pub(crate) fn loss_values(losses: &Losses) -> BTreeMap<String, f64> {
    losses
        .iter()
        .map(|(name, value)| {
            let value = value.clone().detach().into_scalar::<f64>();
            (format!("loss_{name}"), value)
        })
        .collect()
}
