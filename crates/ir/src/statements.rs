//! Divides the instructions of a module into statements.
//!
//! From the source positions of the instructions: those of one block with the same file and line
//! are one statement, even if others come between them. For inlined code the line inside the
//! inlined function counts. An instruction without a line belongs to the statement before it in its
//! block.

use std::collections::HashMap;

use base::entity::PrimaryMap;

use crate::{
    BlockId, Body, Definition, FileId, FuncId, Inst, InstId, Module, Op, Scope, ScopeId, Span,
    Statement, StatementId,
};

/// Computes `module.statements` and the statement of every instruction that a block lists.
pub fn assign(module: &mut Module) {
    let mut divider = Divider {
        scopes: &module.scopes,
        statements: PrimaryMap::new(),
        by_line: HashMap::new(),
        latest: None,
    };
    for (id, function) in module.functions.iter_mut() {
        if let Definition::Body(body) = &mut function.definition {
            divider.divide_body(id, function.span, body);
        }
    }
    module.statements = divider.statements;
}

type Line = (Option<FileId>, u32);

struct Divider<'a> {
    scopes: &'a PrimaryMap<ScopeId, Scope>,
    statements: PrimaryMap<StatementId, Statement>,
    /// The latest statement of each line. It is valid only if the current block made it, which its
    /// id shows: so the map need not be cleared between blocks.
    by_line: HashMap<Line, StatementId>,
    /// The line looked up last: neighbours mostly share theirs.
    latest: Option<(Line, StatementId)>,
}

/// The block whose instructions are being divided.
struct Place {
    function: FuncId,
    /// Position of the function's definition.
    head: Span,
    block: BlockId,
    /// Statements from here on belong to the block.
    first: StatementId,
}

impl Divider<'_> {
    fn divide_body(&mut self, function: FuncId, head: Span, body: &mut Body) {
        for (id, block) in body.blocks.iter() {
            let first = self.statements.next_key();
            let place = Place { function, head, block: id, first };
            self.divide_block(&place, &block.insts, &mut body.insts);
        }
    }

    fn divide_block(
        &mut self,
        place: &Place,
        listed: &[InstId],
        insts: &mut PrimaryMap<InstId, Inst>,
    ) {
        let Some(&first) = listed.first() else { return };
        let mut current = None;
        if place.block == Body::ENTRY && place.head.line != 0 && insts[first].span.line == 0 {
            // The prologue: memory for locals and the stores of the parameters.
            current = Some(self.statement(place, place.head));
        }
        let mut leading = 0;
        for (index, &id) in listed.iter().enumerate() {
            let inst = &mut insts[id];
            if inst.span.line != 0 && !matches!(inst.op, Op::Phi { .. }) {
                current = Some(self.statement(place, inst.span));
            }
            match current {
                Some(statement) => inst.statement = statement,
                None => leading = index + 1,
            }
            if let Some(statement) = current {
                for &before in &listed[..std::mem::take(&mut leading)] {
                    insts[before].statement = statement;
                }
            }
        }
        if leading > 0 {
            let statement = self.statement(place, fallback(place, listed, insts));
            for &id in listed {
                insts[id].statement = statement;
            }
        }
    }

    /// The block's statement of a position's line, made if it does not exist yet.
    fn statement(&mut self, place: &Place, span: Span) -> StatementId {
        let line = (span.scope.map(|scope| self.scopes[scope].file), span.line);
        if let Some((latest, statement)) = self.latest
            && latest == line
            && statement >= place.first
        {
            return self.refined(place, statement, span);
        }
        let statement = match self.by_line.get(&line) {
            Some(&statement) if statement >= place.first => self.refined(place, statement, span),
            _ => self.statements.push(Statement {
                function: place.function,
                block: place.block,
                span,
            }),
        };
        self.by_line.insert(line, statement);
        self.latest = Some((line, statement));
        statement
    }

    /// A statement that began with the function's head takes the position of the first
    /// instruction that has one.
    fn refined(&mut self, place: &Place, id: StatementId, span: Span) -> StatementId {
        let statement = &mut self.statements[id];
        if place.block == Body::ENTRY && statement.span == place.head {
            statement.span = span;
        }
        id
    }
}

/// The position of a block in which only phis have a line.
fn fallback(place: &Place, listed: &[InstId], insts: &PrimaryMap<InstId, Inst>) -> Span {
    let mut spans = listed.iter().map(|&id| insts[id].span);
    spans.find(|span| span.line != 0).unwrap_or(place.head)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Block, Function, Linkage, SourceFile, Types};

    /// Divides one function whose blocks are given as lines of instructions; a negative
    /// line is a phi, line 0 is none. The function's own line is 1.
    fn check(blocks: &[&[i32]], expected: &[&[u32]], lines: &[u32]) {
        let mut module = Module::default();
        let file = module.files.push(SourceFile {
            directory: "/".into(),
            name: "a.c".into(),
            in_archive: false,
        });
        let scope = module.scopes.push(Scope {
            file,
            line: 1,
            parent: None,
            function: Some("f".into()),
            inlined_at: None,
        });
        let span = |line: i32| Span {
            scope: (line != 0).then_some(scope),
            line: line.unsigned_abs(),
            column: 7,
        };
        let mut body = Body::default();
        for block in blocks {
            let insts = block.iter().map(|&line| {
                let op = if line < 0 { Op::Phi { incoming: [].into() } } else { Op::Fence };
                let statement = StatementId::at(u32::MAX - 1);
                body.insts.push(Inst { op, result: None, span: span(line), statement })
            });
            let insts = insts.collect();
            body.blocks.push(Block { name: String::new(), insts });
        }
        module.functions.push(Function {
            name: "f".into(),
            linkage: Linkage::External,
            returns: Types::VOID,
            params: Vec::new(),
            variadic: false,
            source_name: None,
            debug_type: None,
            span: Span { column: 0, ..span(1) },
            definition: Definition::Body(Box::new(body)),
        });
        assign(&mut module);
        let body = module.functions[FuncId::at(0)].body().unwrap();
        let found: Vec<Vec<u32>> = body
            .blocks
            .values()
            .map(|block| block.insts.iter().map(|&id| body.insts[id].statement.as_u32()).collect())
            .collect();
        assert_eq!(found, expected);
        let found: Vec<u32> = module.statements.values().map(|st| st.span.line).collect();
        assert_eq!(found, lines);
    }

    #[test]
    fn instructions_of_one_line_are_one_statement_even_if_interleaved() {
        check(&[&[2, 2, 3, 2, 4]], &[&[0, 0, 1, 0, 2]], &[2, 3, 4]);
    }

    #[test]
    fn each_block_has_its_own_statements() {
        check(&[&[2, 3], &[2, 3]], &[&[0, 1], &[2, 3]], &[2, 3, 2, 3]);
    }

    #[test]
    fn the_prologue_belongs_to_the_line_of_the_function() {
        check(&[&[0, 0, 2, 0]], &[&[0, 0, 1, 1]], &[1, 2]);
    }

    #[test]
    fn a_function_on_one_line_is_one_statement_per_block() {
        check(&[&[0, 1, 1]], &[&[0, 0, 0]], &[1]);
    }

    #[test]
    fn instructions_without_a_line_at_the_start_of_a_block_join_the_next() {
        check(&[&[2], &[0, 3, 0, 4]], &[&[0], &[1, 1, 1, 2]], &[2, 3, 4]);
    }

    #[test]
    fn a_block_without_lines_belongs_to_the_line_of_the_function() {
        check(&[&[2], &[0, 0]], &[&[0], &[1, 1]], &[2, 1]);
    }

    #[test]
    fn a_phi_belongs_to_the_statement_that_follows() {
        check(&[&[2], &[-9, -9, 3]], &[&[0], &[1, 1, 1]], &[2, 3]);
    }

    #[test]
    fn a_phi_gives_its_line_to_a_block_that_has_no_other() {
        check(&[&[2], &[-9, 0]], &[&[0], &[1, 1]], &[2, 9]);
    }
}
