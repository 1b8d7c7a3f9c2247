//! Auxiliary losses as numbers.

use crate::optim::{NotFinite, check_finite, parameters};
use bnpool::pool::Losses;
use burn::module::Module;
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

/// Refuses losses that are not finite. The parameters are looked at first: where
/// one of them is not finite, it came before the loss.
pub(crate) fn check_losses(
    model: &impl Module,
    losses: &BTreeMap<String, f64>,
) -> Result<(), NotFinite> {
    let Some((name, _)) = losses.iter().find(|loss| !loss.1.is_finite()) else {
        return Ok(());
    };
    check_finite(&parameters(model))?;
    Err(NotFinite {
        tensor: name.clone(),
    })
}
