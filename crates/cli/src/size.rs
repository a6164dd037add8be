//! Sizes in bytes: `4096`, `512K`, `512M`, `1.5G`, with or without `B` or `iB` after the unit.

/// Parses a size; units are powers of 1024.
pub fn parse(text: &str) -> Option<u64> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let unit = unit.to_ascii_uppercase();
    let shift = match unit.strip_suffix("IB").or(unit.strip_suffix('B')).unwrap_or(&unit) {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return None,
    };
    let bytes = number.parse::<f64>().ok()? * (1u64 << shift) as f64;
    (bytes < u64::MAX as f64).then_some(bytes as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        let cases = [
            ("4096", 4096),
            ("4096B", 4096),
            ("512K", 512 << 10),
            ("512M", 512 << 20),
            ("512MiB", 512 << 20),
            ("4g", 4 << 30),
            ("1.5G", 3 << 29),
            ("0", 0),
        ];
        for (text, expected) in cases {
            assert_eq!(parse(text), Some(expected), "{text}");
        }
        for text in ["", "M", "-1M", "3 G", "1X", "1.2.3M", "99999999999999T"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
