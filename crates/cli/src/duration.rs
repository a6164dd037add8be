//! Durations: `30s`, `500ms`, `1.5m`, `2h`, or plain seconds.

use std::time::Duration;

/// The largest duration: some thousand years.
const MOST_SECONDS: f64 = 1e11;

/// Parses a duration.
pub fn parse(text: &str) -> Option<Duration> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let seconds = match unit {
        "" | "s" => 1.0,
        "ms" => 1e-3,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return None,
    };
    let number: f64 = number.parse().ok()?;
    let total = number * seconds;
    (total <= MOST_SECONDS).then(|| Duration::from_secs_f64(total))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        let milliseconds = |text| parse(text).map(|time: Duration| time.as_millis());
        let cases = [
            ("30s", 30_000),
            ("30", 30_000),
            ("500ms", 500),
            ("1.5m", 90_000),
            ("2min", 120_000),
            ("1h", 3_600_000),
            ("0", 0),
        ];
        for (text, expected) in cases {
            assert_eq!(milliseconds(text), Some(expected), "{text}");
        }
        for text in ["", "s", "-1s", "3 s", "1d", "1e5", "1.2.3s", "99999999999999h"] {
            assert_eq!(milliseconds(text), None, "{text}");
        }
    }
}
