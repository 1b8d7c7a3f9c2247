//! How many clusters graphs are pooled to.

use super::Drawing;
use crate::learn::histogram::chart;
use crate::number::counted;

/// How many test graphs have so many non-empty clusters; nothing without graphs.
#[must_use]
pub fn histogram(name: &str, title: &str, clusters: &[usize]) -> Option<Drawing> {
    let (least, most) = (clusters.iter().min()?, clusters.iter().max()?);
    let graphs = counted(clusters.len(), "test graph", "test graphs");
    let caption = format!("{graphs} with {least} to {most} non-empty clusters.");
    Some(Drawing::new(name, title, &caption, chart(clusters)?))
}
