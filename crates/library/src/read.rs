//! Reads the table.

use rustc_hash::FxHashMap;

use crate::effect::STATES;
use crate::table::TABLE;
use crate::{Depth, Effect, End, Fact, Function, Handling, Length, Returned, Table, To, Which};

pub fn table() -> Table {
    let mut functions = Vec::new();
    let mut all = FxHashMap::default();
    for (words, names) in lines() {
        let at = functions.len();
        functions.push(function(words));
        all.extend(names.split_whitespace().map(|name| (name, at)));
    }
    Table { functions, names: all }
}

fn lines() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = TABLE.lines().filter(|line| !line.is_empty());
    lines.map(|line| line.split_once('|').expect("a line of the table has a bar"))
}

/// All names, as often as the table has them.
#[cfg(test)]
pub fn names() -> impl Iterator<Item = &'static str> {
    lines().flat_map(|(_, names)| names.split_whitespace())
}

fn function(words: &'static str) -> Function {
    let mut function = Function { effects: Some(Vec::new()), ..Function::default() };
    for word in words.split_whitespace() {
        if word == "code" {
            function.effects = None;
        } else if let Some(fact) = fact(word) {
            function.facts.push(fact);
        } else if let Some(length) = length(word) {
            function.lengths.push(length);
        } else if let Some(handling) = handling(word) {
            function.handling = Some(handling);
        } else {
            let effect = effect(word).expect("every word of the table is explained");
            function.effects.get_or_insert_default().push(effect);
        }
    }
    function
}

fn fact(word: &str) -> Option<Fact> {
    Some(match word {
        "pure" => Fact::Pure,
        "puts-out" => Fact::PutsOut,
        "settles" => Fact::Settles,
        "opens" => Fact::Opens,
        "stream" => Fact::MakesStream,
        "machine" => Fact::Machine,
        "redirects" => Fact::Redirects,
        "zeroes" => Fact::Zeroes,
        "heap" => Fact::Heap,
        "unstructured" => Fact::Unstructured,
        _ => return None,
    })
}

fn length(word: &str) -> Option<Length> {
    let (pointer, length) = word.strip_prefix("length")?.split_once(':')?;
    Some(Length { pointer: pointer.parse().ok()?, length: length.parse().ok()? })
}

fn handling(word: &str) -> Option<Handling> {
    if let Some(math) = word.strip_prefix("math") {
        let (arguments, width) = math.split_once(':')?;
        return Some(Handling::Math {
            arguments: arguments.parse().ok()?,
            width: width.parse().ok()?,
        });
    }
    if let Some((what, to)) = word.split_once('>')
        && !what.is_empty()
    {
        return put(what, place(to)?);
    }
    let (what, arguments) = call(word)?;
    Some(match (what, arguments.as_slice()) {
        ("get-byte", []) => Handling::GetByte(None),
        ("get-byte", &[stream]) => Handling::GetByte(Some(stream)),
        ("unget-byte", []) => Handling::UngetByte,
        ("read", &[buffer]) => Handling::Read(buffer),
        ("size", []) => Handling::Size,
        ("seek", []) => Handling::Seek,
        ("status", []) => Handling::Status,
        ("integer", []) => Handling::Integer,
        ("integer-in", []) => Handling::IntegerIn,
        ("harmless", []) => Handling::Harmless,
        _ => return None,
    })
}

fn put(what: &str, to: To) -> Option<Handling> {
    let (what, arguments) = call(what)?;
    Some(match (what, arguments.as_slice()) {
        ("print", []) => Handling::PrintTo(to),
        ("put-byte", []) => Handling::PutByte(to),
        ("put-string", []) => Handling::PutString(to),
        ("put-bytes", &[address, size]) => Handling::PutBytes { address, size, count: None, to },
        ("put-bytes", &[address, size, count]) => {
            Handling::PutBytes { address, size, count: Some(count), to }
        }
        _ => return None,
    })
}

fn place(text: &str) -> Option<To> {
    if let Some(index) = text.strip_prefix("stream") {
        return Some(To::Stream(index.parse().ok()?));
    }
    if let Some(index) = text.strip_prefix("descriptor") {
        return Some(To::Descriptor(index.parse().ok()?));
    }
    (text == "stdout").then_some(To::Stdout)
}

/// A word with the arguments in its brackets, if it has any.
fn call(word: &str) -> Option<(&str, Vec<usize>)> {
    let Some((what, arguments)) = word.split_once('(') else { return Some((word, Vec::new())) };
    let arguments = arguments.strip_suffix(')')?.split(',').map(|index| index.parse().ok());
    Some((what, arguments.collect::<Option<_>>()?))
}

/// Reads one word of the table.
fn effect(word: &'static str) -> Option<Effect> {
    let (first, rest) = word.split_at(1);
    Some(match first {
        "r" => Effect::Reads(which(rest)?, Depth::Pointee),
        "R" => Effect::Reads(which(rest)?, Depth::Reachable),
        "w" => Effect::Writes(which(rest)?, Depth::Pointee),
        "W" => Effect::Writes(which(rest)?, Depth::Reachable),
        "<" => Effect::ReadsState(state(rest)?),
        ">" => Effect::WritesState(state(rest)?),
        "c" => {
            let (to, from) = rest.split_at(1);
            Effect::Copies(to.parse().ok()?, from.parse().ok()?)
        }
        "s" => {
            let (to, from) = rest.split_at(1);
            Effect::Stores(to.parse().ok()?, from.parse().ok()?)
        }
        "=" if rest == "new" => Effect::Returns(Returned::New),
        "=" => match rest.parse() {
            Ok(index) => Effect::Returns(Returned::Argument(index)),
            Err(_) => Effect::Returns(Returned::State(state(rest)?)),
        },
        "~" => Effect::Returns(Returned::Inside(rest.parse().ok()?)),
        "^" => Effect::Returns(Returned::Resized(rest.parse().ok()?)),
        "*" => Effect::Allocates(rest.parse().ok()?),
        "k" => Effect::Keeps(rest.parse().ok()?),
        "K" => Effect::KeepsInside(rest.parse().ok()?),
        "f" => match rest {
            "0" => Effect::Calls(0, &[]),
            "1" => Effect::Calls(1, &[]),
            "2(3)" => Effect::Calls(2, &[3]),
            "1(2)" => Effect::Calls(1, &[2]),
            "0(1)" => Effect::Calls(0, &[1]),
            "0(3)" => Effect::Calls(0, &[3]),
            _ => return None,
        },
        "!" => Effect::Ends(match rest {
            "exit" => End::Exits,
            "jump" => End::Jumps,
            "set" => End::Sets,
            _ => return None,
        }),
        _ => return None,
    })
}

fn which(text: &str) -> Option<Which> {
    match text {
        "*" => Some(Which::Unnamed),
        "?" => Some(Which::All),
        index => Some(Which::One(index.parse().ok()?)),
    }
}

fn state(name: &str) -> Option<u32> {
    let position = STATES.iter().position(|known| known.split(' ').next() == Some(name))?;
    Some(position as u32)
}
