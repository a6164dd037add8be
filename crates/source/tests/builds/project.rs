//! A project in a directory of its own, which can be built with and without recording.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use ripple_source::{Build, Product, Recorded, Recording, Tracing};

pub struct Project {
    place: tempfile::TempDir,
    files: Vec<(String, String)>,
}

impl Project {
    /// Files whose text begins with `#!` can be executed.
    pub fn of(files: &[(&str, &str)]) -> Project {
        let files = files.iter().map(|&(name, text)| (name.to_owned(), text.to_owned())).collect();
        let project = Project { place: tempfile::tempdir().unwrap(), files };
        project.write();
        project
    }

    /// Canonical, as names of recorded files are.
    pub fn path(&self) -> PathBuf {
        self.place.path().canonicalize().unwrap().join("p")
    }

    /// Removes what is there and writes the files again.
    pub fn write(&self) {
        let _ = fs::remove_dir_all(self.path());
        for (name, text) in &self.files {
            let path = self.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            if text.starts_with("#!") {
                fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
            }
        }
    }

    /// Runs a shell command as everybody does.
    pub fn run(&self, command: &str) -> i32 {
        let mut shell = Command::new("sh");
        let output = shell.args(["-c", command]).current_dir(self.path()).output().unwrap();
        output.status.code().unwrap()
    }

    /// Records a shell command.
    pub fn record(&self, command: &str) -> Recorded {
        self.record_after(command, None)
    }

    /// The same when there is an earlier record.
    pub fn record_after(&self, command: &str, earlier: Option<&Build>) -> Recorded {
        let words: Vec<OsString> = ["sh", "-c", command].map(OsString::from).to_vec();
        let environment: Vec<(OsString, OsString)> = std::env::vars_os().collect();
        let log = fs::File::create(self.place.path().join("log")).unwrap();
        let shims = self.place.path().join("shims");
        Build::record(&Recording {
            command: &words,
            directory: &self.path(),
            environment: &environment,
            tracing: Tracing::WherePossible,
            shims: &shims,
            binary: Path::new("/bin/false"),
            output: Some(&log),
            containment: None,
            earlier,
            progress: &|_| {},
        })
        .unwrap()
    }

    /// What the last recorded build printed.
    pub fn log(&self) -> String {
        fs::read_to_string(self.place.path().join("log")).unwrap()
    }

    /// The contents of all files, by name.
    pub fn contents(&self) -> BTreeMap<String, Vec<u8>> {
        let mut found = BTreeMap::new();
        let mut waiting = vec![self.path()];
        while let Some(directory) = waiting.pop() {
            for entry in fs::read_dir(directory).unwrap() {
                let entry = entry.unwrap();
                let name = entry.path().strip_prefix(self.path()).unwrap().to_owned();
                match entry.file_type().unwrap() {
                    kind if kind.is_dir() => waiting.push(entry.path()),
                    kind if kind.is_file() => {
                        let name = name.to_string_lossy().into_owned();
                        found.insert(name, fs::read(entry.path()).unwrap());
                    }
                    _ => {}
                }
            }
        }
        found
    }
}

/// A product and the files that it is made of.
pub type Wanted<'a> = (&'a str, &'a [&'a str]);

/// Builds a project twice, without and with recording: the products must have the same bytes, and
/// consist of the given files. Programs, libraries and archives that are not named must not be
/// there. Returns the record.
pub fn check(files: &[(&str, &str)], command: &str, wanted: &[Wanted<'_>]) -> Build {
    let project = Project::of(files);
    check_project(&project, command, wanted)
}

pub fn check_project(project: &Project, command: &str, wanted: &[Wanted<'_>]) -> Build {
    assert_eq!(project.run(command), 0, "{command}");
    let plain = project.contents();
    project.write();
    let recorded = project.record(command);
    assert_eq!(recorded.end, ripple_source::End::Exited(0), "{}", project.log());
    let watched = project.contents();
    let names: Vec<&String> = watched.keys().collect();
    assert_eq!(names, plain.keys().collect::<Vec<_>>());
    let build = recorded.build;
    check_products(project, &build, wanted);
    for product in &build.products {
        let name = product.path.strip_prefix(project.path()).unwrap().to_str().unwrap();
        assert!(plain[name] == watched[name], "{name} has other bytes");
    }
    build
}

/// Compares products with files.
pub fn check_products(project: &Project, build: &Build, wanted: &[Wanted<'_>]) {
    let mut found: Vec<(&str, Vec<String>)> = build
        .products
        .iter()
        .map(|product| (product.name.as_str(), files_of(project, build, product)))
        .collect();
    found.sort();
    let mut wanted: Vec<(&str, Vec<String>)> = wanted
        .iter()
        .map(|(name, files)| (*name, files.iter().map(|&file| file.to_owned()).collect()))
        .collect();
    wanted.sort();
    assert_eq!(found, wanted);
}

/// The names of a product's files, sorted.
pub fn files_of(project: &Project, build: &Build, product: &Product) -> Vec<String> {
    let name = |file: &Path| {
        let below = file.strip_prefix(project.path()).map(Path::to_owned);
        below.unwrap_or(file.to_owned()).display().to_string()
    };
    let mut files: Vec<String> =
        product.units.iter().map(|unit| name(&build.unit(*unit).file)).collect();
    files.sort();
    files
}

/// The flags of the units of a file, in the order of the units.
pub fn flags<'b>(build: &'b Build, file: &str) -> Vec<Vec<&'b str>> {
    let units = build.units.iter().filter(|unit| unit.file.ends_with(file));
    units.map(|unit| unit.flags.iter().map(String::as_str).collect()).collect()
}
