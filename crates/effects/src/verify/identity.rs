//! What a saved exploration rests on.

use explore::saved::Identity;

use super::subjects::Subjects;
use super::{Options, Request};
use crate::identity::{math_library, options, release, version};

pub(super) fn identity(request: &Request<'_>, subjects: &Subjects) -> Identity {
    let count = format!("{}", subjects.count());
    let mut identity = vec![("number of versions".to_owned(), count)];
    for number in 0..subjects.count() {
        identity.push(version(&format!("v{number}"), &subjects.program(number).module));
    }
    let Options { limits, observe, slices, .. } = &request.options;
    identity.extend(options(request.entry, observe, limits));
    let slices = if *slices { "yes" } else { "no" };
    identity.push(("choice about --no-slices".to_owned(), slices.to_owned()));
    let modules = (0..subjects.count()).map(|number| &subjects.program(number).module);
    identity.extend(math_library(modules));
    identity.push(release());
    identity
}
