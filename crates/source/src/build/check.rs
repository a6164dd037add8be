//! Which units of a build clang cannot compile.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::model::{Build, Language, UnitId};
use crate::compile::{Compiler, Kind, Orders};
use crate::error::{Failure, SourceError};

impl Build {
    /// Compiles all C files as they were compiled, each way once; the results are cached. Returns
    /// the units that clang rejects, with what it says.
    pub fn check(&self, compiler: &Compiler) -> Result<Vec<(UnitId, Failure)>, SourceError> {
        let mut failed = Vec::new();
        // Flags belong to names of files, so that a file that was compiled twice takes two rounds.
        let mut rounds: Vec<BTreeMap<PathBuf, UnitId>> = Vec::new();
        for (number, unit) in (0..).zip(&self.units) {
            if unit.language != Language::C || Kind::of(&unit.file) != Some(Kind::C) {
                continue;
            }
            let free = rounds.iter_mut().find(|round| !round.contains_key(&unit.file));
            match free {
                Some(round) => {
                    round.insert(unit.file.clone(), UnitId(number));
                }
                None => rounds.push(BTreeMap::from([(unit.file.clone(), UnitId(number))])),
            }
        }
        for mut round in rounds {
            round.retain(|file, unit| {
                let is_there = file.is_file();
                if !is_there {
                    failed.push((*unit, gone(file.clone())));
                }
                is_there
            });
            failed.extend(self.check_round(compiler, &round)?);
        }
        failed.sort_by_key(|(unit, _)| *unit);
        Ok(failed)
    }

    fn check_round(
        &self,
        compiler: &Compiler,
        round: &BTreeMap<PathBuf, UnitId>,
    ) -> Result<Vec<(UnitId, Failure)>, SourceError> {
        let flags =
            round.iter().map(|(file, unit)| (file.clone(), self.unit(*unit).absolute_flags()));
        let mut compiler = Compiler { directory: self.directory.clone(), ..compiler.clone() };
        compiler.orders = Orders { file_flags: Arc::new(flags.collect()), ..Orders::default() };
        let files: Vec<PathBuf> = round.keys().cloned().collect();
        match compiler.compile_files(&files, &[]) {
            Ok(_) => Ok(Vec::new()),
            Err(SourceError::DoesNotCompile(failures)) => {
                let of = |failure: Failure| Some((*round.get(&failure.path)?, failure));
                Ok(failures.into_iter().filter_map(of).collect())
            }
            Err(error) => Err(error),
        }
    }
}

fn gone(path: PathBuf) -> Failure {
    Failure { path, said: "the file is gone: the build removed it".to_owned(), is_final: true }
}
