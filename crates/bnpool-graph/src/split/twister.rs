//! The Mersenne Twister MT19937, as used by numpy, Python and PyTorch.
//!
//! Only for reproducing the authors' folds: everything else draws from
//! [`bnpool_math::stream`].

const SIZE: usize = 624;
const SHIFT: usize = 397;

/// The generator of Matsumoto and Nishimura (1998).
pub(super) struct Twister {
    words: [u32; SIZE],
    next: usize,
}

impl Twister {
    /// Seeds with one word, as `numpy.random.RandomState(seed)` and
    /// `torch.manual_seed(seed)` do.
    pub(super) fn new(seed: u32) -> Self {
        let mut words = [seed; SIZE];
        for i in 1..SIZE {
            let last = words[i - 1];
            words[i] = (last ^ (last >> 30))
                .wrapping_mul(1_812_433_253)
                .wrapping_add(i as u32);
        }
        Self { words, next: SIZE }
    }

    /// Seeds with an array of one word, as Python's `random.seed(seed)` does.
    pub(super) fn from_key(seed: u32) -> Self {
        let mut words = Self::new(19_650_218).words;
        let stir = |words: &mut [u32; SIZE], i: usize, factor: u32| {
            let last = words[i - 1];
            words[i] ^= (last ^ (last >> 30)).wrapping_mul(factor);
        };
        let mut i = 1;
        let advance = |words: &mut [u32; SIZE], i: usize| {
            if i + 1 < SIZE {
                return i + 1;
            }
            words[0] = words[SIZE - 1];
            1
        };
        for _ in 0..SIZE {
            stir(&mut words, i, 1_664_525);
            words[i] = words[i].wrapping_add(seed);
            i = advance(&mut words, i);
        }
        for _ in 1..SIZE {
            stir(&mut words, i, 1_566_083_941);
            words[i] = words[i].wrapping_sub(i as u32);
            i = advance(&mut words, i);
        }
        words[0] = 0x8000_0000;
        Self { words, next: SIZE }
    }

    /// Uniform over all 32-bit words.
    pub(super) fn next_u32(&mut self) -> u32 {
        if self.next == SIZE {
            self.renew();
        }
        let mut word = self.words[self.next];
        self.next += 1;
        word ^= word >> 11;
        word ^= (word << 7) & 0x9D2C_5680;
        word ^= (word << 15) & 0xEFC6_0000;
        word ^ (word >> 18)
    }

    fn renew(&mut self) {
        for i in 0..SIZE {
            let joined = (self.words[i] & 0x8000_0000) | (self.words[(i + 1) % SIZE] & 0x7FFF_FFFF);
            let twist = if joined & 1 == 0 { 0 } else { 0x9908_B0DF };
            self.words[i] = self.words[(i + SHIFT) % SIZE] ^ (joined >> 1) ^ twist;
        }
        self.next = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_the_published_words() {
        // The ten-thousandth word of the default seed, given in the C++ standard.
        let mut twister = Twister::new(5489);
        assert_eq!(
            (0..10_000).map(|_| twister.next_u32()).last(),
            Some(4_123_659_995)
        );
    }

    #[test]
    fn seeds_as_python_does() {
        // `random.seed(777); random.getrandbits(32)`, twice.
        let mut twister = Twister::from_key(777);
        assert_eq!(
            [twister.next_u32(), twister.next_u32()],
            [984_982_403, 1_914_885_928]
        );
    }
}
