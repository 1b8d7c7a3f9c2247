//! Prediction targets of whole graphs.

use crate::error::GraphError;

/// The target of one graph.
#[derive(Debug, Clone, PartialEq)]
pub enum Target {
    /// Its class.
    Class(u32),
    /// Multiple labels or regression values. NaN marks a missing label, which
    /// is excluded from the loss and the metric.
    Values(Vec<f32>),
}

impl Target {
    /// Checks that the target is neither empty nor infinite.
    pub(crate) fn check(&self) -> Result<(), GraphError> {
        let Self::Values(values) = self else {
            return Ok(());
        };
        if values.is_empty() {
            return Err(GraphError::EmptyTarget);
        }
        match values.iter().position(|value| value.is_infinite()) {
            Some(position) => Err(GraphError::InfiniteTarget {
                position,
                value: values[position],
            }),
            None => Ok(()),
        }
    }
}

/// The targets of a batch of graphs, all of one kind.
#[derive(Debug, Clone, PartialEq)]
pub enum Targets {
    /// The class of each graph.
    Classes(Vec<u32>),
    /// The values of all graphs, graph by graph; NaN marks a missing label.
    Values {
        /// Number of values per graph.
        width: usize,
        /// All values: `graphs * width`.
        values: Vec<f32>,
    },
}

impl Targets {
    /// Collects the targets of a batch; `None` if no graph has one.
    pub(crate) fn collect(targets: &[Option<&Target>]) -> Result<Option<Self>, GraphError> {
        match targets.first() {
            None | Some(None) => match targets.iter().position(Option::is_some) {
                Some(with) => Err(missing(with, 0)),
                None => Ok(None),
            },
            Some(Some(Target::Class(_))) => classes(targets).map(Some),
            Some(Some(Target::Values(first))) => values(targets, first.len()).map(Some),
        }
    }

    /// Number of graphs.
    #[must_use]
    pub fn graphs(&self) -> usize {
        match self {
            Self::Classes(classes) => classes.len(),
            Self::Values { width, values } => values.len() / width.max(&1),
        }
    }
}

fn missing(with: usize, without: usize) -> GraphError {
    GraphError::PartlyMissing {
        what: "a target",
        with,
        without,
    }
}

fn classes(targets: &[Option<&Target>]) -> Result<Targets, GraphError> {
    let class_of = |(graph, target): (usize, &Option<&Target>)| match target {
        Some(Target::Class(class)) => Ok(*class),
        Some(Target::Values(_)) => Err(GraphError::MixedTargets {
            class: 0,
            values: graph,
        }),
        None => Err(missing(0, graph)),
    };
    let classes = targets.iter().enumerate().map(class_of);
    Ok(Targets::Classes(classes.collect::<Result<_, _>>()?))
}

fn values(targets: &[Option<&Target>], width: usize) -> Result<Targets, GraphError> {
    let mut all = Vec::with_capacity(targets.len() * width);
    for (graph, target) in targets.iter().enumerate() {
        match target {
            Some(Target::Values(values)) if values.len() == width => all.extend(values),
            Some(Target::Values(values)) => {
                return Err(GraphError::WidthMismatch {
                    what: "target values",
                    first: 0,
                    first_width: width,
                    graph,
                    width: values.len(),
                });
            }
            Some(Target::Class(_)) => {
                return Err(GraphError::MixedTargets {
                    class: graph,
                    values: 0,
                });
            }
            None => return Err(missing(0, graph)),
        }
    }
    Ok(Targets::Values { width, values: all })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_labels_are_allowed_but_not_infinite_ones() {
        assert_eq!(Target::Values(vec![1.0, f32::NAN]).check(), Ok(()));
        assert_eq!(Target::Class(3).check(), Ok(()));
        assert_eq!(Target::Values(vec![]).check(), Err(GraphError::EmptyTarget));
        assert_eq!(
            Target::Values(vec![0.0, f32::INFINITY]).check(),
            Err(GraphError::InfiniteTarget {
                position: 1,
                value: f32::INFINITY
            })
        );
    }

    #[test]
    fn collects_one_kind() {
        let classes = [Target::Class(1), Target::Class(0)];
        let collected = Targets::collect(&[Some(&classes[0]), Some(&classes[1])]).unwrap();
        assert_eq!(collected, Some(Targets::Classes(vec![1, 0])));
        let values = Target::Values(vec![1.0, 2.0]);
        let collected = Targets::collect(&[Some(&values), Some(&values)]).unwrap();
        let collected = collected.unwrap();
        assert_eq!(collected.graphs(), 2);
        assert_eq!(
            collected,
            Targets::Values {
                width: 2,
                values: vec![1.0, 2.0, 1.0, 2.0]
            }
        );
        assert_eq!(Targets::collect(&[None, None]), Ok(None));
    }

    #[test]
    fn names_graphs_that_do_not_fit() {
        let (class, narrow) = (Target::Class(1), Target::Values(vec![1.0]));
        let wide = Target::Values(vec![1.0, 2.0]);
        let refuse = |targets: [Option<&Target>; 2]| Targets::collect(&targets).unwrap_err();
        let mixed = |class, values| GraphError::MixedTargets { class, values };
        assert_eq!(refuse([Some(&class), Some(&wide)]), mixed(0, 1));
        assert_eq!(refuse([Some(&wide), Some(&class)]), mixed(1, 0));
        assert_eq!(refuse([Some(&wide), None]), missing(0, 1));
        assert_eq!(refuse([Some(&class), None]), missing(0, 1));
        assert_eq!(refuse([None, Some(&class)]), missing(1, 0));
        assert_eq!(
            refuse([Some(&narrow), Some(&wide)]).to_string(),
            "graph 0 has 1 target values, but graph 1 has 2: all graphs of a batch need the same number"
        );
    }
}
