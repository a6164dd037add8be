//! Complexity as a table for other programs: RFC 4180, a line per change.

use super::{Measured, date};

pub fn csv(measured: &[Measured]) -> String {
    let mut text =
        String::from("commit,date,subject,cycc,cloc,added,deleted,modified,functions,unparsed\r\n");
    for measured in measured {
        let found = &measured.complexity;
        let commit = measured.commit.as_ref();
        let fields = [
            commit.map_or_else(String::new, |commit| commit.id.clone()),
            commit.map_or_else(String::new, |commit| date(commit.time)),
            commit.map_or_else(String::new, |commit| commit.subject.clone()),
            found.cycc.to_string(),
            found.cloc().to_string(),
            found.lines.added.to_string(),
            found.lines.deleted.to_string(),
            found.lines.modified.to_string(),
            found.functions.len().to_string(),
            found.unparsed.len().to_string(),
        ];
        let fields: Vec<String> = fields.iter().map(|field| quoted(field)).collect();
        text.push_str(&fields.join(","));
        text.push_str("\r\n");
    }
    text
}

fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn fields_with_commas_and_quotes_are_quoted() {
        assert_eq!(quoted("a"), "a");
        assert_eq!(quoted("a, \"b\""), "\"a, \"\"b\"\"\"");
    }
}
