//! Both versions, compiled, laid side by side, and ready to run.

use source::Compiler;

use super::{CompareError, Request};
use crate::explore::ExploreError;
use crate::explore::subject::{Subject, check_flags};
use crate::program::{Libc, Loader};
use crate::versions::Versions;

/// What each version is loaded with: a compiler in its own directory.
pub(super) struct Requests<'a> {
    compilers: [Compiler; 2],
    request: &'a Request<'a>,
}

impl<'a> Requests<'a> {
    pub fn new(request: &'a Request<'a>) -> Requests<'a> {
        let compiler = request.loader.compiler;
        let compilers = [request.old.compiler(compiler), request.new.compiler(compiler)];
        Requests { compilers, request }
    }

    /// How to load a version.
    pub fn loader(&self, index: usize, libc: Libc) -> Loader<'_> {
        let cflags = self.request.loader.cflags.clone();
        Loader { compiler: &self.compilers[index], cflags, libc }
    }

    /// A version as a subject of its own.
    pub fn explore(&self, index: usize) -> crate::explore::Request<'_> {
        let Request { old, new, entry, flags, tests, ref options, .. } = *self.request;
        crate::explore::Request {
            loader: self.loader(index, Libc::Quick),
            files: &[old, new][index].files,
            entry,
            flags,
            tests,
            options: explore::Options { limits: options.limits, ..explore::Options::default() },
            most_tests: 1,
        }
    }

    pub fn compiler(&self, index: usize) -> &Compiler {
        &self.compilers[index]
    }

    pub fn request(&self) -> &'a Request<'a> {
        self.request
    }
}

/// What the versions are called where one of them is at fault.
pub(super) const NAMES: [&str; 3] = ["OLD", "NEW", "the golden version"];

/// Both versions, loaded.
pub(super) struct Sides {
    pub versions: Versions,
}

impl Sides {
    pub fn load(requests: &Requests<'_>) -> Result<Sides, CompareError> {
        let request = requests.request();
        // What is wrong about the flags alone is said before anything is compiled.
        let of = |cause| CompareError::Side { which: NAMES[1], cause };
        check_flags(&requests.explore(1)).map_err(of)?;
        let loader = Loader { libc: Libc::Quick, ..request.loader.clone() };
        let versions = Versions::load(&loader, request.old, request.new)?;
        Ok(Sides { versions })
    }
}

/// Makes both versions ready to run and builds their native programs, side by side.
pub(super) fn subjects<'a>(
    requests: [&'a crate::explore::Request<'a>; 2],
    sides: &Sides,
) -> Result<[Subject<'a>; 2], CompareError> {
    let Versions { old, new, .. } = &sides.versions;
    let load = |index: usize| {
        let module = [old, new][index].module.clone();
        let of = |cause: ExploreError| CompareError::Side { which: NAMES[index], cause };
        Subject::with_module(requests[index], module).map_err(of)
    };
    let (old, new) = std::thread::scope(|scope| {
        let old = scope.spawn(|| load(0));
        let new = load(1);
        (old.join(), new)
    });
    let old = old.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
    Ok([old, new?])
}
