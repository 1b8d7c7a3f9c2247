//! Values as pixels, for heat maps.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::colour::{Ramp, Theme};

/// Maps values to the 256 levels of a heat map.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    /// Value of the lowest level.
    pub low: f64,
    /// Value of the highest level.
    pub high: f64,
    /// Whether levels are proportional to the square root, so that small values
    /// are visible.
    pub root: bool,
}

impl Scale {
    /// From 0 to 1.
    pub const FRACTION: Self = Self {
        low: 0.0,
        high: 1.0,
        root: false,
    };

    /// A scale from 0 to the largest finite value (to 1 if none is above 0).
    #[must_use]
    pub fn from_zero(values: &[f32], root: bool) -> Self {
        let high = largest(values.iter().copied());
        Self {
            high: if high > 0.0 { high } else { 1.0 },
            root,
            ..Self::FRACTION
        }
    }

    /// A symmetric scale around 0, for signed values.
    #[must_use]
    pub fn around_zero(values: &[f32]) -> Self {
        let high = largest(values.iter().map(|v| v.abs()));
        let high = if high > 0.0 { high } else { 1.0 };
        Self {
            low: -high,
            high,
            root: false,
        }
    }

    /// Position of a value between the ends, in [0, 1]; NaN is at the low end.
    #[must_use]
    pub fn share(&self, value: f64) -> f64 {
        let share = ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        match (share.is_nan(), self.root) {
            (true, _) => 0.0,
            (false, true) => share.sqrt(),
            (false, false) => share,
        }
    }
}

fn largest(values: impl Iterator<Item = f32>) -> f64 {
    f64::from(values.filter(|value| value.is_finite()).fold(0.0, f32::max))
}

/// A rectangle of levels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pixels {
    rows: usize,
    columns: usize,
    levels: Vec<u8>,
}

impl Pixels {
    /// Converts values [rows × columns] to levels.
    #[must_use]
    pub fn new(rows: usize, columns: usize, values: &[f32], scale: &Scale) -> Self {
        let level = |&value: &f32| {
            let level = (scale.share(f64::from(value)) * 255.0).round() as u8;
            // The smallest nonzero value must differ from zero.
            if value > 0.0 && scale.low == 0.0 {
                level.max(1)
            } else {
                level
            }
        };
        let mut levels: Vec<u8> = values.iter().take(rows * columns).map(level).collect();
        levels.resize(rows * columns, 0);
        Self {
            rows,
            columns,
            levels,
        }
    }

    /// Repeats cells until each side has about the requested number of pixels.
    #[must_use]
    pub fn with_sides(&self, least: usize) -> Self {
        let times = |cells: usize| (least / cells.max(1)).max(1);
        let (down, across) = (times(self.rows), times(self.columns));
        let mut levels = Vec::with_capacity(self.levels.len() * down * across);
        for row in self.levels.chunks(self.columns.max(1)) {
            let wide: Vec<u8> = row
                .iter()
                .flat_map(|&level| std::iter::repeat_n(level, across))
                .collect();
            for _ in 0..down {
                levels.extend_from_slice(&wide);
            }
        }
        Self {
            rows: self.rows * down,
            columns: self.columns * across,
            levels,
        }
    }

    /// The levels in base64, row by row.
    #[must_use]
    pub fn base64(&self) -> String {
        STANDARD.encode(&self.levels)
    }

    /// A `data:` URI of a PNG with one pixel per value.
    #[must_use]
    pub fn data_uri(&self, ramp: Ramp, theme: Theme) -> String {
        let colours = (0..=255_u8).flat_map(|level| {
            let colour = ramp.colour(f64::from(level) / 255.0, theme);
            [colour.0, colour.1, colour.2]
        });
        let png = encode(
            self.columns,
            self.rows,
            colours.collect::<Vec<u8>>(),
            &self.levels,
        )
        .expect("pixels fill their rectangle, and memory takes all that is written");
        format!("data:image/png;base64,{}", STANDARD.encode(png))
    }
}

fn encode(
    width: usize,
    height: usize,
    palette: Vec<u8>,
    levels: &[u8],
) -> Result<Vec<u8>, png::EncodingError> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width as u32, height as u32);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(palette);
    encoder.set_compression(png::Compression::High);
    encoder.write_header()?.write_image_data(levels)?;
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_keep_the_ends_and_the_faint() {
        let values = [0.0, 1e-9, 0.25, 1.0, f32::NAN, 7.0];
        let scale = Scale {
            low: 0.0,
            high: 1.0,
            root: false,
        };
        let pixels = Pixels::new(2, 3, &values, &scale);
        assert_eq!(pixels.levels, [0, 1, 64, 255, 0, 255]);
        let root = Scale {
            root: true,
            ..scale
        };
        assert_eq!(Pixels::new(2, 3, &values, &root).levels[2], 128);
    }

    #[test]
    fn scales_meet_their_values() {
        let scale = Scale::around_zero(&[-3.0, 2.0, f32::INFINITY]);
        assert_eq!((scale.low, scale.high), (-3.0, 3.0));
        assert_eq!(scale.share(0.0), 0.5);
        assert_eq!(Scale::from_zero(&[], false).high, 1.0);
        assert_eq!(Scale::from_zero(&[0.0, 0.5], true).high, 0.5);
    }

    #[test]
    fn few_cells_become_many_pixels() {
        let scale = Scale::from_zero(&[1.0], false);
        let pixels = Pixels::new(2, 3, &[0.0, 1.0, 0.0, 0.0, 0.0, 1.0], &scale);
        let wide = pixels.with_sides(7);
        assert_eq!((wide.rows, wide.columns), (6, 6));
        assert_eq!(wide.levels[..6], [0, 0, 255, 255, 0, 0]);
        assert_eq!(wide.levels[18..24], [0, 0, 0, 0, 255, 255]);
        assert_eq!(pixels.with_sides(0), pixels);
    }

    #[test]
    fn the_picture_holds_the_levels() {
        let pixels = Pixels::new(
            1,
            2,
            &[0.0, 1.0],
            &Scale {
                low: 0.0,
                high: 1.0,
                root: false,
            },
        );
        let uri = pixels.data_uri(Ramp::Sequential, Theme::Light);
        let bytes = STANDARD
            .decode(uri.strip_prefix("data:image/png;base64,").unwrap())
            .unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes))
            .read_info()
            .unwrap();
        let mut levels = [9; 2];
        reader.next_frame(&mut levels).unwrap();
        assert_eq!(levels, [0, 255]);
    }
}
