//! The labels of a body in the order of the text, found without reading the instructions.

use std::ops::Range;

use base::entity::EntityRef;
use ir::BlockId;
use rustc_hash::FxHashMap;

use crate::cursor::Cursor;

#[derive(Default)]
pub(crate) struct Labels<'t> {
    pub by_name: FxHashMap<&'t [u8], BlockId>,
    /// The name of each block; the entry block may have none.
    pub names: Vec<Option<&'t [u8]>>,
}

/// Labels stand at the beginning of their line. Others, as in hand-written text, are not found
/// here; the body's reader adds their blocks at the end.
pub(crate) fn labels(text: &[u8], body: Range<usize>) -> Labels<'_> {
    let mut labels = Labels::default();
    let mut c = Cursor::new(&text[..body.end], body.start);
    // What follows the opening brace on its line is no label.
    if c.byte() != b'\n' {
        let mut rest = c;
        rest.inline_space();
        if !matches!(rest.byte(), b'\n' | b'\r' | b';') {
            labels.names.push(None);
        }
    }
    loop {
        c.next_line();
        if c.is_end() {
            break;
        }
        let first = c.byte();
        if matches!(first, b' ' | b'\t') {
            if labels.names.is_empty() {
                c.inline_space();
                if !matches!(c.byte(), b'\n' | b'\r' | b';' | 0) {
                    labels.names.push(None);
                }
            }
            continue;
        }
        if matches!(first, b'\n' | b'\r' | b';') {
            continue;
        }
        let Some(name) = label(&mut c) else {
            if labels.names.is_empty() {
                labels.names.push(None);
            }
            continue;
        };
        let id = BlockId::new(labels.names.len());
        labels.by_name.entry(name).or_insert(id);
        labels.names.push(Some(name));
    }
    if labels.names.is_empty() {
        labels.names.push(None);
    }
    labels
}

/// The label here, if there is one; stops after its colon.
pub(crate) fn label<'t>(c: &mut Cursor<'t>) -> Option<&'t [u8]> {
    let mut ahead = *c;
    let name = ahead.name().ok()?;
    if ahead.byte() != b':' {
        return None;
    }
    ahead.at += 1;
    *c = ahead;
    Some(name)
}
