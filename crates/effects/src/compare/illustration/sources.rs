//! The files of both versions, aligned, with static annotations of their lines.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use base::Version;
use ir::{FileId, FuncId, StatementId};

use super::functions::functions;
use super::{FileLine, SideFile, SourceFile};
use crate::compare::Witness;
use crate::versions::{Side, Versions};

/// The largest file to read, in bytes.
const MOST_BYTES: u64 = 16 << 20;

/// The files with statements of the program's own functions.
pub(super) struct Texts<'v> {
    versions: &'v Versions,
    files: Vec<SourceFile>,
    /// The number of each file, by version.
    numbers: [BTreeMap<FileId, usize>; 2],
    own: [BTreeSet<FuncId>; 2],
}

impl<'v> Texts<'v> {
    pub fn new(versions: &'v Versions) -> Texts<'v> {
        let own = [&versions.old, &versions.new].map(own_functions);
        let mut texts = Texts { versions, files: Vec::new(), numbers: Default::default(), own };
        texts.collect();
        texts.mark_code();
        texts.mark_changed();
        texts
    }

    /// The files, with the functions that matter to these differences.
    pub fn finish(mut self, witnesses: &[Witness]) -> Vec<SourceFile> {
        let found = Version::BOTH.map(|v| functions(self.versions, &self, witnesses, v));
        for (version, files) in Version::BOTH.into_iter().zip(found) {
            for (number, functions) in files {
                if let Some(side) = &mut self.files[number].sides[version] {
                    side.functions = functions;
                }
            }
        }
        self.files
    }

    pub fn is_own(&self, version: Version, function: FuncId) -> bool {
        self.own[version].contains(&function)
    }

    /// The line of a statement of the program's own code.
    pub fn line(&self, version: Version, statement: StatementId) -> Option<FileLine> {
        let module = &self.versions.side(version).module;
        let data = module.statements.get(statement)?;
        if data.span.line == 0 || !self.is_own(version, data.function) {
            return None;
        }
        let file = module.scopes.get(data.span.scope?)?.file;
        Some((*self.numbers[version].get(&file)?, data.span.line))
    }

    /// The text of a line, trimmed.
    pub fn text(&self, version: Version, (file, line): FileLine) -> Option<String> {
        let side = self.files.get(file)?.sides[version].as_ref()?;
        let mut lines = side.text.as_ref()?.split(|&byte| byte == b'\n');
        let text = lines.nth((line as usize).checked_sub(1)?)?;
        Some(String::from_utf8_lossy(text.trim_ascii()).into_owned())
    }

    /// Finds the files; those with the same name in both versions become one.
    fn collect(&mut self) {
        let mut by_key: BTreeMap<PathBuf, SourceFile> = BTreeMap::new();
        let mut keys: [BTreeMap<FileId, PathBuf>; 2] = Default::default();
        for version in Version::BOTH {
            let side = self.versions.side(version);
            for file in self.files_of(version) {
                let name = side.module.files[file].name.clone();
                let key =
                    side.checkout.key(Path::new(&name)).unwrap_or_else(|| name.clone().into());
                let entry = by_key.entry(key.clone()).or_default();
                entry.name.clone_from(&name);
                entry.sides[version].get_or_insert_with(|| SideFile {
                    name,
                    text: read(side, file),
                    ..SideFile::default()
                });
                keys[version].insert(file, key);
            }
        }
        let order: Vec<&PathBuf> = by_key.keys().collect();
        let number = |key: &PathBuf| order.binary_search(&key).ok();
        self.numbers = keys.map(|keys| {
            keys.iter().filter_map(|(file, key)| Some((*file, number(key)?))).collect()
        });
        self.files = by_key.into_values().collect();
    }

    fn files_of(&self, version: Version) -> BTreeSet<FileId> {
        let module = &self.versions.side(version).module;
        let statements = module.statements.values();
        let own = statements.filter(|data| self.is_own(version, data.function));
        own.filter_map(|data| Some(module.scopes.get(data.span.scope?)?.file)).collect()
    }

    fn mark_code(&mut self) {
        for version in Version::BOTH {
            let statements: Vec<StatementId> =
                self.versions.side(version).module.statements.keys().collect();
            self.mark(version, &statements, |file| &mut file.code);
        }
    }

    fn mark_changed(&mut self) {
        let all = self.versions.all_changed();
        for (version, changed) in Version::BOTH.into_iter().zip(all) {
            self.mark(version, &changed, |file| &mut file.changed);
        }
    }

    /// Marks the lines that the change may affect, by forward slices.
    pub fn mark_affected(&mut self, is_over: &dyn Fn() -> bool) -> bool {
        let versions = self.versions;
        for side in [&versions.old, &versions.new] {
            if side.calls_within(is_over).is_none() || is_over() {
                return false;
            }
            side.graphs();
        }
        let old = versions.old.graphs();
        let mut in_new: BTreeSet<StatementId> = BTreeSet::new();
        let mut in_old: BTreeSet<StatementId> = BTreeSet::new();
        for change in &versions.numbered {
            if is_over() {
                return false;
            }
            in_new.extend(versions.reach(change).into_keys());
            let before = change.old_statement.iter();
            let before =
                before.flat_map(|&id| old.sdg.of_statement(id).to_vec()).collect::<Vec<_>>();
            in_old.extend(graphs::quantify(&old, &before).into_iter().map(|one| one.statement));
        }
        let alignment = &versions.alignment;
        in_old.extend(in_new.iter().filter_map(|&id| alignment.counterparts[Version::New][id]));
        for (version, affected) in Version::BOTH.into_iter().zip([in_old, in_new]) {
            let affected: Vec<StatementId> = affected.into_iter().collect();
            self.mark(version, &affected, |file| &mut file.affected);
        }
        for file in &mut self.files {
            for side in file.sides.iter_mut().flatten() {
                side.affected.extend(&side.changed);
                side.affected.sort_unstable();
                side.affected.dedup();
            }
        }
        true
    }

    pub fn is_affected(&self, version: Version, (file, line): FileLine) -> bool {
        let side = self.files.get(file).and_then(|file| file.sides[version].as_ref());
        side.is_some_and(|side| side.affected.binary_search(&line).is_ok())
    }

    pub fn is_changed(&self, version: Version, (file, line): FileLine) -> bool {
        let side = self.files.get(file).and_then(|file| file.sides[version].as_ref());
        side.is_some_and(|side| side.changed.binary_search(&line).is_ok())
    }

    fn mark(
        &mut self,
        version: Version,
        statements: &[StatementId],
        marks: fn(&mut SideFile) -> &mut Vec<u32>,
    ) {
        for &statement in statements {
            let Some((file, line)) = self.line(version, statement) else { continue };
            if let Some(side) = &mut self.files[file].sides[version] {
                marks(side).push(line);
            }
        }
        for file in &mut self.files {
            if let Some(side) = &mut file.sides[version] {
                let lines = marks(side);
                lines.sort_unstable();
                lines.dedup();
            }
        }
    }
}

fn own_functions(side: &Side) -> BTreeSet<FuncId> {
    let functions = side.module.functions.iter().filter(|(_, data)| data.body().is_some());
    functions.map(|(id, _)| id).filter(|&id| side.is_own(id)).collect()
}

fn read(side: &Side, file: FileId) -> Option<Vec<u8>> {
    let file = &side.module.files[file];
    let named = side.checkout.path(Path::new(&file.name));
    let path = if named.exists() {
        named
    } else {
        side.checkout.directory.join(&file.directory).join(&file.name)
    };
    let length = fs::metadata(&path).ok()?.len();
    (length <= MOST_BYTES).then(|| fs::read(path).ok()).flatten()
}
