//! How many clusters the graphs have.

use crate::chart::{BarChart, Chart, categorical};
use crate::number::{count, counted, percent};

/// Most bars; more numbers share them.
const MOST: usize = 60;

/// Nothing where no graph was counted.
pub(crate) fn chart(clusters: &[usize]) -> Option<Chart> {
    let (&least, &most) = (clusters.iter().min()?, clusters.iter().max()?);
    // Numbers of one bar, and the bar of a number.
    let width = (most - least) / MOST + 1;
    let mut heights = vec![0_usize; (most - least) / width + 1];
    for &number in clusters {
        heights[(number - least) / width] += 1;
    }
    let name = |bar: usize| {
        let first = least + bar * width;
        match width {
            1 => first.to_string(),
            _ => format!("{first}–{}", first.saturating_add(width - 1).min(most)),
        }
    };
    let share = |height: usize| height as f64 / clusters.len() as f64;
    let text = |(bar, &height): (usize, &usize)| {
        let unit = if name(bar) == "1" {
            "cluster"
        } else {
            "clusters"
        };
        format!(
            "{} {unit}: {} ({})",
            name(bar),
            counted(height, "graph", "graphs"),
            percent(share(height))
        )
    };
    let bars = heights.iter().enumerate();
    let chart = BarChart {
        alt: format!(
            "Non-empty clusters of {}: between {least} and {most}.",
            counted(clusters.len(), "test graph", "test graphs")
        ),
        x_name: "non-empty clusters of a graph".to_owned(),
        y_name: "share of the test graphs (%)".to_owned(),
        texts: bars.clone().map(text).collect(),
        bars: bars
            .map(|(bar, &height)| (name(bar), 100.0 * share(height)))
            .collect(),
        band: None,
        colour: categorical(0),
    };
    Some(chart.draw())
}

/// The numbers in a few words: `between 2 and 7`.
pub(super) fn range_text(clusters: &[usize]) -> Option<String> {
    let (&least, &most) = (clusters.iter().min()?, clusters.iter().max()?);
    Some(if least == most {
        format!("always {}", count(least))
    } else {
        format!("between {} and {}", count(least), count(most))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_ranges_share_bars() {
        let bars = |clusters: &[usize]| {
            chart(clusters)
                .unwrap()
                .picture()
                .matches("<rect fill")
                .count()
        };
        assert_eq!(bars(&[3]), 1);
        assert_eq!(bars(&[1, 4]), 4);
        assert!(bars(&(0..1000).collect::<Vec<_>>()) <= MOST);
        assert!(bars(&[0, usize::MAX]) <= MOST + 1);
        assert!(chart(&[]).is_none());
    }

    #[test]
    fn ranges_in_words() {
        assert_eq!(range_text(&[4, 4]).as_deref(), Some("always 4"));
        assert_eq!(range_text(&[7, 2]).as_deref(), Some("between 2 and 7"));
    }
}
