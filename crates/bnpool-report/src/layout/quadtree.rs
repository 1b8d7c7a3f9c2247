//! Approximate sums over distant points (Barnes and Hut, 1986).

use super::Point;
use super::fit::corners;

/// Points per leaf; with fewer, the tree costs more than it saves.
const LEAF: usize = 8;
/// Points closer than the extent over 2²⁰ stay in one leaf.
const DEPTH: usize = 20;
/// A cell counts as distant if its width is at most this multiple of its
/// distance.
const OPENING: f64 = 1.1;

#[derive(Debug, Clone)]
struct Cell {
    middle: Point,
    mass: f64,
    width: f64,
    points: std::ops::Range<u32>,
    /// First of four consecutive children; 0 for a leaf.
    children: u32,
}

/// Points with masses, sorted into squares.
#[derive(Debug, Clone)]
pub(super) struct Quadtree {
    cells: Vec<Cell>,
    order: Vec<u32>,
}

impl Quadtree {
    /// # Complexity
    ///
    /// Time O(N log N), memory O(N).
    pub(super) fn new(points: &[Point], masses: &[f64]) -> Self {
        let [low, high] = corners(points);
        let width = (high[0] - low[0]).max(high[1] - low[1]).max(1e-9);
        let mut tree = Self {
            cells: Vec::with_capacity(points.len()),
            order: (0..points.len() as u32).collect(),
        };
        tree.cells.push(Cell {
            middle: [0.0; 2],
            mass: 0.0,
            width,
            points: 0..points.len() as u32,
            children: 0,
        });
        tree.divide(0, low, DEPTH, points, masses);
        tree
    }

    fn divide(
        &mut self,
        cell: usize,
        corner: Point,
        depth: usize,
        points: &[Point],
        masses: &[f64],
    ) {
        let Cell {
            width,
            points: ref range,
            ..
        } = self.cells[cell];
        let range = range.start as usize..range.end as usize;
        if range.len() <= LEAF || depth == 0 {
            let (mut mass, mut sum) = (0.0, [0.0; 2]);
            for &point in &self.order[range] {
                let (p, m) = (points[point as usize], masses[point as usize]);
                mass += m;
                sum = [sum[0] + m * p[0], sum[1] + m * p[1]];
            }
            self.settle(cell, mass, sum);
            return;
        }
        let half = width / 2.0;
        let middle = [corner[0] + half, corner[1] + half];
        let quadrant = |point: u32| {
            let p = points[point as usize];
            usize::from(p[0] >= middle[0]) + 2 * usize::from(p[1] >= middle[1])
        };
        // A stable sort by quadrant makes the order, and hence the sums,
        // deterministic.
        self.order[range.clone()].sort_by_key(|&point| quadrant(point));
        let first = self.cells.len();
        self.cells[cell].children = first as u32;
        let mut start = range.start;
        for part in 0..4 {
            let inside = self.order[start..range.end]
                .iter()
                .take_while(|&&point| quadrant(point) == part)
                .count();
            self.cells.push(Cell {
                middle,
                mass: 0.0,
                width: half,
                points: start as u32..(start + inside) as u32,
                children: 0,
            });
            start += inside;
        }
        let (mut mass, mut sum) = (0.0, [0.0; 2]);
        for part in 0..4 {
            let corner = [
                corner[0] + half * (part % 2) as f64,
                corner[1] + half * (part / 2) as f64,
            ];
            self.divide(first + part, corner, depth - 1, points, masses);
            let child = &self.cells[first + part];
            mass += child.mass;
            sum[0] += child.mass * child.middle[0];
            sum[1] += child.mass * child.middle[1];
        }
        self.settle(cell, mass, sum);
    }

    fn settle(&mut self, cell: usize, mass: f64, sum: Point) {
        let cell = &mut self.cells[cell];
        cell.mass = mass;
        if mass > 0.0 {
            cell.middle = [sum[0] / mass, sum[1] / mass];
        }
    }

    /// Σ mass · (p − q) / |p − q|² over all other points q: repulsion that
    /// decreases with the distance, for a unit mass at the point `own`.
    pub(super) fn repulsion(&self, own: u32, points: &[Point], masses: &[f64]) -> Point {
        let p = points[own as usize];
        let mut force = [0.0; 2];
        let mut open = Vec::with_capacity(64);
        open.push(0_u32);
        while let Some(index) = open.pop() {
            let cell = &self.cells[index as usize];
            let d = [p[0] - cell.middle[0], p[1] - cell.middle[1]];
            let square = d[0] * d[0] + d[1] * d[1];
            if cell.width * cell.width < OPENING * OPENING * square {
                let share = cell.mass / square;
                force = [force[0] + d[0] * share, force[1] + d[1] * share];
            } else if cell.children == 0 {
                for &q in &self.order[cell.points.start as usize..cell.points.end as usize] {
                    let d = apart(own, q, points);
                    let share = masses[q as usize] / (d[0] * d[0] + d[1] * d[1]);
                    if q != own {
                        force = [force[0] + d[0] * share, force[1] + d[1] * share];
                    }
                }
            } else {
                open.extend((cell.children..cell.children + 4).rev());
            }
        }
        force
    }
}

/// p − q, but never zero: coinciding points are separated in distinct
/// directions.
fn apart(p: u32, q: u32, points: &[Point]) -> Point {
    let (a, b) = (points[p as usize], points[q as usize]);
    let d = [a[0] - b[0], a[1] - b[1]];
    if d[0].abs() + d[1].abs() >= 1e-6 {
        d
    } else if p < q {
        [1e-3, 1e-3 * f64::from(q % 7)]
    } else {
        [-1e-3, -1e-3 * f64::from(p % 7)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bnpool_math::stream::{Purpose, Stream};

    #[test]
    fn close_to_the_exact_sum() {
        let mut draws = Stream::new(0, Purpose::Other(9), 0).draws(0);
        let points: Vec<Point> = (0..500).map(|_| [draws.normal(), draws.normal()]).collect();
        let masses: Vec<f64> = (0..500).map(|i| 1.0 + f64::from(i % 5)).collect();
        let tree = Quadtree::new(&points, &masses);
        for own in (0..500).step_by(17) {
            let exact = (0..500).filter(|&q| q != own).fold([0.0; 2], |sum, q| {
                let d = apart(own, q, &points);
                let share = masses[q as usize] / (d[0] * d[0] + d[1] * d[1]);
                [sum[0] + d[0] * share, sum[1] + d[1] * share]
            });
            let found = tree.repulsion(own, &points, &masses);
            let error = (found[0] - exact[0]).abs() + (found[1] - exact[1]).abs();
            let size = exact[0].abs() + exact[1].abs();
            assert!(error < 0.1 * size + 10.0, "{found:?} for {exact:?}");
        }
    }

    #[test]
    fn points_on_one_spot_end_and_part() {
        let points = vec![[1.0, 1.0]; 100];
        let masses = vec![1.0; 100];
        let tree = Quadtree::new(&points, &masses);
        let force = tree.repulsion(3, &points, &masses);
        assert!(force[0].is_finite() && force != [0.0; 2]);
    }
}
