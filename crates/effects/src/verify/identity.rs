//! What a saved exploration rests on: the programs, and all options that decide what its
//! conditions are. The budget is none of them, and the input space is written by itself.

use explore::Observe;
use explore::partitions::Identity;

use super::Request;
use super::subjects::Subjects;

pub(super) fn identity(request: &Request<'_>, subjects: &Subjects) -> Identity {
    let count = format!("{}", subjects.count());
    let mut identity = vec![("number of versions".to_owned(), count)];
    for number in 0..subjects.count() {
        let text = subjects.program(number).module.to_string();
        let hash = blake3::hash(text.as_bytes()).to_hex().to_string();
        identity.push((format!("version v{number}"), hash));
    }
    let entry = request.entry.unwrap_or("main").to_owned();
    let slices = if request.options.slices { "yes" } else { "no" };
    identity.extend([
        ("function (--entry)".to_owned(), entry),
        ("choice of what counts (--observe and the like)".to_owned(), observed(request)),
        ("set of bounds on runs (--max-steps and the like)".to_owned(), limits(request)),
        ("choice about --no-slices".to_owned(), slices.to_owned()),
        ("release of Ripple".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
    ]);
    identity
}

fn observed(request: &Request<'_>) -> String {
    let Observe { exit, stdout, stderr, files, result, ignore, tolerance } =
        &request.options.observe;
    let ignored: Vec<&str> = ignore.iter().map(|regex| regex.as_str()).collect();
    format!("{exit} {stdout} {stderr} {files} {result} {tolerance} {ignored:?}")
}

fn limits(request: &Request<'_>) -> String {
    let exec::Limits { steps, memory, output, depth } = request.options.limits;
    format!("{steps} {memory} {output} {depth}")
}
