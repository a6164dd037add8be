//! The programs that the build of a version links, with the units and flags that it says.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use source::{Build, Product, UnitId};

use super::units::Units;
use super::{Kind, Lacks, Program};

impl Units {
    /// The programs of a build that begin in a C file. They are called by the last part of their
    /// names, if no other program is.
    pub(super) fn built_programs(&self, build: &Build) -> Vec<Program> {
        let places = self.places();
        let found: Vec<(&Product, Program)> = build
            .programs()
            .filter_map(|product| Some((product, self.built_program(build, product, &places)?)))
            .collect();
        let short = |product: &Product| {
            let name = Path::new(&product.name).file_name();
            name.map_or_else(|| product.name.clone(), |name| name.to_string_lossy().into_owned())
        };
        let names: Vec<String> = found.iter().map(|(product, _)| short(product)).collect();
        let is_taken = |name: &String| names.iter().filter(|other| *other == name).count() > 1;
        found
            .into_iter()
            .zip(&names)
            .map(|((product, program), name)| {
                let name = if is_taken(name) { product.name.clone() } else { name.clone() };
                Program { name, ..program }
            })
            .collect()
    }

    fn built_program(
        &self,
        build: &Build,
        product: &Product,
        places: &BTreeMap<UnitId, Place>,
    ) -> Option<Program> {
        let (mut units, mut lacks) = (Vec::new(), Lacks::default());
        for id in build.units_with_libraries(product) {
            match places.get(&id) {
                Some(Place::Unit(unit)) if !units.contains(unit) => units.push(*unit),
                Some(Place::Broken(broken)) => lacks.broken.push(*broken),
                // Not C: what only it defines is a gap. Or the same unit once more.
                _ => {}
            }
        }
        let main = units.iter().find(|&&unit| self.units[unit].symbols.has_main());
        let mut broken_main = lacks.broken.iter().map(|&index| &self.broken[index].file);
        let main =
            main.map(|&unit| &self.units[unit].file).or_else(|| broken_main.next_back())?.clone();
        let mut files = BTreeSet::new();
        for &unit in &units {
            let file = &self.units[unit].file;
            if !files.insert(file.clone()) && !lacks.repeated.contains(file) {
                lacks.repeated.push(file.clone());
            }
        }
        Some(Program {
            name: product.name.clone(),
            files: files.into_iter().collect(),
            flags: self.flags(&units),
            kind: Kind::Built { main, units, lacks },
            choices: Vec::new(),
        })
    }

    /// What each unit of the build is here.
    fn places(&self) -> BTreeMap<UnitId, Place> {
        let mut numbers: BTreeMap<PathBuf, usize> = BTreeMap::new();
        let mut places = BTreeMap::new();
        for built in self.checkout.built_units() {
            let number = numbers.entry(built.file.clone()).or_default();
            let variant = *number;
            *number += 1;
            let unit = self
                .units
                .iter()
                .position(|unit| unit.file == built.file && unit.variant == variant)
                .map(Place::Unit);
            let broken = || {
                let mut all = self.broken.iter();
                all.position(|one| one.file == built.file && one.variant == variant)
                    .map(Place::Broken)
            };
            if let Some(place) = unit.or_else(broken) {
                places.extend(built.ids.iter().map(|&id| (id, place)));
            }
        }
        places
    }
}

/// A unit that compiles, or one that does not, by its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Unit(usize),
    Broken(usize),
}
