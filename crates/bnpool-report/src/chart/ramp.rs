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

#[cfg(test)]
mod tests {
    use super::*;

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
}
