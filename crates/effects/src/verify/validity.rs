//! Whether the inputs of the space are useful: if all versions end in a fault before any change on
//! all of them, equal behaviour says nothing about the change.

use explore::CellFrom;
use explore::pair::Plain;
use explore::partitions::Explorer;

use super::NAME;
use super::native::Natives;
use crate::trial::{Fault, Subject};

/// A fault of the newest version, if every partition consists of such inputs. Changes are marked in
/// the programs.
pub(super) fn invalid_inputs<'s>(
    explorer: &Explorer<'_>,
    programs: &'s [Subject<'s>],
    cells: &[Option<&'s [CellFrom]>],
    natives: &Natives<'_>,
    limits: exec::Limits,
) -> Option<Fault> {
    let machine = |(subject, cells): (&'s Subject<'s>, Option<&'s [CellFrom]>)| {
        Plain::new(subject.side(cells), NAME, limits, false)
    };
    let versions = programs.iter().zip(cells.iter().copied());
    let mut machines: Vec<Plain<'_>> = versions.map(machine).collect();
    let mut first = None;
    for partition in &explorer.found().list {
        for machine in &mut machines {
            machine.run(&partition.input);
            if !machine.faults_before_change() {
                return None;
            }
        }
        if first.is_none() {
            let newest = machines.len() - 1;
            first = natives.fault(newest, machines[newest].stop());
        }
    }
    first
}
