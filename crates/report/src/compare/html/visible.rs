//! Untrusted bytes as markup: everything is shown, nothing is interpreted.
//!
//! The template library escapes tags. Characters without a shape of their own (controls, marks of
//! direction, bytes that are not UTF-8) are shown by name in an element of their own, and long
//! texts are cut, with the number of missing bytes.

use maud::{Markup, PreEscaped, html};

use crate::counting::counted;
use crate::printable::is_plain;

/// Text with newlines and tabs as they are, at most this many bytes of it.
pub fn text(bytes: &[u8], most: usize) -> Markup {
    let (kept, left) = cut(bytes, most);
    html! {
        (runs(kept))
        @if left > 0 { (missing(left)) }
    }
}

/// The note for a cut.
pub fn missing(bytes: usize) -> Markup {
    html! { i.cut { "… " (counted(bytes as u64, "more byte", "more bytes")) } }
}

/// The beginning of a text and the number of bytes after it. Does not split characters.
pub fn cut(bytes: &[u8], most: usize) -> (&[u8], usize) {
    if bytes.len() <= most {
        return (bytes, 0);
    }
    let is_inside = |&at: &usize| bytes[at] & 0xc0 == 0x80;
    let mut end = most;
    while end > most.saturating_sub(3) && is_inside(&end) {
        end -= 1;
    }
    (&bytes[..end], bytes.len() - end)
}

/// Plain text verbatim, everything else by name.
pub fn runs(bytes: &[u8]) -> Markup {
    let mut markup = String::with_capacity(bytes.len() + 16);
    for chunk in bytes.utf8_chunks() {
        let mut plain = String::new();
        for character in chunk.valid().chars() {
            match character {
                '\n' | '\t' => plain.push(character),
                character if is_plain(character) => plain.push(character),
                character => {
                    push(&mut markup, &plain, &name(character));
                    plain.clear();
                }
            }
        }
        let invalid: String = chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")).collect();
        push(&mut markup, &plain, &invalid);
    }
    PreEscaped(markup)
}

fn push(markup: &mut String, plain: &str, named: &str) {
    let part = html! {
        (plain)
        @if !named.is_empty() { i.c { (named) } }
    };
    markup.push_str(&part.0);
}

/// A character without a shape, as C and Rust write it.
fn name(character: char) -> String {
    match character {
        '\r' => "\\r".to_owned(),
        character if character.is_ascii() => format!("\\x{:02x}", u32::from(character)),
        character => character.escape_unicode().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_hostile_is_left() {
        let shown = text(b"<script>\x1b[31m\0\xff\xe2\x80\xae\"&\x7f", 1000).0;
        assert_eq!(
            shown,
            "&lt;script&gt;<i class=\"c\">\\x1b</i>[31m<i class=\"c\">\\x00</i><i class=\"c\">\\xff</i>\
             <i class=\"c\">\\u{202e}</i>&quot;&amp;<i class=\"c\">\\x7f</i>"
        );
    }

    #[test]
    fn what_is_cut_is_counted() {
        assert_eq!(text("aü".as_bytes(), 2).0, "a<i class=\"cut\">… 2 more bytes</i>");
        let long = vec![b'x'; 100_000_000];
        let shown = text(&long, 10).0;
        assert_eq!(shown, "xxxxxxxxxx<i class=\"cut\">… 99,999,990 more bytes</i>");
    }
}
