//! k-means clustering (Lloyd, 1982) with k-means++ initialisation (Arthur and
//! Vassilvitskii, 2007).

use crate::stream::{Purpose, Stream};
use crate::vector::level;
use fearless_simd::dispatch;
use fearless_simd::prelude::*;
use rayon::prelude::*;

/// Parameters of k-means.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KMeansConfig {
    /// Seed of the initialisations.
    pub seed: u64,
    /// Number of independent starts; the one with the lowest inertia is kept.
    pub starts: usize,
    /// Largest number of rounds per start.
    pub rounds: usize,
}

impl Default for KMeansConfig {
    fn default() -> Self {
        Self {
            seed: 0,
            starts: 10,
            rounds: 50,
        }
    }
}

/// Result of k-means.
#[derive(Debug, Clone, PartialEq)]
pub struct KMeans {
    /// Group of each point, below `k`; groups may be empty if points coincide.
    pub labels: Vec<u32>,
    /// Sum of the squared distances to the means.
    pub inertia: f64,
}

/// Points per task; fixed, so that sums do not depend on the number of threads.
const CHUNK: usize = 1024;

/// Groups the rows of `points`, [n, width], into `k` groups.
///
/// # Complexity
///
/// O(starts · rounds · n · k · width) time, O(n + k · width) memory.
///
/// # Panics
///
/// Panics if `k` or `width` is 0, or the points are not a whole number of rows.
///
/// ```
/// use bnpool_math::kmeans::{KMeansConfig, k_means};
///
/// let groups = k_means(&[0.0, 0.1, 9.0, 9.1], 1, 2, &KMeansConfig::default());
/// assert_eq!(groups.labels[0], groups.labels[1]);
/// assert_ne!(groups.labels[1], groups.labels[2]);
/// assert!((groups.inertia - 0.01).abs() < 1e-6);
/// ```
#[must_use]
pub fn k_means(points: &[f32], width: usize, k: usize, config: &KMeansConfig) -> KMeans {
    assert!(k > 0 && width > 0, "at least one group and one coordinate");
    assert_eq!(points.len() % width, 0, "whole rows");
    // All starts reuse these blocks to choose among the points.
    let blocks = Blocks::new(points, width);
    let mut best: Option<KMeans> = None;
    for start in 0..config.starts.max(1) as u64 {
        let stream = Stream::new(config.seed, Purpose::Other(K_MEANS), start);
        let mut means = first_means(points, &blocks, k, &stream);
        let mut found = assign(points, width, &means);
        for _ in 0..config.rounds {
            let before = found.inertia;
            update(points, width, &found.labels, &mut means);
            found = assign(points, width, &means);
            if found.inertia >= before {
                break;
            }
        }
        if best.as_ref().is_none_or(|b| found.inertia < b.inertia) {
            best = Some(found);
        }
    }
    best.expect("at least one start")
}

/// Number of the random stream.
const K_MEANS: u32 = 1;

/// k-means++: each mean is a point, drawn with probability proportional to its
/// squared distance from the previous means.
fn first_means(points: &[f32], blocks: &Blocks, k: usize, stream: &Stream) -> Vec<f32> {
    let width = blocks.width;
    let n = points.len() / width;
    let mut draws = stream.draws(0);
    let mut means = Vec::with_capacity(k * width);
    let mut distances = vec![f64::INFINITY; n];
    for j in 0..k {
        let total: f64 = distances.iter().sum();
        let chosen = if n == 0 {
            means.extend(std::iter::repeat_n(0.0, width));
            continue;
        } else if j == 0 || total <= 0.0 {
            draws.below(n as u64) as usize
        } else {
            let mut left = draws.uniform() * total;
            let found = distances.iter().position(|d| {
                left -= d;
                left < 0.0
            });
            found.unwrap_or(n - 1)
        };
        let mean = &points[chosen * width..(chosen + 1) * width];
        means.extend_from_slice(mean);
        distances
            .par_chunks_mut(CHUNK)
            .zip(blocks.values.par_chunks(CHUNK * width))
            .for_each(|(distances, blocks)| {
                dispatch!(level(), simd => shorten(simd, distances, blocks, mean));
            });
    }
    means
}

/// Vectors per block; tasks handle a multiple of this.
const LANES: usize = 32;

/// Vectors in blocks of [`LANES`], stored coordinate by coordinate. Each lane sums
/// the distance of one vector in the order of its coordinates, regardless of the
/// register width.
struct Blocks {
    width: usize,
    /// [blocks, width, LANES], with the last block padded with zeros.
    values: Vec<f32>,
}

impl Blocks {
    fn new(vectors: &[f32], width: usize) -> Self {
        let mut blocks = Self {
            width,
            values: Vec::new(),
        };
        blocks.fill(vectors);
        blocks
    }

    fn fill(&mut self, vectors: &[f32]) {
        let size = self.width * LANES;
        self.values.clear();
        self.values.resize(vectors.len().div_ceil(size) * size, 0.0);
        let pairs = self.values.chunks_exact_mut(size).zip(vectors.chunks(size));
        for (block, vectors) in pairs {
            for (lane, vector) in vectors.chunks_exact(self.width).enumerate() {
                for (d, &x) in vector.iter().enumerate() {
                    block[d * LANES + lane] = x;
                }
            }
        }
    }
}

/// Squared distances between a point and the vectors of a block.
#[inline(always)]
fn squared_distances<S: Simd>(_: S, block: &[f32], point: &[f32]) -> [f32; LANES] {
    let mut sums = [0.0_f32; LANES];
    for (&x, row) in point.iter().zip(block.chunks_exact(LANES)) {
        for (sum, y) in sums.iter_mut().zip(row) {
            *sum += (x - y) * (x - y);
        }
    }
    sums
}

/// Updates the distances to the nearest mean with a new mean.
#[inline(always)]
fn shorten<S: Simd>(simd: S, distances: &mut [f64], blocks: &[f32], mean: &[f32]) {
    let blocks = blocks.chunks_exact(mean.len() * LANES);
    for (distances, block) in distances.chunks_mut(LANES).zip(blocks) {
        let found = squared_distances(simd, block, mean);
        for (d, found) in distances.iter_mut().zip(found) {
            *d = d.min(f64::from(found));
        }
    }
}

/// Assigns each point to its nearest mean; ties go to the first one.
fn assign(points: &[f32], width: usize, means: &[f32]) -> KMeans {
    let k = means.len() / width;
    let blocks = Blocks::new(means, width);
    let mut labels = vec![0_u32; points.len() / width];
    let inertia: Vec<f64> = labels
        .par_chunks_mut(CHUNK)
        .zip(points.par_chunks(CHUNK * width))
        .map(|(labels, points)| {
            dispatch!(level(), simd => nearest(simd, labels, points, &blocks, k))
        })
        .collect();
    KMeans {
        labels,
        inertia: inertia.iter().sum(),
    }
}

/// Writes the nearest of k means for some points; returns the sum of their
/// squared distances.
#[inline(always)]
fn nearest<S: Simd>(simd: S, labels: &mut [u32], points: &[f32], blocks: &Blocks, k: usize) -> f64 {
    let mut sum = 0.0;
    let width = blocks.width;
    for (label, point) in labels.iter_mut().zip(points.chunks_exact(width)) {
        let mut nearest = f32::INFINITY;
        for (b, block) in blocks.values.chunks_exact(width * LANES).enumerate() {
            let found = squared_distances(simd, block, point);
            // Skip the padding of the last block.
            for (lane, &distance) in found[..LANES.min(k - b * LANES)].iter().enumerate() {
                if distance < nearest {
                    (nearest, *label) = (distance, (b * LANES + lane) as u32);
                }
            }
        }
        sum += f64::from(nearest);
    }
    sum
}

/// Updates the means of the groups; an empty group keeps its old mean.
fn update(points: &[f32], width: usize, labels: &[u32], means: &mut [f32]) {
    let mut sums = vec![0.0_f64; means.len()];
    let mut counts = vec![0_usize; means.len() / width];
    for (&label, point) in labels.iter().zip(points.chunks_exact(width)) {
        counts[label as usize] += 1;
        let sum = &mut sums[label as usize * width..][..width];
        for (s, &x) in sum.iter_mut().zip(point) {
            *s += f64::from(x);
        }
    }
    for ((mean, sum), &count) in means
        .chunks_exact_mut(width)
        .zip(sums.chunks_exact(width))
        .zip(&counts)
    {
        if count > 0 {
            for (m, s) in mean.iter_mut().zip(sum) {
                *m = (s / count as f64) as f32;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three tight, well-separated groups.
    fn points() -> Vec<f32> {
        let mut draws = Stream::new(3, Purpose::Generator, 0).draws(0);
        (0..300)
            .flat_map(|i| {
                let centre = (i % 3) as f32 * 5.0;
                [
                    centre + draws.normal() as f32 * 0.3,
                    draws.normal() as f32 * 0.3,
                ]
            })
            .collect()
    }

    #[test]
    fn planted_groups_are_found() {
        let found = k_means(&points(), 2, 3, &KMeansConfig::default());
        for i in 0..300 {
            assert_eq!(found.labels[i], found.labels[i % 3]);
        }
        assert_ne!(found.labels[0], found.labels[1]);
    }

    #[test]
    fn lanes_add_up_as_one_would() {
        let mut draws = Stream::new(4, Purpose::Generator, 0).draws(0);
        for (n, width, k) in [(1, 1, 1), (33, 3, 32), (70, 17, 45)] {
            let mut draw =
                |count| -> Vec<f32> { (0..count).map(|_| draws.normal() as f32).collect() };
            let (points, means) = (draw(n * width), draw(k * width));
            let found = assign(&points, width, &means);
            let mut inertia = 0.0;
            for (point, &label) in points.chunks_exact(width).zip(&found.labels) {
                let distance = |mean: &[f32]| -> f32 {
                    point.iter().zip(mean).map(|(x, y)| (x - y) * (x - y)).sum()
                };
                let all: Vec<f32> = means.chunks_exact(width).map(distance).collect();
                let least = all.iter().copied().fold(f32::INFINITY, f32::min);
                assert_eq!(all.iter().position(|&d| d == least), Some(label as usize));
                inertia += f64::from(least);
            }
            assert_eq!(found.inertia, inertia);
        }
    }

    #[test]
    fn more_groups_than_points_are_borne() {
        let found = k_means(&[1.0, 1.0], 1, 5, &KMeansConfig::default());
        assert_eq!(found.inertia, 0.0);
        assert_eq!(k_means(&[], 2, 3, &KMeansConfig::default()).labels, []);
    }

    #[test]
    fn threads_do_not_matter() {
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.expect("threads")
                .install(|| k_means(&points(), 2, 7, &KMeansConfig::default()))
        };
        assert_eq!(run(1), run(2));
    }
}
