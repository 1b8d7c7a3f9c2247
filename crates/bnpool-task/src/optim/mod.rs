//! The optimiser, schedules and early stopping.
//!
//! Nothing here depends on the model that is trained. Every part has plain data as
//! its state, so a run can be written down after any epoch and go on to the same
//! bytes.

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
