//! The pooled graph of a sample.

use super::SHEET;
use super::members::Members;
use crate::chart::{Chart, Sketch, SketchGroup, SketchNode};
use crate::layout::{Point, SEED, fit, stress, turn};
use crate::learn::SampleGraph;
use crate::number::{counted, significant};

/// Largest number of drawn clusters and links; the strongest are selected.
pub(super) const NODES: usize = 200;
const EDGES: usize = 2000;
/// Links below this fraction of the strongest one are not visible.
const FAINT: f64 = 0.01;
/// Radius of the largest and the smallest cluster.
const RADIUS: [f64; 2] = [30.0, 5.0];
/// Width of the strongest and the faintest link.
const WIDTH: [f64; 2] = [7.0, 0.6];

/// A link between two of the drawn clusters.
type Link = (u32, u32, f64);

/// Visible links, strongest first, without self-loops.
fn links(sample: &SampleGraph<'_>, clusters: &[usize]) -> Vec<Link> {
    let weight = |a: usize, b: usize| {
        let both = [(a, b), (b, a)].map(|(a, b)| {
            let value = f64::from(sample.pooled_adjacency[a * sample.clusters + b]);
            if value.is_finite() { value } else { 0.0 }
        });
        (both[0] + both[1]) / 2.0
    };
    let mut links = Vec::new();
    for (i, &a) in clusters.iter().enumerate() {
        for (j, &b) in clusters.iter().enumerate().skip(i + 1) {
            links.push((i as u32, j as u32, weight(a, b)));
        }
    }
    let strongest = links.iter().map(|link| link.2).fold(0.0, f64::max);
    links.retain(|link| link.2 > 0.0 && link.2 >= FAINT * strongest);
    links.sort_by(|a, b| b.2.total_cmp(&a.2).then((a.0, a.1).cmp(&(b.0, b.1))));
    links.truncate(EDGES);
    links
}

/// Radii of discs of these sizes that leave room for links.
fn radii(masses: &[f64]) -> Vec<f64> {
    let largest = masses.iter().copied().fold(0.0, f64::max);
    // A few discs have the maximal size, many are smaller.
    let most = (SHEET.width / (3.0 * (masses.len().max(1) as f64).sqrt())).min(RADIUS[0]);
    let radius = |&mass: &f64| {
        if largest > 0.0 {
            (most * (mass / largest).sqrt()).max(RADIUS[1].min(most))
        } else {
            most.min(12.0)
        }
    };
    masses.iter().map(radius).collect()
}

/// Shrinks discs so that no two of them touch, if possible.
fn apart(places: &[Point], radii: &[f64]) -> Vec<f64> {
    let mut scale = 1.0_f64;
    for (i, a) in places.iter().enumerate() {
        for (j, b) in places.iter().enumerate().skip(i + 1) {
            let d = [a[0] - b[0], a[1] - b[1]];
            let away = (d[0] * d[0] + d[1] * d[1]).sqrt();
            scale = scale.min(0.85 * away / (radii[i] + radii[j]));
        }
    }
    let scale = scale.max(0.25);
    radii.iter().map(|radius| radius * scale).collect()
}

/// Draws the pooled graph; `None` if it is unknown or has no clusters. `paint`
/// returns the colour of a cluster.
pub(super) fn draw(
    sample: &SampleGraph<'_>,
    members: Option<&Members>,
    paint: impl Fn(usize) -> SketchGroup,
) -> Option<Chart> {
    if sample.pooled_adjacency.is_empty() {
        return None;
    }
    let (clusters, masses) = match members {
        Some(members) => {
            let masses = members.shown.iter().map(|&cluster| members.mass[cluster]);
            (members.shown.clone(), masses.collect::<Vec<f64>>())
        }
        // Without memberships, all clusters have equal size.
        None => {
            let count = sample.clusters.min(NODES);
            ((0..count).collect(), vec![0.0; count])
        }
    };
    let links = links(sample, &clusters);
    let pairs: Vec<(u32, u32)> = links.iter().map(|&(a, b, _)| (a, b)).collect();
    let radii = radii(&masses);
    let places = turn(&stress(clusters.len(), &pairs, SEED));
    let widest = radii.iter().copied().fold(0.0, f64::max);
    let size = SHEET.size(&places);
    let places = fit(&places, size, SHEET.margin + widest);
    let radii = apart(&places, &radii);
    let linked = |i: usize| {
        let ends = links
            .iter()
            .filter(|l| l.0 as usize == i || l.1 as usize == i);
        counted(ends.count(), "link", "links")
    };
    let node = |(i, &cluster): (usize, &usize)| SketchNode {
        place: places[i],
        radius: radii[i],
        group: i,
        label: cluster.to_string(),
        texts: match members {
            Some(_) => vec![
                format!("cluster {cluster}"),
                format!("holds {} nodes", significant(masses[i], 3)),
                linked(i),
            ],
            None => vec![format!("supernode {cluster}"), linked(i)],
        },
    };
    let strongest = links.first().map_or(1.0, |link| link.2);
    // Draw thinner lines if there are many links.
    let widest = WIDTH[0] * (60.0 / links.len().max(1) as f64).sqrt().min(1.0);
    let widest = widest.max(2.0 * WIDTH[1]);
    let edge = |&(a, b, weight): &Link| {
        let width = WIDTH[1] + (widest - WIDTH[1]) * weight / strongest;
        (a, b, width)
    };
    let groups: Vec<SketchGroup> = clusters.iter().map(|&c| paint(c)).collect();
    let sketch = Sketch {
        alt: format!(
            "The pooled graph: {}{}.",
            match members {
                Some(_) => counted(clusters.len(), "cluster", "clusters"),
                None => counted(clusters.len(), "supernode", "supernodes"),
            },
            match links.len() {
                0 => " without links".to_owned(),
                more => format!(", {}", counted(more, "link", "links")),
            }
        ),
        size,
        nodes: clusters.iter().enumerate().map(node).collect(),
        edges: links.iter().map(edge).collect(),
        groups,
    };
    Some(sketch.draw())
}
