//! A program ready to run: a linked module, its addresses, its initial memory, and the register
//! form of its functions, lowered on their first call.

use std::sync::OnceLock;

use base::entity::PrimaryMap;
use base::sets::BitSet;
use ir::{Definition, FuncId, Module, StatementId};
use library::StartVariable;
use thiserror::Error;

use crate::addresses::{Addresses, undefined_globals};
use crate::code::Code;
use crate::lower::{self, Instrumentation};
use crate::memory::{Allocation, Memory};
use crate::shims;
use crate::stop::{Limits, ObjectKind, Site};

/// Why a module is not a program; the user's fault.
#[derive(Debug, Error)]
pub enum ProgramError {
    #[error("the program has no function `{0}`")]
    NoEntry(String),
    #[error("nothing defines {}; add the file that does", quoted(.0))]
    UndefinedGlobals(Vec<String>),
    #[error("the global variables need more memory than a program may have")]
    TooLarge,
    #[error("the initial value of `{0}` is not a constant that can be placed in memory")]
    BadInitialiser(String),
}

fn quoted(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match names.len() {
        1 => format!("the global variable {}", names[0]),
        _ => format!("the global variables {}", names.join(", ")),
    }
}

#[derive(Debug)]
pub struct Program {
    pub module: Module,
    pub addresses: Addresses,
    pub entry: FuncId,
    /// Variables of the C library that are initialised when a run starts, by address.
    pub start_variables: Vec<(StartVariable, u64)>,
    instrumentation: Instrumentation,
    /// By statement: which are marked, if not all.
    marked: Option<BitSet<StatementId>>,
    codes: PrimaryMap<FuncId, OnceLock<Code>>,
    image: Memory,
}

/// A source position, for messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    pub function: String,
    pub file: Option<String>,
    pub line: u32,
    pub column: u32,
}

impl Program {
    pub fn new(
        module: Module,
        entry: &str,
        instrumentation: Instrumentation,
    ) -> Result<Program, ProgramError> {
        Program::bounded(module, entry, instrumentation, Limits::default().memory)
    }

    /// A program whose global variables take no more memory than given.
    pub fn bounded(
        module: Module,
        entry: &str,
        instrumentation: Instrumentation,
        memory: u64,
    ) -> Result<Program, ProgramError> {
        let entry = find_function(&module, entry)?;
        let mut addresses = Addresses::new(&module);
        let image = build_image(&module, &mut addresses, memory)?;
        let start_variables = module.globals.iter().filter_map(|(id, global)| {
            let variable = StartVariable::named(&global.name)?;
            Some((variable, addresses.globals[id]))
        });
        let start_variables = start_variables.collect();
        let codes = module.functions.values().map(|_| OnceLock::new()).collect();
        Ok(Program {
            module,
            addresses,
            entry,
            start_variables,
            instrumentation,
            marked: None,
            codes,
            image,
        })
    }

    /// Marks only some statements, given by their numbers, so that observers see when those begin
    /// and nothing else slows down. Call it before the first run.
    pub fn mark_only(mut self, statements: impl IntoIterator<Item = StatementId>) -> Program {
        let mut marked = BitSet::new(self.module.statements.len());
        for statement in statements {
            marked.insert(statement);
        }
        self.instrumentation.statements = true;
        self.marked = Some(marked);
        self.codes = self.module.functions.values().map(|_| OnceLock::new()).collect();
        self
    }

    /// The register form of a function.
    #[inline]
    pub fn code(&self, function: FuncId) -> &Code {
        let cell = &self.codes[function];
        match cell.get() {
            Some(code) => code,
            None => cell.get_or_init(|| {
                let Program { module, addresses, instrumentation, .. } = self;
                let marked = self.marked.as_ref();
                lower::lower_marked(module, addresses, function, *instrumentation, marked)
            }),
        }
    }

    /// Memory as it is before the first instruction.
    pub fn image(&self) -> &Memory {
        &self.image
    }

    /// Functions that the program refers to and that neither it nor the machine has.
    pub fn missing_functions(&self) -> Vec<&str> {
        let names = ir::undefined_symbols(&self.module);
        names.filter(|name| shims::find(name).is_none() && !name.starts_with("llvm.")).collect()
    }

    /// Fails if the program uses global variables that nothing defines. Without this check, a run
    /// ends as unsupported when it accesses one.
    pub fn check_globals(&self) -> Result<(), ProgramError> {
        let undefined = undefined_globals(&self.module);
        let names = undefined.iter().map(|&id| self.module.globals[id].name.clone());
        let names: Vec<String> = names.collect();
        if names.is_empty() { Ok(()) } else { Err(ProgramError::UndefinedGlobals(names)) }
    }

    pub fn instrumentation(&self) -> Instrumentation {
        self.instrumentation
    }

    /// The variable whose memory an instruction allocates.
    pub fn local_variable(&self, site: Site) -> Option<&ir::Variable> {
        let body = self.module.functions.get(site.function)?.body()?;
        let address = body.insts.get(site.inst)?.result?;
        body.variables.iter().find(|variable| variable.storage == ir::Storage::Memory(address))
    }

    /// The source name of the variable whose memory an instruction allocates.
    pub fn local_name(&self, site: Site) -> Option<&str> {
        Some(&self.local_variable(site)?.name)
    }

    pub fn position(&self, site: Site) -> Position {
        let function = &self.module.functions[site.function];
        let span = match function.body().and_then(|body| body.insts.get(site.inst)) {
            Some(inst) if inst.span.line != 0 => inst.span,
            Some(inst) => self
                .module
                .statements
                .get(inst.statement)
                .map_or(function.span, |statement| statement.span),
            None => function.span,
        };
        let file = span.scope.and_then(|scope| {
            let scope = self.module.scopes.get(scope)?;
            Some(self.module.files.get(scope.file)?.name.clone())
        });
        Position {
            function: function.display_name().to_owned(),
            file,
            line: span.line,
            column: span.column,
        }
    }
}

fn find_function(module: &Module, name: &str) -> Result<FuncId, ProgramError> {
    module
        .functions
        .iter()
        .find(|(_, function)| {
            function.name == name && !matches!(function.definition, Definition::Declaration)
        })
        .map(|(id, _)| id)
        .ok_or_else(|| ProgramError::NoEntry(name.to_owned()))
}

fn build_image(
    module: &Module,
    addresses: &mut Addresses,
    limit: u64,
) -> Result<Memory, ProgramError> {
    let mut memory = Memory::new(limit);
    let undefined = undefined_globals(module);
    for (id, global) in module.globals.iter() {
        let (kind, size) = match global.init {
            Some(_) => (ObjectKind::Global, module.types.layout(global.ty).size),
            None if undefined.contains(&id) => (ObjectKind::Undefined, 0),
            None => continue,
        };
        let what = Allocation { kind, size, defined: true, site: None };
        let address = memory.allocate(what).map_err(|_| ProgramError::TooLarge)?;
        memory.name(address, global.source_name.as_deref().unwrap_or(&global.name));
        debug_assert_eq!(address, addresses.globals[id]);
    }
    for (id, global) in module.globals.iter() {
        let Some(init) = &global.init else { continue };
        let address = addresses.globals[id];
        let size = module.types.layout(global.ty).size;
        let written = memory
            .bytes_mut(address, size)
            .ok()
            .and_then(|bytes| addresses.write(&module.types, init, bytes));
        if written.is_none() {
            return Err(ProgramError::BadInitialiser(global.name.clone()));
        }
        if global.constant {
            memory.seal(address);
        }
    }
    // Do not count this as work of the program.
    memory.take_work();
    Ok(memory.fork())
}
