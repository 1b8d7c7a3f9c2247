//! Heat maps: a rectangle of values as pixels, with named groups on its sides.

use super::canvas::{Anchor, Canvas, Chart, text_width};
use super::hover::{Hover, Plot};
use super::pixels::{Pixels, Scale};
use super::ramp::{Ramp, Rgb, Theme};
use crate::escape::shorten;
use crate::number::{coordinate, significant};

/// A named run of rows or columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// Where it begins, in cells.
    pub start: f64,
    /// Where it ends, in cells.
    pub end: f64,
    /// Its name.
    pub name: String,
    /// Its colour, where it has one in other charts too.
    pub colour: Option<Rgb>,
}

/// One side of a heat map.
#[derive(Debug, Clone, PartialEq)]
pub struct Side {
    /// What the cells along it are.
    pub name: String,
    /// A name for each cell, for the pointer.
    pub cells: Vec<String>,
    /// Its groups, in order.
    pub groups: Vec<Group>,
    /// Whether lines part the groups.
    pub split: bool,
}

/// A rectangle of values as pixels.
#[derive(Debug, Clone)]
pub struct HeatMap<'a> {
    /// What is to be seen, in words.
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
    /// What a value is called.
    pub value_name: String,
    /// Whether few cells carry their values as text.
    pub written: bool,
}

const WIDTH: f64 = 400.0;
const RIGHT: f64 = 10.0;
const TOP: f64 = 46.0;
/// Cells of at most this number a side are drawn with sharp edges; more are
/// smoothed, or some would vanish where the screen has fewer pixels.
const SHARP: usize = 160;

impl HeatMap<'_> {
    fn plot(&self) -> Plot {
        let widest = self.rows.groups.iter().map(|g| text_width(&short(&g.name)));
        let left = 42.0 + widest.fold(0.0, f64::max).clamp(8.0, 84.0);
        let w = WIDTH - left - RIGHT;
        Plot {
            x: left,
            y: TOP,
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
        if self.written && rows <= 12 && columns <= 12 {
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
        // A side of few cells beside one of many is smoothed with it, and needs
        // as many pixels to keep its edges.
        let finest = if sharp { 0 } else { longest };
        let rendering = match sharp {
            true => r#" image-rendering="optimizeSpeed" style="image-rendering:pixelated""#,
            false => "",
        };
        let [x, y, w, h] = [plot.x, plot.y, plot.w, plot.h].map(coordinate);
        let place = format!(
            r#"x="{x}" y="{y}" width="{w}" height="{h}" preserveAspectRatio="none"{rendering}"#
        );
        self.place_pixels(canvas, &place, &pixels.with_sides(finest));
    }

    /// Both themes for a page, the light one for a picture.
    fn place_pixels(&self, canvas: &mut Canvas, place: &str, pixels: &Pixels) {
        let light = pixels.data_uri(self.ramp, Theme::Light);
        let dark = pixels.data_uri(self.ramp, Theme::Dark);
        canvas.on_page(format_args!(
            r#"<image class="light" {place} href="{light}"/><image class="dark" {place} href="{dark}"/>"#
        ));
        canvas.on_picture(format_args!(r#"<image {place} href="{light}"/>"#));
    }

    fn splits(&self, canvas: &mut Canvas, plot: Plot) {
        // So many lines would be all there is to see.
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

    /// Values inside few, large cells; the paint is chosen against the cell.
    fn write_values(&self, canvas: &mut Canvas, plot: Plot) {
        let (rows, columns) = (self.rows.cells.len(), self.columns.cells.len());
        let (width, height) = (plot.w / columns as f64, plot.h / rows as f64);
        for (i, &value) in self.values.iter().take(rows * columns).enumerate() {
            let x = plot.x + ((i % columns) as f64 + 0.5) * width;
            let y = plot.y + ((i / columns) as f64 + 0.5) * height + 4.5;
            let text = significant(f64::from(value), 2);
            let share = self.scale.share(f64::from(value));
            let fill = |theme| {
                let cell = self.ramp.colour(share, theme);
                let [dark, light] = [Rgb(0x1c, 0x27, 0x33), Rgb(0xff, 0xff, 0xff)];
                match cell.contrast(dark) > cell.contrast(light) {
                    true => dark,
                    false => light,
                }
            };
            let [x, y] = [x, y].map(coordinate);
            let element = |class: &str, theme| {
                format!(
                    r#"<text class="cell{class}" x="{x}" y="{y}" text-anchor="middle" style="fill:{}">{text}</text>"#,
                    fill(theme)
                )
            };
            canvas.on_page(format_args!("{}", element(" light", Theme::Light)));
            canvas.on_page(format_args!("{}", element(" dark", Theme::Dark)));
            canvas.on_picture(format_args!("{}", element("", Theme::Light)));
        }
    }

    /// Names of the groups of rows, where the group or the gap is tall enough.
    fn row_names(&self, canvas: &mut Canvas, plot: Plot) {
        let cells = self.rows.cells.len().max(1) as f64;
        let mut free = f64::NEG_INFINITY;
        for group in &self.rows.groups {
            let top = plot.y + plot.h * group.start / cells;
            let height = plot.h * (group.end - group.start) / cells;
            strip(canvas, group, [plot.x - 8.0, top, 5.0, height]);
            let y = top + height / 2.0;
            if y - 7.5 >= free {
                let at = [plot.x - 13.0, y + 4.5];
                canvas.text("tick", at, Anchor::End, &short(&group.name));
                free = y + 7.5;
            }
        }
        canvas.upright("name", [16.0, plot.y + plot.h / 2.0], &self.rows.name);
    }

    /// Names of the groups of columns, where they keep apart.
    fn column_names(&self, canvas: &mut Canvas, plot: Plot) {
        let cells = self.columns.cells.len().max(1) as f64;
        let mut free = f64::NEG_INFINITY;
        for group in &self.columns.groups {
            let left = plot.x + plot.w * group.start / cells;
            let width = plot.w * (group.end - group.start) / cells;
            strip(canvas, group, [left, plot.y - 8.0, width, 5.0]);
            let (x, half) = (left + width / 2.0, text_width(&group.name) / 2.0);
            if x - half >= free {
                canvas.text("tick", [x, plot.y - 13.0], Anchor::Middle, &group.name);
                free = x + half + 5.0;
            }
        }
        let middle = plot.x + plot.w / 2.0;
        canvas.text("name", [middle, 14.0], Anchor::Middle, &self.columns.name);
    }

    fn colour_bar(&self, canvas: &mut Canvas, plot: Plot) {
        let (y, w, h) = (plot.y + plot.h + 16.0, plot.w * 0.55, 10.0);
        let scale = &self.scale;
        // The bar is even in value, so its ticks are; the ramp may be bent.
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
        }
    }
}

fn short(name: &str) -> String {
    shorten(name, 11)
}

fn strip(canvas: &mut Canvas, group: &Group, place: [f64; 4]) {
    if let Some(colour) = group.colour {
        canvas.rectangle(&format!(r#"fill="{colour}""#), place);
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
    fn nothing_is_drawn_too() {
        assert!(map(0, &[]).draw().picture().ends_with("</svg>"));
    }
}
