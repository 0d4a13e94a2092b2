//! Refuses tables that the engine cannot run. What `mazurka/kat/meaning/plan.py` promises is checked here, once.
//!
//! Everything else in this room relies on these checks and does not repeat them.

use crate::consistency::plan::tables::{
    Axiom, Check, GuardedEdge, HappensBefore, Matrix, MatrixOp, PlanError, PreservedPart, Scope, Symbol,
    Tables, Transition, View,
};

impl Tables {
    /// Whether every index is in range and every table is of the documented form.
    pub(in crate::consistency) fn validate(&self) -> Result<(), PlanError> {
        for (at, view) in self.views.iter().enumerate() {
            check_view(view).map_err(|what| PlanError(format!("view {at}: {what}")))?;
        }
        for (at, axiom) in self.axioms.iter().enumerate() {
            self.check_axiom(axiom).map_err(|what| PlanError(format!("axiom {at}: {what}")))?;
        }
        for (at, rule) in self.errors.iter().enumerate() {
            self.check_order(rule.view).map_err(|what| PlanError(format!("error rule {at}: {what}")))?;
        }
        for (at, order) in self.computed.iter().enumerate() {
            check_matrix(order).map_err(|what| PlanError(format!("order {at}: {what}")))?;
        }
        let is_po = |edge: &&GuardedEdge| matches!(edge.symbol, Symbol::Po | Symbol::PoLoc);
        match &self.preserved {
            Some(PreservedPart::Edges(edges)) => {
                if let Some(edge) = edges.iter().find(|edge| !is_po(edge)) {
                    return Err(PlanError(format!("the causal order: {:?} is not part of po", edge.symbol)));
                }
            }
            Some(PreservedPart::Term(matrix) | PreservedPart::Assumed(matrix)) => {
                check_matrix(matrix).map_err(|what| PlanError(format!("the causal order: {what}")))?;
            }
            None => {}
        }
        self.check_happens_before().map_err(|what| PlanError(format!("happens-before: {what}")))?;
        self.check_causality().map_err(|what| PlanError(format!("causality: {what}")))?;
        self.check_unbuffered()
    }

    fn check_causality(&self) -> Result<(), String> {
        let Some((states, steps)) = &self.causality else { return Ok(()) };
        check_states(*states)?;
        for (at, step) in steps.iter().enumerate() {
            let is_followed =
                matches!(step.symbol, Symbol::Po | Symbol::PoLoc | Symbol::Rf(_)) && !step.inverse;
            let checked = check_ends(*states, step)
                .and_then(|()| is_followed.then_some(()).ok_or_else(|| format!("{:?} in it", step.symbol)));
            checked.map_err(|what| format!("transition {at}: {what}"))?;
        }
        Ok(())
    }

    fn check_unbuffered(&self) -> Result<(), PlanError> {
        let Some(unbuffered) = &self.unbuffered else { return Ok(()) };
        let (plan, axioms) = (&unbuffered.plan, &unbuffered.axioms);
        let is_about_fewer = self.preserved.is_some() || plan.watched_rf.0 != 0;
        let what = if plan.preserved.is_some() || !is_about_fewer {
            "must follow all of po, and belong to a plan that does not or be about fewer graphs"
        } else if axioms.len() != plan.axioms.len() || axioms.iter().any(|axiom| *axiom >= self.axioms.len())
        {
            "has axioms that the plan does not have"
        } else {
            return plan.validate();
        };
        Err(PlanError(format!("the plan for programs without load buffering {what}")))
    }

    fn check_happens_before(&self) -> Result<(), String> {
        match self.happens_before {
            HappensBefore::Causal => Ok(()),
            HappensBefore::View(view) => self.check_index(view),
            HappensBefore::Computed(order) => self.check_computed(order),
            HappensBefore::Axiom(axiom) => match self.axioms.get(axiom) {
                Some(Axiom { check: Check::Closure(_), .. }) => Ok(()),
                Some(_) => Err(format!("axiom {axiom} is not a closure")),
                None => Err(format!("there is no axiom {axiom}")),
            },
        }
    }

    /// Whether there is the order of an error rule.
    fn check_order(&self, order: usize) -> Result<(), String> {
        match self.computed.is_empty() {
            true => self.check_index(order),
            false => self.check_computed(order),
        }
    }

    fn check_computed(&self, order: usize) -> Result<(), String> {
        (order < self.computed.len()).then_some(()).ok_or_else(|| format!("there is no order {order}"))
    }

    fn check_index(&self, view: usize) -> Result<(), String> {
        (view < self.views.len()).then_some(()).ok_or_else(|| format!("there is no view {view}"))
    }

    fn check_axiom(&self, axiom: &Axiom) -> Result<(), String> {
        match &axiom.check {
            Check::Closure(edges) => {
                for (at, edge) in edges.iter().enumerate() {
                    Self::check_edge(edge).map_err(|what| format!("edge {at}: {what}"))?;
                }
            }
            Check::Local(matrix, edges) => {
                check_matrix(matrix).map_err(|what| format!("check: {what}"))?;
                let is_between = |edge: &&GuardedEdge| {
                    matches!(edge.symbol, Symbol::Rf(_) | Symbol::Co(_) | Symbol::Fr(_))
                };
                if let Some(edge) = edges.iter().find(|edge| !is_between(edge)) {
                    return Err(format!("{:?} as an edge beside a part of po", edge.symbol));
                }
                if !matches!(self.preserved, Some(PreservedPart::Term(_) | PreservedPart::Assumed(_))) {
                    return Err("a part of po where the causal order is none".into());
                }
            }
            Check::Coherence(view) => self.check_index(*view)?,
            Check::Automaton { states, transitions } => {
                check_states(*states)?;
                for (at, transition) in transitions.iter().enumerate() {
                    self.check_transition(*states, transition)
                        .map_err(|what| format!("transition {at}: {what}"))?;
                }
            }
            Check::Matrix(matrix) => check_matrix(matrix).map_err(|what| format!("check: {what}"))?,
        }
        check_matrix(&axiom.meaning).map_err(|what| format!("meaning: {what}"))
    }

    fn check_edge(edge: &GuardedEdge) -> Result<(), String> {
        match edge.symbol {
            Symbol::Po | Symbol::PoLoc | Symbol::Rf(_) | Symbol::Rmw => Ok(()),
            Symbol::Co(Scope::All) | Symbol::Fr(Scope::All) => {
                let unguarded = edge.before.is_all() && edge.after.is_all();
                unguarded.then_some(()).ok_or_else(|| format!("{:?} with a guard in a closure", edge.symbol))
            }
            other => Err(format!("{other:?} in a closure")),
        }
    }

    fn check_transition(&self, states: usize, transition: &Transition) -> Result<(), String> {
        check_ends(states, transition)?;
        match transition.symbol {
            Symbol::View(view) | Symbol::ViewLoc(view) => self.check_index(view),
            _ => Ok(()),
        }
    }
}

fn check_states(states: usize) -> Result<(), String> {
    (states > 0).then_some(()).ok_or_else(|| "there is no state 0".into())
}

fn check_ends(states: usize, transition: &Transition) -> Result<(), String> {
    let missing = [transition.source, transition.target].into_iter().find(|state| *state >= states);
    missing.map_or(Ok(()), |state| Err(format!("there is no state {state}")))
}

fn check_view(view: &View) -> Result<(), String> {
    check_states(view.states)?;
    for (at, transition) in view.transitions.iter().enumerate() {
        check_view_transition(view.states, transition).map_err(|what| format!("transition {at}: {what}"))?;
    }
    if let Some(state) = view.last.iter().find(|state| **state >= view.states) {
        return Err(format!("there is no final state {state}"));
    }
    let has_loop = view.transitions.iter().any(|t| {
        let unguarded = t.before.is_all() && t.after.is_all();
        t.symbol == Symbol::PoImm && t.source == 0 && t.target == 0 && unguarded
    });
    has_loop.then_some(()).ok_or_else(|| "state 0 has no unguarded PoImm loop".into())
}

fn check_view_transition(states: usize, transition: &Transition) -> Result<(), String> {
    check_ends(states, transition)?;
    match transition.symbol {
        _ if transition.inverse => Err("an inverse in a view".into()),
        Symbol::PoImm | Symbol::PoLoc | Symbol::Rf(_) | Symbol::Rmw => Ok(()),
        other => Err(format!("{other:?} in a view")),
    }
}

/// The most fixpoints that stand inside of each other.
const MOST_VARIABLES: u32 = 64;

/// The stack never runs empty and ends with one value; slots are stored before they are loaded. Every variable is
/// defined by a fixpoint around it, and those around that have smaller numbers.
fn check_matrix(matrix: &Matrix) -> Result<(), String> {
    let mut depth = 0usize;
    let mut stored = vec![false; matrix.program.len()];
    let mut open = 0u64;
    for (at, op) in matrix.program.iter().enumerate() {
        let fail = |what: String| Err(format!("instruction {at} ({op:?}): {what}"));
        let (takes, gives) = match *op {
            MatrixOp::Relation(Symbol::View(_) | Symbol::ViewLoc(_)) => {
                return fail("a view in a matrix program".into())
            }
            MatrixOp::Relation(_) | MatrixOp::Test(_) | MatrixOp::Empty | MatrixOp::Identity => (0, 1),
            MatrixOp::Union | MatrixOp::Intersection | MatrixOp::Difference | MatrixOp::Sequence => (2, 1),
            MatrixOp::Plus | MatrixOp::Star | MatrixOp::Maybe | MatrixOp::Inverse => (1, 1),
            MatrixOp::Store(slot) => match stored.get_mut(slot) {
                Some(stored) => {
                    *stored = true;
                    (1, 1)
                }
                None => return fail(format!("slot {slot} is out of range")),
            },
            MatrixOp::Variable(number) if number < MOST_VARIABLES => {
                open |= 1 << number;
                (0, 1)
            }
            MatrixOp::Fixpoint(number) if number < MOST_VARIABLES => {
                if open >> number > 1 {
                    return fail("a variable of a fixpoint inside is not defined".into());
                }
                open &= !(1 << number);
                (1, 1)
            }
            MatrixOp::Variable(number) | MatrixOp::Fixpoint(number) => {
                return fail(format!("variable {number} is out of range"))
            }
            MatrixOp::Load(slot) if stored.get(slot) == Some(&true) => (0, 1),
            MatrixOp::Load(slot) => return fail(format!("slot {slot} was not stored")),
        };
        if depth < takes {
            return fail(format!("takes {takes} values, the stack has {depth}"));
        }
        depth = depth - takes + gives;
    }
    match depth {
        _ if open != 0 => Err(format!("variable {} is not defined", open.trailing_zeros())),
        1 => Ok(()),
        _ => Err(format!("the program ends with {depth} values, not 1")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::consistency::plan::tables::{Classes, ErrorRule};
    use crate::consistency::plan::vocabulary::Verdict;

    fn step(source: usize, symbol: Symbol, target: usize) -> Transition {
        Transition { source, symbol, target, before: Classes::ALL, after: Classes::ALL, inverse: false }
    }

    fn edge(symbol: Symbol) -> GuardedEdge {
        GuardedEdge { symbol, before: Classes::ALL, after: Classes::ALL }
    }

    fn matrix(program: &[MatrixOp]) -> Matrix {
        Matrix { program: program.into(), verdict: Verdict::Acyclic }
    }

    fn axiom(check: Check) -> Axiom {
        Axiom { check, meaning: matrix(&[MatrixOp::Empty]) }
    }

    /// Well-formed tables with one entry of each kind.
    fn tables() -> Tables {
        let transitions = vec![step(0, Symbol::PoImm, 0), step(0, Symbol::Rf(Scope::External), 1)];
        let edges = vec![edge(Symbol::Po), edge(Symbol::Co(Scope::All))];
        let automaton = vec![step(0, Symbol::View(0), 1), step(1, Symbol::Fr(Scope::External), 0)];
        let program = [
            MatrixOp::Relation(Symbol::Po),
            MatrixOp::Store(0),
            MatrixOp::Load(0),
            MatrixOp::Sequence,
            MatrixOp::Plus,
        ];
        let axioms = vec![
            axiom(Check::Closure(edges)),
            axiom(Check::Coherence(0)),
            axiom(Check::Automaton { states: 2, transitions: automaton }),
            axiom(Check::Matrix(matrix(&program))),
        ];
        let rule = ErrorRule {
            number: 0,
            warning: false,
            first: Classes::ALL,
            second: Classes::ALL,
            view: 0,
            between: false,
        };
        let views = vec![View { states: 2, transitions, last: vec![0, 1] }];
        Tables {
            views,
            axioms,
            errors: vec![rule],
            computed: Vec::new(),
            of_source: false,
            happens_before: HappensBefore::Axiom(0),
            preserved: None,
            unbuffered: None,
            watched: Classes(0),
            watched_rf: Classes(0),
            causality: None,
        }
    }

    #[track_caller]
    fn refused(text: &str, change: impl FnOnce(&mut Tables)) {
        let mut tables = tables();
        change(&mut tables);
        assert_eq!(tables.validate(), Err(PlanError(text.into())));
    }

    #[track_caller]
    fn refused_check(text: &str, check: Check) {
        refused(&format!("axiom 0: {text}"), |tables| tables.axioms[0] = axiom(check));
    }

    #[track_caller]
    fn refused_program(text: &str, program: &[MatrixOp]) {
        refused_check(&format!("check: {text}"), Check::Matrix(matrix(program)));
        refused(&format!("axiom 2: meaning: {text}"), |tables| tables.axioms[2].meaning = matrix(program));
    }

    #[test]
    fn good_tables_pass() {
        assert_eq!(tables().validate(), Ok(()));
    }

    #[test]
    fn views_are_checked() {
        refused("view 0: there is no state 0", |t| t.views[0].states = 0);
        refused("view 0: transition 1: there is no state 1", |t| t.views[0].states = 1);
        refused("view 0: there is no final state 2", |t| t.views[0].last.push(2));
        refused("view 0: transition 1: an inverse in a view", |t| t.views[0].transitions[1].inverse = true);
        refused("view 0: transition 1: Po in a view", |t| t.views[0].transitions[1].symbol = Symbol::Po);
        let no_loop = "view 0: state 0 has no unguarded PoImm loop";
        refused(no_loop, |t| t.views[0].transitions[0].target = 1);
        refused(no_loop, |t| t.views[0].transitions[0].after = Classes(1));
    }

    #[test]
    fn closures_are_checked() {
        let closure = |symbol| Check::Closure(vec![edge(Symbol::Rmw), edge(symbol)]);
        refused_check("edge 1: View(0) in a closure", closure(Symbol::View(0)));
        refused("the causal order: Fr(All) is not part of po", |t| {
            t.preserved = Some(PreservedPart::Edges(vec![edge(Symbol::Fr(Scope::All))]));
        });
        refused_check("edge 1: PoImm in a closure", closure(Symbol::PoImm));
        refused_check("edge 1: Fr(External) in a closure", closure(Symbol::Fr(Scope::External)));
        let guarded = GuardedEdge { after: Classes(1), ..edge(Symbol::Co(Scope::All)) };
        refused_check("edge 0: Co(All) with a guard in a closure", Check::Closure(vec![guarded]));
    }

    #[test]
    fn other_indices_are_checked() {
        refused_check("there is no view 1", Check::Coherence(1));
        let automaton = |states, transition| Check::Automaton { states, transitions: vec![transition] };
        refused_check("there is no state 0", automaton(0, step(0, Symbol::Po, 0)));
        refused_check("transition 0: there is no state 3", automaton(3, step(3, Symbol::Po, 0)));
        refused_check("transition 0: there is no view 1", automaton(1, step(0, Symbol::View(1), 0)));
        refused("error rule 0: there is no view 1", |t| t.errors[0].view = 1);
        refused("happens-before: there is no view 2", |t| t.happens_before = HappensBefore::View(2));
        refused("happens-before: there is no axiom 9", |t| t.happens_before = HappensBefore::Axiom(9));
        refused("happens-before: there is no order 0", |t| t.happens_before = HappensBefore::Computed(0));
        refused("error rule 0: there is no order 1", |t| {
            t.computed = vec![t.axioms[0].meaning.clone()];
            t.errors[0].view = 1;
        });
        refused("happens-before: axiom 1 is not a closure", |t| t.happens_before = HappensBefore::Axiom(1));
    }

    #[test]
    fn programs_are_checked() {
        use MatrixOp::{Empty, Fixpoint, Identity, Load, Plus, Relation, Store, Union, Variable};
        refused_program("the program ends with 0 values, not 1", &[]);
        refused_program("the program ends with 2 values, not 1", &[Empty, Identity]);
        refused_program("instruction 1 (Union): takes 2 values, the stack has 1", &[Empty, Union]);
        refused_program("instruction 0 (Plus): takes 1 values, the stack has 0", &[Plus]);
        refused_program("instruction 0 (Store(0)): takes 1 values, the stack has 0", &[Store(0)]);
        refused_program("instruction 0 (Load(0)): slot 0 was not stored", &[Load(0), Store(0)]);
        refused_program("instruction 1 (Store(9)): slot 9 is out of range", &[Empty, Store(9)]);
        refused_program("variable 1 is not defined", &[Variable(1)]);
        refused_program("instruction 0 (Variable(64)): variable 64 is out of range", &[Variable(64)]);
        let inside = "instruction 1 (Fixpoint(0)): a variable of a fixpoint inside is not defined";
        refused_program(inside, &[Variable(1), Fixpoint(0)]);
        let view = Relation(Symbol::View(0));
        refused_program("instruction 0 (Relation(View(0))): a view in a matrix program", &[view]);
    }
}
