//! Draws from a Dirichlet process, with its base distribution.

use super::Drawing;
use crate::chart::{categorical, spikes};
use crate::number::significant;

/// Chart of a draw G = Σ π_k δ(φ_k): one spike per atom, and the density of the
/// base on a separate scale. Spikes that would be invisible are omitted.
///
/// `density` are points of the base density.
#[must_use]
pub fn dirichlet_draw(
    name: &str,
    concentration: f64,
    atoms: &[(f64, f64)],
    density: &[(f64, f64)],
) -> Drawing {
    let highest = atoms.iter().map(|atom| atom.1).fold(0.0, f64::max);
    let alt = format!(
        "A draw from a Dirichlet process with α = {}: {} atoms, the largest with {} of the mass.",
        significant(concentration, 4),
        atoms.len(),
        significant(highest, 2)
    );
    let chart = spikes(
        &alt,
        "θ",
        "probability of an atom",
        atoms,
        density,
        categorical(0),
    );
    let heading = format!("α_DP = {}", significant(concentration, 4));
    let caption =
        format!("{alt} The curve is the density of the base distribution in a scale of its own.");
    Drawing::new(name, &heading, &caption, chart)
}
