//! The reports of sanitizers, verbatim but without addresses.

use exec::undefined::UndefinedKind;
use source::Sanitizer;

/// The report of the memory sanitizer about an uninitialised value.
const UNINITIALISED: &str = "MemorySanitizer: use-of-uninitialized-value";

/// What the address sanitizer found, without the addresses.
pub(crate) fn address_complaint(said: &str) -> Option<String> {
    let name = "AddressSanitizer: ";
    let start = said.find(name)?;
    let line = said[start..].lines().next()?;
    let what = line[name.len()..].split(" on ").next()?.trim();
    Some(format!("AddressSanitizer: {what}"))
}

/// The first report of a build with sanitizers: memory, or else undefined behaviour.
pub(crate) fn first_complaint(said: &str) -> Option<String> {
    address_complaint(said).or_else(|| undefined_complaint(said, |_| true))
}

/// The first report of a sanitizer about a kind, without addresses.
pub(crate) fn complaint_of(said: &str, kind: UndefinedKind) -> Option<String> {
    if kind == UndefinedKind::Uninitialised {
        return said.contains(UNINITIALISED).then(|| UNINITIALISED.to_owned());
    }
    let says = |what: &str| match kind {
        UndefinedKind::Overflow => {
            what.starts_with("signed integer overflow: ") || what.starts_with("negation of ")
        }
        UndefinedKind::Shift => what.starts_with("shift exponent "),
        UndefinedKind::Conversion => what.contains("is outside the range of representable values"),
        // The next standard allows to add nothing to null, and it is harmless.
        UndefinedKind::Null => {
            what.contains("null pointer") && !what.starts_with("applying zero offset")
        }
        UndefinedKind::Alignment => what.contains("misaligned address"),
        UndefinedKind::Uninitialised => false,
    };
    let complaints = said.lines().filter_map(|text| text.split_once(": runtime error: "));
    let what = complaints.map(|(_, what)| what).find(|what| says(what))?;
    let what = what.split(";").next().unwrap_or(what);
    let words: Vec<&str> = what.split_whitespace().filter(|word| !word.starts_with("0x")).collect();
    Some(format!("UndefinedBehaviorSanitizer: {}", words.join(" ")))
}

/// The report of the undefined behaviour sanitizer for one of these lines.
pub(crate) fn complaint_at(said: &str, lines: &[u32]) -> Option<String> {
    undefined_complaint(said, |line| lines.contains(&line))
}

fn undefined_complaint(said: &str, is_wanted: impl Fn(u32) -> bool) -> Option<String> {
    said.lines().find_map(|text| {
        let (place, what) = text.split_once(": runtime error: ")?;
        let mut parts = place.rsplit(':');
        let (_column, line) = (parts.next()?, parts.next()?);
        let line: u32 = line.parse().ok()?;
        let what = what.split(" 0x").next()?.trim();
        is_wanted(line).then(|| format!("UndefinedBehaviorSanitizer: {what}"))
    })
}

/// The sanitizer that detects operations of a kind.
pub(crate) fn sanitizer_of(kind: UndefinedKind) -> Sanitizer {
    match kind {
        UndefinedKind::Uninitialised => Sanitizer::Memory,
        _ => Sanitizer::Behaviour,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complaints_are_told_without_addresses() {
        let said = "=====\n==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x6 at\n";
        let told = "AddressSanitizer: heap-buffer-overflow";
        assert_eq!(address_complaint(said).as_deref(), Some(told));
        assert_eq!(address_complaint("all is well"), None);
    }

    #[test]
    fn complaints_are_told_apart_by_their_kind() {
        let said = "a.c:3:50: runtime error: shift exponent 35 is too large for 32-bit type 'int'\n\
            a.c:4:6: runtime error: left shift of negative value -1\n\
            a.c:5:7: runtime error: negation of -2147483648 cannot be represented in type 'int'; \
            cast to an unsigned type to negate this value to itself\n";
        let shift =
            "UndefinedBehaviorSanitizer: shift exponent 35 is too large for 32-bit type 'int'";
        assert_eq!(complaint_of(said, UndefinedKind::Shift).as_deref(), Some(shift));
        let overflow = "UndefinedBehaviorSanitizer: negation of -2147483648 cannot be represented in \
            type 'int'";
        assert_eq!(complaint_of(said, UndefinedKind::Overflow).as_deref(), Some(overflow));
        assert_eq!(complaint_of(said, UndefinedKind::Conversion), None);
        let said = "a.c:7:9: runtime error: applying zero offset to null pointer\n\
            a.c:8:9: runtime error: load of misaligned address 0x6020 for type 'int', which \
            requires 4 byte alignment\n";
        assert_eq!(complaint_of(said, UndefinedKind::Null), None);
        let misaligned = "UndefinedBehaviorSanitizer: load of misaligned address for type 'int', \
            which requires 4 byte alignment";
        assert_eq!(complaint_of(said, UndefinedKind::Alignment).as_deref(), Some(misaligned));
        let said = "==7==WARNING: MemorySanitizer: use-of-uninitialized-value\n    #0 0x5 in f\n";
        assert_eq!(
            complaint_of(said, UndefinedKind::Uninitialised).as_deref(),
            Some(UNINITIALISED)
        );
        assert_eq!(complaint_of(said, UndefinedKind::Null), None);
    }

    #[test]
    fn complaints_about_other_places_do_not_count() {
        let said = "a.c:3:9: runtime error: index 7 out of bounds for type 'int [4]'\n";
        let told = "UndefinedBehaviorSanitizer: index 7 out of bounds for type 'int [4]'";
        assert_eq!(complaint_at(said, &[9, 3]).as_deref(), Some(told));
        assert_eq!(complaint_at(said, &[4]), None);
    }
}
