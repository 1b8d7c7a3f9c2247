//! The urn scheme of Blackwell and MacQueen.

use super::Drawing;
use crate::chart::{LineChart, Series, Span, Which, categorical};

/// One urn.
#[derive(Debug, Clone)]
pub struct UrnDraw {
    /// α_DP.
    pub concentration: f64,
    /// Number of colours after every ball.
    pub colours: Vec<usize>,
}

/// Colours in the urn against the balls in it, and what is expected.
#[must_use]
pub fn urn(name: &str, draws: &[UrnDraw]) -> Drawing {
    let balls = draws.iter().map(|draw| draw.colours.len()).max();
    let balls = balls.unwrap_or(0);
    // As many places as the drawing has pixels.
    let places: Vec<usize> = (0..balls).step_by((balls / 500).max(1)).collect();
    let series = |name: String, colour: usize, values: &dyn Fn(usize) -> f64| Series {
        name,
        colour: categorical(colour),
        axis: Which::Left,
        values: places.iter().map(|&n| values(n)).collect(),
        mark: None,
    };
    let mut lines = Vec::new();
    let mut last = Vec::new();
    for (i, draw) in draws.iter().enumerate() {
        let alpha = draw.concentration;
        let colours = |n: usize| draw.colours.get(n).map_or(f64::NAN, |&c| c as f64);
        lines.push(series(format!("α = {alpha}"), i, &colours));
        let expected = |n: usize| (0..=n).map(|i| alpha / (alpha + i as f64)).sum();
        let name = format!("expected, α = {alpha}");
        lines.push(series(name, i + draws.len(), &expected));
        let colours = draw.colours.last().copied().unwrap_or(0);
        last.push(format!("{colours} with α = {alpha}"));
    }
    let alt = format!("Colours of {balls} balls: {}.", last.join(", "));
    let caption = format!(
        "{alt} A ball gets a new colour with probability α/(i − 1 + α), else the colour of a ball that is drawn."
    );
    let chart = LineChart {
        alt,
        x_name: "balls".to_owned(),
        left_name: "colours".to_owned(),
        right_name: String::new(),
        x: places.iter().map(|&n| (n + 1) as f64).collect(),
        series: lines,
        left: Span::FromZero,
    };
    Drawing::new(name, "Colours in the urn", &caption, chart.draw())
}
