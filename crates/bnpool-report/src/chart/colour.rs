//! Colours and colour ramps.

use std::fmt;

/// An sRGB colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rgb(pub u8, pub u8, pub u8);

impl fmt::Display for Rgb {
    /// CSS notation: `#rrggbb`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

impl Rgb {
    /// Relative luminance as defined by WCAG 2, in [0, 1].
    #[must_use]
    pub fn luminance(self) -> f64 {
        let linear = |c: u8| {
            let c = f64::from(c) / 255.0;
            if c <= 0.04045 {
                c / 12.92
            } else {
                ((c + 0.055) / 1.055).powf(2.4)
            }
        };
        0.2126 * linear(self.0) + 0.7152 * linear(self.1) + 0.0722 * linear(self.2)
    }

    /// Contrast of two colours as defined by WCAG 2, from 1 to 21.
    #[must_use]
    pub fn contrast(self, other: Self) -> f64 {
        let (a, b) = (self.luminance() + 0.05, other.luminance() + 0.05);
        a.max(b) / a.min(b)
    }

    fn towards(self, other: Self, share: f64) -> Self {
        let mix =
            |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * share).round() as u8;
        Self(
            mix(self.0, other.0),
            mix(self.1, other.1),
            mix(self.2, other.2),
        )
    }
}

/// Theme of the background of a chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    /// Dark text on a light background.
    Light,
    /// Light text on a dark background.
    Dark,
}

/// Maps a fraction in [0, 1] to a colour. Lightness changes monotonically away
/// from "nothing", so the order is preserved for any colour vision and in
/// print.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ramp {
    /// From the background colour to blue: nothing to much.
    Sequential,
    /// Blue, background colour, orange: below, at and above the middle.
    Diverging,
}

const SEQUENTIAL_LIGHT: [Rgb; 6] = [
    Rgb(0xff, 0xff, 0xff),
    Rgb(0xd3, 0xe4, 0xf3),
    Rgb(0x93, 0xc3, 0xe2),
    Rgb(0x42, 0x92, 0xc6),
    Rgb(0x0d, 0x58, 0xa1),
    Rgb(0x08, 0x30, 0x6b),
];
const SEQUENTIAL_DARK: [Rgb; 6] = [
    Rgb(0x16, 0x1b, 0x22),
    Rgb(0x16, 0x35, 0x55),
    Rgb(0x1d, 0x5f, 0x97),
    Rgb(0x3f, 0x92, 0xcd),
    Rgb(0x8f, 0xc7, 0xec),
    Rgb(0xee, 0xf8, 0xff),
];
const DIVERGING_LIGHT: [Rgb; 7] = [
    Rgb(0x1d, 0x4f, 0x91),
    Rgb(0x5b, 0x95, 0xc9),
    Rgb(0xbb, 0xd7, 0xec),
    Rgb(0xff, 0xff, 0xff),
    Rgb(0xfb, 0xd3, 0xa6),
    Rgb(0xe2, 0x8a, 0x33),
    Rgb(0x9a, 0x4a, 0x00),
];
const DIVERGING_DARK: [Rgb; 7] = [
    Rgb(0x8f, 0xc9, 0xf5),
    Rgb(0x3d, 0x86, 0xc6),
    Rgb(0x1d, 0x42, 0x66),
    Rgb(0x16, 0x1b, 0x22),
    Rgb(0x5f, 0x3c, 0x17),
    Rgb(0xc4, 0x76, 0x24),
    Rgb(0xff, 0xc5, 0x85),
];

impl Ramp {
    /// Colour at a fraction, which is clamped to [0, 1].
    #[must_use]
    pub fn colour(self, share: f64, theme: Theme) -> Rgb {
        let stops: &[Rgb] = match (self, theme) {
            (Self::Sequential, Theme::Light) => &SEQUENTIAL_LIGHT,
            (Self::Sequential, Theme::Dark) => &SEQUENTIAL_DARK,
            (Self::Diverging, Theme::Light) => &DIVERGING_LIGHT,
            (Self::Diverging, Theme::Dark) => &DIVERGING_DARK,
        };
        let place = share.clamp(0.0, 1.0) * (stops.len() - 1) as f64;
        // NaN casts to 0.
        let first = (place as usize).min(stops.len() - 2);
        stops[first].towards(stops[first + 1], (place - first as f64).clamp(0.0, 1.0))
    }
}

/// Eight colours based on Okabe and Ito, suitable for the most common
/// colour-vision deficiencies, with lightness adjusted for contrast with both
/// white and dark backgrounds.
const FIRST: [Rgb; 8] = [
    Rgb(0x1f, 0x77, 0xb8),
    Rgb(0xd4, 0x7a, 0x00),
    Rgb(0x06, 0x91, 0x6b),
    Rgb(0xc4, 0x62, 0x99),
    Rgb(0x84, 0x63, 0xc2),
    Rgb(0xcf, 0x4f, 0x3a),
    Rgb(0x38, 0x96, 0xc4),
    Rgb(0x92, 0x84, 0x1c),
];

/// Colour of a category by index. It is fixed, so community 3 has the same
/// colour in all charts.
///
/// The first eight are safe for colour-blind readers. The following ones step
/// by the golden angle in hue, through three levels of lightness, which
/// separates consecutive colours. As fifty colours cannot be distinguished,
/// charts also number the coloured elements.
#[must_use]
pub fn categorical(index: usize) -> Rgb {
    if let Some(&colour) = FIRST.get(index) {
        return colour;
    }
    let step = (index - FIRST.len()) as f64;
    let hue = (20.0 + 137.507_764_05 * step).rem_euclid(360.0);
    let lightness = [0.64, 0.54, 0.59][(index - FIRST.len()) % 3];
    oklch(lightness, 0.115, hue)
}

/// Colour of a fraction in [0, 1], from blue through red to orange: a ramp for
/// dots, whose ends contrast with both white and dark backgrounds.
#[must_use]
pub fn graded(share: f64) -> Rgb {
    let share = if share.is_nan() {
        0.0
    } else {
        share.clamp(0.0, 1.0)
    };
    oklch(0.52 + 0.14 * share, 0.13, 255.0 + 165.0 * share)
}

/// Converts OKLCH (Ottosson, 2020), which has perceptually uniform lightness,
/// to sRGB.
fn oklch(lightness: f64, chroma: f64, hue: f64) -> Rgb {
    let (sin, cos) = hue.to_radians().sin_cos();
    let (a, b) = (chroma * cos, chroma * sin);
    let l = (lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b).powi(3);
    let m = (lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b).powi(3);
    let s = (lightness - 0.089_484_177_5 * a - 1.291_485_548_0 * b).powi(3);
    let encode = |linear: f64| {
        let linear = linear.clamp(0.0, 1.0);
        let c = if linear <= 0.003_130_8 {
            12.92 * linear
        } else {
            1.055 * linear.powf(1.0 / 2.4) - 0.055
        };
        (c * 255.0).round() as u8
    };
    Rgb(
        encode(4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s),
        encode(-1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s),
        encode(-0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701_0 * s),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn lightness_runs_one_way() {
        for theme in [Theme::Light, Theme::Dark] {
            let light: Vec<f64> = (0..=50)
                .map(|i| {
                    Ramp::Sequential
                        .colour(f64::from(i) / 50.0, theme)
                        .luminance()
                })
                .collect();
            let falls = theme == Theme::Light;
            assert!(
                light.windows(2).all(|w| (w[1] < w[0]) == falls),
                "{theme:?}"
            );
        }
    }

    #[test]
    fn both_arms_leave_the_middle_alike() {
        let middle = |theme| Ramp::Diverging.colour(0.5, theme);
        assert_eq!(middle(Theme::Light), Rgb(255, 255, 255));
        for theme in [Theme::Light, Theme::Dark] {
            let [low, high] = [0.0, 1.0].map(|s| Ramp::Diverging.colour(s, theme));
            assert!(low.contrast(middle(theme)) > 4.5);
            assert!(high.contrast(middle(theme)) > 4.5);
        }
    }

    #[test]
    fn contrast_of_black_and_white() {
        assert!((Rgb(0, 0, 0).contrast(Rgb(255, 255, 255)) - 21.0).abs() < 1e-9);
        assert_eq!(Rgb(1, 2, 255).to_string(), "#0102ff");
    }

    #[test]
    fn fifty_stand_out_from_both_grounds() {
        let (light, dark) = (Rgb(255, 255, 255), Rgb(0x16, 0x1b, 0x22));
        for i in 0..50 {
            let colour = categorical(i);
            assert!(colour.contrast(light) > 2.8, "{i}: {colour} on white");
            assert!(colour.contrast(dark) > 2.8, "{i}: {colour} on dark");
        }
    }

    #[test]
    fn grades_stand_out_from_both_grounds() {
        let (light, dark) = (Rgb(255, 255, 255), Rgb(0x16, 0x1b, 0x22));
        for i in 0..=20 {
            let colour = graded(f64::from(i) / 20.0);
            assert!(colour.contrast(light) > 2.8, "{i}: {colour} on white");
            assert!(colour.contrast(dark) > 2.8, "{i}: {colour} on dark");
        }
        assert_eq!(graded(f64::NAN), graded(0.0));
    }

    #[test]
    fn fifty_are_different() {
        let all: HashSet<String> = (0..50).map(|i| categorical(i).to_string()).collect();
        assert_eq!(all.len(), 50);
    }

    #[test]
    fn neighbours_in_the_order_are_far_apart() {
        let distance = |a: Rgb, b: Rgb| {
            let d = |x: u8, y: u8| (f64::from(x) - f64::from(y)).powi(2);
            (d(a.0, b.0) + d(a.1, b.1) + d(a.2, b.2)).sqrt()
        };
        for i in 0..49 {
            assert!(distance(categorical(i), categorical(i + 1)) > 60.0, "{i}");
        }
    }
}
