//! Broken texts: whatever is cut off or garbled, reading ends with a module or an error.
//!
//! The fuzz target `read_ir` does the same without end; here the number is bounded.

use std::path::PathBuf;

use base::Random;

/// The texts of the file tests, without what they give.
fn texts() -> Vec<Vec<u8>> {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/files");
    let entries = std::fs::read_dir(directory).expect("the directory of the cases exists");
    let mut files: Vec<PathBuf> =
        entries.map(|entry| entry.expect("an entry of the directory").path()).collect();
    files.sort();
    let text = |path| {
        let text = std::fs::read_to_string(path).expect("a case is text");
        let input = text.split("; gives\n").next().unwrap_or_default();
        input.as_bytes().to_vec()
    };
    files.iter().map(text).collect()
}

/// Reads, and uses the module in every way that a damaged one could upset.
fn survive(text: &[u8]) {
    if let Ok(read) = ripple_llvm::read("broken.ll", text) {
        ir::verify(&read.module);
        let _ = read.module.to_string();
    }
}

fn mutate(text: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    const PIECES: &[&str] = &[
        "4294967295",
        "-1",
        "18446744073709551616",
        "0",
        "}",
        "{",
        "(",
        "[",
        "<",
        "\"",
        "\n",
        "%",
        "@",
        "!",
        "ptr",
        "i32",
        "i8388608",
        "i128",
        "label",
        "zeroinitializer",
        "undef",
        "...",
        "<4 x i32>",
        "[9999999999999 x i8]",
        "\\00",
        "\u{7f}",
        "!dbg !0",
        "distinct",
        ",",
        "*",
        "splat (i8 1)",
        "void",
        "c\"\"",
        "= type",
        "x86_fp80",
        "null",
    ];
    let at = random.below(text.len());
    let length = random.below(24).min(text.len() - at);
    match random.below(6) {
        0 => text[at] = random.below(256) as u8,
        1 => drop(text.drain(at..at + length)),
        2 => {
            let piece = text[at..at + length].to_vec();
            let target = random.below(text.len());
            text.splice(target..target, piece);
        }
        3 => {
            let piece = PIECES[random.below(PIECES.len())];
            let word = text[at..].iter().position(|byte| !byte.is_ascii_alphanumeric());
            text.splice(at..at + word.unwrap_or(0), piece.bytes());
        }
        4 => {
            let from = random.below(other.len());
            let piece = &other[from..(from + length * 4).min(other.len())];
            text.splice(at..at + length, piece.iter().copied());
        }
        _ => {
            let piece = PIECES[random.below(PIECES.len())];
            text.splice(at..at, piece.bytes());
        }
    }
}

#[test]
fn a_text_cut_off_anywhere_is_survived() {
    for text in texts() {
        for end in (0..text.len()).step_by(5) {
            survive(&text[..end]);
        }
    }
}

#[test]
fn a_garbled_text_is_survived() {
    let texts = texts();
    let mut random = Random::new(0x9E37_79B9_7F4A_7C15);
    for _ in 0..15_000 {
        let mut text = texts[random.below(texts.len())].clone();
        let other = &texts[random.below(texts.len())];
        for _ in 0..1 + random.below(4) {
            if !text.is_empty() {
                mutate(&mut text, other, &mut random);
            }
        }
        survive(&text);
    }
}

/// Texts that nest, repeat or refer in ways that could cost far more than their size.
#[test]
fn hostile_texts_cost_no_more_than_their_size() {
    let repeat = |piece: &str, count: usize| piece.repeat(count);
    let chain: String = (0..20_000)
        .map(|n| format!("!{n} = !DILocation(line: 1, scope: !{n}, inlinedAt: !{})\n", n + 1))
        .collect();
    let blocks: String = (0..20_000)
        .map(|n| format!("!{n} = !DILexicalBlock(scope: !{}, file: !1)\n", n + 1))
        .collect();
    let types: String =
        (0..20_000).map(|n| format!("%t{n} = type {{ %t{0}, %t{0} }}\n", n + 1)).collect();
    let aliases: String =
        (0..20_000).map(|n| format!("@a{n} = alias i8, ptr @a{}\n", n + 1)).collect();
    let doubling: String = (0..300)
        .map(|n| format!("@a{n} = alias i8, ptr select (i1 true, ptr @a{0}, ptr @a{0})\n", n + 1))
        .collect();
    let hostile = [
        repeat("define void @f(", 50_000),
        repeat("define\n", 100_000),
        repeat("define void @f() {\n", 20_000),
        repeat("@x = (\n", 50_000),
        repeat("%x = type {\n", 50_000) + "@g = global %x undef",
        format!("@g = global {}", repeat("[1 x ", 100_000)),
        format!("@g = global {}", repeat("{ ", 100_000)),
        format!("@g = global i8* {}", repeat("getelementptr (i8, i8* ", 50_000)),
        format!("@g = global i32 {}", repeat("add (i32 1, i32 ", 50_000)),
        format!(
            "@g = global <1000000 x i8> splat (i8 1)\n{}",
            repeat("@h = global <1000000 x i8> splat (i8 1)\n", 1)
        ),
        format!(
            "define void @f() {{\n{}}}\n",
            repeat("  %4000 = add <1048576 x i8> splat (i8 1), splat (i8 2)\n", 2000)
        ),
        format!("define void @f() !dbg !0 {{\n  ret void, !dbg !0\n}}\n{chain}"),
        format!(
            "define void @f() !dbg !0 {{\n  ret void, !dbg !0\n}}\n!0 = !DILocation(scope: !2)\n{}",
            blocks.replace("!0 = ", "!99999 = ")
        ),
        format!("{types}@g = global %t0 undef\n"),
        format!("{aliases}@g = global ptr @a0\n"),
        format!("{doubling}@g = global ptr @a0\n"),
        format!(
            "define void @f() {{\n  %999999999 = add i32 1, 2\n  ret void\n}}\n{}",
            repeat("!0 = !{}\n", 100_000)
        ),
        repeat("\"", 100_000),
        format!("define void @f() {{\n{}", repeat("call void @f(metadata (", 50_000)),
    ];
    for text in &hostile {
        survive(text.as_bytes());
    }
}
