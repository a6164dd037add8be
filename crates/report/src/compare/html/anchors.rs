//! The anchors of source lines in the page, so that everything can link to them.

use std::collections::{BTreeMap, BTreeSet};

use base::Version;
use effects::compare::illustration::{FileLine, Illustration};
use effects::trial::Place;
use maud::{Markup, html};

use crate::places::position;
use crate::printable::printable;

/// The most lines of a file in the page.
pub const MOST_LINES: usize = 40_000;

/// The lines that the page has.
#[derive(Debug, Default)]
pub struct Anchors {
    /// By version: the number and the shown lines of each file, by name.
    files: [BTreeMap<String, (usize, u32)>; 2],
    /// By version: the lines that the page has, if not all.
    kept: Option<[BTreeSet<FileLine>; 2]>,
}

impl Anchors {
    pub fn of(illustration: Option<&Illustration>) -> Anchors {
        let mut anchors = Anchors::default();
        for (number, file) in illustration.iter().flat_map(|one| one.files.iter().enumerate()) {
            for (side, files) in file.sides.iter().zip(&mut anchors.files) {
                let Some((side, text)) = side.as_ref().and_then(|s| Some((s, s.text.as_ref()?)))
                else {
                    continue;
                };
                let lines = lines(text).len().min(MOST_LINES) as u32;
                files.insert(side.name.clone(), (number, lines));
            }
        }
        anchors
    }

    /// The line of a file of that name.
    pub fn find(&self, version: Version, file: &str, line: u32) -> Option<FileLine> {
        let &(number, lines) = self.files[version].get(file)?;
        let is_there = (1..=lines).contains(&line) && self.keeps(version, (number, line));
        is_there.then_some((number, line))
    }

    /// Restricts the anchors to these lines.
    pub fn keep(&mut self, kept: Option<[BTreeSet<FileLine>; 2]>) {
        self.kept = kept;
    }

    fn keeps(&self, version: Version, at: FileLine) -> bool {
        self.kept.as_ref().is_none_or(|kept| kept[version].contains(&at))
    }

    pub fn of_place(&self, version: Version, place: &Place) -> Option<FileLine> {
        self.find(version, place.file.as_ref()?, place.line)
    }

    pub fn has(&self, version: Version, (file, line): FileLine) -> bool {
        let mut files = self.files[version].values();
        self.keeps(version, (file, line))
            && files.any(|&(number, lines)| number == file && (1..=lines).contains(&line))
    }

    /// A link to a place, or only its name if the page does not show it.
    pub fn link(&self, version: Version, place: &Place) -> Markup {
        let name = position(place);
        match self.of_place(version, place) {
            Some(at) => html! { a href={ "#" (id(version, at)) } { (name) } },
            None => html! { (name) },
        }
    }

    /// The same by the name of a file.
    pub fn link_to(&self, version: Version, file: &str, line: u32) -> Markup {
        let name = format!("{}:{line}", printable(file.as_bytes()));
        match self.find(version, file, line) {
            Some(at) => html! { a href={ "#" (id(version, at)) } { (name) } },
            None => html! { (name) },
        }
    }
}

/// The id of a line in the page.
pub fn id(version: Version, (file, line): FileLine) -> String {
    let side = match version {
        Version::Old => 'o',
        Version::New => 'n',
    };
    format!("{side}{file}-{line}")
}

/// The lines of a text, without line endings.
pub fn lines(text: &[u8]) -> Vec<&[u8]> {
    let mut lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
    if lines.last().is_some_and(|last| last.is_empty()) {
        lines.pop();
    }
    for line in &mut lines {
        *line = line.strip_suffix(b"\r").unwrap_or(line);
    }
    lines
}
