//! What is proved, as a few lines of text.

use std::fmt::Write;

use effects::verify::{Portion, Share};

use super::{Proof, differs_when};
use crate::counting::{counted, grouped};

/// Characters of the bar.
const WIDTH: usize = 24;

/// The meter, the numbers behind it, and when the versions differ. Nothing if nothing is proved.
pub(crate) fn write(text: &mut String, proof: &Proof<'_>) {
    if proof.total() == 0 {
        return;
    }
    let uniform = &proof.shares.uniform;
    let _ = writeln!(text, "proved: {} {}", bar(uniform), meter(uniform));
    let _ = writeln!(text, "  by {}", partitions(proof));
    if let Some(tests) = &proof.shares.tests {
        let count = counted(tests.samples as u64, "given test", "given tests");
        let _ = writeln!(text, "  of {count}: {}", meter(tests));
    }
    if let Some(when) = proof.differs_when {
        let _ = writeln!(text, "  {}", differs_when(when));
    }
}

/// The same in one line.
pub(crate) fn line(proof: &Proof<'_>) -> String {
    let uniform = &proof.shares.uniform;
    let mut line = format!("proved {} by {}", meter(uniform), partitions(proof));
    if let Some(when) = proof.differs_when {
        let _ = write!(line, "; {}", differs_when(when));
    }
    line
}

/// `equal 71.2 % (69.2–73.1 %), different 3.1 % (2.4–4.0 %), open 25.7 % (23.8–27.7 %)`.
pub(crate) fn meter(share: &Share) -> String {
    let parts = [("equal", share.equal), ("different", share.different), ("open", share.open())];
    let parts: Vec<String> =
        parts.iter().map(|(name, portion)| format!("{name} {}", percent(portion))).collect();
    parts.join(", ")
}

/// A share with its interval, unless it is exact.
pub(crate) fn percent(portion: &Portion) -> String {
    let [share, low, high] = [portion.share, portion.low, portion.high].map(|part| 100.0 * part);
    if !portion.is_exact {
        format!("{share:.1} % ({low:.1}–{high:.1} %)")
    } else if share == 0.0 || share == 100.0 {
        format!("{share:.0} %")
    } else {
        format!("{share:.1} %")
    }
}

/// The number of partitions, and the source of the shares.
fn partitions(proof: &Proof<'_>) -> String {
    let counts = [
        (proof.counts.equal, "equal"),
        (proof.counts.different, "different"),
        (proof.counts.unknown, "unknown"),
    ];
    let known: Vec<String> = counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{} {what}", grouped(*count as u64)))
        .collect();
    let name = if proof.total() == 1 { "partition" } else { "partitions" };
    let rest = if proof.is_complete {
        "which cover the whole space".to_owned()
    } else {
        format!("{} left", counted(proof.left as u64, "part", "parts"))
    };
    let uniform = &proof.shares.uniform;
    let samples = match [uniform.equal, uniform.different, uniform.unknown, uniform.left] {
        all if all.iter().all(|portion| portion.is_exact) => String::new(),
        _ => format!("; shares are estimated from {} inputs", grouped(uniform.samples as u64)),
    };
    format!("{} {name}, {rest}{samples}", known.join(", "))
}

/// `[==============≠≠??······]`.
pub(crate) fn bar(share: &Share) -> String {
    let parts = [share.equal, share.different, share.unknown, share.left];
    // Every non-empty part is visible, however small.
    let length = |portion: &Portion| {
        if portion.is_exact && portion.share == 0.0 {
            0
        } else {
            ((portion.share * WIDTH as f64).round() as usize).max(1)
        }
    };
    let mut lengths = parts.each_ref().map(length);
    let largest = (0..lengths.len()).max_by_key(|&at| lengths[at]).unwrap_or(0);
    let others: usize = lengths.iter().sum::<usize>() - lengths[largest];
    lengths[largest] = WIDTH.saturating_sub(others);
    let signs = ['=', '≠', '?', '·'];
    let bar: String = signs
        .iter()
        .zip(lengths)
        .flat_map(|(&sign, length)| std::iter::repeat_n(sign, length))
        .collect();
    format!("[{bar}]")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn portion(share: f64) -> Portion {
        Portion { count: 0, share, low: share - 0.01, high: share + 0.01, is_exact: false }
    }

    #[test]
    fn a_bar_shows_even_small_shares() {
        let none = Portion { is_exact: true, ..Portion::default() };
        let (equal, left) = (portion(0.5), portion(0.499));
        let share =
            Share { equal, different: portion(0.001), unknown: none, left, ..Share::default() };
        assert_eq!(bar(&share), "[============≠···········]");
        let all = Portion { share: 1.0, ..none };
        let share = Share { equal: all, different: none, left: none, ..share };
        assert_eq!(bar(&share), "[========================]");
    }

    #[test]
    fn what_is_known_exactly_has_no_interval() {
        assert_eq!(percent(&portion(0.25)), "25.0 % (24.0–26.0 %)");
        let exact = Portion { share: 1.0, is_exact: true, ..Portion::default() };
        assert_eq!(percent(&exact), "100 %");
        assert_eq!(percent(&Portion { share: 0.25, ..exact }), "25.0 %");
    }
}
