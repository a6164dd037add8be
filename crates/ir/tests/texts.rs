//! The text form round-trips, and wrong text gives an error with its line.

use ripple_ir::parse;

const EVERYTHING: &str = include_str!("texts/everything.rir");

fn without_comments(text: &str) -> String {
    text.lines().filter(|line| !line.starts_with(';')).map(|line| format!("{line}\n")).collect()
}

#[test]
fn every_construct_is_printed_as_it_was_read() {
    let module = parse(EVERYTHING).unwrap();
    assert_eq!(module.to_string(), without_comments(EVERYTHING));
}

#[test]
fn text_that_was_cut_anywhere_gives_an_error_and_no_panic() {
    let all = without_comments(EVERYTHING);
    for (at, _) in all.char_indices() {
        let _ = parse(&all[..at]);
    }
}
