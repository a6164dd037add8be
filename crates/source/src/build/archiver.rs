//! The command line of `ar`.

/// What an archiver is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Archiving {
    pub operation: Operation,
    pub archive: String,
    pub files: Vec<String>,
    /// Archives among the files stand for their members.
    pub is_flat: bool,
    /// Where members are extracted to.
    pub directory: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    /// Adds members, in place of those with the same names.
    Replace,
    Append,
    Delete,
    Extract,
}

/// Reads a command; nothing if it changes no members.
pub(super) fn archiving(words: &[String]) -> Option<Archiving> {
    let mut directory = None;
    let mut plain: Vec<&str> = Vec::new();
    let mut rest = words.iter().map(String::as_str);
    while let Some(word) = rest.next() {
        match word {
            "--plugin" | "--target" => {
                rest.next();
            }
            "--output" => directory = rest.next().map(str::to_owned),
            _ if word.starts_with("--output=") => {
                directory = word.strip_prefix("--output=").map(str::to_owned);
            }
            "--thin" => {}
            _ if word.starts_with("--") || word.starts_with("-X") => {}
            _ => plain.push(word),
        }
    }
    // The letters may come in several words, but only before the archive.
    let (first, mut rest) = plain.split_first()?;
    let mut letters = first.trim_start_matches('-').to_owned();
    while let Some((word, others)) = rest.split_first()
        && let Some(more) = word.strip_prefix('-')
    {
        letters.push_str(more);
        rest = others;
    }
    let has = |letter: char| letters.contains(letter);
    let operation = letters.chars().find_map(|letter| match letter {
        'r' => Some(Operation::Replace),
        'q' => Some(Operation::Append),
        'd' => Some(Operation::Delete),
        'x' => Some(Operation::Extract),
        _ => None,
    })?;
    // A position among the members, or a number of equal names, stands before the archive.
    let places = usize::from(has('a') || has('b') || has('i')) + usize::from(has('N'));
    let (archive, files) = rest.get(places..)?.split_first()?;
    Some(Archiving {
        operation,
        archive: (*archive).to_owned(),
        files: files.iter().map(|&file| file.to_owned()).collect(),
        is_flat: has('L'),
        directory,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, operation: Operation, archive: &str, files: &[&str]) {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        let found = archiving(&words).expect("it changes members");
        assert_eq!((found.operation, found.archive.as_str()), (operation, archive), "{text}");
        assert_eq!(found.files, files, "{text}");
    }

    #[test]
    fn the_usual_ways_to_call_it_are_understood() {
        check("rcs liba.a a.o b.o", Operation::Replace, "liba.a", &["a.o", "b.o"]);
        check("-r -c -s liba.a a.o", Operation::Replace, "liba.a", &["a.o"]);
        check("cq liba.a a.o", Operation::Append, "liba.a", &["a.o"]);
        check("rb old.o liba.a new.o", Operation::Replace, "liba.a", &["new.o"]);
        check("--plugin lto.so rcT liba.a a.o", Operation::Replace, "liba.a", &["a.o"]);
        check("x liba.a", Operation::Extract, "liba.a", &[]);
        assert_eq!(archiving(&["t".to_owned(), "liba.a".to_owned()]), None);
        assert_eq!(archiving(&["s".to_owned(), "liba.a".to_owned()]), None);
        assert_eq!(archiving(&["-M".to_owned()]), None);
    }
}
