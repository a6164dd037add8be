//! Templates: substitutes operands, and splits the text into statements.

use super::Repeat;
use super::constraint::Bound;
use super::operand::evaluate;
use super::register::{Register, Size};

/// One instruction of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Statement {
    /// A `rep` before it; `lock` says nothing in a program of one thread.
    pub repeat: Option<Repeat>,
    pub mnemonic: String,
    pub operands: String,
}

/// Instructions that old assemblers do not know, as programs write them.
const ENCODINGS: [(&[u64], &str); 5] = [
    (&[0x0f, 0x01, 0xd0], "xgetbv"),
    (&[0x0f, 0x01, 0xf9], "rdtscp"),
    (&[0xf3, 0x90], "pause"),
    (&[0xf3, 0x0f, 0x1e, 0xfa], "endbr64"),
    (&[0x90], "nop"),
];

/// Whether a template does nothing that a single-threaded program can notice.
pub fn is_inert(template: &str) -> bool {
    statements(template).is_some_and(|list| list.iter().all(is_inert_statement))
}

pub(super) fn is_inert_statement(statement: &Statement) -> bool {
    match statement.mnemonic.as_str() {
        "nop" | "nopw" | "nopl" | "nopq" | "pause" => true,
        "mfence" | "lfence" | "sfence" | "cld" | "endbr64" => true,
        // Vector registers are not modelled, so nothing depends on their upper halves.
        "emms" | "vzeroupper" => true,
        other => other.starts_with("prefetch"),
    }
}

/// Zero added to the top of the stack: a way to order memory accesses. Expects expanded text, in
/// which `$0` is a constant.
pub(super) fn is_barrier(statement: &Statement) -> bool {
    let text: String = statement.operands.chars().filter(|c| !c.is_whitespace()).collect();
    let Some(place) = text.strip_prefix("$0,") else { return false };
    let stack = place.strip_suffix("(%rsp)").or_else(|| place.strip_suffix("(%esp)"));
    let offset = stack.is_some_and(|offset| offset.is_empty() || offset.parse::<i32>().is_ok());
    offset && matches!(statement.mnemonic.as_str(), "addl" | "addq" | "orl" | "orq")
}

/// The template with its operands written out, in the AT&T alternative.
pub(super) fn expand(template: &str, operands: &[Bound]) -> Option<String> {
    let mut text = String::with_capacity(2 * template.len());
    let mut rest = template;
    // Which alternative of `$(att$|intel$)` this is.
    let mut alternative = 0;
    while let Some(at) = rest.find('$') {
        let piece = &rest[..at];
        rest = &rest[at + 1..];
        let next = rest.chars().next()?;
        let mut put = |piece: &str| {
            if alternative == 0 {
                text.push_str(piece);
            }
        };
        put(piece);
        match next {
            '$' => put("$"),
            '(' => alternative = 0,
            '|' => alternative += 1,
            ')' => alternative = 0,
            '{' => {
                let end = rest.find('}')?;
                let (number, modifier) =
                    rest[1..end].split_once(':').unwrap_or((&rest[1..end], ""));
                put(&written(operands.get(number.parse::<usize>().ok()?)?, modifier)?);
                rest = &rest[end..];
            }
            _ => {
                let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
                put(&written(operands.get(rest[..digits].parse::<usize>().ok()?)?, "")?);
                rest = &rest[digits..];
                continue;
            }
        }
        rest = &rest[1..];
    }
    if alternative == 0 {
        text.push_str(rest);
    }
    Some(text)
}

fn written(operand: &Bound, modifier: &str) -> Option<String> {
    match *operand {
        Bound::Register { index, size } => {
            let (size, high) = match modifier {
                "" => (size, false),
                "b" => (Size::Byte, false),
                "h" => (Size::Byte, true),
                "w" => (Size::Word, false),
                "k" => (Size::Long, false),
                "q" => (Size::Quad, false),
                "a" => return Some(format!("(%{})", Register::new(index, Size::Quad).name())),
                "z" => return Some(size.suffix().to_string()),
                _ => return None,
            };
            Some(format!("%{}", Register { index, size, high }.name()))
        }
        Bound::Memory { address } => {
            let address = Register::new(address, Size::Quad).name();
            match modifier {
                "" | "b" | "w" | "k" | "q" | "P" => Some(format!("(%{address})")),
                "H" => Some(format!("8(%{address})")),
                _ => None,
            }
        }
        Bound::Constant { value, size } => match modifier {
            "" | "b" | "h" | "w" | "k" | "q" => Some(format!("${value}")),
            "c" | "P" | "a" => Some(value.to_string()),
            "n" => Some(value.wrapping_neg().to_string()),
            "z" => Some(size.suffix().to_string()),
            _ => None,
        },
        Bound::Flag => None,
    }
}

/// The instructions of a text, without comments, labels and directives that emit nothing.
pub(super) fn statements(text: &str) -> Option<Vec<Statement>> {
    let text = without_block_comments(text)?;
    let mut reader = Reader::default();
    for line in text.lines() {
        let code = line.split('#').next().unwrap_or_default();
        for piece in code.split(';') {
            reader.statement(piece)?;
        }
    }
    // A prefix is part of the instruction that follows.
    reader.prefix.is_none().then_some(reader.statements)
}

fn without_block_comments(text: &str) -> Option<String> {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, comment)) = rest.split_once("/*") {
        kept.push_str(before);
        kept.push(' ');
        rest = comment.split_once("*/")?.1;
    }
    kept.push_str(rest);
    Some(kept)
}

#[derive(Default)]
struct Reader {
    statements: Vec<Statement>,
    prefix: Option<Prefix>,
    /// Between `.pushsection` and `.popsection`: nothing there is executed in place.
    elsewhere: bool,
    intel: bool,
}

#[derive(Clone, Copy)]
enum Prefix {
    Lock,
    Repeat(Repeat),
}

impl Reader {
    fn statement(&mut self, text: &str) -> Option<()> {
        let text = without_labels(text);
        if text.is_empty() {
            return Some(());
        }
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        if word.starts_with('.') {
            return self.directive(word, rest);
        }
        if self.elsewhere {
            return Some(());
        }
        let word = word.to_ascii_lowercase();
        if let Some(prefix) = prefix(&word) {
            self.prefix = Some(prefix);
            return self.statement(rest);
        }
        self.push(word, rest.trim())
    }

    fn push(&mut self, mnemonic: String, operands: &str) -> Option<()> {
        if self.intel && !operands.is_empty() {
            return None;
        }
        let repeat = match self.prefix.take() {
            Some(Prefix::Repeat(repeat)) => Some(repeat),
            Some(Prefix::Lock) | None => None,
        };
        self.statements.push(Statement { repeat, mnemonic, operands: operands.to_owned() });
        Some(())
    }

    fn directive(&mut self, name: &str, operands: &str) -> Option<()> {
        match name {
            ".pushsection" | ".section" => self.elsewhere = true,
            ".popsection" | ".previous" | ".text" => self.elsewhere = false,
            _ if self.elsewhere => {}
            ".intel_syntax" => self.intel = true,
            ".att_syntax" => self.intel = false,
            ".align" | ".balign" | ".p2align" | ".loc" | ".file" | ".ident" => {}
            ".globl" | ".global" | ".local" | ".hidden" | ".weak" | ".type" | ".size"
            | ".symver" => {}
            ".byte" => {
                let bytes: Option<Vec<u64>> =
                    operands.split(',').map(|byte| Some(evaluate(byte)? as u64)).collect();
                let bytes = bytes?;
                let (_, name) = ENCODINGS.iter().find(|(known, _)| **known == bytes)?;
                return self.push((*name).to_owned(), "");
            }
            _ if name.starts_with(".cfi_") => {}
            _ => return None,
        }
        Some(())
    }
}

fn prefix(word: &str) -> Option<Prefix> {
    match word {
        "lock" => Some(Prefix::Lock),
        "rep" | "repe" | "repz" => Some(Prefix::Repeat(Repeat::WhileEqual)),
        "repne" | "repnz" => Some(Prefix::Repeat(Repeat::WhileDifferent)),
        _ => None,
    }
}

fn without_labels(text: &str) -> &str {
    let mut text = text.trim();
    while let Some((label, rest)) = text.split_once(':') {
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
        if label.is_empty() || !label.chars().all(is_name) {
            break;
        }
        text = rest.trim_start();
    }
    text
}
