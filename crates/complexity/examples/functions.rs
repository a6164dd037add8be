//! Lists the functions of source files as the parser sees them: file, name, first and last line,
//! and why no control flow could be made of one.
#![allow(clippy::print_stdout, clippy::print_stderr)] // Printing is what this program is for.

use std::collections::BTreeSet;

use ripple_complexity::text::flow::flow;
use ripple_complexity::text::language::Language;
use ripple_complexity::text::unit::Unit;

fn main() {
    for path in std::env::args().skip(1) {
        let Some(language) = Language::of(&path) else { continue };
        let Ok(bytes) = std::fs::read(&path) else {
            eprintln!("cannot read {path}");
            continue;
        };
        let text = String::from_utf8_lossy(&bytes);
        let unit = Unit::new(&text, language);
        for function in &unit.functions {
            let flow = flow(&unit, &unit.parse(function), &BTreeSet::new());
            let problem = flow.problem.map_or_else(String::new, |problem| problem.to_string());
            let (first, last) = (function.first_line, function.last_line);
            println!("{path}\t{}\t{first}\t{last}\t{problem}", function.qualified_name());
        }
    }
}
