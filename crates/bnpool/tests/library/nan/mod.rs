//! NaN propagates through all operations as through ordinary ones, and stops
//! training with a named error.

mod kernels;
