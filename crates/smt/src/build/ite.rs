//! If-then-else, of bit vectors and of arrays.

use crate::term::{Node, Op, TermId, Terms};

impl Terms {
    pub fn ite(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
        assert_eq!(self.width(condition), 1, "a condition is one bit");
        assert_eq!(self.sort(then), self.sort(otherwise), "branches of different sorts");
        if self.raw {
            return self.make_ite(condition, then, otherwise);
        }
        let (c, t, e) = match self.match_unary(Op::Not, condition) {
            Some(positive) => (positive, otherwise, then),
            None => (condition, then, otherwise),
        };
        if t == e || c == Terms::TRUE {
            return t;
        }
        if c == Terms::FALSE {
            return e;
        }
        if let Some((inner, x, _)) = self.match_ite(t)
            && inner == c
        {
            return self.ite(c, x, e);
        }
        if let Some((inner, _, y)) = self.match_ite(e)
            && inner == c
        {
            return self.ite(c, t, y);
        }
        if !self.is_array(t) && self.width(t) == 1 {
            return self.boolean_ite(c, t, e);
        }
        if let Some((d, u, f)) = self.match_ite(e)
            && u == t
        {
            let either = self.or(c, d);
            return self.ite(either, t, f);
        }
        if let Some((d, u, f)) = self.match_ite(t)
            && f == e
        {
            let both = self.and(c, d);
            return self.ite(both, u, e);
        }
        if let Some((x, y)) = self.match_binary(Op::Eq, c)
            && ((x == e && y == t) || (x == t && y == e))
        {
            return e;
        }
        self.make_ite(c, t, e)
    }

    fn boolean_ite(&mut self, c: TermId, t: TermId, e: TermId) -> TermId {
        match (t, e) {
            (Terms::TRUE, Terms::FALSE) => c,
            (Terms::FALSE, Terms::TRUE) => self.not(c),
            (Terms::TRUE, e) => self.or(c, e),
            (Terms::FALSE, e) => {
                let not = self.not(c);
                self.and(not, e)
            }
            (t, Terms::FALSE) => self.and(c, t),
            (t, Terms::TRUE) => {
                let not = self.not(c);
                self.or(not, t)
            }
            (t, e) if t == c => self.or(c, e),
            (t, e) if e == c => self.and(c, t),
            (t, e)
                if self.match_unary(Op::Not, t) == Some(e)
                    || self.match_unary(Op::Not, e) == Some(t) =>
            {
                self.eq(c, t)
            }
            (t, e) => self.make_ite(c, t, e),
        }
    }

    fn make_ite(&mut self, c: TermId, t: TermId, e: TermId) -> TermId {
        let width = self.node(t).width;
        let node = Node { op: Op::Ite, rounding: 0, width, a: c.raw(), b: t.raw(), c: e.raw() };
        // Arrays do not fold.
        if self.is_array(t) { self.intern(node) } else { self.make(node) }
    }

    /// Applies the operation to both branches of an if-then-else.
    pub(crate) fn map_choice(
        &mut self,
        choice: TermId,
        mut operation: impl FnMut(&mut Terms, TermId) -> TermId,
    ) -> TermId {
        let (c, t, e) = self.match_ite(choice).expect("the caller has seen an if-then-else");
        let (then, otherwise) = (operation(self, t), operation(self, e));
        self.ite(c, then, otherwise)
    }
}
