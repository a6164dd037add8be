//! Tokens of source text: what the parsers read instead of characters.
//!
//! A token has a place in the text and no meaning. Comments and white space are not tokens.

use std::ops::Range;

/// The kind of a token, as far as statement structure is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An identifier or a keyword.
    Word,
    Number,
    /// A string, a character, a template or a regular expression.
    Text,
    /// A single character such as `{` or `;`.
    Punct(u8),
    /// `->`
    Arrow,
    /// `=>`
    FatArrow,
    /// `::`
    Path,
    /// `&&`
    And,
    /// `||`
    Or,
    /// Any other operator of several characters.
    Operator,
    /// A preprocessor line, with its continuations; or a part that it leaves out.
    Directive,
    /// `#if` before parts that are complete statements.
    GroupStart,
    /// `#elif` or `#else` between such parts.
    GroupAlternative,
    /// `#endif` after such parts.
    GroupEnd,
    /// The end of a logical line, where it is significant.
    Newline,
    /// The beginning of an indented block.
    Indent,
    /// The end of an indented block.
    Dedent,
}

/// A piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: Kind,
    pub start: u32,
    pub end: u32,
    /// Of its first character, counted from 1.
    pub line: u32,
}

impl Token {
    pub fn text<'t>(&self, source: &'t str) -> &'t str {
        source.get(self.start as usize..self.end as usize).unwrap_or_default()
    }

    pub fn is(&self, punct: u8) -> bool {
        self.kind == Kind::Punct(punct)
    }

    pub fn is_group_mark(&self) -> bool {
        matches!(self.kind, Kind::GroupStart | Kind::GroupAlternative | Kind::GroupEnd)
    }
}

/// The partner of every bracket: an index into the tokens, or `NONE` for one without a partner
/// and for tokens that are no brackets.
#[derive(Clone, Debug, Default)]
pub struct Brackets {
    partner: Vec<u32>,
    /// Brackets without a partner.
    pub strays: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Brackets {
    /// Pairs brackets. A closing brace ends all open parentheses inside of its braces; a closing
    /// parenthesis without a partner within the innermost braces is a stray.
    pub fn of(tokens: &[Token]) -> Brackets {
        let mut partner = vec![NONE; tokens.len()];
        let mut strays = Vec::new();
        let mut open: Vec<(u8, u32)> = Vec::new();
        for (index, token) in tokens.iter().enumerate() {
            let Kind::Punct(punct) = token.kind else { continue };
            let index = index as u32;
            match punct {
                b'(' | b'[' | b'{' => open.push((punct, index)),
                b')' | b']' => {
                    let wanted = if punct == b')' { b'(' } else { b'[' };
                    let inner = open.iter().rposition(|(p, _)| *p == b'{').map_or(0, |at| at + 1);
                    match open[inner..].iter().rposition(|(p, _)| *p == wanted) {
                        Some(at) => {
                            strays.extend(open.drain(inner + at + 1..).map(|(_, i)| i));
                            let (_, start) = open.pop().unwrap_or((0, index));
                            partner[start as usize] = index;
                            partner[index as usize] = start;
                        }
                        None => strays.push(index),
                    }
                }
                b'}' => match open.iter().rposition(|(p, _)| *p == b'{') {
                    Some(at) => {
                        strays.extend(open.drain(at + 1..).map(|(_, i)| i));
                        let (_, start) = open.pop().unwrap_or((0, index));
                        partner[start as usize] = index;
                        partner[index as usize] = start;
                    }
                    None => strays.push(index),
                },
                _ => {}
            }
        }
        strays.extend(open.into_iter().map(|(_, i)| i));
        strays.sort_unstable();
        Brackets { partner, strays }
    }

    pub fn partner(&self, index: usize) -> Option<usize> {
        match self.partner.get(index) {
            Some(&NONE) | None => None,
            Some(&partner) => Some(partner as usize),
        }
    }

    /// Whether a bracket without a partner lies in the range.
    pub fn has_stray(&self, range: &Range<usize>) -> bool {
        let at = self.strays.partition_point(|&i| (i as usize) < range.start);
        self.strays.get(at).is_some_and(|&i| (i as usize) < range.end)
    }
}
