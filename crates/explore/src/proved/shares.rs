//! The proved shares of the input space.
//!
//! Intervals are Wilson's (1927), for 95 % confidence.

/// The quantile of the normal distribution for an interval of 95 %.
const QUANTILE: f64 = 1.959_964;

/// Shares of the input space.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shares {
    /// Every cell is drawn uniformly from its values.
    pub uniform: Share,
    /// The inputs are the given tests, if any is in the space.
    pub tests: Option<Share>,
}

/// How inputs of one distribution fall into partitions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Share {
    /// How many inputs were classified.
    pub samples: usize,
    /// Whether these are the whole space.
    pub is_all: bool,
    /// In partitions in which all versions are proved equal.
    pub equal: Portion,
    /// In those in which they are proved to differ.
    pub different: Portion,
    /// In partitions without a claim, and in no proved one.
    pub unknown: Portion,
    /// In none.
    pub left: Portion,
    /// Inputs in proved partitions, by which versions agree ([`super::Partition::classes`]), in
    /// order.
    pub classes: Vec<(Vec<usize>, Portion)>,
}

/// A part of a distribution.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Portion {
    /// Inputs of the sample.
    pub count: usize,
    /// The share of the sample, from 0 to 1.
    pub share: f64,
    /// The bounds of the share in the whole distribution, with 95 % confidence.
    pub low: f64,
    pub high: f64,
    /// Whether the share is exact rather than estimated.
    pub is_exact: bool,
}

impl Share {
    /// Inputs about which nothing is proved.
    pub fn open(&self) -> Portion {
        let count = self.unknown.count + self.left.count;
        match (self.unknown.is_exact, self.left.is_exact) {
            (true, true) => Portion::exact(count, self.unknown.share + self.left.share),
            (true, false) if self.unknown.share == 0.0 => self.left,
            (false, true) if self.left.share == 0.0 => self.unknown,
            _ => self.portion(count),
        }
    }

    /// A part of the distribution that contains this many inputs of the sample.
    pub fn portion(&self, count: usize) -> Portion {
        if self.is_all {
            Portion::exact(count, count as f64 / self.samples.max(1) as f64)
        } else {
            Portion::estimated(count, self.samples)
        }
    }
}

impl Portion {
    /// Of a sample in which this many inputs are.
    pub(crate) fn estimated(count: usize, samples: usize) -> Portion {
        let (low, high) = wilson(count, samples);
        let share = count as f64 / samples.max(1) as f64;
        Portion { count, share, low, high, is_exact: false }
    }

    pub(crate) fn exact(count: usize, share: f64) -> Portion {
        Portion { count, share, low: share, high: share, is_exact: true }
    }
}

/// The interval of a share with this many of the samples.
fn wilson(count: usize, samples: usize) -> (f64, f64) {
    if samples == 0 {
        return (0.0, 1.0);
    }
    let (n, p) = (samples as f64, count as f64 / samples as f64);
    let square = QUANTILE * QUANTILE;
    let middle = (p + square / (2.0 * n)) / (1.0 + square / n);
    let spread = (p * (1.0 - p) / n + square / (4.0 * n * n)).sqrt();
    let half = QUANTILE / (1.0 + square / n) * spread;
    let low = if count == 0 { 0.0 } else { (middle - half).max(0.0) };
    let high = if count >= samples { 1.0 } else { (middle + half).min(1.0) };
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_those_of_wilson() {
        // Computed by hand: 10 of 20 are between 29.9 % and 70.1 %.
        let (low, high) = wilson(10, 20);
        assert!((low - 0.2993).abs() < 1e-4 && (high - 0.7007).abs() < 1e-4, "{low} {high}");
        let (low, high) = wilson(0, 2000);
        assert!(low == 0.0 && (high - 0.001_917).abs() < 1e-5, "{high}");
        assert_eq!(wilson(7, 7).1, 1.0);
        assert_eq!(wilson(0, 0), (0.0, 1.0));
    }
}
