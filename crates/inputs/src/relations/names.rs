//! What the names of parameters and members suggest.

/// How reliable a name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strength {
    /// It can hardly mean anything else.
    Sure,
    /// The code must confirm it.
    Perhaps,
}

/// Whether a name suggests a length.
pub(super) fn length(name: &str) -> Option<Strength> {
    let words = words(name);
    let (first, last) = (words.first()?.as_str(), words.last()?.as_str());
    let is_sure = matches!(last, "len" | "length" | "size" | "sz" | "nbytes" | "nmemb" | "nelem")
        || matches!(last, "nelems" | "nitems")
        || last.ends_with("len") && last.len() <= 8
        || last.ends_with("length")
        || last.ends_with("size") && last != "resize";
    let may_be = matches!(last, "n" | "count" | "cnt" | "num" | "nr" | "used" | "total" | "max")
        || matches!(last, "limit" | "left" | "avail" | "remaining" | "bytes" | "filled" | "number")
        || matches!(first, "n" | "num" | "nr")
        || last.ends_with("count")
        || last.ends_with("cnt");
    match (is_sure, may_be) {
        (true, _) => Some(Strength::Sure),
        (false, true) => Some(Strength::Perhaps),
        (false, false) => None,
    }
}

/// Whether a name suggests a capacity.
pub(super) fn is_capacity(name: &str) -> bool {
    words(name).iter().any(|word| {
        matches!(word.as_str(), "cap" | "capacity" | "alloc" | "allocated" | "alloced" | "room")
            || matches!(word.as_str(), "reserved" | "max" | "maxlen" | "maxsize" | "bufsize")
    })
}

/// Whether a name suggests the end of a range.
pub(super) fn ends(name: &str) -> Option<Strength> {
    let words = words(name);
    let (first, last) = (words.first()?.as_str(), words.last()?.as_str());
    let is_end = |word: &str| matches!(word, "end" | "stop" | "limit" | "lim" | "endp" | "finish");
    if is_end(last) || is_end(first) || last.ends_with("end") && last.len() <= 6 {
        return Some(Strength::Sure);
    }
    matches!(last, "last" | "e" | "eof" | "tail" | "high" | "hi" | "to")
        .then_some(Strength::Perhaps)
}

/// Whether a name suggests the beginning of a range.
pub(super) fn is_begin(name: &str) -> bool {
    words(name).iter().any(|word| {
        matches!(word.as_str(), "begin" | "start" | "beg" | "base" | "first" | "buf" | "buffer")
            || matches!(word.as_str(), "data" | "src" | "from" | "low" | "lo")
    })
}

/// Whether a name suggests a position in a range.
pub(super) fn is_cursor(name: &str) -> bool {
    words(name).iter().any(|word| {
        matches!(word.as_str(), "cur" | "current" | "cursor" | "pos" | "ptr" | "p" | "here")
    })
}

/// Whether a name suggests several elements.
pub(super) fn is_array(name: &str) -> bool {
    words(name).iter().any(|word| {
        let word = word.as_str();
        matches!(word, "data" | "buf" | "buffer" | "array" | "arr" | "vec" | "base" | "ptr")
            || matches!(word, "mem" | "memory" | "list" | "table" | "stack" | "str" | "text" | "s")
            || matches!(
                word,
                "v" | "a" | "d" | "p" | "b" | "storage" | "content" | "heap" | "queue"
            )
            || word.len() > 3 && word.ends_with('s') && !word.ends_with("ss")
    })
}

/// Whether the name of a number is derived from that of a pointer: `src_len`, `nitems`, `bufsize`.
pub(super) fn names_it(number: &str, pointer: &str) -> bool {
    let (number, pointer) = (number.to_ascii_lowercase(), pointer.to_ascii_lowercase());
    let single = pointer.strip_suffix('s').filter(|single| single.len() > 1).unwrap_or(&pointer);
    let begins = |stem: &str| {
        stem.len() > 1
            && (number.starts_with(stem)
                || number
                    .strip_prefix('n')
                    .is_some_and(|rest| rest.trim_start_matches('_') == stem)
                || number.strip_prefix("num").is_some_and(|rest| rest.contains(stem)))
    };
    begins(&pointer)
        || begins(single)
        || number.starts_with(&format!("{pointer}_"))
        || number == format!("{pointer}len")
}

/// The words of a name in lower case: `src_len`, `srcLen`.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for letter in name.chars() {
        let starts = letter == '_' || letter.is_ascii_uppercase() && was_lower;
        if starts && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        was_lower = letter.is_ascii_lowercase() || letter.is_ascii_digit();
        if let (true, Some(word)) = (letter != '_', words.last_mut()) {
            word.push(letter.to_ascii_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_known_by_their_names() {
        for name in ["len", "buf_len", "srclen", "dataSize", "nmemb", "length"] {
            assert_eq!(length(name), Some(Strength::Sure), "{name}");
        }
        for name in ["n", "count", "nItems", "num_cells", "max"] {
            assert!(length(name).is_some(), "{name}");
        }
        for name in ["x", "resize", "flags", "key", "name"] {
            assert_eq!(length(name), None, "{name}");
        }
        assert!(names_it("nitems", "items") && names_it("buf_size", "buf"));
        assert!(names_it("item_count", "items") && !names_it("count", "name"));
    }

    #[test]
    fn ends_are_known_by_their_names() {
        for name in ["end", "bufend", "src_end", "limit", "stop"] {
            assert_eq!(ends(name), Some(Strength::Sure), "{name}");
        }
        assert_eq!(ends("last"), Some(Strength::Perhaps));
        assert_eq!(ends("dst"), None);
    }
}
