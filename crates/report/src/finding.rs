//! Findings: messages about a line of the source, for editors, pull requests and viewers of
//! analysis results. The contents differ by command; the formats do not.

pub(crate) mod github;
pub(crate) mod sarif;
pub(crate) mod short;

use std::path::{Component, Path, PathBuf};

use effects::trial::Place;
use source::Checkout;

/// How severe it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Error,
    Warning,
    Note,
}

impl Severity {
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

/// A kind of finding. Ids never change; users write them into their settings.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Rule {
    pub id: &'static str,
    pub title: &'static str,
    pub help: &'static str,
    pub severity: Severity,
}

/// A line of a file, relative to the root of the repository if it is below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Location {
    pub path: PathBuf,
    /// From 1.
    pub line: u32,
    /// In characters, from 1.
    pub column: Option<u32>,
    pub text: Option<String>,
    pub function: String,
}

#[derive(Clone, Debug)]
pub(crate) struct Finding {
    pub rule: &'static Rule,
    pub severity: Severity,
    /// One line.
    pub message: String,
    pub location: Option<Location>,
    /// Whether the location is a changed line.
    pub is_change: bool,
    /// Other relevant places, with a description.
    pub related: Vec<(Location, String)>,
    /// How it comes about, step by step.
    pub flow: Vec<(Location, String)>,
    /// Stable for the same finding, also if its lines move.
    pub fingerprint: String,
    /// Why users accepted it, if they did.
    pub accepted: Option<String>,
}

/// What names of files are relative to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Base {
    /// The root of the repository, or the current directory if there is none. Absolute.
    pub root: PathBuf,
    /// The current directory, relative to the root.
    pub below: PathBuf,
}

impl Base {
    /// A file of a version, relative to the root; absolute if it is elsewhere.
    pub(crate) fn file(&self, checkout: &Checkout, name: &Path) -> PathBuf {
        if checkout.revision.is_some() || checkout.build.is_some() {
            let path = normal(&checkout.directory.join(name));
            return path.strip_prefix(&checkout.root).map(Path::to_owned).unwrap_or(path);
        }
        self.name(name, &checkout.directory)
    }

    /// A file as the user named it in a directory, relative to the root.
    pub(crate) fn name(&self, name: &Path, directory: &Path) -> PathBuf {
        let path = normal(&self.below.join(name));
        if path.is_relative() && !path.starts_with("..") {
            return path;
        }
        let path = normal(&directory.join(name));
        path.strip_prefix(&self.root).map(Path::to_owned).unwrap_or(path)
    }

    /// A place of a version; `None` if its file or line is unknown or it is not the user's.
    pub(crate) fn place(&self, checkout: &Checkout, place: &Place) -> Option<Location> {
        let file = place.file.as_ref().filter(|_| !place.in_library)?;
        Location::new(self.file(checkout, Path::new(file)), place)
    }
}

impl Location {
    pub fn new(path: PathBuf, place: &Place) -> Option<Location> {
        (place.line > 0).then(|| Location {
            path,
            line: place.line,
            column: column(place),
            text: place.text.clone(),
            function: place.function.clone(),
        })
    }
}

/// Columns of compilers count bytes.
fn column(place: &Place) -> Option<u32> {
    let bytes = (place.column as usize).checked_sub(1)?;
    let Some(text) = &place.text else { return Some(place.column) };
    let characters = text.char_indices().take_while(|(at, _)| *at < bytes).count();
    u32::try_from(characters + 1).ok()
}

/// Without `.` and `..`, as far as possible from names alone.
fn normal(path: &Path) -> PathBuf {
    let mut parts: Vec<Component<'_>> = Vec::new();
    for part in path.components() {
        match (part, parts.last()) {
            (Component::CurDir, _) => {}
            (Component::ParentDir, Some(Component::Normal(_))) => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_from_the_root() {
        let base = Base { root: "/srv/repo".into(), below: "sub".into() };
        let name = |name: &str| base.name(Path::new(name), Path::new("/srv/repo/sub"));
        assert_eq!(name("a.c"), Path::new("sub/a.c"));
        assert_eq!(name("./x/../a.c"), Path::new("sub/a.c"));
        assert_eq!(name("../b.c"), Path::new("b.c"));
        assert_eq!(name("/srv/repo/c.c"), Path::new("c.c"));
        assert_eq!(name("../../other/d.c"), Path::new("/srv/other/d.c"));
    }

    #[test]
    fn columns_count_characters() {
        let place = Place {
            function: "f".to_owned(),
            file: None,
            line: 1,
            column: 4,
            text: Some("üx = 1;".to_owned()),
            in_library: false,
        };
        assert_eq!(column(&place), Some(3));
    }
}
