//! Random numbers: the same in every run with the same seed.

pub use base::Random;

/// A generator for one case of a run.
pub fn for_case(seed: u64, case: u64) -> Random {
    let mut random = Random::new(seed ^ case.wrapping_mul(0xD1B5_4A32_D192_ED03));
    random.next();
    random
}
