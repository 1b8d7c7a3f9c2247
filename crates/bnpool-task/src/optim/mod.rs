//! Optimiser, schedules and early stopping.
//!
//! This module does not depend on the model. The state of each part is plain data,
//! so a run can be saved after any epoch and resumed with byte-identical results.

mod adam;
mod awake;
mod finite;
mod monitor;
mod parameters;
mod plateau;
mod schedule;

pub(crate) use adam::plain_gradients;
pub use adam::{Adam, AdamConfig, ParameterGroup};
pub(crate) use awake::Awake;
pub use finite::{NotFinite, check_finite};
pub use monitor::{Direction, EarlyStop};
pub(crate) use parameters::fork;
pub use parameters::{load_parameters, parameters};
pub use plateau::{Plateau, PlateauConfig};
pub use schedule::{cosine_annealing, warm_up};
