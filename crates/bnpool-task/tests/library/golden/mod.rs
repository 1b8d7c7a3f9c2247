//! Golden values of the optimiser, read as in the tests of `bnpool`.

#[path = "../../../../bnpool/tests/library/golden/fixture.rs"]
#[expect(dead_code, reason = "shapes of the other golden values")]
mod fixture;
mod optim;
#[path = "../../../../bnpool/tests/library/golden/tolerance.rs"]
#[expect(dead_code, reason = "tolerances of the other golden values")]
mod tolerance;
