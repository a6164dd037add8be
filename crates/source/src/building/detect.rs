//! How a version builds, by the build files that it has.
//!
//! Commands that configure do it in the directory itself or in one of their own below it, which no
//! project has. Tells only what to run; whether to run it is up to others.

use std::path::Path;

/// Where CMake and Meson build.
const OWN: &str = "ripple-build";
/// Names of build files: what they say decides how files are compiled.
const NAMES: [&str; 9] = [
    "makefile",
    "gnumakefile",
    "cmakelists.txt",
    "meson.build",
    "meson_options.txt",
    "meson.options",
    "configure",
    "autogen.sh",
    "bootstrap",
];
const EXTENSIONS: [&str; 6] = ["am", "ac", "m4", "mk", "cmake", "in"];

/// The commands that build what is in a directory, the most likely first.
pub fn detected_builds(directory: &Path) -> Vec<String> {
    let has = |name: &str| directory.join(name).is_file();
    let jobs = base::parallel::cores();
    let make = format!("make -j{jobs}");
    let mut found = Vec::new();
    match () {
        () if has("configure") => found.push(format!("sh ./configure && {make}")),
        () if has("autogen.sh") => {
            found.push(format!("sh ./autogen.sh && sh ./configure && {make}"));
        }
        () if has("configure.ac") => {
            found.push(format!("autoreconf -fi && sh ./configure && {make}"));
        }
        () => {}
    }
    if has("CMakeLists.txt") {
        found.push(format!("cmake -S . -B {OWN} && cmake --build {OWN} -j{jobs}"));
    }
    if has("meson.build") {
        found.push(format!("meson setup {OWN} && meson compile -C {OWN}"));
    }
    if ["GNUmakefile", "makefile", "Makefile"].into_iter().any(has) {
        found.push(make);
    }
    found
}

/// Whether a file says how others are compiled, by its name.
pub fn is_build_file(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase());
    let extension = path.extension().and_then(|extension| extension.to_str());
    name.is_some_and(|name| NAMES.contains(&name.as_str()))
        || extension.is_some_and(|extension| EXTENSIONS.contains(&extension))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_configures_comes_before_what_it_writes() {
        let check = |files: &[&str], wanted: Option<&str>| {
            let place = tempfile::tempdir().unwrap();
            for file in files {
                fs::write(place.path().join(file), "").unwrap();
            }
            let found = detected_builds(place.path()).into_iter().next();
            let start = found
                .as_deref()
                .map(|command| command.split(' ').take(2).collect::<Vec<_>>().join(" "));
            assert_eq!(
                start.as_deref().map(|text| text.split("-j").next().unwrap().trim()),
                wanted,
                "{files:?}"
            );
        };
        check(&["Makefile"], Some("make"));
        check(&["Makefile", "configure", "configure.ac"], Some("sh ./configure"));
        check(&["autogen.sh", "configure.ac"], Some("sh ./autogen.sh"));
        check(&["configure.ac"], Some("autoreconf -fi"));
        check(&["CMakeLists.txt", "Makefile"], Some("cmake -S"));
        check(&["meson.build"], Some("meson setup"));
        check(&["a.c"], None);
    }

    #[test]
    fn build_files_are_known_by_name() {
        for name in ["Makefile", "src/CMakeLists.txt", "config.h.in", "x/rules.mk", "configure.ac"]
        {
            assert!(is_build_file(Path::new(name)), "{name}");
        }
        for name in ["main.c", "README", "inc/a.h", "make.c"] {
            assert!(!is_build_file(Path::new(name)), "{name}");
        }
    }
}
