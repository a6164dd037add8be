//! The blocks of code in a page, and their commands.

use std::fmt;

/// The wildcard.
const ANYTHING: char = '…';

/// A block of code.
pub struct Block {
    page: String,
    line: usize,
    /// The first word after the fence.
    pub mark: String,
    /// The second, the name of a file.
    pub file: Option<String>,
    pub text: String,
}

impl fmt::Display for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.page, self.line)
    }
}

pub fn blocks(page: &str, text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut is_open = false;
    for (index, line) in text.lines().enumerate() {
        if let Some(rest) = line.trim_start().strip_prefix("```") {
            is_open = !is_open;
            if is_open {
                let mut words = rest.split_whitespace().map(str::to_owned);
                blocks.push(Block {
                    page: page.to_owned(),
                    line: index + 1,
                    mark: words.next().unwrap_or_default(),
                    file: words.next(),
                    text: String::new(),
                });
            }
        } else if let Some(block) = blocks.last_mut().filter(|_| is_open) {
            block.text.push_str(line);
            block.text.push('\n');
        }
    }
    blocks
}

/// Commands of a transcript, each with the lines that follow it.
pub fn transcript(text: &str) -> Vec<(String, Vec<String>)> {
    let mut all: Vec<(String, Vec<String>)> = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(command) = line.strip_prefix("$ ") {
            let mut command = command.to_owned();
            while command.ends_with('\\') {
                command.push('\n');
                command.push_str(lines.next().unwrap_or_default());
            }
            all.push((command, Vec::new()));
        } else if let Some((_, said)) = all.last_mut() {
            said.push(line.to_owned());
        }
    }
    all
}

/// Commands of a script, without comments.
pub fn commands(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let mut command = line.to_owned();
        while command.ends_with('\\') {
            command.push('\n');
            command.push_str(lines.next().unwrap_or_default());
        }
        let is_said = !command.trim().is_empty() && !command.trim_start().starts_with('#');
        if is_said {
            all.push(command);
        }
    }
    all
}

/// Whether lines are as expected.
pub fn matches(expected: &[&str], lines: &[&str]) -> bool {
    let Some((first, rest)) = expected.split_first() else {
        return lines.iter().all(|line| line.trim().is_empty());
    };
    if first.trim() == ANYTHING.to_string() {
        return (0..=lines.len()).any(|from| matches(rest, &lines[from..]));
    }
    match lines.split_first() {
        Some((line, others)) => line_matches(first, line) && matches(rest, others),
        // Empty lines at the end of a block are not part of the output.
        None => first.trim().is_empty() && matches(rest, lines),
    }
}

fn line_matches(expected: &str, line: &str) -> bool {
    let expected = expected.trim_end();
    let mut line = line.trim_end();
    let parts: Vec<&str> = expected.split(ANYTHING).collect();
    let [only] = parts[..] else {
        let (first, last) = (parts[0], parts[parts.len() - 1]);
        let Some(rest) = line.strip_prefix(first) else { return false };
        line = rest;
        for part in &parts[1..parts.len() - 1] {
            let Some(at) = line.find(part) else { return false };
            line = &line[at + part.len()..];
        }
        return line.ends_with(last);
    };
    only == line
}

#[test]
fn an_ellipsis_stands_for_anything() {
    assert!(matches(&["a", "…", "d"], &["a", "b", "c", "d"]));
    assert!(matches(&["took … s, … runs"], &["took 0.12 s, 9 runs"]));
    assert!(!matches(&["took … s, … runs"], &["took 0.12 s"]));
    assert!(!matches(&["a"], &["a", "b"]));
    assert!(!matches(&["a", "b"], &["a"]));
}
