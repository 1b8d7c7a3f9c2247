//! Colours of nodes by their features.

use std::collections::BTreeMap;

use bnpool_graph::{Features, Graph};

use crate::chart::{Rgb, SketchGroup, categorical, graded};
use crate::number::significant;

/// Colour of nodes without features.
const NEUTRAL: Rgb = Rgb(0x7d, 0x87, 0x93);
/// Colour of nodes that a pooler drops.
pub(crate) const DROPPED: Rgb = Rgb(0xc4, 0xcb, 0xd3);
/// Largest number of values of a single feature with one colour each.
const VALUES: usize = 8;
/// Number of colours for a feature with more values.
const LEVELS: usize = 7;

/// Groups of nodes by their features.
#[derive(Debug, Clone)]
pub(crate) struct Painted {
    /// Meaning of the colours, as a sentence.
    pub(crate) by: &'static str,
    /// Group of each node.
    pub(crate) group: Vec<usize>,
    /// The groups.
    pub(crate) groups: Vec<SketchGroup>,
}

/// Colours nodes by the largest of several features or by the value of a single
/// one; uses one colour if nodes do not differ.
pub(crate) fn paint(graph: &Graph) -> Painted {
    let (features, nodes) = (graph.features(), graph.nodes());
    if features.width() == 0 {
        return alike("no features", "The nodes have no features.", nodes);
    }
    if is_constant(features) {
        return alike(
            "the same features",
            "All nodes have the same features.",
            nodes,
        );
    }
    match features.width() {
        1 => by_value(features),
        _ => by_largest(features),
    }
}

/// Colours nodes by their known classes.
pub(crate) fn paint_classes(labels: &[u32], names: &[String]) -> Painted {
    let kinds: Vec<Option<usize>> = labels.iter().map(|&label| Some(label as usize)).collect();
    painted(
        "Colours show the known class of a node.",
        &kinds,
        |kind| match kind {
            Some(class) => SketchGroup {
                name: names
                    .get(*class)
                    .cloned()
                    .unwrap_or(format!("class {class}")),
                colour: categorical(*class),
            },
            None => unknown("unknown"),
        },
    )
}

fn alike(name: &str, by: &'static str, nodes: usize) -> Painted {
    Painted {
        by,
        group: vec![0; nodes],
        groups: match nodes {
            0 => Vec::new(),
            _ => vec![SketchGroup {
                name: name.to_owned(),
                colour: categorical(0),
            }],
        },
    }
}

/// Stored features of a node.
fn row(features: &Features, node: usize) -> (&[u32], &[f32]) {
    match features {
        Features::Dense(matrix) => (&[], matrix.row(node)),
        Features::Sparse(matrix) => (matrix.row(node), matrix.row_weights(node).unwrap_or(&[])),
    }
}

fn is_constant(features: &Features) -> bool {
    (1..features.rows()).all(|node| row(features, node) == row(features, 0))
}

/// Index of the largest feature above 0; ties go to the first one.
fn largest(features: &Features, node: usize) -> Option<usize> {
    let better = |best: Option<(usize, f32)>, (index, value): (usize, f32)| match best {
        Some((_, most)) if value <= most => best,
        _ if value > 0.0 => Some((index, value)),
        _ => best,
    };
    let (columns, values) = row(features, node);
    let found = match features {
        Features::Dense(_) => values.iter().copied().enumerate().fold(None, better),
        Features::Sparse(_) => {
            let values = values.iter().copied().chain(std::iter::repeat(1.0));
            let columns = columns.iter().map(|&column| column as usize);
            columns.zip(values).fold(None, better)
        }
    };
    found.map(|(index, _)| index)
}

fn by_largest(features: &Features) -> Painted {
    let kinds: Vec<Option<usize>> = (0..features.rows())
        .map(|node| largest(features, node))
        .collect();
    painted(
        "Colours show the largest feature of a node.",
        &kinds,
        |kind| match kind {
            Some(index) => SketchGroup {
                name: format!("feature {index}"),
                colour: categorical(*index),
            },
            None => unknown("no feature above 0"),
        },
    )
}

fn by_value(features: &Features) -> Painted {
    let value = |node| match row(features, node) {
        ([], [value]) => *value,
        ([_], []) => 1.0,
        ([_], [value]) => *value,
        _ => 0.0,
    };
    // Treats 0 and −0 as equal.
    let values: Vec<f32> = (0..features.rows()).map(|node| value(node) + 0.0).collect();
    let finite = values.iter().copied().filter(|value| value.is_finite());
    let low = f64::from(finite.clone().fold(f32::INFINITY, f32::min));
    let high = f64::from(finite.clone().fold(f32::NEG_INFINITY, f32::max));
    let mut distinct: Vec<f32> = finite.collect();
    distinct.sort_by(f32::total_cmp);
    distinct.dedup();
    let few = distinct.len() <= VALUES;
    let width = (high - low) / LEVELS as f64;
    let kind = |value: &f32| match (value.is_finite(), few) {
        (false, _) => None,
        (true, true) => distinct.binary_search_by(|v| v.total_cmp(value)).ok(),
        // The largest value belongs to the last level.
        (true, false) => Some((((f64::from(*value) - low) / width) as usize).min(LEVELS - 1)),
    };
    let kinds: Vec<Option<usize>> = values.iter().map(kind).collect();
    painted(
        "Colours show the value of the only feature.",
        &kinds,
        |kind| match kind {
            None => unknown("not a number"),
            Some(place) if few => {
                let value = f64::from(distinct[*place]);
                SketchGroup {
                    name: format!("value {}", significant(value, 3)),
                    colour: graded((value - low) / (high - low)),
                }
            }
            Some(level) => {
                let [from, to] = [*level, level + 1].map(|i| low + width * i as f64);
                SketchGroup {
                    name: format!("{} to {}", significant(from, 3), significant(to, 3)),
                    colour: graded(*level as f64 / (LEVELS - 1) as f64),
                }
            }
        },
    )
}

fn unknown(name: &str) -> SketchGroup {
    SketchGroup {
        name: name.to_owned(),
        colour: NEUTRAL,
    }
}

/// One group per kind that occurs, in ascending order; unknown ones come last.
fn painted(
    by: &'static str,
    kinds: &[Option<usize>],
    group: impl Fn(&Option<usize>) -> SketchGroup,
) -> Painted {
    let key = |kind: &Option<usize>| (kind.is_none(), *kind);
    let mut places = BTreeMap::new();
    for kind in kinds {
        places.insert(key(kind), 0);
    }
    for (i, place) in places.values_mut().enumerate() {
        *place = i;
    }
    Painted {
        by,
        group: kinds.iter().map(|kind| places[&key(kind)]).collect(),
        groups: places.keys().map(|(_, kind)| group(kind)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bnpool_graph::{Csr, Matrix};

    fn painted_by(features: impl Into<Features>) -> Painted {
        let features = features.into();
        let adjacency = Csr::from_edges(features.rows(), []).unwrap();
        let graph = Graph::builder(adjacency).features(features);
        paint(&graph.build().unwrap())
    }

    fn names(painted: &Painted) -> Vec<&str> {
        painted.groups.iter().map(|g| g.name.as_str()).collect()
    }

    #[test]
    fn one_hot_features_go_by_their_index() {
        let dense = Matrix::new(3, 3, vec![0., 0., 1., 1., 0., 0., 0., 0., 0.]).unwrap();
        let found = painted_by(dense);
        assert_eq!(
            names(&found),
            ["feature 0", "feature 2", "no feature above 0"]
        );
        assert_eq!(found.group, [1, 0, 2]);
        let sparse = Csr::from_positions(3, 3, [(0, 2), (1, 0)]).unwrap();
        assert_eq!(painted_by(sparse).group, [1, 0, 2]);
    }

    #[test]
    fn a_single_feature_goes_by_its_value() {
        let few = Matrix::new(4, 1, vec![2.0, -1.0, 2.0, 0.5]).unwrap();
        let found = painted_by(few);
        assert_eq!(names(&found), ["value −1", "value 0.5", "value 2"]);
        assert_eq!(found.group, [2, 0, 2, 1]);
        let many = Matrix::new(71, 1, (0..71).map(|i| i as f32).collect()).unwrap();
        let found = painted_by(many);
        assert_eq!(found.groups.len(), LEVELS);
        assert_eq!((found.group[0], found.group[70]), (0, LEVELS - 1));
        let sparse = Csr::from_positions(3, 1, [(1, 0)]).unwrap();
        assert_eq!(names(&painted_by(sparse)), ["value 0", "value 1"]);
    }

    #[test]
    fn nodes_that_do_not_differ_have_one_colour() {
        assert_eq!(painted_by(Features::absent(3)).group, [0, 0, 0]);
        let same = Matrix::new(2, 2, vec![1.0, 2.0, 1.0, 2.0]).unwrap();
        assert_eq!(painted_by(same).groups.len(), 1);
        assert!(painted_by(Features::absent(0)).group.is_empty());
    }
}
