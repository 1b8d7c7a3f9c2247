//! Bar charts.

use super::axis::{Axis, Position, vertical};
use super::canvas::{Anchor, Canvas, Chart, Hover, Plot, text_width};
use super::colour::Rgb;

/// A marked run of bars.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Band {
    /// First bar.
    pub first: usize,
    /// Last bar, inclusive.
    pub last: usize,
    /// Its meaning.
    pub name: String,
}

/// A bar chart, such as a histogram.
#[derive(Debug, Clone)]
pub struct BarChart {
    /// Text description.
    pub alt: String,
    /// Name of the horizontal axis.
    pub x_name: String,
    /// Name of the vertical axis.
    pub y_name: String,
    /// Name and height of each bar.
    pub bars: Vec<(String, f64)>,
    /// Hover text of each bar.
    pub texts: Vec<String>,
    /// A marked run.
    pub band: Option<Band>,
    /// Colour of the bars.
    pub colour: Rgb,
}

const WIDTH: f64 = 560.0;
const PLOT: Plot = Plot {
    x: 66.0,
    y: 46.0,
    w: 472.0,
    h: 236.0,
};

impl BarChart {
    /// Draws the chart.
    #[must_use]
    pub fn draw(&self) -> Chart {
        let mut canvas = Canvas::new(WIDTH, PLOT.y + PLOT.h + 50.0);
        let highest = self.bars.iter().map(|bar| bar.1).fold(0.0, f64::max);
        let axis = Axis::round(0.0, if highest > 0.0 { highest } else { 1.0 }, 5);
        let step = PLOT.w / self.bars.len().max(1) as f64;
        if let Some(band) = &self.band {
            draw_band(&mut canvas, band, step);
        }
        vertical(&mut canvas, PLOT, &axis, Position::Left);
        canvas.upright("name", [16.0, PLOT.y + PLOT.h / 2.0], &self.y_name);
        let thick = (step * 0.72).min(64.0);
        let floor = PLOT.y + PLOT.h;
        for (i, (_, value)) in self.bars.iter().enumerate() {
            let height = axis.share(*value).unwrap_or(0.0).max(0.0) * PLOT.h;
            let x = PLOT.x + (i as f64 + 0.5) * step - thick / 2.0;
            let paint = format!(r#"fill="{}""#, self.colour);
            canvas.rectangle(&paint, [x, floor - height, thick, height]);
        }
        canvas.line("axis", [PLOT.x, floor], [PLOT.x + PLOT.w, floor]);
        self.names(&mut canvas, step);
        let hover = Hover::Bars {
            plot: PLOT,
            texts: self.texts.clone(),
        };
        canvas.finish(self.alt.clone(), Some(hover))
    }

    /// Draws as many names below the bars as fit.
    fn names(&self, canvas: &mut Canvas, step: f64) {
        let floor = PLOT.y + PLOT.h;
        let widest = self
            .bars
            .iter()
            .map(|bar| text_width(&bar.0))
            .fold(0.0, f64::max);
        let every = ((widest + 10.0) / step).ceil().max(1.0) as usize;
        for (i, (name, _)) in self.bars.iter().enumerate().step_by(every) {
            let x = PLOT.x + (i as f64 + 0.5) * step;
            canvas.text("tick", [x, floor + 19.0], Anchor::Middle, name);
        }
        let middle = PLOT.x + PLOT.w / 2.0;
        canvas.text("name", [middle, floor + 40.0], Anchor::Middle, &self.x_name);
    }
}

fn draw_band(canvas: &mut Canvas, band: &Band, step: f64) {
    let x = PLOT.x + band.first as f64 * step;
    let w = (band.last + 1).saturating_sub(band.first) as f64 * step;
    canvas.rectangle(r#"class="band""#, [x, PLOT.y - 12.0, w, PLOT.h + 12.0]);
    canvas.line("axis", [x, PLOT.y - 12.0], [x + w, PLOT.y - 12.0]);
    for x in [x, x + w] {
        canvas.line("axis", [x, PLOT.y - 17.0], [x, PLOT.y - 7.0]);
    }
    let half = text_width(&band.name) / 2.0;
    let middle = (x + w / 2.0).clamp(PLOT.x + half, (PLOT.x + PLOT.w - half).max(PLOT.x + half));
    canvas.text("name", [middle, PLOT.y - 24.0], Anchor::Middle, &band.name);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(bars: usize) -> BarChart {
        BarChart {
            alt: "bars".to_owned(),
            x_name: "communities".to_owned(),
            y_name: "share".to_owned(),
            bars: (0..bars).map(|i| (format!("name{i}"), i as f64)).collect(),
            texts: vec![String::new(); bars],
            band: None,
            colour: Rgb(1, 2, 3),
        }
    }

    #[test]
    fn every_bar_is_drawn_but_names_keep_apart() {
        let drawn = chart(40).draw().picture();
        assert_eq!(drawn.matches(r##"fill="#010203""##).count(), 40);
        assert!(drawn.matches(">name").count() < 12);
    }

    #[test]
    fn no_bars_and_bars_of_nothing() {
        assert!(chart(0).draw().picture().ends_with("</svg>"));
        assert!(chart(1).draw().picture().ends_with("</svg>"));
    }
}
