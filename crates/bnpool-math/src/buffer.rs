//! A pool of reusable arrays.
//!
//! A training step allocates dozens of arrays of some hundred kilobytes and
//! drops them all; the next step allocates them again. A new array must be
//! cleared, which one thread does while the others wait, and often its pages
//! must first be obtained from the system. Together this takes a tenth of a step
//! on small graphs. A reused array is already initialised (with arbitrary
//! values) and still in a cache.
//!
//! Each thread keeps the arrays that are [`give`]n back on it and hands them
//! out again by [`take`]. Such an array holds leftovers of its last use, so the
//! caller must write every value. Debug builds fill it with NaN, so that a
//! forgotten value shows up in tests.

use crate::Real;
use std::cell::RefCell;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Shorter arrays are not pooled: clearing them takes only a microsecond.
const SHORTEST: usize = 1 << 12;
/// Longer arrays are rare and would tie up too much memory.
const LONGEST: usize = 1 << 18;
/// Largest number of bytes that all threads keep together. The parts of a batch run
/// on their own threads; a bound per thread would add up to more than a step needs.
const KEPT: usize = 32 << 20;

/// Bytes currently kept by all threads.
static ALL: AtomicUsize = AtomicUsize::new(0);

/// Number of sizes per power of two.
const STEPS: usize = 4;
/// Arrays are kept by size: ⌈2ʲ (1 + k/4)⌉ values for all j and k in between.
const CLASSES: usize = STEPS * (LONGEST.ilog2() - SHORTEST.ilog2()) as usize + 1;

/// Number of values of a class.
const fn size(class: usize) -> usize {
    (SHORTEST >> STEPS.ilog2() << (class / STEPS)) * (STEPS + class % STEPS)
}

/// The smallest class that holds `length` values.
fn class_for(length: usize) -> Option<usize> {
    (SHORTEST..=LONGEST)
        .contains(&length)
        .then(|| (0..CLASSES).find(|&class| size(class) >= length))?
}

/// Class of an array of this capacity, or `None` if the array does not come
/// from this pool: other sizes would never be requested again.
fn class_of(capacity: usize) -> Option<usize> {
    class_for(capacity).filter(|&class| size(class) == capacity)
}

/// The arrays kept by one thread, by class.
pub struct Shelf<T> {
    classes: [Vec<Vec<T>>; CLASSES],
}

impl<T> Default for Shelf<T> {
    fn default() -> Self {
        Self {
            classes: std::array::from_fn(|_| Vec::new()),
        }
    }
}

impl<T: Real> Shelf<T> {
    fn take(&mut self, class: usize) -> Option<Vec<T>> {
        let array = self.classes[class].pop()?;
        ALL.fetch_sub(bytes(&array), Ordering::Relaxed);
        Some(array)
    }

    fn give(&mut self, array: Vec<T>) {
        let Some(class) = class_of(array.capacity()) else {
            return;
        };
        let own = bytes(&array);
        if ALL.fetch_add(own, Ordering::Relaxed) + own <= KEPT {
            self.classes[class].push(array);
        } else {
            ALL.fetch_sub(own, Ordering::Relaxed);
        }
    }
}

impl<T> Drop for Shelf<T> {
    fn drop(&mut self) {
        let own: usize = self.classes.iter().flatten().map(bytes).sum();
        ALL.fetch_sub(own, Ordering::Relaxed);
    }
}

/// Bytes of an array.
fn bytes<T>(array: &Vec<T>) -> usize {
    array.capacity() * size_of::<T>()
}

/// A float type with shelves. Not exported: a supertrait of `Real`.
pub trait Shelved: Sized {
    /// Runs `f` on the shelf of this thread; returns `None` while the thread is
    /// shutting down.
    fn shelf<R>(f: impl FnOnce(&mut Shelf<Self>) -> R) -> Option<R>;
}

macro_rules! shelved {
    ($float:ty) => {
        impl Shelved for $float {
            fn shelf<R>(f: impl FnOnce(&mut Shelf<Self>) -> R) -> Option<R> {
                thread_local! {
                    static SHELF: RefCell<Shelf<$float>> = RefCell::default();
                }
                SHELF.try_with(|shelf| f(&mut shelf.borrow_mut())).ok()
            }
        }
    };
}

shelved!(f32);
shelved!(f64);

/// Returns an array of `length` arbitrary values; the caller must write all of
/// them.
///
/// # Complexity
///
/// O(1) if an array of about this length was given back recently, O(length)
/// otherwise.
///
/// ```
/// use bnpool_math::buffer::{give, take};
/// let first = take::<f32>(5000);
/// let place = first.as_ptr();
/// give(first);
/// let second = take::<f32>(5100);
/// assert_eq!(second.as_ptr(), place);
/// ```
#[must_use]
pub fn take<T: Real>(length: usize) -> Vec<T> {
    let Some(class) = class_for(length) else {
        return fresh(length, length);
    };
    match T::shelf(|shelf| shelf.take(class)).flatten() {
        Some(mut array) => {
            // Both growing and shrinking leave the existing values.
            array.resize(length, T::ZERO);
            spoil(&mut array);
            array
        }
        None => fresh(length, size(class)),
    }
}

/// Returns an array to the pool, for a later [`take`] on this thread.
pub fn give<T: Real>(array: Vec<T>) {
    // Kept outside the closure, so that a rejected array is dropped after the
    // shelf is released.
    let mut array = Some(array);
    T::shelf(|shelf| array.take().map(|array| shelf.give(array)));
}

/// Returns whether an array of this capacity came from [`take`] and can be
/// given back.
#[must_use]
pub fn is_kept(capacity: usize) -> bool {
    class_of(capacity).is_some()
}

fn fresh<T: Real>(length: usize, capacity: usize) -> Vec<T> {
    let mut array = vec![T::ZERO; capacity];
    array.truncate(length);
    spoil(&mut array);
    array
}

/// Overwrites an array, so that values the caller forgets to write are noticed.
fn spoil<T: Real>(array: &mut [T]) {
    if cfg!(debug_assertions) {
        array.fill(T::of(f64::NAN));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Mutex, PoisonError};

    /// The bound is shared by all threads, including those of other tests.
    static TURN: Mutex<()> = Mutex::new(());

    #[test]
    fn classes_cover_all_lengths_and_waste_little() {
        assert_eq!((size(0), size(CLASSES - 1)), (SHORTEST, LONGEST));
        for length in [SHORTEST, 5000, 6144, 6145, 100_000, LONGEST] {
            let class = class_for(length).expect("within the bounds");
            assert!(size(class) >= length && size(class) * 4 <= length * 5 + 4);
            assert_eq!(class_of(size(class)), Some(class));
        }
        for length in [0, 1, SHORTEST - 1, LONGEST + 1] {
            assert_eq!(class_for(length), None);
        }
        assert_eq!(class_of(SHORTEST + 1), None);
    }

    #[test]
    fn arrays_come_back_with_the_length_asked_for() {
        let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let mut array = take::<f64>(7000);
        assert_eq!(array.len(), 7000);
        array.fill(1.0);
        let place = array.as_ptr();
        give(array);
        let again = take::<f64>(6500);
        assert_eq!((again.len(), again.as_ptr()), (6500, place));
        // A second array of this length is a different one.
        let other = take::<f64>(6500);
        assert_ne!(other.as_ptr(), place);
    }

    #[test]
    fn no_more_than_a_bound_is_kept_by_all_threads_together() {
        let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = || {
            let arrays = |shelf: &mut Shelf<f32>| shelf.classes.iter().flatten().count();
            f32::shelf(arrays).unwrap_or_default()
        };
        let fill = || (0..2 * KEPT / LONGEST / 4).for_each(|_| give(vec![0.0_f32; LONGEST]));
        let most = KEPT / (4 * LONGEST);
        // The arrays of a thread are freed with it, so other threads may keep
        // as many bytes.
        for _ in 0..2 {
            let other = std::thread::spawn(move || (fill(), kept()).1);
            // Tests of other modules keep a little, too.
            let other = other.join().expect("a thread");
            assert!(other <= most && other + 4 >= most, "{other} of {most}");
        }
        fill();
        give(vec![0.0_f32; 10]);
        let own = kept();
        assert!(own <= most && own + 4 >= most, "{own} of {most}");
        let others = std::thread::spawn(move || (fill(), kept()).1);
        assert!(others.join().expect("a thread") <= 4);
        for _ in 0..own {
            assert_eq!(take::<f32>(LONGEST).len(), LONGEST);
        }
        assert_eq!(kept(), 0);
    }
}
