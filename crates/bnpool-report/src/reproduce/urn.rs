//! The urn scheme of Blackwell and MacQueen.

use super::Drawing;
use crate::chart::{LineChart, Series, Span, Which, categorical};

/// One urn.
#[derive(Debug, Clone)]
pub struct UrnDraw {
    /// α_DP.
    pub concentration: f64,
    /// Number of colours after each ball.
    pub colours: Vec<usize>,
}

/// Number of colours against the number of balls in the urn, with the expected
/// curve.
#[must_use]
pub fn urn(name: &str, draws: &[UrnDraw]) -> Drawing {
    let balls = draws
        .iter()
        .map(|draw| draw.colours.len())
        .max()
        .unwrap_or(0);
    // As many points as the drawing has pixels.
    let step = (balls / 500).max(1);
    let places: Vec<usize> = (0..balls).step_by(step).collect();
    let mut series = Vec::new();
    for (i, draw) in draws.iter().enumerate() {
        let alpha = draw.concentration;
        series.push(Series {
            name: format!("α = {alpha}"),
            colour: categorical(i),
            axis: Which::Left,
            values: places
                .iter()
                .map(|&n| draw.colours.get(n).map_or(f64::NAN, |&c| c as f64))
                .collect(),
            mark: None,
        });
        // Σ α / (α + i) over the balls so far.
        let mut sum = 0.0;
        let mut expected = Vec::with_capacity(balls);
        for n in 0..balls {
            sum += alpha / (alpha + n as f64);
            expected.push(sum);
        }
        series.push(Series {
            name: format!("expected, α = {alpha}"),
            colour: categorical(i + draws.len()),
            axis: Which::Left,
            values: places.iter().map(|&n| expected[n]).collect(),
            mark: None,
        });
    }
    let last: Vec<String> = draws
        .iter()
        .map(|draw| {
            format!(
                "{} with α = {}",
                draw.colours.last().copied().unwrap_or(0),
                draw.concentration
            )
        })
        .collect();
    let alt = format!("Colours of {balls} balls: {}.", last.join(", "));
    Drawing {
        name: name.to_owned(),
        heading: "Colours in the urn".to_owned(),
        caption: format!(
            "{alt} A ball gets a new colour with probability α/(i − 1 + α), else the colour of a ball that is drawn."
        ),
        chart: LineChart {
            alt,
            x_name: "balls".to_owned(),
            left_name: "colours".to_owned(),
            right_name: String::new(),
            x: places.iter().map(|&n| (n + 1) as f64).collect(),
            series,
            left: Span::FromZero,
        }
        .draw(),
    }
}
