//! Keyed random streams.
//!
//! A draw depends only on (seed, purpose, step, index): not on the number of
//! threads, the order of evaluation or other draws. This makes a run
//! reproducible on any machine, lets a resumed run continue as if it had never
//! stopped, and lets a kernel skip draws whose results cannot matter.
//!
//! The generator is Philox-4x32-10 (Salmon et al., 2011): a keyed bijection of
//! a 128-bit counter, which passes the BigCrush battery and vectorises.

use fearless_simd::prelude::*;
use fearless_simd::{u32x8, u64x4};

const MULTIPLIERS: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];
const WEYL: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];
const ROUNDS: usize = 10;

/// Purpose of a stream of random numbers; streams with different purposes are
/// independent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Purpose {
    /// Initial values of trainable parameters.
    Initialisation,
    /// Stick fractions of the posterior.
    StickFractions,
    /// Negative edges of the sparse reconstruction loss.
    NegativeEdges,
    /// Order in which training examples are visited.
    Shuffle,
    /// Units left out by dropout.
    Dropout,
    /// Synthetic graphs.
    Generator,
    /// Division of a data set into folds.
    Split,
    /// Random node features.
    Features,
    /// Anything else, by a number of the caller's choice.
    Other(u32),
}

impl Purpose {
    /// The number that enters the key. Never renumber: runs depend on it.
    fn code(self) -> u64 {
        match self {
            Self::Initialisation => 1,
            Self::StickFractions => 2,
            Self::NegativeEdges => 3,
            Self::Shuffle => 4,
            Self::Dropout => 5,
            Self::Generator => 6,
            Self::Split => 7,
            Self::Features => 8,
            Self::Other(n) => (1 << 32) | u64::from(n),
        }
    }
}

/// Identifies the parts of a run that must never share random numbers.
///
/// ```
/// use bnpool_math::stream::DrawKey;
///
/// let fold = DrawKey { fold: 1, ..DrawKey::new(7) };
/// let level = DrawKey { depth: 1, ..DrawKey::new(7) };
/// assert_ne!(fold.seed(), level.seed());
/// assert_eq!(DrawKey::new(7).seed(), 7);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct DrawKey {
    /// Seed of the run.
    pub seed: u64,
    /// Fold of the data.
    pub fold: u32,
    /// Independent start of a training.
    pub start: u32,
    /// Depth in a hierarchy of poolers.
    pub depth: u32,
}

impl DrawKey {
    /// Key of the first fold, first start and first level of a run.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            ..Self::default()
        }
    }

    /// Combines the key into one number: the seed itself for the first fold,
    /// start and level, and a hash of all parts otherwise. With sums of seeds,
    /// one fold could share the draws of another level.
    #[must_use]
    pub fn seed(&self) -> u64 {
        if (self.fold, self.start, self.depth) == (0, 0, 0) {
            return self.seed;
        }
        [self.fold, self.start, self.depth]
            .into_iter()
            .fold(mix(self.seed ^ GOLDEN), |key, part| {
                mix(key.wrapping_add(GOLDEN) ^ mix(u64::from(part).wrapping_add(GOLDEN)))
            })
    }
}

impl From<u64> for DrawKey {
    fn from(seed: u64) -> Self {
        Self::new(seed)
    }
}

/// A family of random numbers, addressed by index.
///
/// ```
/// use bnpool_math::stream::{Purpose, Stream};
///
/// let stream = Stream::new(7, Purpose::Shuffle, 0);
/// let first: Vec<u32> = (0..3).map(|i| stream.draws(i).next_u32()).collect();
/// // The third draw is the same whether or not the others were made.
/// assert_eq!(stream.draws(2).next_u32(), first[2]);
/// assert_ne!(first[0], first[1]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stream {
    key: [u32; 2],
}

/// 2⁶⁴ over the golden ratio, an odd number without pattern.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// Finaliser of SplitMix64: spreads every bit of the input over the output.
fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// A fast hash of a number: one step of SplitMix64. For choices that must not
/// follow the order of numbers; for random draws, use a [`Stream`].
///
/// ```
/// use bnpool_math::stream::scatter;
/// assert_ne!(scatter(0) % 8, scatter(1) % 8);
/// ```
#[inline]
#[must_use]
pub fn scatter(x: u64) -> u64 {
    mix(x.wrapping_add(GOLDEN))
}

impl Stream {
    /// The stream of a purpose at a step (an epoch, a forward pass, …).
    #[must_use]
    pub fn new(seed: u64, purpose: Purpose, step: u64) -> Self {
        let key = [purpose.code(), step]
            .into_iter()
            .fold(mix(seed.wrapping_add(GOLDEN)), |key, part| {
                mix(key ^ mix(part.wrapping_add(GOLDEN)))
            });
        Self {
            key: [key as u32, (key >> 32) as u32],
        }
    }

    /// Four independent random words of a 128-bit counter.
    #[must_use]
    pub fn block(&self, counter: [u32; 4]) -> [u32; 4] {
        let mut c = counter;
        let mut key = self.key;
        for _ in 0..ROUNDS {
            let p = u64::from(MULTIPLIERS[0]) * u64::from(c[0]);
            let q = u64::from(MULTIPLIERS[1]) * u64::from(c[2]);
            c = [
                (q >> 32) as u32 ^ c[1] ^ key[0],
                q as u32,
                (p >> 32) as u32 ^ c[3] ^ key[1],
                p as u32,
            ];
            key = next_key(key);
        }
        c
    }

    /// [`Stream::block`] of eight counters at once, with the same words in each
    /// lane.
    #[inline(always)]
    pub(crate) fn blocks<S: Simd>(&self, simd: S, counter: [u32x8<S>; 4]) -> [u32x8<S>; 4] {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = simd.level().as_avx2() {
            let words = counter.map(|word| u32x8::load_array(avx2, *word).into());
            return avx2::blocks(avx2, self.key, words)
                .map(|word| u32x8::load_array(simd, *u32x8::simd_from(avx2, word)));
        }
        let mut c = counter;
        let mut key = self.key;
        let multipliers = MULTIPLIERS.map(|m| simd.splat_u32x8(m));
        for _ in 0..ROUNDS {
            let (p_high, p_low) = multiply(c[0], multipliers[0]);
            let (q_high, q_low) = multiply(c[2], multipliers[1]);
            c = [
                q_high ^ c[1] ^ simd.splat_u32x8(key[0]),
                q_low,
                p_high ^ c[3] ^ simd.splat_u32x8(key[1]),
                p_low,
            ];
            key = next_key(key);
        }
        c
    }

    /// A sequence of random numbers for one index.
    #[must_use]
    pub fn draws(&self, index: u64) -> Draws {
        Draws {
            stream: *self,
            index,
            block: 0,
            words: [0; 4],
            used: 4,
        }
    }
}

/// The key of the next round.
fn next_key(key: [u32; 2]) -> [u32; 2] {
    [key[0].wrapping_add(WEYL[0]), key[1].wrapping_add(WEYL[1])]
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{MULTIPLIERS, ROUNDS, next_key};
    use std::arch::x86_64::{
        __m256i, _mm256_blend_epi32, _mm256_mul_epu32, _mm256_set1_epi64x, _mm256_slli_epi64,
        _mm256_srli_epi64, _mm256_xor_si256,
    };

    fearless_simd::kernel!(
        /// [`super::Stream::blocks`] for AVX2, on which the portable product is slow: the
        /// words of even and odd lanes are in the low halves of 64-bit lanes, so a
        /// product is one instruction and its halves need no shuffle.
        #[inline]
        pub(super) fn blocks(avx2: Avx2, key: [u32; 2], counter: [__m256i; 4]) -> [__m256i; 4] {
            let multipliers = MULTIPLIERS.map(|m| _mm256_set1_epi64x(i64::from(m)));
            let mut even = counter;
            let mut odd = counter.map(|c| _mm256_srli_epi64::<32>(c));
            let mut key = key;
            for _ in 0..ROUNDS {
                let keys = key.map(|k| _mm256_set1_epi64x(i64::from(k)));
                for c in [&mut even, &mut odd] {
                    let p = _mm256_mul_epu32(c[0], multipliers[0]);
                    let q = _mm256_mul_epu32(c[2], multipliers[1]);
                    *c = [
                        _mm256_xor_si256(
                            _mm256_xor_si256(_mm256_srli_epi64::<32>(q), c[1]),
                            keys[0],
                        ),
                        q,
                        _mm256_xor_si256(
                            _mm256_xor_si256(_mm256_srli_epi64::<32>(p), c[3]),
                            keys[1],
                        ),
                        p,
                    ];
                }
                key = next_key(key);
            }
            std::array::from_fn(|i| {
                _mm256_blend_epi32::<0b1010_1010>(even[i], _mm256_slli_epi64::<32>(odd[i]))
            })
        }
    );
}

/// High and low halves of the 64-bit products of two vectors.
#[inline(always)]
fn multiply<S: Simd>(a: u32x8<S>, b: u32x8<S>) -> (u32x8<S>, u32x8<S>) {
    let simd = a.simd;
    let (first, second): (u64x4<S>, u64x4<S>) = simd.widening_mul_u32x8(a, b);
    let (first, second): (u32x8<S>, u32x8<S>) = (first.bitcast(), second.bitcast());
    (
        simd.unzip_high_u32x8(first, second),
        simd.unzip_low_u32x8(first, second),
    )
}

/// An infinite sequence of random numbers for one index of a stream.
#[derive(Debug, Clone)]
pub struct Draws {
    stream: Stream,
    index: u64,
    block: u64,
    words: [u32; 4],
    used: usize,
}

impl Draws {
    /// Uniform over all 32-bit words.
    pub fn next_u32(&mut self) -> u32 {
        if self.used == 4 {
            let halves = [self.block, self.index].map(|x| [x as u32, (x >> 32) as u32]);
            self.words =
                self.stream
                    .block([halves[0][0], halves[0][1], halves[1][0], halves[1][1]]);
            self.block += 1;
            self.used = 0;
        }
        self.used += 1;
        self.words[self.used - 1]
    }

    /// Uniform over all 64-bit words.
    pub fn next_u64(&mut self) -> u64 {
        let low = u64::from(self.next_u32());
        low | (u64::from(self.next_u32()) << 32)
    }

    /// Uniform in [0, 1) with 53 bits.
    pub fn uniform(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Uniform integer below `bound`, without bias (Lemire's method). Returns
    /// zero for a bound of zero.
    pub fn below(&mut self, bound: u64) -> u64 {
        let mut product = u128::from(self.next_u64()) * u128::from(bound);
        if (product as u64) < bound {
            let threshold = bound.wrapping_neg() % bound;
            while (product as u64) < threshold {
                product = u128::from(self.next_u64()) * u128::from(bound);
            }
        }
        (product >> 64) as u64
    }

    /// Standard normal (Box–Muller).
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform()).cos()
    }

    /// Shuffles a slice uniformly (Fisher–Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u64 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::level;
    use fearless_simd::dispatch;

    #[test]
    fn philox_gives_the_published_words() {
        let block = |key, counter| Stream { key }.block(counter);
        assert_eq!(
            block([0, 0], [0; 4]),
            [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]
        );
        assert_eq!(
            block([u32::MAX; 2], [u32::MAX; 4]),
            [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]
        );
        assert_eq!(
            block(
                [0xa409_3822, 0x299f_31d0],
                [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344]
            ),
            [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]
        );
    }

    #[test]
    fn eight_lanes_give_the_same_words_as_one() {
        let stream = Stream::new(3, Purpose::StickFractions, 9);
        let lanes = dispatch!(level(), simd => {
            let lane = u32x8::from_fn(simd, |i| i as u32);
            stream.blocks(simd, [lane, lane + 7, lane * 5, lane + 100]).map(|v| *v)
        });
        for i in 0..8_u32 {
            let one = stream.block([i, i + 7, i * 5, i + 100]);
            assert_eq!(one, lanes.map(|v| v[i as usize]));
        }
    }

    #[test]
    fn every_part_of_the_key_matters() {
        let first = |s: Stream| s.draws(0).next_u64();
        let base = first(Stream::new(1, Purpose::Shuffle, 2));
        assert_ne!(base, first(Stream::new(2, Purpose::Shuffle, 2)));
        assert_ne!(base, first(Stream::new(1, Purpose::Split, 2)));
        assert_ne!(base, first(Stream::new(1, Purpose::Shuffle, 3)));
        assert_ne!(
            base,
            Stream::new(1, Purpose::Shuffle, 2).draws(1).next_u64()
        );
    }

    #[test]
    fn bounded_integers_are_uniform_and_a_shuffle_is_a_permutation() {
        let stream = Stream::new(0, Purpose::Other(1), 0);
        let mut counts = [0_u32; 7];
        let mut draws = stream.draws(0);
        for _ in 0..70_000 {
            counts[draws.below(7) as usize] += 1;
        }
        assert!(
            counts.iter().all(|&c| (9_600..10_400).contains(&c)),
            "{counts:?}"
        );
        let mut items: Vec<u32> = (0..100).collect();
        draws.shuffle(&mut items);
        let mut sorted = items.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..100).collect::<Vec<_>>());
        assert_ne!(items, sorted);
    }

    #[test]
    fn normals_have_the_right_moments() {
        let mut draws = Stream::new(5, Purpose::Features, 0).draws(0);
        let n = 100_000;
        let (mut sum, mut square) = (0.0, 0.0);
        for _ in 0..n {
            let x = draws.normal();
            sum += x;
            square += x * x;
        }
        assert!((sum / f64::from(n)).abs() < 0.02);
        assert!((square / f64::from(n) - 1.0).abs() < 0.02);
    }
}
