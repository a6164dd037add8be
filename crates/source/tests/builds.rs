//! Recorded builds: what is found out about them, and that they do not notice.
#![allow(clippy::unwrap_used)] // What tests share is test code as well.

#[path = "builds/compilers.rs"]
mod compilers;
#[path = "builds/ends.rs"]
mod ends;
#[path = "builds/follow.rs"]
mod follow;
#[path = "builds/makefiles.rs"]
mod makefiles;
#[path = "builds/project.rs"]
mod project;
#[path = "builds/systems.rs"]
mod systems;
