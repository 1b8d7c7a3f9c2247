//! Auxiliary losses as numbers.

use crate::optim::{NotFinite, check_finite, parameters};
use bnpool::pool::Losses;
use burn::module::Module;
use std::collections::BTreeMap;

/// Returns the losses as numbers, with their names in the history.
pub(crate) fn loss_values(losses: &Losses) -> BTreeMap<String, f64> {
    losses
        .iter()
        .map(|(name, value)| {
            let value = value.clone().detach().into_scalar::<f64>();
            (format!("loss_{name}"), value)
        })
        .collect()
}

/// Returns an error if a loss is not finite. Parameters are checked first,
/// because a parameter that is not finite is the cause.
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
