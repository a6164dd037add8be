//! The text form round-trips, and wrong text gives an error with its line.

use ripple_ir::{Global, Linkage, Module, Span, Type, Types, parse};

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
fn text_that_was_cut_anywhere_gives_an_error_with_its_line_or_what_is_left() {
    let all = without_comments(EVERYTHING);
    let (mut whole, mut errors) = (0, 0);
    for (at, _) in all.char_indices() {
        let text = &all[..at];
        match parse(text) {
            Ok(module) => {
                let printed = module.to_string();
                let again = parse(&printed).map(|module| module.to_string());
                assert_eq!(again.as_deref(), Ok(&*printed), "{text}");
                whole += 1;
            }
            Err(error) => {
                let lines = text.lines().count() as u32;
                assert!((1..=lines + 1).contains(&error.line), "{error} in {lines} lines");
                errors += 1;
            }
        }
    }
    assert!(whole > 50 && errors > whole, "{whole} texts without an error, {errors} with one");
}

#[test]
fn a_type_that_doubles_sixty_times_has_a_short_text() {
    let mut module = Module::default();
    let mut ty = Types::I32;
    for _ in 0..60 {
        ty = module.types.intern(Type::Struct { fields: [ty, ty].into(), packed: false });
    }
    module.globals.push(Global {
        name: "huge".to_owned(),
        linkage: Linkage::External,
        ty,
        align: 4,
        constant: false,
        thread_local: false,
        init: None,
        source_name: None,
        debug_type: None,
        span: Span::NONE,
    });
    let text = module.to_string();
    assert!(text.len() < 10_000);
    assert_eq!(parse(&text).unwrap().to_string(), text);
}
