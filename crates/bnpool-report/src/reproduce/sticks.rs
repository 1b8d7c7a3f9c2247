//! A stick, broken again and again.

use super::Drawing;
use crate::chart::{Anchor, Canvas, categorical};
use crate::number::significant;

/// One break.
#[derive(Debug, Clone, Copy)]
pub struct Stick {
    /// Share of the rest that is broken off: π′_k.
    pub fraction: f64,
    /// Length of the piece: π_k.
    pub piece: f64,
}

const WIDTH: f64 = 560.0;
const LEFT: f64 = 46.0;
const RIGHT: f64 = 120.0;
const ROW: f64 = 46.0;
const THICK: f64 = 20.0;

/// The stick after every break: pieces in colours, the rest pale.
#[must_use]
pub fn sticks(name: &str, concentration: f64, breaks: &[Stick]) -> Drawing {
    let mut canvas = Canvas::new(WIDTH, 30.0 + ROW * breaks.len() as f64);
    let length = WIDTH - LEFT - RIGHT;
    let mut left = 1.0;
    for (k, stick) in breaks.iter().enumerate() {
        let y = 24.0 + ROW * k as f64;
        let number = format!("k = {}", k + 1);
        canvas.text("name", [8.0, y + 14.0], Anchor::Start, &number);
        let mut from = 0.0;
        for (j, piece) in breaks[..=k].iter().map(|stick| stick.piece).enumerate() {
            let colour = categorical(j);
            // Pieces that were broken off before are pale.
            let opacity = if j == k { 1.0 } else { 0.35 };
            let paint = format!(r#"fill="{colour}" fill-opacity="{opacity}""#);
            canvas.rectangle(&paint, [LEFT + length * from, y, length * piece, THICK]);
            from += piece;
        }
        left = (1.0 - from).max(0.0);
        canvas.rectangle(
            r##"fill="#9aa0a6" fill-opacity="0.25""##,
            [LEFT + length * from, y, length * left, THICK],
        );
        for (down, name, value) in [(9.0, "π'", stick.fraction), (23.0, "π", stick.piece)] {
            let text = format!("{name} = {}", significant(value, 2));
            let place = [LEFT + length + 8.0, y + down];
            canvas.text("tick", place, Anchor::Start, &text);
        }
    }
    let alpha = significant(concentration, 4);
    let alt = format!(
        "A stick of length 1 broken {} times with α = {alpha}: {} of it are left.",
        breaks.len(),
        significant(left, 2)
    );
    let heading = format!("Stick breaking, α_DP = {alpha}");
    let caption = format!("{alt} Every break takes the share π' of the rest, a piece of length π.");
    Drawing::new(name, &heading, &caption, canvas.finish(alt, None))
}
