//! Description lengths from scratch.

use super::partitions::ln_partitions;
use super::{ln_binomial, ln_factorial};
use crate::{CommunityError, Links, Partition};
use std::collections::BTreeMap;

/// Model of a partition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Model {
    /// Planted partition with the same expected number of edges in each group.
    PlantedUniform,
    /// Planted partition with a separate number of edges in each group.
    PlantedOwnDensity,
    /// Degree-corrected block model.
    Blocks,
    /// Block model without degree correction.
    PlainBlocks,
}

/// Encoding of degrees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Degrees {
    /// Uniform over all degree sequences with the sum of the group.
    Uniform,
    /// First the degree distribution, uniformly, then its assignment to nodes.
    Distributed,
}

/// Computes Σ of a partition, in nats. Weights are ignored; so is `degrees` for
/// [`Model::PlainBlocks`].
///
/// # Errors
///
/// Returns an error if the number of labels is not the number of nodes.
///
/// # Complexity
///
/// O(E + N log N) time and O(N + E) memory. Distributed degrees additionally
/// take time proportional to the sum of degrees times the number of nodes of
/// each group.
///
/// ```
/// use bnpool_community::description_length::{Degrees, Model, description_length};
/// use bnpool_community::{Links, Partition};
/// use bnpool_graph::Csr;
///
/// let pairs = [(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5)];
/// let both = pairs.into_iter().flat_map(|(u, v)| [(u, v), (v, u)]);
/// let links = Links::new(&Csr::from_edges(6, both)?)?;
/// let length = |labels: &[u32]| {
///     let partition = Partition::new(labels);
///     description_length(&links, &partition, Model::PlantedOwnDensity, Degrees::Uniform)
/// };
/// assert!(length(&[0, 0, 0, 1, 1, 1])? < length(&[0, 0, 1, 1, 0, 1])?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn description_length(
    links: &Links,
    partition: &Partition,
    model: Model,
    degrees: Degrees,
) -> Result<f64, CommunityError> {
    partition.check(links.nodes())?;
    let labels = partition.labels();
    let groups = partition.groups();
    let b = groups as u64;
    let edges = links.edges() as u64;
    let mut between: BTreeMap<(u32, u32), u64> = BTreeMap::new();
    let mut volumes = vec![0_u64; groups];
    let mut ln_degrees = 0.0;
    for u in 0..links.nodes() {
        let degree = links.degree(u) as u64;
        volumes[labels[u] as usize] += degree;
        ln_degrees += ln_factorial(degree);
        for &v in links.neighbours(u).iter().filter(|&&v| (v as usize) < u) {
            let (r, s) = (labels[u], labels[v as usize]);
            *between.entry((r.min(s), r.max(s))).or_default() += 1;
        }
    }
    let inside = |r: u32| between.get(&(r, r)).copied().unwrap_or(0);
    let inside: Vec<u64> = (0..groups as u32).map(inside).collect();
    let all_inside: u64 = inside.iter().sum();
    let sizes: Vec<u64> = partition.sizes().iter().map(|&n| n as u64).collect();
    let ln2 = std::f64::consts::LN_2;
    // ln m!! for the double count 2m of edges inside a group.
    let twice = |m: u64| m as f64 * ln2 + ln_factorial(m);
    let edges_part = match model {
        Model::PlantedUniform => {
            outside(b, edges, all_inside) - twice(all_inside) + all_inside as f64 * (b as f64).ln()
        }
        Model::PlantedOwnDensity => {
            outside(b, edges, all_inside) - inside.iter().map(|&m| twice(m)).sum::<f64>()
                + ln_binomial((b + all_inside).saturating_sub(1), all_inside)
        }
        Model::Blocks | Model::PlainBlocks => {
            let counts = between.iter().map(
                |(&(r, s), &m)| {
                    if r == s { twice(m) } else { ln_factorial(m) }
                },
            );
            ln_binomial((b * (b + 1) / 2 + edges).saturating_sub(1), edges) - counts.sum::<f64>()
        }
    };
    let ends_part: f64 = match (model, degrees) {
        (Model::PlainBlocks, _) => volumes
            .iter()
            .zip(&sizes)
            .map(|(&e, &n)| e as f64 * (n as f64).ln())
            .sum(),
        (_, Degrees::Uniform) => {
            let groups = volumes.iter().zip(&sizes);
            groups
                .map(|(&e, &n)| ln_factorial(e + n - 1) - ln_factorial(n - 1))
                .sum::<f64>()
                - ln_degrees
        }
        (_, Degrees::Distributed) => {
            let mut histogram: BTreeMap<(u32, usize), u64> = BTreeMap::new();
            for (u, &label) in labels.iter().enumerate() {
                *histogram.entry((label, links.degree(u))).or_default() += 1;
            }
            let groups = volumes.iter().zip(&sizes);
            groups
                .map(|(&e, &n)| ln_partitions(e, n) + ln_factorial(n) + ln_factorial(e))
                .sum::<f64>()
                - histogram.values().map(|&n| ln_factorial(n)).sum::<f64>()
                - ln_degrees
        }
    };
    Ok(
        edges_part + ends_part + groups_part(links.nodes() as u64, b)
            - sizes.iter().map(|&n| ln_factorial(n)).sum::<f64>(),
    )
}

/// Term of the edges between groups in the planted partition: their number, and
/// the pairs of groups they join.
fn outside(groups: u64, edges: u64, inside: u64) -> f64 {
    let count = edges - inside;
    if groups < 2 {
        return 0.0;
    }
    let pairs = groups as f64 * (groups as f64 - 1.0) / 2.0;
    count as f64 * pairs.ln() - ln_factorial(count) + (edges as f64 + 1.0).ln()
}

/// Term of the groups except for −Σ ln n_r!: their number, their sizes and
/// their members.
pub(super) fn groups_part(nodes: u64, groups: u64) -> f64 {
    if nodes == 0 {
        return 0.0;
    }
    ln_binomial(nodes - 1, groups - 1) + ln_factorial(nodes) + (nodes as f64).ln()
}
