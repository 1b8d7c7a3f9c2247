//! Heat maps: a rectangle of values as pixels, with named groups on its sides.

use super::canvas::{Anchor, Canvas, Chart, Hover, Plot, text_width};
use super::colour::{Ramp, Rgb, Theme};
use super::pixels::{Pixels, Scale};
use crate::escape::{markup, squeeze};
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
/// Height of a line of names.
const LINE: f64 = 15.0;

impl Group {
    /// The name of cell `i` alone.
    #[must_use]
    pub fn cell(i: usize, name: String, colour: Option<Rgb>) -> Self {
        Self {
            start: i as f64,
            end: i as f64 + 1.0,
            name,
            colour,
        }
    }
}

impl Side {
    /// A side without lines between its groups, which omits names without room.
    #[must_use]
    pub fn new(name: impl Into<String>, cells: Vec<String>, groups: Vec<Group>) -> Self {
        Self {
            name: name.into(),
            cells,
            groups,
            split: false,
            upwards: false,
        }
    }
}

impl<'a> HeatMap<'a> {
    /// A map of fractions, without texts in its cells.
    #[must_use]
    pub fn new(
        alt: String,
        [rows, columns]: [Side; 2],
        values: &'a [f32],
        value_name: &str,
    ) -> Self {
        Self {
            alt,
            rows,
            columns,
            values,
            scale: Scale::FRACTION,
            value_name: value_name.to_owned(),
            written: false,
            texts: None,
        }
    }

    fn ramp(&self) -> Ramp {
        if self.scale.low < 0.0 {
            Ramp::Diverging
        } else {
            Ramp::Sequential
        }
    }

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
        let light = pixels.data_uri(self.ramp(), Theme::Light);
        let dark = pixels.data_uri(self.ramp(), Theme::Dark);
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

    /// Additional height for names of columns that read upwards.
    fn names_height(&self, width: f64) -> f64 {
        let side = &self.columns;
        if side.upwards && is_crowded(side, width) {
            let widths = side.groups.iter().map(|g| text_width(&short(&g.name)));
            widths.fold(0.0, f64::max)
        } else {
            0.0
        }
    }

    /// Writes values or texts into large cells, if they fit, in a colour with
    /// contrast to the cell.
    fn write_values(&self, canvas: &mut Canvas, plot: Plot) {
        let (rows, columns) = (self.rows.cells.len(), self.columns.cells.len());
        let (width, height) = (plot.w / columns as f64, plot.h / rows as f64);
        for (i, &value) in self.values.iter().take(rows * columns).enumerate() {
            let text = match &self.texts {
                None => significant(f64::from(value), 2),
                Some(texts) => match texts.written.get(i) {
                    Some(text) if text_width(text) <= width + 4.0 => markup(text),
                    _ => continue,
                },
            };
            let x = plot.x + ((i % columns) as f64 + 0.5) * width;
            let y = plot.y + ((i / columns) as f64 + 0.5) * height + 4.5;
            let share = self.scale.share(f64::from(value));
            let fill = |theme| {
                let cell = self.ramp().colour(share, theme);
                let [dark, light] = [Rgb(0x1c, 0x27, 0x33), Rgb(0xff, 0xff, 0xff)];
                if cell.contrast(dark) > cell.contrast(light) {
                    dark
                } else {
                    light
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

    /// Draws the names of row groups, if the group or the gap is tall enough.
    fn row_names(&self, canvas: &mut Canvas, plot: Plot) {
        let cells = self.rows.cells.len().max(1) as f64;
        let mut free = f64::NEG_INFINITY;
        for group in &self.rows.groups {
            let top = plot.y + plot.h * group.start / cells;
            let height = plot.h * (group.end - group.start) / cells;
            strip(canvas, group, [plot.x - 8.0, top, 5.0, height]);
            let y = top + height / 2.0;
            if y - LINE / 2.0 >= free {
                let at = [plot.x - 13.0, y + 4.5];
                canvas.text("tick", at, Anchor::End, &short(&group.name));
                free = y + LINE / 2.0;
            }
        }
        canvas.upright("name", [16.0, plot.y + plot.h / 2.0], &self.rows.name);
    }

    /// Draws the names of column groups, if they do not overlap.
    fn column_names(&self, canvas: &mut Canvas, plot: Plot) {
        let cells = self.columns.cells.len().max(1) as f64;
        let upwards = self.names_height(plot.w) > 0.0;
        let mut free = f64::NEG_INFINITY;
        for group in &self.columns.groups {
            let left = plot.x + plot.w * group.start / cells;
            let width = plot.w * (group.end - group.start) / cells;
            strip(canvas, group, [left, plot.y - 8.0, width, 5.0]);
            let x = left + width / 2.0;
            let (half, gap) = if upwards {
                (LINE / 2.0, 0.0)
            } else {
                (text_width(&short(&group.name)) / 2.0, 5.0)
            };
            if x - half >= free {
                if upwards {
                    canvas.upwards("tick", [x + 4.5, plot.y - 13.0], &short(&group.name))
                } else {
                    let at = [x, plot.y - 13.0];
                    canvas.text("tick", at, Anchor::Middle, &short(&group.name));
                }
                free = x + half + gap;
            }
        }
        let middle = plot.x + plot.w / 2.0;
        canvas.text("name", [middle, 14.0], Anchor::Middle, &self.columns.name);
    }
}

/// Shortens a name to fit beside a map. It is cut in the middle, because names
/// with a common beginning often differ at the end.
fn short(name: &str) -> String {
    squeeze(name, 14)
}

/// Draws a coloured strip beside a group.
fn strip(canvas: &mut Canvas, group: &Group, place: [f64; 4]) {
    if let Some(colour) = group.colour {
        canvas.rectangle(&format!(r#"fill="{colour}""#), place);
    }
}

/// Returns whether the names do not fit on a side of this length.
fn is_crowded(side: &Side, length: f64) -> bool {
    let cell = length / side.cells.len().max(1) as f64;
    side.groups
        .iter()
        .any(|group| text_width(&group.name) + 6.0 > cell * (group.end - group.start))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(cells: usize) -> Side {
        let names = (0..cells).map(|i| format!("node {i}")).collect();
        let group = |i| Group::cell(i, format!("g{i}"), None);
        Side {
            split: true,
            ..Side::new("nodes", names, (0..cells).map(group).collect())
        }
    }

    fn map(cells: usize, values: &[f32]) -> HeatMap<'_> {
        let sides = [side(cells), side(cells)];
        HeatMap {
            scale: Scale::from_zero(values, false),
            written: true,
            ..HeatMap::new("map".to_owned(), sides, values, "density")
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
