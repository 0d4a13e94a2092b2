//! Lays a Plan's tables out as rows: which clock is which state of which view, and which order is a clock or
//! a bit row.
//!
//! I1: row 0 of the clocks is the causal order `po ∪ rf`; a view that is the same shares it.
//! I2: a closure that holds all of `po` is a clock, any other a bit row.

use super::automaton::Automaton;
use super::general::Preserved;
use super::plan::{
    Check, Classes, Edge, ErrorRule, HappensBefore, Matrix, PlanError, Scope, Symbol, Tables, Transition,
    View,
};
use crate::graph::{BitRows, Graph, Shape, CAUSAL};

/// A Plan, ready to run.
pub struct Plan {
    /// How rows of a new event start.
    shape: Shape,
    guards: Vec<u64>,
    bit_orders: usize,
    /// Rows of a new event are what they start as: no steps, and no bit rows.
    pub(super) is_plain: bool,
    /// What leads from the rows of an event's predecessor in `po` to its own, beside what is carried.
    pub(super) po_steps: Vec<Step>,
    pub(super) rf_steps: Vec<Step>,
    pub(super) rmw_steps: Vec<Step>,
    /// Steps along `po-loc`; `po_row` is then a clock of `po` alone.
    pub(super) po_loc_steps: Vec<Step>,
    pub(super) po_row: usize,
    pub(super) orders: Vec<Order>,
    /// Every axiom is one of `orders`.
    pub(super) is_settled_by_orders: bool,
    pub(super) coherences: Vec<Coherence>,
    pub(super) searches: Vec<Search>,
    has_matrices: bool,
    pub(super) errors: Vec<Rule>,
    /// The rows of each view that make up its relation.
    pub(super) views: Vec<Vec<usize>>,
    /// The rows of the order that must hold between an access and the end of its object's life.
    pub(super) lifetime_rows: Vec<usize>,
    /// The part of `po` in the causal order, if that is not all.
    pub(super) preserved: Option<Preserved>,
    /// What each axiom means.
    pub(super) meanings: Vec<Matrix>,
    /// Clocks that coherence never contradicts, by some axiom.
    pub(super) settled: Vec<usize>,
}

/// A step of a view from one clock to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub source: usize,
    pub target: usize,
    pub before: Classes,
    pub after: Classes,
    pub scope: Scope,
}

/// Where an order is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kept {
    Clock(usize),
    Bits(usize),
}

/// An order that must stay acyclic.
#[derive(Clone, Debug)]
pub(super) struct Order {
    pub axiom: usize,
    pub kept: Kept,
    /// Parts of `po` and `po-loc`, for orders that do not hold all of `po`: the guard's number, the later
    /// event's class, and whether the location must be the same.
    pub po: Vec<(usize, Classes, bool)>,
    pub rmw: Vec<(Classes, Classes)>,
    pub rf: Vec<(Scope, Classes, Classes)>,
    /// All of `rf`.
    pub whole_rf: bool,
    pub co: bool,
    pub fr: bool,
}

impl Order {
    /// Whether it holds all of `po`, `rf`, `co` and `fr`.
    fn contains_all(&self) -> bool {
        matches!(self.kept, Kept::Clock(_)) && self.co && self.fr && self.whole_rf
    }
}

/// A view that agrees with coherence: no event sees past one that it knows of.
#[derive(Clone, Debug)]
pub(super) struct Coherence {
    pub axiom: usize,
    pub rows: Vec<usize>,
    /// The steps that lead into these rows from what a read reads.
    pub rf_steps: Vec<Step>,
}

/// An axiom that is looked for with a choice made.
#[derive(Clone, Debug)]
pub(super) struct Search {
    pub axiom: usize,
    pub check: SearchCheck,
}

/// How it is looked for.
#[derive(Clone, Debug)]
pub(super) enum SearchCheck {
    Automaton(Automaton),
    Matrix(Matrix),
}

/// An error rule and the rows that must order its accesses.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub rule: ErrorRule,
    pub rows: Vec<usize>,
}

impl Plan {
    /// Reads a Plan from what `Plan.encode()` wrote.
    pub fn decode(bytes: &[u8]) -> Result<Plan, PlanError> {
        Ok(Layout::default().plan(Tables::decode(bytes)?))
    }

    /// An empty graph with the rows of this plan, for so many threads.
    pub fn graph(&self, lanes: usize) -> Graph {
        Graph::new(self.shape, lanes, BitRows::new(self.bit_orders, &self.guards))
    }

    /// How many axioms there are.
    pub fn axioms(&self) -> usize {
        self.meanings.len()
    }

    /// Whether some axioms are checked only with a choice made.
    #[inline(always)]
    pub fn has_searches(&self) -> bool {
        !self.searches.is_empty()
    }

    /// Whether some axioms are matrices, of which nothing is known beforehand.
    #[inline(always)]
    pub fn has_matrices(&self) -> bool {
        self.has_matrices
    }
}

/// Rows given out so far.
#[derive(Default)]
struct Layout {
    own: usize,
    carried: usize,
    empty: usize,
    guards: Vec<u64>,
    bit_orders: usize,
}

/// A row before it is known how many rows come before its kind.
#[derive(Clone, Copy)]
enum Row {
    Own(usize),
    Carried(usize),
    Empty(usize),
}

impl Layout {
    fn plan(mut self, mut tables: Tables) -> Plan {
        let preserved = tables.preserved.as_deref().map(Preserved::new);
        if preserved.is_some() {
            // Rows of views and orders would change when gaps are filled.
            self.bit_orders = 2;
            for axiom in &mut tables.axioms {
                axiom.check = Check::Matrix(axiom.meaning.clone());
            }
        }
        self.own = 1; // The causal order.
        let is_po_loc = |t: &Transition| t.symbol == Symbol::PoLoc;
        let po_row = self.own;
        if tables.views.iter().any(|view| view.transitions.iter().any(is_po_loc)) {
            self.own += 1;
        }
        let states: Vec<Vec<Row>> = tables.views.iter().map(|view| self.view_rows(view)).collect();
        let mut orders = Vec::new();
        for (axiom, entry) in tables.axioms.iter().enumerate() {
            if let Check::Closure(edges) = &entry.check {
                orders.push(self.order(axiom, edges));
            }
        }
        let shape = Shape {
            own: self.own,
            carried: self.own + self.carried,
            rows: self.own + self.carried + self.empty,
        };
        let number = |row: &Row| match *row {
            Row::Own(n) => n,
            Row::Carried(n) => shape.own + n,
            Row::Empty(n) => shape.carried + n,
        };
        let states: Vec<Vec<usize>> = states.iter().map(|rows| rows.iter().map(number).collect()).collect();
        let steps = |wanted: &dyn Fn(&Transition) -> Option<Scope>| -> Vec<Step> {
            let of_view = |(view, rows): (&View, &Vec<usize>)| -> Vec<Step> {
                view.transitions.iter().filter_map(|t| Some(step(t, wanted(t)?, rows))).collect()
            };
            tables.views.iter().zip(&states).filter(|(view, _)| !is_causal(view)).flat_map(of_view).collect()
        };
        let po_steps: Vec<Step> = steps(&|t| (t.symbol == Symbol::PoImm).then_some(Scope::All));
        // What is carried anyway needs no step.
        let po_steps = po_steps
            .into_iter()
            .filter(|s| !(s.source == s.target && s.source < shape.carried && is_unguarded(s)))
            .collect();
        let rf_steps: Vec<Step> = steps(&|t| match t.symbol {
            Symbol::Rf(scope) => Some(scope),
            _ => None,
        });
        let po_loc_steps = steps(&|t| is_po_loc(t).then_some(Scope::All));
        let rmw_steps = steps(&|t| (t.symbol == Symbol::Rmw).then_some(Scope::All));
        let views: Vec<Vec<usize>> = tables
            .views
            .iter()
            .zip(&states)
            .map(|(view, rows)| view.last.iter().map(|state| rows[*state]).collect())
            .collect();
        let coherences: Vec<Coherence> = tables
            .axioms
            .iter()
            .enumerate()
            .filter_map(|(axiom, entry)| match entry.check {
                Check::Coherence(view) => {
                    let rows = views[view].clone();
                    let mut into: Vec<Step> = rf_steps.clone();
                    into.retain(|s| rows.contains(&s.target));
                    if rows.contains(&CAUSAL) {
                        let all = Classes::ALL;
                        into.push(Step {
                            source: CAUSAL,
                            target: CAUSAL,
                            before: all,
                            after: all,
                            scope: Scope::All,
                        });
                    }
                    Some(Coherence { axiom, rows, rf_steps: into })
                }
                _ => None,
            })
            .collect();
        let mut settled: Vec<usize> = Vec::new();
        for coherence in &coherences {
            settled.extend(&coherence.rows);
        }
        if orders.iter().any(Order::contains_all) {
            settled.push(CAUSAL);
        }
        let lifetime_rows = match tables.happens_before {
            HappensBefore::Causal => vec![CAUSAL],
            HappensBefore::View(view) => views[view].clone(),
            HappensBefore::Axiom(axiom) => {
                let order = orders.iter().find(|order| order.axiom == axiom);
                match order.map(|order| order.kept) {
                    Some(Kept::Clock(row)) => vec![row],
                    _ => vec![CAUSAL],
                }
            }
        };
        let errors =
            tables.errors.iter().map(|rule| Rule { rule: *rule, rows: views[rule.view].clone() }).collect();
        let searches: Vec<Search> = tables
            .axioms
            .iter()
            .enumerate()
            .filter_map(|(axiom, entry)| {
                let check = match &entry.check {
                    Check::Automaton { states, transitions } => {
                        SearchCheck::Automaton(Automaton::new(*states, transitions, &tables.views))
                    }
                    Check::Matrix(matrix) => SearchCheck::Matrix(matrix.clone()),
                    Check::Closure(_) | Check::Coherence(_) => return None,
                };
                Some(Search { axiom, check })
            })
            .collect();
        let meanings = tables.axioms.into_iter().map(|entry| entry.meaning).collect();
        Plan {
            is_plain: shape.rows == shape.own && self.bit_orders == 0,
            shape,
            guards: self.guards,
            bit_orders: self.bit_orders,
            po_steps,
            rf_steps,
            rmw_steps,
            po_loc_steps,
            po_row,
            is_settled_by_orders: coherences.is_empty() && searches.is_empty(),
            orders,
            coherences,
            has_matrices: searches.iter().any(|search| matches!(search.check, SearchCheck::Matrix(_))),
            searches,
            errors,
            views,
            lifetime_rows,
            meanings,
            preserved,
            settled,
        }
    }

    fn view_rows(&mut self, view: &View) -> Vec<Row> {
        if is_causal(view) {
            return vec![Row::Own(CAUSAL)];
        }
        (0..view.states).map(|state| self.state_row(view, state)).collect()
    }

    fn state_row(&mut self, view: &View, state: usize) -> Row {
        let loops = |t: &Transition| {
            t.symbol == Symbol::PoImm
                && (t.source, t.target) == (state, state)
                && t.before.is_all()
                && t.after.is_all()
        };
        let count = match (state, view.transitions.iter().any(loops)) {
            (0, _) => &mut self.own,
            (_, true) => &mut self.carried,
            (_, false) => &mut self.empty,
        };
        *count += 1;
        match (state, view.transitions.iter().any(loops)) {
            (0, _) => Row::Own(self.own - 1),
            (_, true) => Row::Carried(self.carried - 1),
            (_, false) => Row::Empty(self.empty - 1),
        }
    }

    fn order(&mut self, axiom: usize, edges: &[Edge]) -> Order {
        let whole = |e: &Edge| e.symbol == Symbol::Po && e.before.is_all() && e.after.is_all();
        let kept = if edges.iter().any(whole) {
            self.own += 1;
            Kept::Clock(self.own - 1)
        } else {
            self.bit_orders = self.bit_orders.max(1) + 1; // The first is `po`.
            Kept::Bits(self.bit_orders - 1)
        };
        let mut order = Order {
            axiom,
            kept,
            po: Vec::new(),
            rmw: Vec::new(),
            rf: Vec::new(),
            whole_rf: false,
            co: false,
            fr: false,
        };
        for edge in edges {
            match edge.symbol {
                Symbol::Po | Symbol::PoLoc | Symbol::Rmw if matches!(kept, Kept::Clock(_)) => {}
                Symbol::Po => order.po.push((self.guard(edge.before), edge.after, false)),
                Symbol::PoLoc => order.po.push((self.guard(edge.before), edge.after, true)),
                Symbol::Rmw => order.rmw.push((edge.before, edge.after)),
                Symbol::Rf(scope) => {
                    order.whole_rf |= scope == Scope::All && edge.before.is_all() && edge.after.is_all();
                    order.rf.push((scope, edge.before, edge.after));
                }
                Symbol::Co(_) => order.co = true,
                Symbol::Fr(_) => order.fr = true,
                _ => unreachable!("validation lets no other relation into a closure"),
            }
        }
        order
    }

    fn guard(&mut self, classes: Classes) -> usize {
        if let Some(known) = self.guards.iter().position(|guard| *guard == classes.0) {
            return known;
        }
        self.guards.push(classes.0);
        self.guards.len() - 1
    }
}

fn step(t: &Transition, scope: Scope, rows: &[usize]) -> Step {
    Step { source: rows[t.source], target: rows[t.target], before: t.before, after: t.after, scope }
}

fn is_unguarded(step: &Step) -> bool {
    step.before.is_all() && step.after.is_all()
}

/// Whether a view is `(po ∪ rf)+`.
fn is_causal(view: &View) -> bool {
    let unguarded = |t: &&Transition| t.before.is_all() && t.after.is_all();
    view.states == 1
        && view.transitions.iter().filter(unguarded).any(|t| t.symbol == Symbol::Rf(Scope::All))
        && view.transitions.iter().filter(unguarded).any(|t| t.symbol == Symbol::PoImm)
}
