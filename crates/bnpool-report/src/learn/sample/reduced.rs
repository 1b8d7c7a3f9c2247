//! The features of the pooled graph, X_pool, as a heat map.

use crate::chart::{Chart, Group, HeatMap, Scale, Side, SketchGroup};
use crate::learn::SampleGraph;
use crate::number::counted;

/// Largest number of rows, equal to that of clusters in S.
const ROWS: usize = 200;
/// Largest number of columns. More could not be distinguished, so those with
/// the largest variance are drawn.
const COLUMNS: usize = 256;
/// Largest number of columns with individual names.
const NAMED: usize = 16;

/// A chart of X_pool, and the parts that it shows.
#[derive(Debug, Clone)]
pub(crate) struct Reduced {
    pub(crate) chart: Chart,
    /// Number of drawn features, and total number.
    pub(crate) features: [usize; 2],
    /// Number of linear maps.
    pub(crate) maps: usize,
}

impl Reduced {
    /// Text description of the columns.
    pub(crate) fn words(&self) -> String {
        let [drawn, all] = self.features;
        let columns = if drawn < all {
            format!("a column for each of the {drawn} of {all} features that differ most")
        } else {
            format!(
                "a column for each of {}",
                counted(all, "feature", "features")
            )
        };
        match self.maps {
            0 | 1 => columns,
            maps => format!("{columns} ({maps} modes side by side)"),
        }
    }
}

/// The columns to draw, in ascending order: those with the largest variance.
fn chosen(sample: &SampleGraph<'_>, rows: &[usize], width: usize) -> Vec<usize> {
    if width <= COLUMNS {
        return (0..width).collect();
    }
    let count = rows.len().max(1) as f64;
    let variance = |column: usize| {
        let values = rows.iter().map(|&row| {
            let value = f64::from(sample.pooled_features[row * width + column]);
            if value.is_finite() { value } else { 0.0 }
        });
        let mean = values.clone().sum::<f64>() / count;
        values.map(|value| (value - mean).powi(2)).sum::<f64>()
    };
    let mut ranked: Vec<(f64, usize)> = (0..width).map(|c| (variance(c), c)).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut columns: Vec<usize> = ranked[..COLUMNS].iter().map(|entry| entry.1).collect();
    columns.sort_unstable();
    columns
}

/// The columns with their names: modes of several maps, numbers of a few features.
fn columns(chosen: &[usize], width: usize, maps: usize) -> Side {
    let of_map = width / maps.max(1);
    let name = |&column: &usize| match maps {
        0 | 1 => format!("feature {column}"),
        _ => format!("feature {} of mode {}", column % of_map, column / of_map),
    };
    let mut groups = Vec::new();
    if maps > 1 {
        let mut start = 0;
        for run in chosen.chunk_by(|a, b| a / of_map == b / of_map) {
            let end = start + run.len();
            groups.push(Group {
                end: end as f64,
                ..Group::cell(start, format!("mode {}", run[0] / of_map), None)
            });
            start = end;
        }
    } else if chosen.len() <= NAMED {
        let named = chosen.iter().enumerate();
        groups.extend(named.map(|(i, column)| Group::cell(i, column.to_string(), None)));
    }
    Side {
        split: maps > 1,
        ..Side::new("features", chosen.iter().map(name).collect(), groups)
    }
}

/// Draws one row per pooled node in `nodes`; `paint` returns their colours.
/// `None` if X_pool is unknown.
pub(super) fn draw(
    sample: &SampleGraph<'_>,
    nodes: &[usize],
    what: &str,
    paint: impl Fn(usize) -> SketchGroup,
) -> Option<Reduced> {
    let width = sample.pooled_features.len() / sample.clusters.max(1);
    let rows = &nodes[..nodes.len().min(ROWS)];
    if width == 0 || rows.is_empty() {
        return None;
    }
    let chosen = chosen(sample, rows, width);
    let mut values = Vec::with_capacity(rows.len() * chosen.len());
    for &row in rows {
        let own = &sample.pooled_features[row * width..(row + 1) * width];
        values.extend(chosen.iter().map(|&column| own[column]));
    }
    let signed = values.iter().any(|&value| value < 0.0);
    let scale = if signed {
        Scale::around_zero(&values)
    } else {
        Scale::from_zero(&values, false)
    };
    let alt = format!(
        "Features of the pooled graph: {} rows, {} columns.",
        rows.len(),
        chosen.len()
    );
    let group =
        |(i, &row): (usize, &usize)| Group::cell(i, row.to_string(), Some(paint(row).colour));
    let sides = [
        Side::new(
            format!("{what}s"),
            rows.iter().map(|row| format!("{what} {row}")).collect(),
            rows.iter().enumerate().map(group).collect(),
        ),
        columns(&chosen, width, sample.feature_maps),
    ];
    let chart = HeatMap {
        scale,
        ..HeatMap::new(alt, sides, &values, "value")
    };
    Some(Reduced {
        chart: chart.draw(),
        features: [chosen.len(), width],
        maps: sample.feature_maps,
    })
}
