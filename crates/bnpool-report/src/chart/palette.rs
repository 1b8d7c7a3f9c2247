//! Categorical colours.

use super::ramp::Rgb;

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
