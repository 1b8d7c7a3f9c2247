//! Edges between close points of the plane.

/// Calls `join` with every pair of points closer than `distance`, each once.
///
/// # Complexity
///
/// Points are swept from left to right, so only pairs within a strip of that
/// width are compared.
pub(super) fn closer_than(points: &[[f64; 2]], distance: f64, mut join: impl FnMut(usize, usize)) {
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_unstable_by(|&a, &b| points[a][0].total_cmp(&points[b][0]));
    for (place, &u) in order.iter().enumerate() {
        for &v in &order[place + 1..] {
            let (dx, dy) = (points[v][0] - points[u][0], points[v][1] - points[u][1]);
            if dx >= distance {
                break;
            }
            if dx * dx + dy * dy < distance * distance {
                join(u, v);
            }
        }
    }
}

/// The `count` nearest neighbours of each point, as pairs (point, neighbour).
///
/// # Complexity
///
/// Time quadratic in the number of points, which is small.
pub(super) fn nearest(points: &[[f64; 2]], count: usize) -> Vec<(usize, usize)> {
    let count = count.min(points.len().saturating_sub(1));
    let mut pairs = Vec::with_capacity(points.len() * count);
    let mut others = Vec::with_capacity(points.len());
    for (u, from) in points.iter().enumerate() {
        others.clear();
        for (v, to) in points.iter().enumerate() {
            if u != v {
                let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
                others.push((dx * dx + dy * dy, v));
            }
        }
        if count < others.len() {
            // The node number breaks ties, so that the result is deterministic.
            others.select_nth_unstable_by(count, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        }
        pairs.extend(others[..count].iter().map(|&(_, v)| (u, v)));
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    const POINTS: [[f64; 2]; 4] = [[0.0, 0.0], [3.0, 0.0], [1.0, 0.0], [1.0, 1.0]];

    #[test]
    fn sweeping_finds_all_close_pairs_once() {
        let mut pairs = Vec::new();
        closer_than(&POINTS, 1.5, |u, v| pairs.push((u.min(v), u.max(v))));
        pairs.sort_unstable();
        // The last pair lies at a distance of √2.
        assert_eq!(pairs, [(0, 2), (0, 3), (2, 3)]);
        closer_than(&[], 1.0, |_, _| unreachable!());
    }

    #[test]
    fn nearest_points_come_without_the_point_itself() {
        assert_eq!(nearest(&POINTS, 1), [(0, 2), (1, 2), (2, 0), (3, 2)]);
        assert_eq!(nearest(&POINTS, 9).len(), 12);
        assert_eq!(nearest(&POINTS[..1], 3), []);
    }
}
