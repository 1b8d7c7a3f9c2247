//! Heat maps: a rectangle of values as pixels, with named groups on its sides.

use super::canvas::{Anchor, Canvas, Chart, text_width};
use super::heat_text::short;
use super::hover::{Hover, Plot};
use super::pixels::{Pixels, Scale};
use super::ramp::{Ramp, Rgb, Theme};
use crate::number::{coordinate, significant};

/// A named run of rows or columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// Start, in cells.
    pub start: f64,
    /// End, in cells.
    pub end: f64,
    /// Its name.
    pub name: String,
    /// Its colour, if it has one in other charts.
    pub colour: Option<Rgb>,
}

/// One side of a heat map.
#[derive(Debug, Clone, PartialEq)]
pub struct Side {
    /// Meaning of the cells along the side.
    pub name: String,
    /// Hover name of each cell.
    pub cells: Vec<String>,
    /// Its groups, in order.
    pub groups: Vec<Group>,
    /// Whether lines separate the groups.
    pub split: bool,
    /// Whether names of columns read upwards if they do not fit side by side;
    /// otherwise some are omitted.
    pub upwards: bool,
}

/// Texts of cells [rows × columns], if the values alone are not sufficient.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellTexts {
    /// Short text inside the cells, for a few large ones.
    pub written: Vec<String>,
    /// Hover text.
    pub pointed: Vec<String>,
}

/// A rectangle of values as pixels.
#[derive(Debug, Clone)]
pub struct HeatMap<'a> {
    /// Text description.
    pub alt: String,
    /// The rows, from the top.
    pub rows: Side,
    /// The columns, from the left.
    pub columns: Side,
    /// The values [rows × columns].
    pub values: &'a [f32],
    /// From values to levels.
    pub scale: Scale,
    /// From levels to colours.
    pub ramp: Ramp,
    /// Name of the values.
    pub value_name: String,
    /// Whether values are written into the cells if there are few.
    pub written: bool,
    /// Texts of cells instead of their values.
    pub texts: Option<CellTexts>,
}

const WIDTH: f64 = 400.0;
const RIGHT: f64 = 10.0;
const TOP: f64 = 46.0;
/// Largest number of cells per side with text.
const WRITTEN: usize = 12;
/// Largest number of cells per side that are drawn with sharp edges. More cells
/// are smoothed; otherwise some would vanish on screens with fewer pixels.
const SHARP: usize = 160;

impl HeatMap<'_> {
    fn plot(&self) -> Plot {
        let widest = self.rows.groups.iter().map(|g| text_width(&short(&g.name)));
        let left = 42.0 + widest.fold(0.0, f64::max).clamp(8.0, 104.0);
        let w = WIDTH - left - RIGHT;
        Plot {
            x: left,
            y: TOP + self.names_height(w),
            w,
            h: w,
        }
    }

    /// Draws the chart.
    #[must_use]
    pub fn draw(&self) -> Chart {
        let (rows, columns) = (self.rows.cells.len(), self.columns.cells.len());
        let plot = self.plot();
        let mut canvas = Canvas::new(WIDTH, plot.y + plot.h + 52.0);
        let pixels = Pixels::new(rows, columns, self.values, &self.scale);
        if rows > 0 && columns > 0 {
            self.image(&mut canvas, plot, &pixels);
        }
        self.splits(&mut canvas, plot);
        canvas.rectangle(r#"class="axis""#, [plot.x, plot.y, plot.w, plot.h]);
        if self.written && rows <= WRITTEN && columns <= WRITTEN {
            self.write_values(&mut canvas, plot);
        }
        self.row_names(&mut canvas, plot);
        self.column_names(&mut canvas, plot);
        self.colour_bar(&mut canvas, plot);
        canvas.finish(self.alt.clone(), Some(self.hover(plot, &pixels)))
    }

    fn image(&self, canvas: &mut Canvas, plot: Plot, pixels: &Pixels) {
        let longest = self.rows.cells.len().max(self.columns.cells.len());
        let sharp = longest <= SHARP;
        // If only one side has many cells, both are smoothed, and the other one
        // needs as many pixels to keep its edges sharp.
        let finest = if sharp { 0 } else { longest };
        let rendering = if sharp {
            r#" image-rendering="optimizeSpeed" style="image-rendering:pixelated""#
        } else {
            ""
        };
        let [x, y, w, h] = [plot.x, plot.y, plot.w, plot.h].map(coordinate);
        let place = format!(
            r#"x="{x}" y="{y}" width="{w}" height="{h}" preserveAspectRatio="none"{rendering}"#
        );
        self.place_pixels(canvas, &place, &pixels.with_sides(finest));
    }

    /// Places both themes for a page, and only the light one for a picture.
    fn place_pixels(&self, canvas: &mut Canvas, place: &str, pixels: &Pixels) {
        let light = pixels.data_uri(self.ramp, Theme::Light);
        let dark = pixels.data_uri(self.ramp, Theme::Dark);
        canvas.on_page(format_args!(
            r#"<image class="light" {place} href="{light}"/><image class="dark" {place} href="{dark}"/>"#
        ));
        canvas.on_picture(format_args!(r#"<image {place} href="{light}"/>"#));
    }

    fn splits(&self, canvas: &mut Canvas, plot: Plot) {
        // This many lines would hide everything else.
        let class = |side: &Side| match side.groups.len() {
            0..=16 => "split",
            _ => "split thin",
        };
        let cells = self.rows.cells.len().max(1) as f64;
        for group in self.rows.groups.iter().skip(1).filter(|_| self.rows.split) {
            let y = plot.y + plot.h * group.start / cells;
            canvas.line(class(&self.rows), [plot.x, y], [plot.x + plot.w, y]);
        }
        let cells = self.columns.cells.len().max(1) as f64;
        let groups = self.columns.groups.iter().skip(1);
        for group in groups.filter(|_| self.columns.split) {
            let x = plot.x + plot.w * group.start / cells;
            canvas.line(class(&self.columns), [x, plot.y], [x, plot.y + plot.h]);
        }
    }

    fn colour_bar(&self, canvas: &mut Canvas, plot: Plot) {
        let (y, w, h) = (plot.y + plot.h + 16.0, plot.w * 0.55, 10.0);
        let scale = &self.scale;
        // The colour bar and its ticks are linear in the value, even if the
        // ramp is not.
        let values: Vec<f32> = (0..128)
            .map(|i| (scale.low + (scale.high - scale.low) * f64::from(i) / 127.0) as f32)
            .collect();
        let pixels = Pixels::new(1, 128, &values, scale);
        let [left, top, wide, high] = [plot.x, y, w, h].map(coordinate);
        let place = format!(
            r#"x="{left}" y="{top}" width="{wide}" height="{high}" preserveAspectRatio="none""#
        );
        self.place_pixels(canvas, &place, &pixels);
        canvas.rectangle(r#"class="axis""#, [plot.x, y, w, h]);
        let middle = (scale.low + scale.high) / 2.0;
        for (share, value) in [(0.0, scale.low), (0.5, middle), (1.0, scale.high)] {
            let x = plot.x + w * share;
            canvas.line("axis", [x, y + h], [x, y + h + 4.0]);
            let text = significant(value, 2);
            canvas.text("tick", [x, y + h + 18.0], Anchor::Middle, &text);
        }
        let at = [plot.x + w + 10.0, y + 9.5];
        canvas.text("name", at, Anchor::Start, &self.value_name);
    }

    fn hover(&self, plot: Plot, pixels: &Pixels) -> Hover {
        Hover::Heat {
            plot,
            rows: self.rows.cells.clone(),
            columns: self.columns.cells.clone(),
            value: self.value_name.clone(),
            low: self.scale.low,
            high: self.scale.high,
            root: self.scale.root,
            levels: pixels.base64(),
            texts: self
                .texts
                .as_ref()
                .map_or(Vec::new(), |texts| texts.pointed.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(cells: usize) -> Side {
        Side {
            name: "nodes".to_owned(),
            cells: (0..cells).map(|i| format!("node {i}")).collect(),
            groups: (0..cells)
                .map(|i| Group {
                    start: i as f64,
                    end: i as f64 + 1.0,
                    name: format!("g{i}"),
                    colour: None,
                })
                .collect(),
            split: true,
            upwards: false,
        }
    }

    fn map(cells: usize, values: &[f32]) -> HeatMap<'_> {
        HeatMap {
            alt: "map".to_owned(),
            rows: side(cells),
            columns: side(cells),
            values,
            scale: Scale::from_zero(values, false),
            ramp: Ramp::Sequential,
            value_name: "density".to_owned(),
            written: true,
            texts: None,
        }
    }

    #[test]
    fn small_maps_carry_their_values() {
        let drawn = map(2, &[0.0, 0.25, 0.5, 1.0]).draw().picture();
        assert!(drawn.contains(">0.25</text>"));
        assert!(drawn.contains("pixelated"));
    }

    #[test]
    fn names_of_thin_groups_keep_apart() {
        let values = vec![0.5; 200 * 200];
        let drawn = map(200, &values).draw().picture();
        assert!(drawn.matches(">g").count() < 60);
        assert!(!drawn.contains("pixelated"));
    }

    #[test]
    fn texts_stand_for_values() {
        let values = [0.0, 0.25, 0.5, 1.0];
        let texts = CellTexts {
            written: ["a", "<b>", "c", "much too long for its narrow cell"]
                .map(str::to_owned)
                .into(),
            pointed: vec!["pointed".to_owned(); 4],
        };
        let chart = HeatMap {
            texts: Some(texts),
            ..map(2, &values)
        }
        .draw();
        let drawn = chart.picture();
        assert!(drawn.contains(">a</text>") && drawn.contains("&lt;b&gt;"));
        assert!(!drawn.contains(">0.25</text>") && !drawn.contains("much too long"));
        assert!(format!("{:?}", chart.hover()).contains("pointed"));
    }

    #[test]
    fn names_read_upwards_where_they_have_no_room() {
        let upward = |cells: usize| {
            let values = vec![0.5; cells * cells];
            let mut map = map(cells, &values);
            map.columns.upwards = true;
            map.draw().picture().matches("rotate(-90)").count() - 1
        };
        assert_eq!((upward(2), upward(12)), (0, 12));
    }

    #[test]
    fn nothing_is_drawn_too() {
        assert!(map(0, &[]).draw().picture().ends_with("</svg>"));
    }
}
