//! Reads the text form that [`crate::print()`] writes.
//!
//! Every id that is read is in range afterwards; [`crate::verify`] checks everything else.
//! Malformed text gives an error with its line, never a panic.

mod body;
mod constant;
mod debug;
mod inst;
mod lexer;
mod tokens;

use std::collections::HashMap;

use crate::inst::ByVal;
use crate::{
    Alias, BlockId, DebugTypeId, Definition, FuncId, Function, Global, GlobalId, Linkage, Module,
    Param, ScopeId, Span, Statement, TypeId,
};
use base::entity::EntityRef;
use lexer::{Lexer, SymbolName, Token};

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct ParseError {
    pub line: u32,
    pub reason: String,
}

type Parsed<T> = Result<T, ParseError>;

pub fn parse(text: &str) -> Result<Module, ParseError> {
    let mut parser = Parser::new(text)?;
    while parser.token != Token::End {
        parser.item()?;
    }
    parser.finish()
}

/// The meaning of a symbol.
#[derive(Clone, Copy)]
enum Symbol {
    Function(FuncId),
    Global(GlobalId),
}

/// The greatest id of a kind that was mentioned, and where.
#[derive(Clone, Copy, Default)]
struct Mentioned(Option<(usize, u32)>);

impl Mentioned {
    fn note(&mut self, id: impl EntityRef, line: u32) {
        if self.0.is_none_or(|(greatest, _)| id.index() > greatest) {
            self.0 = Some((id.index(), line));
        }
    }

    fn check(self, count: usize, prefix: &str) -> Parsed<()> {
        match self.0 {
            Some((id, line)) if id >= count => {
                Err(ParseError { line, reason: format!("{prefix}{id} does not exist") })
            }
            _ => Ok(()),
        }
    }
}

struct Parser<'t> {
    lexer: Lexer<'t>,
    token: Token<'t>,
    /// Line of the token.
    line: u32,
    module: Module,
    symbols: HashMap<SymbolName, Symbol>,
    /// Types that have names, by number.
    types: Vec<TypeId>,
    files: Mentioned,
    scopes: Mentioned,
    debug_types: Mentioned,
    statements: Mentioned,
    /// Blocks named outside their function, with the line.
    blocks: Vec<(FuncId, BlockId, u32)>,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str) -> Parsed<Parser<'t>> {
        let mut parser = Parser {
            symbols: symbols(text)?,
            lexer: Lexer::new(text),
            token: Token::Newline,
            line: 1,
            module: Module::default(),
            types: Vec::new(),
            files: Mentioned::default(),
            scopes: Mentioned::default(),
            debug_types: Mentioned::default(),
            statements: Mentioned::default(),
            blocks: Vec::new(),
        };
        parser.advance()?;
        Ok(parser)
    }

    fn item(&mut self) -> Parsed<()> {
        let word = match self.token {
            Token::Newline => return self.advance(),
            Token::Word(word) => word,
            _ => return self.expected("a definition"),
        };
        self.advance()?;
        match word {
            "module" => self.module_line(),
            "type" => self.type_name(),
            "global" => self.global(),
            "alias" => self.alias(),
            "constructor" => {
                let entry = self.starter()?;
                self.module.constructors.push(entry);
                self.end_of_line()
            }
            "destructor" => {
                let entry = self.starter()?;
                self.module.destructors.push(entry);
                self.end_of_line()
            }
            "function" => self.function(),
            "statement" => self.statement(),
            word => self.debug_definition(word),
        }
    }

    fn finish(self) -> Parsed<Module> {
        let module = self.module;
        self.files.check(module.files.len(), "file")?;
        self.scopes.check(module.scopes.len(), "scope")?;
        self.debug_types.check(module.debug_types.len(), "d")?;
        self.statements.check(module.statements.len(), "st")?;
        for (function, block, line) in self.blocks {
            let body = module.functions[function].body();
            if !body.is_some_and(|body| body.blocks.is_valid(block)) {
                let reason = format!("{block} does not exist in {function}");
                return Err(ParseError { line, reason });
            }
        }
        Ok(module)
    }

    fn module_line(&mut self) -> Parsed<()> {
        self.module.name = self.string()?;
        self.keyword("i128")?;
        let align: u64 = self.number()?;
        if !align.is_power_of_two() {
            return self.error("an alignment is a power of two");
        }
        self.module.types.set_i128_align(align);
        self.end_of_line()
    }

    fn type_name(&mut self) -> Parsed<()> {
        let index = self.handle("t")?;
        if index != self.types.len() {
            return self.error("types are t0, t1, … in order");
        }
        self.mark('=')?;
        let ty = self.ty()?;
        self.types.push(ty);
        self.end_of_line()
    }

    fn global(&mut self) -> Parsed<()> {
        let name = self.symbol_name()?.name;
        let linkage = self.linkage()?;
        self.mark(':')?;
        let ty = self.ty()?;
        self.keyword("align")?;
        let align = self.number()?;
        let constant = self.eat_keyword("constant")?;
        let thread_local = self.eat_keyword("thread_local")?;
        let source_name = self.source_name()?;
        let debug_type = self.type_annotation()?;
        let span = self.span()?;
        let init = if self.eat('=')? { Some(self.constant()?) } else { None };
        self.module.globals.push(Global {
            name,
            linkage,
            ty,
            align,
            constant,
            thread_local,
            init,
            source_name,
            debug_type,
            span,
        });
        self.end_of_line()
    }

    fn alias(&mut self) -> Parsed<()> {
        let name = self.symbol_name()?.name;
        let linkage = self.linkage()?;
        self.mark('=')?;
        let target = self.constant()?;
        self.module.aliases.push(Alias { name, linkage, target });
        self.end_of_line()
    }

    fn starter(&mut self) -> Parsed<(u32, FuncId)> {
        Ok((self.number()?, self.function_symbol()?))
    }

    fn function(&mut self) -> Parsed<()> {
        let name = self.symbol_name()?.name;
        let linkage = self.linkage()?;
        let (params, variadic) = self.params()?;
        if self.token != Token::Arrow {
            return self.expected("`->`");
        }
        self.advance()?;
        let returns = self.ty()?;
        let source_name = self.source_name()?;
        let debug_type = self.type_annotation()?;
        let span = self.span()?;
        let definition = self.definition(&params)?;
        self.module.functions.push(Function {
            name,
            linkage,
            returns,
            params,
            variadic,
            source_name,
            debug_type,
            span,
            definition,
        });
        self.end_of_line()
    }

    fn params(&mut self) -> Parsed<(Vec<Param>, bool)> {
        let mut params = Vec::new();
        self.mark('(')?;
        while !self.eat(')')? {
            if !params.is_empty() {
                self.mark(',')?;
            }
            if self.eat_keyword("...")? {
                self.mark(')')?;
                return Ok((params, true));
            }
            let index: usize = self.handle("v")?;
            if index != params.len() {
                return self.error("parameters are v0, v1, … in order");
            }
            let (name, ty) = self.named_type()?;
            let byval = self.byval()?;
            params.push(Param { ty, name, byval });
        }
        Ok((params, false))
    }

    fn byval(&mut self) -> Parsed<Option<ByVal>> {
        if !self.eat_keyword("byval")? {
            return Ok(None);
        }
        Ok(Some(ByVal { size: self.number()?, align: self.number()? }))
    }

    fn definition(&mut self, params: &[Param]) -> Parsed<Definition> {
        if self.eat_keyword("unreadable")? {
            let line = self.number()?;
            return Ok(Definition::Unreadable { line, reason: self.string()? });
        }
        if self.eat('{')? {
            return Ok(Definition::Body(Box::new(self.body(params)?)));
        }
        Ok(Definition::Declaration)
    }

    fn statement(&mut self) -> Parsed<()> {
        let index: usize = self.handle("st")?;
        if index != self.module.statements.len() {
            return self.error("statements are st0, st1, … in order");
        }
        let line = self.line;
        let function = self.function_symbol()?;
        let block = self.entity::<BlockId>("b")?;
        self.blocks.push((function, block, line));
        let span = self.span()?;
        self.module.statements.push(Statement { function, block, span });
        self.end_of_line()
    }

    fn linkage(&mut self) -> Parsed<Linkage> {
        self.one_of(Linkage::from_name, "a linkage")
    }

    fn source_name(&mut self) -> Parsed<Option<String>> {
        Ok(if self.eat_keyword("source")? { Some(self.string()?) } else { None })
    }

    fn type_annotation(&mut self) -> Parsed<Option<DebugTypeId>> {
        Ok(if self.eat_keyword("type")? { Some(self.debug_type_id()?) } else { None })
    }

    /// ` @ line:column scope`, where present.
    fn span(&mut self) -> Parsed<Span> {
        if !self.eat('@')? {
            return Ok(Span::NONE);
        }
        let line = self.number()?;
        self.mark(':')?;
        let column = self.number()?;
        let scope = match self.token {
            Token::Word(word) if handle_index(word, "scope").is_some() => Some(self.scope_id()?),
            _ => None,
        };
        Ok(Span { scope, line, column })
    }

    fn scope_id(&mut self) -> Parsed<ScopeId> {
        let line = self.line;
        let id = self.entity("scope")?;
        self.scopes.note(id, line);
        Ok(id)
    }

    fn debug_type_id(&mut self) -> Parsed<DebugTypeId> {
        let line = self.line;
        let id = self.entity("d")?;
        self.debug_types.note(id, line);
        Ok(id)
    }

    fn function_symbol(&mut self) -> Parsed<FuncId> {
        let line = self.line;
        match self.symbol()? {
            Symbol::Function(function) => Ok(function),
            Symbol::Global(_) => {
                Err(ParseError { line, reason: "the symbol is not a function".to_owned() })
            }
        }
    }

    fn symbol(&mut self) -> Parsed<Symbol> {
        let line = self.line;
        let name = self.symbol_name()?;
        self.symbols.get(&name).copied().ok_or_else(|| ParseError {
            line,
            reason: format!("`@{}` is not a function or global of the module", name.name),
        })
    }

    /// An optional name, a colon and a type.
    fn named_type(&mut self) -> Parsed<(String, TypeId)> {
        let name = self.optional_name()?;
        self.mark(':')?;
        Ok((name, self.ty()?))
    }
}

/// Finds the functions and globals, so that text may mention them before it defines them.
fn symbols(text: &str) -> Parsed<HashMap<SymbolName, Symbol>> {
    let mut lexer = Lexer::new(text);
    let mut symbols = HashMap::new();
    let (mut functions, mut globals) = (0, 0);
    let mut line_starts = true;
    loop {
        let (token, line) = lexer.next()?;
        let function = match token {
            Token::End => return Ok(symbols),
            Token::Word("function") if line_starts => true,
            Token::Word("global") if line_starts => false,
            token => {
                line_starts = token == Token::Newline;
                continue;
            }
        };
        line_starts = false;
        let (Token::Symbol(name), _) = lexer.next()? else { continue };
        let symbol = if function {
            Symbol::Function(FuncId::at(functions))
        } else {
            Symbol::Global(GlobalId::at(globals))
        };
        *if function { &mut functions } else { &mut globals } += 1;
        let reason = format!("`@{}` is defined twice", name.name);
        if symbols.insert(name, symbol).is_some() {
            return Err(ParseError { line, reason });
        }
    }
}

/// The number of a handle: 12 for `v12`.
fn handle_index(word: &str, prefix: &str) -> Option<u32> {
    let digits = word.strip_prefix(prefix)?;
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
    // The greatest number is reserved by entity tables.
    digits.parse().ok().filter(|&index| plain && index != u32::MAX)
}
