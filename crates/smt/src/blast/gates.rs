//! Gates as clauses: each is built once, and none with a constant or trivial output.

use rustc_hash::FxHashMap;
use rustsat::solvers::Solve;
use rustsat::types::Lit;
use rustsat_cadical::CaDiCaL;

/// The literal that is true.
pub const TRUE: Lit = Lit::positive(0);
pub const FALSE: Lit = Lit::negative(0);

/// A SAT instance under construction.
pub struct Gates {
    pub solver: CaDiCaL<'static, 'static>,
    next: u32,
    ands: FxHashMap<(Lit, Lit), Lit>,
    xors: FxHashMap<(Lit, Lit), Lit>,
    muxes: FxHashMap<(Lit, Lit, Lit), Lit>,
    majorities: FxHashMap<(Lit, Lit, Lit), Lit>,
    /// The SAT solver rejected a clause: it is out of memory.
    pub failed: bool,
}

impl Gates {
    pub fn new() -> Gates {
        let mut solver = CaDiCaL::default();
        // New variables come between queries, which variable addition does not expect; the other
        // techniques cost more on small queries than they save.
        let mut failed = false;
        for option in ["factor", "lucky", "walk", "preprocesslight", "inprocessing"] {
            failed |= solver.set_option(option, 0).is_err();
        }
        let mut gates = Gates {
            solver,
            next: 1,
            ands: FxHashMap::default(),
            xors: FxHashMap::default(),
            muxes: FxHashMap::default(),
            majorities: FxHashMap::default(),
            failed,
        };
        gates.clause(&[TRUE]);
        gates
    }

    /// Number of SAT variables.
    pub fn size(&self) -> u32 {
        self.next
    }

    pub fn fresh(&mut self) -> Lit {
        let lit = Lit::positive(self.next);
        self.next += 1;
        lit
    }

    pub fn clause(&mut self, literals: &[Lit]) {
        self.failed |= self.solver.add_clause_ref(literals).is_err();
    }

    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        if a == b || b == TRUE {
            return a;
        }
        if a == TRUE {
            return b;
        }
        if a == FALSE || b == FALSE || a == !b {
            return FALSE;
        }
        let key = if a < b { (a, b) } else { (b, a) };
        if let Some(&known) = self.ands.get(&key) {
            return known;
        }
        let out = self.fresh();
        self.clause(&[!out, a]);
        self.clause(&[!out, b]);
        self.clause(&[out, !a, !b]);
        self.ands.insert(key, out);
        out
    }

    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// All of them, as one gate.
    pub fn all(&mut self, literals: &[Lit]) -> Lit {
        let mut inputs: Vec<Lit> = literals.iter().copied().filter(|lit| *lit != TRUE).collect();
        inputs.sort_unstable();
        inputs.dedup();
        let contradictory = inputs.windows(2).any(|pair| pair[0] == !pair[1]);
        match inputs.as_slice() {
            _ if contradictory || inputs.contains(&FALSE) => FALSE,
            [] => TRUE,
            [one] => *one,
            [a, b] => self.and(*a, *b),
            _ => {
                let out = self.fresh();
                for input in &inputs {
                    self.clause(&[!out, *input]);
                }
                let mut clause: Vec<Lit> = inputs.iter().map(|input| !*input).collect();
                clause.push(out);
                self.clause(&clause);
                out
            }
        }
    }

    pub fn any(&mut self, literals: &[Lit]) -> Lit {
        let negated: Vec<Lit> = literals.iter().map(|lit| !*lit).collect();
        !self.all(&negated)
    }

    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        match (a, b) {
            (FALSE, x) | (x, FALSE) => return x,
            (TRUE, x) | (x, TRUE) => return !x,
            _ if a == b => return FALSE,
            _ if a == !b => return TRUE,
            _ => {}
        }
        // Signs move to the output, so that one gate serves all four combinations.
        let negated = a.is_neg() != b.is_neg();
        let (x, y) = (a.var().pos_lit(), b.var().pos_lit());
        let key = if x < y { (x, y) } else { (y, x) };
        let out = match self.xors.get(&key) {
            Some(&known) => known,
            None => {
                let out = self.fresh();
                self.clause(&[!out, x, y]);
                self.clause(&[!out, !x, !y]);
                self.clause(&[out, !x, y]);
                self.clause(&[out, x, !y]);
                self.xors.insert(key, out);
                out
            }
        };
        if negated { !out } else { out }
    }

    /// `t` if `c`, else `e`.
    pub fn mux(&mut self, c: Lit, t: Lit, e: Lit) -> Lit {
        if t == e || c == TRUE {
            return t;
        }
        if c == FALSE {
            return e;
        }
        if t == !e {
            return self.xor(c, e);
        }
        if t == TRUE || t == c {
            return self.or(c, e);
        }
        if t == FALSE || t == !c {
            return self.and(!c, e);
        }
        if e == FALSE || e == c {
            return self.and(c, t);
        }
        if e == TRUE || e == !c {
            return self.or(!c, t);
        }
        let (c, t, e) = if c.is_neg() { (!c, e, t) } else { (c, t, e) };
        let (negated, t, e) = if t.is_neg() { (true, !t, !e) } else { (false, t, e) };
        let out = match self.muxes.get(&(c, t, e)) {
            Some(&known) => known,
            None => {
                let out = self.fresh();
                self.clause(&[!c, !t, out]);
                self.clause(&[!c, t, !out]);
                self.clause(&[c, !e, out]);
                self.clause(&[c, e, !out]);
                // Implied, and lets the output follow when the branches agree.
                self.clause(&[!t, !e, out]);
                self.clause(&[t, e, !out]);
                self.muxes.insert((c, t, e), out);
                out
            }
        };
        if negated { !out } else { out }
    }

    /// At least two of three: the carry of an addition.
    pub fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut inputs = [a, b, c];
        inputs.sort_unstable();
        let [a, b, c] = inputs;
        // The constants are the smallest literals.
        match a {
            TRUE => return self.or(b, c),
            FALSE => return self.and(b, c),
            _ => {}
        }
        if a == b || b == !c {
            return a;
        }
        if a == !b || b == c {
            return if b == c { b } else { c };
        }
        if let Some(&known) = self.majorities.get(&(a, b, c)) {
            return known;
        }
        let out = self.fresh();
        for (x, y) in [(a, b), (a, c), (b, c)] {
            self.clause(&[!out, x, y]);
            self.clause(&[out, !x, !y]);
        }
        self.majorities.insert((a, b, c), out);
        out
    }
}
