//! Real C code to test with: sources in published crates, fetched once into the target directory.
//!
//! A subject is the directory of one crate, as `cargo vendor` unpacks it. Cargo does not build or
//! run the crate. Without a registry there are no subjects, which is not an error.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

/// A crate whose C sources are a subject, and its version.
pub struct Subject {
    pub name: &'static str,
    pub version: &'static str,
}

pub const ZLIB: Subject = Subject { name: "libz-sys", version: "1.1.20" };
pub const LZ4: Subject = Subject { name: "lz4-sys", version: "1.11.1" };
pub const BZIP2: Subject = Subject { name: "bzip2-sys", version: "0.1.13" };
pub const ZSTD: Subject = Subject { name: "zstd-sys", version: "2.1.2" };
pub const LUA: Subject = Subject { name: "lua-src", version: "547.1.0" };
pub const LIBDEFLATE: Subject = Subject { name: "libdeflate-sys", version: "1.26.1" };
pub const QUICKJS: Subject = Subject { name: "rquickjs-sys", version: "0.14.0" };
pub const PCRE2: Subject = Subject { name: "pcre2-sys", version: "0.2.10" };
pub const SQLITE: Subject = Subject { name: "libsqlite3-sys", version: "0.30.1" };

/// The target directory of the workspace.
pub fn target_directory(root: &Path) -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from)
}

/// The unpacked crate, downloaded if necessary; `None`, with a message on standard error, if that
/// fails.
pub fn subject(root: &Path, subject: &Subject) -> Option<PathBuf> {
    let Subject { name, version } = subject;
    let home = target_directory(root).join("subjects").join(format!("{name}-{version}"));
    let unpacked = home.join("vendor").join(name);
    if unpacked.join("Cargo.toml").is_file() {
        return Some(unpacked);
    }
    match download(&home, subject) {
        Ok(()) if unpacked.is_dir() => Some(unpacked),
        Ok(()) => {
            eprintln!("{name} {version}: the download does not contain the crate");
            None
        }
        Err(reason) => {
            eprintln!("{name} {version} cannot be downloaded: {reason}");
            None
        }
    }
}

/// Vendors the dependencies of a throwaway package that depends on the subject alone.
fn download(home: &Path, subject: &Subject) -> Result<(), String> {
    let Subject { name, version } = subject;
    let manifest = format!(
        "[workspace]\n\n[package]\nname = \"subject\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n\
         [dependencies]\n{name} = {{ version = \"={version}\", default-features = false }}\n"
    );
    fs::create_dir_all(home.join("src")).map_err(|error| error.to_string())?;
    fs::write(home.join("Cargo.toml"), manifest).map_err(|error| error.to_string())?;
    fs::write(home.join("src/lib.rs"), "").map_err(|error| error.to_string())?;
    let output = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["vendor", "--quiet", "vendor"])
        .current_dir(home)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .output()
        .map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let message = String::from_utf8_lossy(&output.stderr);
    let line = message.lines().find(|line| line.starts_with("error")).unwrap_or("cargo failed");
    Err(line.to_owned())
}
