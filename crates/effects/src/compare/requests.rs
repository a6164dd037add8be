//! A request, and what its versions share with others like it.

use super::Request;
use crate::pairing::{self, Pairing};
use crate::trial::Sources;

pub(crate) struct Requests<'a> {
    pub request: &'a Request<'a>,
    pub pairing: Pairing<'a>,
}

/// The sources of a request's versions.
pub(crate) fn sources<'a>(request: &Request<'a>) -> Sources<'a> {
    pairing::sources(&request.scope, [request.old, request.new], request.golden)
}

impl<'a> Requests<'a> {
    pub fn new(request: &'a Request<'a>, sources: &'a Sources<'a>) -> Requests<'a> {
        let Request { scope, old, new, golden, .. } = request;
        Requests { request, pairing: Pairing::new(scope, [old, new], *golden, sources) }
    }

    /// The same versions in another request; shares what is known about them.
    pub fn like<'b>(&'b self, request: &'b Request<'b>) -> Requests<'b> {
        Requests { request, pairing: self.pairing.with_scope(&request.scope) }
    }
}
