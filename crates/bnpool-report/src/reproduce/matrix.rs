//! Node matrices, with the nodes sorted by class.

use super::Drawing;
use crate::chart::{Group, HeatMap, Ramp, Scale, Side, categorical};

/// Largest number of cells per side; with more nodes, cells are shared.
const CELLS: usize = 280;

/// Nodes sorted by class and divided into bins of one class each.
#[derive(Debug, Clone)]
struct Bins {
    /// Bin of each node.
    of: Vec<usize>,
    sizes: Vec<usize>,
    /// First bin of each class, and the end.
    classes: Vec<usize>,
}

impl Bins {
    fn new(classes: &[usize], cells: usize) -> Self {
        let count = classes.iter().max().map_or(0, |most| most + 1);
        let width = classes.len().div_ceil(cells.max(1)).max(1);
        let mut bins = Self {
            of: vec![0; classes.len()],
            sizes: Vec::new(),
            classes: vec![0],
        };
        for class in 0..count {
            let members = classes.iter().enumerate().filter(|(_, c)| **c == class);
            let members: Vec<usize> = members.map(|(node, _)| node).collect();
            for chunk in members.chunks(width) {
                for &node in chunk {
                    bins.of[node] = bins.sizes.len();
                }
                bins.sizes.push(chunk.len());
            }
            bins.classes.push(bins.sizes.len());
        }
        bins
    }

    fn side(&self, name: &str) -> Side {
        let groups = self
            .classes
            .windows(2)
            .enumerate()
            .map(|(class, ends)| Group {
                start: ends[0] as f64,
                end: ends[1] as f64,
                name: class.to_string(),
                colour: Some(categorical(class)),
            });
        Side {
            name: name.to_owned(),
            cells: (0..self.sizes.len())
                .map(|i| format!("{} nodes", self.sizes[i]))
                .collect(),
            groups: groups.collect(),
            split: true,
            upwards: false,
        }
    }
}

/// A matrix [nodes × nodes].
#[derive(Debug, Clone, Copy)]
pub enum NodeMatrix<'a> {
    /// A binary matrix, given by its nonzero entries.
    Pairs(&'a [(u32, u32)]),
    /// L Rᵀ with L and R of [nodes × columns].
    Product {
        /// L.
        left: &'a [f32],
        /// R.
        right: &'a [f32],
        /// Number of columns of both.
        columns: usize,
    },
    /// Y Yᵀ: 1 if the classes are equal.
    Classes,
}

/// Heat map of a matrix of pairs of nodes, sorted by class. A pixel is the mean over
/// its pairs of nodes.
#[must_use]
pub fn node_matrix(
    name: &str,
    heading: &str,
    caption: &str,
    classes: &[usize],
    matrix: NodeMatrix<'_>,
) -> Drawing {
    let bins = Bins::new(classes, CELLS);
    let cells = bins.sizes.len();
    let mut sums = vec![0.0_f64; cells * cells];
    match matrix {
        NodeMatrix::Pairs(pairs) => {
            for &(u, v) in pairs {
                sums[bins.of[u as usize] * cells + bins.of[v as usize]] += 1.0;
            }
        }
        NodeMatrix::Product {
            left,
            right,
            columns,
        } => {
            // The mean of a product over a pair of bins is the product of the means.
            let total = |rows: &[f32]| {
                let mut total = vec![0.0_f64; cells * columns];
                for (node, &bin) in bins.of.iter().enumerate() {
                    let row = &rows[node * columns..(node + 1) * columns];
                    for (sum, &x) in total[bin * columns..].iter_mut().zip(row) {
                        *sum += f64::from(x);
                    }
                }
                total
            };
            let (left, right) = (total(left), total(right));
            for i in 0..cells {
                for j in 0..cells {
                    let a = &left[i * columns..(i + 1) * columns];
                    let b = &right[j * columns..(j + 1) * columns];
                    sums[i * cells + j] = a.iter().zip(b).map(|(x, y)| x * y).sum();
                }
            }
        }
        NodeMatrix::Classes => {
            for ends in bins.classes.windows(2) {
                for i in ends[0]..ends[1] {
                    for j in ends[0]..ends[1] {
                        sums[i * cells + j] = (bins.sizes[i] * bins.sizes[j]) as f64;
                    }
                }
            }
        }
    }
    let mean = |(at, sum): (usize, &f64)| {
        let pairs = bins.sizes[at / cells] * bins.sizes[at % cells];
        (sum / pairs as f64) as f32
    };
    let values: Vec<f32> = sums.iter().enumerate().map(mean).collect();
    let least = values.iter().copied().fold(f32::INFINITY, f32::min);
    let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let heat = HeatMap {
        alt: format!(
            "{heading}: a row and a column for each of {} nodes, sorted by class.",
            classes.len()
        ),
        rows: bins.side("nodes by class"),
        columns: bins.side("nodes by class"),
        values: &values,
        // Scores are signed, but only their order matters.
        scale: if least < 0.0 {
            Scale {
                low: f64::from(least),
                high: f64::from(most),
                root: false,
            }
        } else {
            Scale::from_zero(&values, true)
        },
        ramp: Ramp::Sequential,
        value_name: "mean".to_owned(),
        written: false,
        texts: None,
    };
    Drawing {
        name: name.to_owned(),
        heading: heading.to_owned(),
        caption: caption.to_owned(),
        chart: heat.draw(),
    }
}

/// Heat map of S with its rows sorted by class; empty columns are omitted.
#[must_use]
pub fn memberships(
    name: &str,
    heading: &str,
    classes: &[usize],
    s: &[f32],
    columns: usize,
) -> Drawing {
    let bins = Bins::new(classes, CELLS);
    let cells = bins.sizes.len();
    let mass = |c: usize| {
        (0..classes.len())
            .map(|u| f64::from(s[u * columns + c]))
            .sum::<f64>()
    };
    let shown: Vec<usize> = (0..columns).filter(|&c| mass(c) > 0.5).collect();
    let mut values = vec![0.0_f32; cells * shown.len()];
    for (node, &bin) in bins.of.iter().enumerate() {
        for (at, &c) in shown.iter().enumerate() {
            values[bin * shown.len() + at] += s[node * columns + c] / bins.sizes[bin] as f32;
        }
    }
    let names = shown.iter().enumerate().map(|(at, c)| Group {
        start: at as f64,
        end: at as f64 + 1.0,
        name: c.to_string(),
        colour: None,
    });
    let caption = format!(
        "Memberships of {} nodes, sorted by class, in the {} of {columns} clusters that hold at least half a node.",
        classes.len(),
        shown.len()
    );
    let heat = HeatMap {
        alt: caption.clone(),
        rows: bins.side("nodes by class"),
        columns: Side {
            name: "clusters".to_owned(),
            cells: shown.iter().map(|c| format!("cluster {c}")).collect(),
            groups: names.collect(),
            split: false,
            upwards: false,
        },
        values: &values,
        scale: Scale {
            low: 0.0,
            high: 1.0,
            root: true,
        },
        ramp: Ramp::Sequential,
        value_name: "membership".to_owned(),
        written: false,
        texts: None,
    };
    Drawing {
        name: name.to_owned(),
        heading: heading.to_owned(),
        caption,
        chart: heat.draw(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_hold_one_class_and_all_nodes() {
        let classes = [1, 0, 1, 2, 0, 1, 1];
        for cells in [1, 2, 3, 100] {
            let bins = Bins::new(&classes, cells);
            assert_eq!(bins.sizes.iter().sum::<usize>(), 7);
            for (node, &bin) in bins.of.iter().enumerate() {
                let ends = &bins.classes[classes[node]..=classes[node] + 1];
                assert!((ends[0]..ends[1]).contains(&bin));
            }
        }
        assert_eq!(Bins::new(&[], 10).sizes.len(), 0);
    }
}
