//! Training: the optimiser, schedules, early stopping, checkpoints and history.
//!
//! Nothing here knows what is trained. Every part has plain data as its state,
//! so a run can be written down after any epoch and go on to the same bytes.

mod adam;
mod awake;
mod checkpoint;
mod checksum;
mod events;
mod finite;
mod history;
mod monitor;
mod parameters;
mod plateau;
mod schedule;

pub(crate) use adam::plain_gradients;
pub use adam::{Adam, AdamConfig, ParameterGroup};
pub(crate) use awake::Awake;
pub use checkpoint::{Checkpoint, CheckpointError, NamedTensor, part};
pub use checksum::Checksum;
pub use events::EventFile;
pub use finite::{NotFinite, check_finite};
pub use history::History;
pub use monitor::{Direction, EarlyStop};
pub(crate) use parameters::fork;
pub use parameters::{load_parameters, parameters};
pub use plateau::{Plateau, PlateauConfig};
pub use schedule::{cosine_annealing, warm_up};
