//! Positions of the numbers of groups without overlaps.

/// Height of a number, and width of one digit.
const HEIGHT: f64 = 18.0;
const DIGIT: f64 = 10.5;
/// Distances from the middle of a group to try.
const RINGS: [f64; 6] = [0.0, 12.0, 20.0, 28.0, 38.0, 50.0];
/// Enlargement of numbers on small screens.
const ENLARGED: f64 = 2.0;

/// Position of a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Place {
    /// Its centre.
    pub(super) at: [f64; 2],
    /// Whether it would hide the number of a larger group on a small screen.
    pub(super) minor: bool,
}

struct Label {
    at: [f64; 2],
    half: [f64; 2],
}

impl Label {
    fn overlaps(&self, other: &Self, scale: f64) -> bool {
        (0..2).all(|axis| {
            (self.at[axis] - other.at[axis]).abs() < scale * (self.half[axis] + other.half[axis])
        })
    }
}

/// Finds a position near each wanted one, earlier groups first. A number that
/// does not fit near its group is omitted.
pub(super) fn places(wanted: &[Option<[f64; 2]>], size: [f64; 2]) -> Vec<Option<Place>> {
    let mut placed: Vec<Label> = Vec::new();
    let mut major: Vec<usize> = Vec::new();
    let mut out = Vec::with_capacity(wanted.len());
    for (group, middle) in wanted.iter().enumerate() {
        let half = [DIGIT * digits(group) / 2.0 + 2.0, HEIGHT / 2.0];
        let found = middle.and_then(|middle| {
            candidates(middle)
                .map(|at| Label {
                    at: [0, 1].map(|axis| inside(at[axis], half[axis], size[axis])),
                    half,
                })
                .find(|label| placed.iter().all(|other| !label.overlaps(other, 1.0)))
        });
        out.push(found.map(|label| {
            let hides = |&other: &usize| label.overlaps(&placed[other], ENLARGED);
            let minor = major.iter().any(hides);
            if !minor {
                major.push(placed.len());
            }
            let at = label.at;
            placed.push(label);
            Place { at, minor }
        }));
    }
    out
}

fn digits(group: usize) -> f64 {
    f64::from(group.checked_ilog10().unwrap_or(0) + 1)
}

/// Clamps a coordinate so that the number is inside the drawing, if it is large
/// enough.
fn inside(x: f64, half: f64, side: f64) -> f64 {
    x.min(side - half).max(half)
}

/// Candidate positions: the middle, then eight directions at increasing
/// distances.
fn candidates(middle: [f64; 2]) -> impl Iterator<Item = [f64; 2]> {
    const S: f64 = std::f64::consts::FRAC_1_SQRT_2;
    const DIRECTIONS: [[f64; 2]; 8] = [
        [0.0, -1.0],
        [0.0, 1.0],
        [1.0, 0.0],
        [-1.0, 0.0],
        [S, -S],
        [-S, -S],
        [S, S],
        [-S, S],
    ];
    RINGS.into_iter().flat_map(move |ring| {
        let tried = if ring == 0.0 { 1 } else { DIRECTIONS.len() };
        DIRECTIONS[..tried]
            .iter()
            .map(move |d| [middle[0] + ring * d[0], middle[1] + ring * d[1]])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_apart_and_inside() {
        let wanted: Vec<_> = (0..40)
            .map(|i| Some([f64::from(i % 7) * 9.0, f64::from(i / 7) * 9.0]))
            .collect();
        let found = places(&wanted, [300.0, 200.0]);
        assert_eq!(found[0].map(|place| place.minor), Some(false));
        let kept: Vec<(usize, Place)> = found
            .iter()
            .enumerate()
            .filter_map(|(group, place)| Some((group, (*place)?)))
            .collect();
        assert!(kept.len() > 15, "{}", kept.len());
        for (i, (group, a)) in kept.iter().enumerate() {
            let wide = DIGIT * digits(*group) / 2.0;
            assert!(a.at[0] >= wide && a.at[1] >= HEIGHT / 2.0, "{a:?}");
            for (other, b) in &kept[..i] {
                let room = DIGIT * (digits(*group) + digits(*other)) / 2.0;
                let apart =
                    (a.at[0] - b.at[0]).abs() >= room || (a.at[1] - b.at[1]).abs() >= HEIGHT - 1e-9;
                assert!(apart, "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn numbers_with_room_stay_where_they_belong() {
        let wanted = [Some([100.0, 100.0]), None, Some([200.0, 100.0])];
        let found = places(&wanted, [300.0, 200.0]);
        assert_eq!(found[0].map(|p| p.at), wanted[0]);
        assert_eq!(found[1], None);
        assert_eq!(
            found[2].map(|p| (p.at, p.minor)),
            Some(([200.0, 100.0], false))
        );
    }

    #[test]
    fn places_that_are_no_numbers_do_no_harm() {
        assert_eq!(places(&[Some([f64::NAN; 2])], [30.0, 20.0]).len(), 1);
    }
}
