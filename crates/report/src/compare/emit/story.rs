//! The comment at the head of a test: what is expected, what happened instead, when, and why.

use effects::compare::{Link, Observable};

use base::Version;

use super::{Case, one_line};
use crate::compare::differences::{differences, end};
use crate::compare::findings::first_difference;
use crate::compare::returned::returned_numbers;
use crate::compare::typed;
use crate::conditions::readable_condition;
use crate::counting::shortened;
use crate::places::position;
use crate::words;

/// The most characters of a line, and the most steps of a chain.
const WIDTH: usize = 90;
const MOST_LINE: usize = 300;
const MOST_STEPS: usize = 5;

/// The story and the usage of a test as comment lines with a mark.
pub(super) fn commented(case: &Case<'_>, usage: &[String], mark: &str) -> String {
    let story = story(case);
    let lines = story.iter().map(String::as_str).chain([""]);
    let lines = lines.chain(usage.iter().map(String::as_str));
    lines.map(|line| format!("{}\n", format!("{mark} {line}").trim_end())).collect()
}

/// The lines of the comment, without marks. None of them can end a comment of any language.
pub(super) fn story(case: &Case<'_>) -> Vec<String> {
    let compared = case.compared;
    let [old, new] = [&compared.old, &compared.new].map(|side| one_line(&side.name));
    let (right, wrong) = match case.expect {
        Version::Old => (&old, &new),
        Version::New => (&new, &old),
    };
    let mut lines = vec![
        format!("{} {}.", typed(compared, &case.witness.test), deed(case, case.expect)),
        String::new(),
        format!("So does {right}; with {wrong} it {}.", deed(case, case.expect.other())),
    ];
    if let Some(condition) = &case.witness.condition {
        lines.push(format!("It is so when {}", readable_condition(condition)));
    }
    if let Some(why) = case.witness.why.as_ref().filter(|why| !why.chain.is_empty()) {
        lines.push("Why (after | before):".to_owned());
        for link in why.chain.iter().take(MOST_STEPS) {
            lines.push(format!("  {}", step(link)));
        }
        if why.chain.len() > MOST_STEPS {
            lines.push(format!("  and {} more steps", why.chain.len() - MOST_STEPS));
        }
    }
    lines.iter().flat_map(|line| wrapped(&shortened(&harmless(line), MOST_LINE))).collect()
}

/// The behaviour of a version, as far as it differs.
fn deed(case: &Case<'_>, version: Version) -> String {
    let (compared, witness) = (case.compared, case.witness);
    let [old, new] = [&witness.old, &witness.new].map(|side| end(side, compared.entry.is_some()));
    let choose = |old: String, new: String| match version {
        Version::Old => old,
        Version::New => new,
    };
    if old != new {
        return choose(old, new);
    }
    if let Some([old, new]) = returned_numbers(compared, witness) {
        return format!("returns {}", choose(old.to_string(), new.to_string()));
    }
    let found = differences(compared, &witness.old, &witness.new);
    let Some(first) = found.first() else { return choose(old, new) };
    let (old, new) = first_difference(first.old, first.new);
    let text = choose(old, new);
    match first.observable {
        Observable::Stdout => format!("prints {text}"),
        Observable::Stderr => format!("complains {text}"),
        Observable::Files => format!("leaves in {} {text}", first.name),
        Observable::Exit | Observable::Result | Observable::Undefined | Observable::Unwritten => {
            format!("has as {} {text}", first.name)
        }
    }
}

fn step(link: &Link) -> String {
    let place = link.new.as_ref().or(link.old.as_ref());
    let at = place.map(|place| format!("{}: ", position(place))).unwrap_or_default();
    let shown = |value: &Option<effects::compare::Value>| match value {
        Some(value) => shortened(&crate::values::readable(value), 24),
        None => "nothing".to_owned(),
    };
    let values = match (&link.old_value, &link.new_value) {
        (None, None) => String::new(),
        (old, new) => format!(": {} | {}", shown(new), shown(old)),
    };
    format!("{at}{}{values}", words::step(&link.what))
}

/// No line can end a comment or begin one.
fn harmless(line: &str) -> String {
    let line = one_line(line);
    // A backslash at the end would join the next line of C to a comment.
    let line = line.replace("*/", "* /").replace("/*", "/ *").replace("??/", "? ?/");
    line.trim_end_matches('\\').to_owned()
}

/// Lines that are not too long, broken between words.
fn wrapped(line: &str) -> Vec<String> {
    let indent: String = line.chars().take_while(|character| *character == ' ').collect();
    let mut lines = vec![indent.clone()];
    for word in line.split(' ').filter(|word| !word.is_empty()) {
        let last = lines.last_mut().expect("there is always a line");
        if last.chars().count() + word.chars().count() > WIDTH && last.len() > indent.len() {
            lines.push(format!("{indent}  {word}"));
            continue;
        }
        if last.len() > indent.len() {
            last.push(' ');
        }
        last.push_str(word);
    }
    lines.into_iter().map(|line| line.trim_end().trim_end_matches('\\').to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_comment_can_be_left() {
        assert_eq!(harmless("a */ system(1); /*\n\\"), "a * / system(1); / *\\n");
    }
}
