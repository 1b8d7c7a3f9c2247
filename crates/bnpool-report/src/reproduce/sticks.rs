//! Stick breaking.

use super::Drawing;
use crate::chart::{Anchor, Canvas, categorical};
use crate::number::significant;

/// One break.
#[derive(Debug, Clone, Copy)]
pub struct Stick {
    /// Fraction of the remainder that is broken off: π′_k.
    pub fraction: f64,
    /// Length of the piece: π_k.
    pub piece: f64,
}

const WIDTH: f64 = 560.0;
const LEFT: f64 = 46.0;
const RIGHT: f64 = 120.0;
const ROW: f64 = 46.0;
const THICK: f64 = 20.0;

/// Draws the stick after each break: pieces in colours, the remainder pale.
#[must_use]
pub fn sticks(name: &str, concentration: f64, breaks: &[Stick]) -> Drawing {
    let mut canvas = Canvas::new(WIDTH, 30.0 + ROW * breaks.len() as f64);
    let length = WIDTH - LEFT - RIGHT;
    let mut start = 0.0;
    for (k, stick) in breaks.iter().enumerate() {
        let y = 24.0 + ROW * k as f64;
        canvas.text(
            "name",
            [8.0, y + 14.0],
            Anchor::Start,
            &format!("k = {}", k + 1),
        );
        let mut from = 0.0;
        for (j, older) in breaks[..=k].iter().enumerate() {
            let paint = if j == k {
                format!(r#"fill="{}""#, categorical(j))
            } else {
                // Pieces of earlier breaks.
                format!(r#"fill="{}" fill-opacity="0.35""#, categorical(j))
            };
            canvas.rectangle(
                &paint,
                [LEFT + length * from, y, length * older.piece, THICK],
            );
            from += older.piece;
        }
        let rest = (1.0 - from).max(0.0);
        canvas.rectangle(
            r##"fill="#9aa0a6" fill-opacity="0.25""##,
            [LEFT + length * from, y, length * rest, THICK],
        );
        canvas.text(
            "tick",
            [LEFT + length + 8.0, y + 9.0],
            Anchor::Start,
            &format!("π' = {}", significant(stick.fraction, 2)),
        );
        canvas.text(
            "tick",
            [LEFT + length + 8.0, y + 23.0],
            Anchor::Start,
            &format!("π = {}", significant(stick.piece, 2)),
        );
        start += stick.piece;
    }
    let alt = format!(
        "A stick of length 1 broken {} times with α = {}: {} of it are left.",
        breaks.len(),
        significant(concentration, 4),
        significant((1.0 - start).max(0.0), 2)
    );
    Drawing {
        name: name.to_owned(),
        heading: format!("Stick breaking, α_DP = {}", significant(concentration, 4)),
        caption: format!("{alt} Every break takes the share π' of the rest, a piece of length π."),
        chart: canvas.finish(alt, None),
    }
}
