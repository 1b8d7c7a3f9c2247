//! Draws of a Dirichlet process, in the three ways of the paper.

use super::Drawn;
use bnpool_math::stream::{Draws, Purpose, Stream};
use bnpool_report::reproduce::{
    Stick, UrnDraw, dirichlet_draw, sticks as draw_sticks, urn as draw_urn,
};

/// Number of the stream that figures are drawn from.
const PURPOSE: Purpose = Purpose::Other(0xF16);
/// The paper shows a single draw, and so do we.
const SEED: u64 = 0;
/// Shape of the skewed normal base distribution.
const SHAPE: f64 = 4.0;
/// The rest of the stick that is not broken any more.
const REST: f64 = 1e-4;

/// Draws of their own for every figure and concentration.
fn stream(figure: u64, concentration: f64) -> Draws {
    Stream::new(SEED, PURPOSE, figure).draws(concentration as u64)
}

/// A skewed normal variate: δ|u| + √(1 − δ²) v.
fn skewed_normal(draws: &mut Draws) -> f64 {
    let delta = SHAPE / (1.0 + SHAPE * SHAPE).sqrt();
    delta * draws.normal().abs() + (1.0 - delta * delta).sqrt() * draws.normal()
}

/// Its density 2 φ(x) Φ(a x).
fn density(x: f64) -> f64 {
    let normal = (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt();
    2.0 * normal * cumulative(SHAPE * x)
}

/// Φ by Simpson's rule; a figure needs no more digits.
fn cumulative(x: f64) -> f64 {
    let x = x.clamp(-8.0, 8.0);
    let steps = 400;
    let width = x / f64::from(steps);
    let f = |t: f64| (-0.5 * t * t).exp();
    let sum: f64 = (0..=steps)
        .map(|i| {
            let weight = match i {
                0 => 1.0,
                i if i == steps => 1.0,
                i if i % 2 == 1 => 4.0,
                _ => 2.0,
            };
            weight * f(f64::from(i) * width)
        })
        .sum();
    0.5 + sum * width / 3.0 / std::f64::consts::TAU.sqrt()
}

/// Breaks a stick: fractions of Beta(1, α) until little is left.
fn broken(draws: &mut Draws, concentration: f64, most: usize) -> Vec<Stick> {
    let mut left = 1.0;
    let mut pieces = Vec::new();
    while left > REST && pieces.len() < most {
        // The inverse of its distribution function.
        let fraction = -f64::exp_m1((1.0 - draws.uniform()).ln() / concentration);
        pieces.push(Stick {
            fraction,
            piece: fraction * left,
        });
        left *= 1.0 - fraction;
    }
    pieces
}

/// G ~ DP(α, G₀) for three α.
pub fn dirichlet() -> Drawn {
    let points = (0..=300).map(|i| -1.5 + 5.5 * f64::from(i) / 300.0);
    let base: Vec<(f64, f64)> = points.map(|x| (x, density(x))).collect();
    let drawing = |concentration: f64| {
        let mut draws = stream(1, concentration);
        let pieces = broken(&mut draws, concentration, usize::MAX);
        let atoms = pieces
            .iter()
            .map(|stick| (skewed_normal(&mut draws), stick.piece));
        let atoms: Vec<(f64, f64)> = atoms.collect();
        dirichlet_draw(
            &format!("alpha-{concentration}"),
            concentration,
            &atoms,
            &base,
        )
    };
    Drawn {
        drawings: [10.0, 100.0, 1000.0].map(drawing).into(),
        remarks: vec![format!(
            "base distribution: skewed normal of shape {SHAPE}; sticks are broken until {REST} is left; scales of the vertical axes differ"
        )],
        ..Drawn::default()
    }
}

/// The first breaks of a stick for three α.
pub fn sticks() -> Drawn {
    let drawing = |concentration: f64| {
        let pieces = broken(&mut stream(2, concentration), concentration, 6);
        draw_sticks(&format!("alpha-{concentration}"), concentration, &pieces)
    };
    Drawn {
        drawings: [1.0, 3.0, 10.0].map(drawing).into(),
        remarks: vec!["a small α breaks long pieces first: few clusters".to_owned()],
        ..Drawn::default()
    }
}

/// Colours of balls for three α.
pub fn urn() -> Drawn {
    let draw = |concentration: f64| UrnDraw {
        concentration,
        colours: colours(&mut stream(3, concentration), concentration, 2000),
    };
    Drawn {
        drawings: vec![draw_urn("colours", &[1.0, 10.0, 100.0].map(draw))],
        remarks: vec![
            "the number of colours grows as α ln(1 + n/α): the process never stops to make new clusters, but makes them ever more rarely".to_owned(),
        ],
        ..Drawn::default()
    }
}

/// Number of colours after every ball.
fn colours(draws: &mut Draws, concentration: f64, balls: usize) -> Vec<usize> {
    let mut colour_of: Vec<usize> = Vec::with_capacity(balls);
    let mut colours = 0;
    let mut counts = Vec::with_capacity(balls);
    for ball in 0..balls {
        let new = draws.uniform() * (ball as f64 + concentration) < concentration;
        let colour = if new {
            colours += 1;
            colours - 1
        } else {
            // A colour by the number of its balls: the colour of any ball.
            colour_of[draws.below(ball as u64) as usize]
        };
        colour_of.push(colour);
        counts.push(colours);
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sticks_have_the_expected_lengths() {
        for alpha in [1.0, 10.0, 100.0] {
            let stream = Stream::new(5, PURPOSE, 9);
            let first: f64 = (0..4000)
                .map(|i| broken(&mut stream.draws(i), alpha, 1)[0].piece)
                .sum::<f64>()
                / 4000.0;
            let expected = 1.0 / (1.0 + alpha);
            assert!(
                (first / expected - 1.0).abs() < 0.06,
                "α = {alpha}: {first}"
            );
            let pieces = broken(&mut stream.draws(0), alpha, usize::MAX);
            let sum: f64 = pieces.iter().map(|stick| stick.piece).sum();
            assert!((1.0 - REST..1.0).contains(&sum), "{sum}");
        }
    }

    #[test]
    fn the_base_is_a_density_of_its_draws() {
        let step = 0.01;
        let points = (-600..900).map(|i| f64::from(i) * step);
        let mass: f64 = points.clone().map(|x| density(x) * step).sum();
        let mean: f64 = points.map(|x| x * density(x) * step).sum();
        assert!((mass - 1.0).abs() < 1e-6, "{mass}");
        let mut draws = stream(7, 1.0);
        let drawn = (0..20_000).map(|_| skewed_normal(&mut draws)).sum::<f64>() / 20_000.0;
        assert!((drawn - mean).abs() < 0.02, "{drawn} and {mean}");
    }

    #[test]
    fn urns_get_as_many_colours_as_expected() {
        for alpha in [1.0, 10.0] {
            let stream = Stream::new(3, PURPOSE, 11);
            let runs = 200;
            let sum: usize = (0..runs)
                .map(|i| {
                    *colours(&mut stream.draws(i), alpha, 300)
                        .last()
                        .unwrap_or(&0)
                })
                .sum();
            let expected: f64 = (0..300).map(|i| alpha / (alpha + f64::from(i))).sum();
            let found = sum as f64 / runs as f64;
            assert!(
                (found / expected - 1.0).abs() < 0.05,
                "α = {alpha}: {found} of {expected}"
            );
        }
    }
}
