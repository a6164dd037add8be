//! Random numbers that are the same in every run with the same seed: SplitMix64.
//!
//! Steele, Lea, Flood (2014). Not for secrets.

/// The golden ratio in 64 bits, the increment of the state.
pub const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The mixing steps: numbers close to each other become words far apart.
pub fn mixed(number: u64) -> u64 {
    let mut word = number;
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// A generator.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// All 64 bits are usable.
    #[allow(clippy::should_implement_trait)] // Numbers never end, so this is nothing to loop over.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mixed(self.0)
    }

    /// A number below the bound; 0 if the bound is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    /// The same for numbers that are no index.
    pub fn number(&mut self, bound: u64) -> u64 {
        self.next() % bound.max(1)
    }

    /// True once in `count` times.
    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    /// One of the items, which must not be empty.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// One of the items, if there are any.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn numbers_are_those_of_the_published_generator() {
        let mut random = Random::new(1_234_567);
        let numbers = [random.next(), random.next(), random.next()];
        let published =
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(numbers, published);
    }
}
