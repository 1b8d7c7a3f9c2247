//! The two float types of the kernels.

use crate::vector::Vector;
use fearless_simd::prelude::*;
use fearless_simd::{f32x8, f32x16, f64x4, f64x8};

/// A float type supported by the kernels: `f32` or `f64`.
///
/// Training runs in `f32`. The same code in `f64` verifies it: gradient checks
/// and golden values are only sharp in double precision. The trait is sealed.
pub trait Real:
    SimdFloatElement
    + Copy
    + Default
    + PartialOrd
    + Send
    + Sync
    + std::fmt::Debug
    + std::ops::Add<Output = Self>
    + std::ops::Sub<Output = Self>
    + std::ops::Mul<Output = Self>
    + std::ops::Div<Output = Self>
    + std::ops::Neg<Output = Self>
    + std::ops::AddAssign
    + std::ops::SubAssign
    + std::ops::MulAssign
    + crate::beta::row::RowKernel
    + crate::buffer::Shelved
    + crate::kernel::product::ProductKernel
    + sealed::Sealed
    + 'static
{
    /// Zero.
    const ZERO: Self;
    /// One.
    const ONE: Self;
    /// Shorter sticks are set to zero. The bound is far below the rounding of a
    /// row, and far enough above the smallest normal number that products with it
    /// are normal; many processors take some hundred cycles for subnormal
    /// numbers.
    const TINY: Self;
    /// −ln of [`TINY`](Self::TINY): fractions with a logit beyond ± this value
    /// count as 0 or 1.
    const STEEPEST: Self;
    /// One register of this type on AVX2; fixed, so that sums over lanes do not
    /// depend on the processor.
    #[doc(hidden)]
    type Vector<S: Simd>: Vector<S, Element = Self, Narrow = Self::Vector<S>>;
    /// One register of this type on AVX-512, for computations that do not mix
    /// lanes.
    #[doc(hidden)]
    type Wide<S: Simd>: Vector<S, Element = Self, Narrow = Self::Vector<S>>;

    /// Rounds an `f64`.
    fn of(x: f64) -> Self;
    /// Widens to `f64`.
    fn f64(self) -> f64;
    /// Larger of two numbers; NaN if either is.
    #[must_use]
    fn maximum(self, other: Self) -> Self;
    /// Square root.
    #[must_use]
    fn square_root(self) -> Self;
    /// Returns whether the number is neither infinite nor NaN.
    fn finite(self) -> bool;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
}

macro_rules! real {
    ($float:ty, $vector:ident, $wide:ident, $tiny:expr, $steepest:expr) => {
        impl Real for $float {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const TINY: Self = $tiny;
            const STEEPEST: Self = $steepest;
            type Vector<S: Simd> = $vector<S>;
            type Wide<S: Simd> = $wide<S>;

            #[inline(always)]
            fn of(x: f64) -> Self {
                x as $float
            }
            #[inline(always)]
            fn f64(self) -> f64 {
                f64::from(self)
            }
            #[inline(always)]
            fn maximum(self, other: Self) -> Self {
                if self > other || self.is_nan() {
                    self
                } else {
                    other
                }
            }
            #[inline(always)]
            fn square_root(self) -> Self {
                self.sqrt()
            }
            #[inline(always)]
            fn finite(self) -> bool {
                self.is_finite()
            }
        }
    };
}

real!(f32, f32x8, f32x16, 1e-12, 27.631_02);
real!(f64, f64x4, f64x8, 1e-100, 230.258_509_299_404_57);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_steepest_logit_belongs_to_the_shortest_stick() {
        assert!((f32::STEEPEST + f32::TINY.ln()).abs() < 1e-5);
        assert!((f64::STEEPEST + f64::TINY.ln()).abs() < 1e-12);
    }
}
