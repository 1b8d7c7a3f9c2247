//! The texts of a heat map: in its cells and along its sides.

use super::canvas::{Anchor, Canvas, text_width};
use super::heat::{Group, HeatMap, Side};
use super::hover::Plot;
use super::ramp::{Rgb, Theme};
use crate::escape::{markup, squeeze};
use crate::number::{coordinate, significant};

/// Height of a line of names.
const LINE: f64 = 15.0;

/// Shortens a name to fit beside a map. It is cut in the middle, because names
/// with a common beginning often differ at the end.
pub(super) fn short(name: &str) -> String {
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

impl HeatMap<'_> {
    /// Additional height for names of columns that read upwards.
    pub(super) fn names_height(&self, width: f64) -> f64 {
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
    pub(super) fn write_values(&self, canvas: &mut Canvas, plot: Plot) {
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
                let cell = self.ramp.colour(share, theme);
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
    pub(super) fn row_names(&self, canvas: &mut Canvas, plot: Plot) {
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
    pub(super) fn column_names(&self, canvas: &mut Canvas, plot: Plot) {
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
