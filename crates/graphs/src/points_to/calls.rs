//! The effect of calls on pointers: arguments, results, the C library, unknown code.

use ir::{Call, Callee, FuncId, InstId, Op, Type, TypeId, ValueId};
use library::{Effect, Returned};

use super::solve::{Distance, PointerCall, Solver};
use super::{NONE, Node};
use crate::objects::{ObjectId, ObjectKind, Shape};

/// Memory for an untyped use.
pub(super) const RAW: Shape = Shape::Raw { stride: 0 };

impl Solver<'_> {
    /// Passes arguments to, and takes the result from, a function that a pointer leads to.
    pub fn call_function(&mut self, call: u32, function: FuncId) {
        let PointerCall { function: caller, inst, args, result, callback } =
            self.pointer_calls[call as usize].clone();
        if !callback && !self.fits(caller, inst, function) {
            return;
        }
        let targets = self.targets.entry((caller, inst)).or_default();
        let defined = self.module.functions[function].is_defined();
        let list = match (callback, defined) {
            (true, true) => &mut targets.callbacks,
            (false, true) => &mut targets.functions,
            (_, false) => &mut targets.externals,
        };
        if list.contains(&function) {
            return;
        }
        list.push(function);
        if defined {
            self.pass(caller, inst, function, &args, result)
        } else {
            self.apply_model(caller, inst, function, &args, result)
        }
    }

    /// Whether a call through a pointer can target a function: registers of the same kind, as many
    /// as it takes.
    fn fits(&self, caller: FuncId, inst: InstId, function: FuncId) -> bool {
        let Some(body) = self.module.functions[caller].body() else { return false };
        let Some(call) = call_of(&body.insts[inst].op) else { return false };
        let callee = &self.module.functions[function];
        if !callee.variadic && call.fixed.is_none() && call.args.len() != callee.params.len() {
            return false;
        }
        let float = |ty: TypeId| matches!(self.module.types.get(ty), Type::Float(_));
        let mut pairs = call.args.iter().zip(&callee.params);
        pairs.all(|(arg, param)| float(body.operand_type(arg.value)) == float(param.ty))
    }

    /// Connects the arguments and the result of a call with a function that has code.
    pub fn pass(
        &mut self,
        caller: FuncId,
        inst: InstId,
        function: FuncId,
        args: &[Node],
        result: Node,
    ) {
        let params = self.module.functions[function].params.clone();
        for (index, &arg) in args.iter().enumerate() {
            match params.get(index) {
                Some(param) if param.byval.is_some() => {
                    let own = self.value(function, ValueId::at(index as u32));
                    let size = param.byval.map(|byval| byval.size);
                    self.add_memory_copy(own, arg, size);
                }
                Some(_) => {
                    let own = self.value(function, ValueId::at(index as u32));
                    self.copy(arg, own);
                }
                None => self.pass_unnamed(caller, inst, function, index, arg),
            }
        }
        let returned = self.returns[function];
        self.copy(returned, result);
    }

    fn pass_unnamed(
        &mut self,
        caller: FuncId,
        inst: InstId,
        function: FuncId,
        index: usize,
        arg: Node,
    ) {
        if !self.module.functions[function].variadic || arg == NONE {
            return;
        }
        let object = self.object(ObjectKind::Varargs(function), Shape::Whole);
        let Some(cell) = self.cell_at(object, 0) else { return };
        let content = self.content(cell);
        let body = self.module.functions[caller].body();
        let call = body.and_then(|body| call_of(&body.insts[inst].op));
        let byval = call.and_then(|call| call.args.get(index)?.byval);
        match byval {
            Some(_) => self.use_wide_load(arg, content),
            None => self.copy(arg, content),
        }
    }

    fn use_wide_load(&mut self, from: Node, to: Node) {
        let from = self.find(from);
        self.uses[from as usize].wide_loads.push(to);
        self.renew(from);
    }

    pub fn value(&self, function: FuncId, value: ValueId) -> Node {
        self.values[function].get(value).copied().unwrap_or(NONE)
    }

    /// The state of the library with a number, one cell.
    pub fn state(&mut self, state: u32) -> ObjectId {
        let state = match state {
            library::CONSOLE if self.redirects => library::FILES,
            state => state,
        };
        self.object(ObjectKind::Library(state), Shape::Whole)
    }

    /// Applies the effect of a function without code on pointers.
    pub fn apply_model(
        &mut self,
        caller: FuncId,
        inst: InstId,
        function: FuncId,
        args: &[Node],
        result: Node,
    ) {
        let Some(effects) = library::model(&self.module.functions[function].name) else {
            return self.apply_unknown(caller, inst, args, result);
        };
        let arg = |index: usize| args.get(index).copied().unwrap_or(NONE);
        for effect in effects {
            match *effect {
                Effect::Copies(to, from) => self.add_memory_copy(arg(to), arg(from), None),
                Effect::Stores(to, from) => self.store(arg(to), arg(from)),
                Effect::Returns(returned) => {
                    self.return_from_model(caller, inst, returned, args, result);
                }
                Effect::Allocates(index) => {
                    let object = self.object(ObjectKind::Heap(caller, inst), RAW);
                    let block = self.node();
                    self.point_to_start(block, object);
                    self.store(arg(index), block);
                }
                Effect::Calls(index, passed) => {
                    let passed = passed.iter().map(|&index| arg(index)).collect();
                    self.add_callback(caller, inst, arg(index), passed);
                }
                Effect::Keeps(index) => {
                    let state = self.state(library::SIGNALS);
                    self.flow_into_all(state, arg(index));
                }
                Effect::KeepsInside(index) if arg(index) != NONE => {
                    let state = self.state(library::SIGNALS);
                    let held = self.node();
                    self.flow_into_all(state, held);
                    self.use_wide_load(arg(index), held);
                }
                // These do nothing to pointers.
                Effect::KeepsInside(_)
                | Effect::Reads(..)
                | Effect::Writes(..)
                | Effect::ReadsState(_)
                | Effect::WritesState(_)
                | Effect::Ends(_) => {}
            }
        }
    }

    fn store(&mut self, to: Node, from: Node) {
        if to != NONE && from != NONE {
            let to = self.find(to);
            self.uses[to as usize].stores.push(from);
            self.renew(to);
        }
    }

    fn return_from_model(
        &mut self,
        caller: FuncId,
        inst: InstId,
        returned: Returned,
        args: &[Node],
        result: Node,
    ) {
        if result == NONE {
            return;
        }
        let arg = |index: usize| args.get(index).copied().unwrap_or(NONE);
        match returned {
            Returned::Argument(index) => self.copy(arg(index), result),
            Returned::Inside(index) if arg(index) != NONE => {
                let from = self.find(arg(index));
                self.uses[from as usize].offsets.push((result, Distance { bytes: 0, scale: 1 }));
                self.renew(from);
            }
            Returned::Inside(_) => {}
            Returned::New => {
                let object = self.object(ObjectKind::Heap(caller, inst), RAW);
                self.point_to_start(result, object);
            }
            Returned::Resized(index) => {
                let object = self.object(ObjectKind::Heap(caller, inst), RAW);
                self.point_to_start(result, object);
                self.add_memory_copy(result, arg(index), None);
            }
            Returned::State(state) => {
                let object = self.state(state);
                self.point_to_start(result, object);
                // The object that keeps a handler's address yields the handler.
                let Some(cell) = self.cell_at(object, 0) else { return };
                let content = self.content(cell);
                self.copy(content, result);
            }
        }
    }

    pub fn point_to_start(&mut self, node: Node, object: ObjectId) {
        if let Some(cell) = self.cell_at(object, 0) {
            self.point(node, cell);
        }
    }

    fn add_callback(&mut self, function: FuncId, inst: InstId, callee: Node, args: Vec<Node>) {
        if callee == NONE {
            return;
        }
        let index = self.pointer_calls.len() as u32;
        let call = PointerCall { function, inst, args, result: NONE, callback: true };
        self.pointer_calls.push(call);
        let callee = self.find(callee);
        self.uses[callee as usize].calls.push(index);
        self.renew(callee);
    }

    /// Unknown code keeps everything it gets, and may call, read, change and return all of it.
    fn apply_unknown(&mut self, caller: FuncId, inst: InstId, args: &[Node], result: Node) {
        let object = self.object(ObjectKind::Unknown, Shape::Whole);
        let Some(cell) = self.cell_at(object, 0) else { return };
        let known = self.content(cell);
        for &arg in args.iter().filter(|&&arg| arg != NONE) {
            self.copy(arg, known);
        }
        let node = self.find(known);
        if !self.uses[node as usize].escapes {
            self.uses[node as usize].escapes = true;
            self.renew(node);
        }
        self.point(known, cell);
        self.copy(known, result);
        self.add_callback(caller, inst, known, vec![known; UNKNOWN_ARGUMENTS]);
    }

    /// Lets unknown code do what it can to an object that it knows.
    pub fn escape(&mut self, object: ObjectId, known: Node) {
        match self.objects.objects[object].kind {
            ObjectKind::Function(function) => {
                let returned = self.returns[function];
                self.copy(returned, known);
            }
            _ => {
                self.flow_into_all(object, known);
                self.flow_from_all(object, known);
            }
        }
    }
}

/// The number of arguments that unknown code may pass to a function that it gets.
const UNKNOWN_ARGUMENTS: usize = 16;

/// The call that an instruction makes.
pub fn call_of(op: &Op) -> Option<&Call> {
    match op {
        Op::Call(call) | Op::Invoke { call, .. } => Some(call),
        _ => None,
    }
}

/// Whether a call is one of the compiler's own operations.
pub fn is_builtin(call: &Call) -> bool {
    matches!(call.callee, Callee::Builtin(_))
}
