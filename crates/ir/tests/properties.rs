//! Whatever text is given: no panic, and what can be read prints to what reads the same.

use base::Random;
use ripple_ir::{link, parse, print_statements, statements, verify};

fn sources() -> Vec<String> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut texts = vec![include_str!("texts/everything.rir").to_owned()];
    for kind in ["link", "parse", "promote", "statements", "verify"] {
        let entries = std::fs::read_dir(root.join("files").join(kind)).expect("it exists");
        let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            let text = std::fs::read_to_string(path).expect("the file can be read");
            let input = text.split("; gives\n").next().unwrap_or_default();
            texts.extend(
                input.split("; with\n").flat_map(|m| m.split("; archive\n")).map(str::to_owned),
            );
        }
    }
    texts
}

/// Splits into words and the text between them.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut in_word = false;
    for (at, character) in text.char_indices() {
        let is_word = character.is_alphanumeric();
        if is_word != in_word || !is_word {
            pieces.push(&text[start..at]);
            start = at;
            in_word = is_word;
        }
    }
    pieces.push(&text[start..]);
    pieces
}

/// Deletes, repeats, swaps or replaces a few pieces, the latter by those of other texts.
fn mutate(text: &str, pool: &[&str], random: &mut Random) -> String {
    let mut pieces = pieces(text);
    for _ in 0..1 + random.below(3) {
        let at = random.below(pieces.len());
        match random.below(4) {
            0 => {
                pieces.remove(at);
            }
            1 => pieces.insert(at, pieces[at]),
            2 => {
                let other = random.below(pieces.len());
                pieces.swap(at, other);
            }
            _ => pieces[at] = pool[random.below(pool.len())],
        }
    }
    pieces.concat()
}

fn check(text: &str) -> bool {
    let Ok(mut module) = parse(text) else { return false };
    let printed = module.to_string();
    let again = match parse(&printed) {
        Ok(again) => again,
        Err(error) => panic!("{error} in\n{printed}\nwhich came from\n{text}"),
    };
    assert_eq!(again.to_string(), printed);
    verify(&module);
    statements::assign(&mut module);
    print_statements(&module, &mut String::new()).expect("a string takes all text");
    if let Ok(linked) = link(vec![again, module]) {
        let printed = linked.to_string();
        let again = parse(&printed).expect("what is printed can be read");
        assert_eq!(again.to_string(), printed);
    }
    true
}

#[test]
fn what_can_be_read_prints_to_what_reads_the_same() {
    let read = sources().iter().filter(|text| check(text)).count();
    assert!(read > 40, "only {read} texts could be read");
}

#[test]
fn mutated_text_never_panics_and_round_trips_if_it_can_be_read() {
    let sources = sources();
    let pool: Vec<&str> = sources.iter().flat_map(|text| pieces(text)).collect();
    let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
    let mut readable = 0;
    for _ in 0..20_000 {
        let text = &sources[random.below(sources.len())];
        readable += usize::from(check(&mutate(text, &pool, &mut random)));
    }
    assert!(readable > 1_000, "only {readable} mutated texts could be read");
}
