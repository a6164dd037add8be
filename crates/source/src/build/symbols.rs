//! The names that objects, archives and programs define, from their symbol tables.
//!
//! ELF only. What is no ELF file, or was compiled for link-time optimisation, defines nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use object::read::archive::ArchiveFile;
use object::{Object, ObjectSymbol};

/// Larger files are not read.
const MOST_BYTES: u64 = 1 << 30;

pub(super) type Names = BTreeSet<Vec<u8>>;

/// The members of an archive, by their names: what each defines. Several members may have the same
/// name. Nothing if it is no archive.
pub(super) fn members(path: &Path) -> Option<BTreeMap<String, Vec<Names>>> {
    let bytes = read(path)?;
    let archive = ArchiveFile::parse(bytes.as_slice()).ok()?;
    let mut found: BTreeMap<String, Vec<Names>> = BTreeMap::new();
    for member in archive.members() {
        let member = member.ok()?;
        let name = String::from_utf8_lossy(member.name()).into_owned();
        let names = if archive.is_thin() {
            read(&path.parent()?.join(&name)).map(|bytes| globals(&bytes)).unwrap_or_default()
        } else {
            member.data(bytes.as_slice()).map(globals).unwrap_or_default()
        };
        let base = name.rsplit('/').next().unwrap_or(&name).to_owned();
        found.entry(base).or_default().push(names);
    }
    Some(found)
}

/// What an object defines for others.
pub(super) fn defined_by_object(path: &Path) -> Names {
    read(path).map(|bytes| globals(&bytes)).unwrap_or_default()
}

/// Everything that a program or library defines, for itself or for others. Nothing if it was
/// stripped.
pub(super) fn defined_by_program(path: &Path) -> Option<Names> {
    let bytes = read(path)?;
    let file = object::File::parse(bytes.as_slice()).ok()?;
    let mut names = Names::new();
    for symbol in file.symbols().filter(|symbol| symbol.is_definition()) {
        names.extend(symbol.name_bytes().ok().map(<[u8]>::to_vec));
    }
    (!names.is_empty()).then_some(names)
}

fn globals(bytes: &[u8]) -> Names {
    let Ok(file) = object::File::parse(bytes) else { return Names::new() };
    let symbols = file.symbols();
    let defined = symbols.filter(|symbol| {
        symbol.is_global()
            && !symbol.is_undefined()
            && (symbol.is_definition() || symbol.is_common())
    });
    defined.filter_map(|symbol| symbol.name_bytes().ok().map(<[u8]>::to_vec)).collect()
}

fn read(path: &Path) -> Option<Vec<u8>> {
    let meta = fs::metadata(path).ok()?;
    (meta.is_file() && meta.len() <= MOST_BYTES).then(|| fs::read(path).ok())?
}
