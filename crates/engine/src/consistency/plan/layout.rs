//! Lays a Plan's tables out as rows: a clock for each state of each view, and a clock or a bit row for each
//! order.
//!
//! I1: row 0 of the clocks is the causal order `po ∪ rf`; a view that is equal to it shares this row.
//! I2: a closure that contains all of `po` is a clock, any other is a bit row.

use crate::consistency::checks::automaton::Automaton;
use crate::consistency::checks::coherence::Coherence;
use crate::consistency::checks::computed::ComputedRules;
use crate::consistency::checks::races::ErrorRules;
use crate::consistency::checks::{Checks, SearchCheck, Searched};
use crate::consistency::plan::tables::{
    Check, Classes, GuardedEdge, HappensBefore, PlanError, PreservedPart, Scope, Symbol, Tables, Transition,
    Unbuffered, View,
};
use crate::consistency::rows::causes::{Preserved, CAUSAL_BIT_ROWS};
use crate::consistency::rows::columns::guard;
use crate::consistency::rows::local::Local;
use crate::consistency::rows::orders::{Kept, Order};
use crate::consistency::rows::view_steps::{ClockStep, ViewSteps};
use crate::consistency::rows::Upkeep;
use crate::graph::{BitRows, Graph, Shape, CAUSAL};
use crate::ids::EventId;

/// A Plan, ready to run.
pub struct Plan {
    pub(in crate::consistency) upkeep: Upkeep,
    pub(in crate::consistency) checks: Checks,
    error_rules: ErrorRules,
    computed_rules: ComputedRules,
    unbuffered: Option<Unbuffered<Plan>>,
    watched: Classes,
    watched_rf: Classes,
}

impl Plan {
    /// Reads a Plan from what `Plan.encode()` wrote.
    pub fn decode(bytes: &[u8]) -> Result<Plan, PlanError> {
        Ok(Layout::default().plan(Tables::decode(bytes)?))
    }

    /// The same for graphs whose accesses may have several cells.
    pub fn decode_for_cells(bytes: &[u8]) -> Result<Plan, PlanError> {
        Ok(Layout { in_cells: true, ..Layout::default() }.plan(Tables::decode(bytes)?))
    }

    /// The rules about accesses that must be ordered.
    #[inline(always)]
    pub fn error_rules(&self) -> &ErrorRules {
        &self.error_rules
    }

    /// The same for rules whose order is computed.
    #[inline(always)]
    pub fn computed_rules(&self) -> &ComputedRules {
        &self.computed_rules
    }

    /// What has the same meaning for graphs in which `po` and `rf` have no common cycle, and needs no dependencies.
    pub fn unbuffered(&self) -> Option<&Unbuffered<Plan>> {
        self.unbuffered.as_ref()
    }

    /// Whether clocks show that the plan is about a graph with a new event: that coherence orders what `po` and `rf` lead
    /// to it from.
    #[inline(always)]
    pub fn is_about(&self, graph: &Graph, event: EventId) -> bool {
        !self.watched.has(graph.event(event).class) || self.checks.order_past(graph, event, self.watched)
    }

    /// The same for a read and the write that it sees, whose rows are up to date.
    #[inline(always)]
    pub fn orders_link(&self, graph: &Graph, write: EventId, read: EventId) -> bool {
        self.checks.orders(graph, write, read)
    }

    /// Whether the plan is about graphs in which coherence orders a read after what it sees.
    #[inline(always)]
    pub fn watches_link(&self, graph: &Graph, write: EventId, read: EventId) -> bool {
        let is_watched = |event: EventId| self.watched_rf.has(graph.event(event).class);
        is_watched(read) || is_watched(write)
    }

    /// Keeps the rows of graphs.
    #[inline(always)]
    pub fn upkeep(&self) -> &Upkeep {
        &self.upkeep
    }

    /// Checks what the orders that are kept closed do not.
    #[inline(always)]
    pub fn checks(&self) -> &Checks {
        &self.checks
    }
}

/// The rows assigned so far.
#[derive(Default)]
struct Layout {
    own: usize,
    carried: usize,
    empty: usize,
    guards: Vec<u64>,
    bit_orders: usize,
    in_cells: bool,
}

/// A row of one kind, numbered within that kind until the numbers of all rows are known.
#[derive(Clone, Copy)]
enum Row {
    Own(usize),
    Carried(usize),
    Empty(usize),
}

impl Layout {
    fn plan(mut self, mut tables: Tables) -> Plan {
        let causality = tables.causality.take();
        let causality = causality.map(|(states, steps)| Automaton::new(states, &steps, &[], false));
        let unbuffered = tables.unbuffered.take().map(|unbuffered| Unbuffered {
            plan: Box::new(Layout::default().plan(*unbuffered.plan)),
            axioms: unbuffered.axioms,
        });
        let computed_rules = ComputedRules::take(&mut tables);
        let preserved = tables.preserved.as_ref().map(Preserved::new);
        let local = local(&mut tables, self.in_cells, &mut self.guards);
        if preserved.is_some() {
            self.bit_orders = local.as_ref().map_or(CAUSAL_BIT_ROWS, Local::rows);
        }
        self.own = 1; // The causal order.
        let po_row = self.own;
        if tables.views.iter().any(|view| view.transitions.iter().any(|t| t.symbol == Symbol::PoLoc)) {
            self.own += 1;
        }
        let states: Vec<Vec<Row>> = tables.views.iter().map(|view| self.view_rows(view)).collect();
        let orders = self.orders(&tables);
        let shape = self.shape();
        let states: Vec<Vec<usize>> = states.iter().map(|rows| number(rows, shape)).collect();
        let rf_steps = steps(&tables.views, &states, |symbol| match symbol {
            Symbol::Rf(scope) => Some(scope),
            _ => None,
        });
        let only =
            |wanted| steps(&tables.views, &states, move |symbol| (symbol == wanted).then_some(Scope::All));
        let mut po_steps = only(Symbol::PoImm);
        // A clock that is carried along `po` anyway needs no step.
        po_steps.retain(|s| !(s.source == s.target && s.source < shape.carried && is_unguarded(s)));
        let last = |(view, rows): (&View, &Vec<usize>)| view.last.iter().map(|state| rows[*state]).collect();
        let views: Vec<Vec<usize>> = tables.views.iter().zip(&states).map(last).collect();
        let coherences = coherences(&tables, &views, &rf_steps);
        let searches = searches(&tables, self.in_cells);
        let bits = BitRows::new(self.bit_orders, &self.guards);
        let view_steps = ViewSteps::new([po_steps, rf_steps, only(Symbol::Rmw), only(Symbol::PoLoc)], po_row);
        let lifetime_rows = lifetime_rows(&tables, &views, &orders);
        let settled = settled_rows(&coherences, &orders);
        let error_rules = ErrorRules::new(&tables.errors, &views, preserved.is_none().then_some(shape));
        let has_local_orders = local.as_ref().is_some_and(|local| !local.orders.is_empty());
        let meanings = tables.axioms.into_iter().map(|entry| entry.meaning).collect();
        Plan {
            upkeep: Upkeep::new(shape, bits, view_steps, orders, lifetime_rows, preserved)
                .with_local(local)
                .for_cells(self.in_cells),
            checks: Checks::new(coherences, searches, views, meanings, settled, has_local_orders)
                .with_causality(causality),
            error_rules,
            computed_rules,
            unbuffered,
            watched: tables.watched,
            watched_rf: tables.watched_rf,
        }
    }

    fn shape(&self) -> Shape {
        let carried = self.own + self.carried;
        Shape { own: self.own, carried, rows: carried + self.empty }
    }

    fn orders(&mut self, tables: &Tables) -> Vec<Order> {
        let mut orders = Vec::new();
        for (axiom, entry) in tables.axioms.iter().enumerate() {
            if let Check::Closure(edges) = &entry.check {
                orders.push(self.order(axiom, edges));
            }
        }
        orders
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

    fn order(&mut self, axiom: usize, edges: &[GuardedEdge]) -> Order {
        let whole = |e: &GuardedEdge| e.symbol == Symbol::Po && e.before.is_all() && e.after.is_all();
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
                Symbol::Po => order.po.push((guard(&mut self.guards, edge.before), edge.after, false)),
                Symbol::PoLoc => order.po.push((guard(&mut self.guards, edge.before), edge.after, true)),
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
}

/// What is kept where the causal order is smaller than `po`; none if no rows can be kept. Axioms that cannot be checked
/// with them are evaluated.
fn local(tables: &mut Tables, in_cells: bool, guards: &mut Vec<u64>) -> Option<Local> {
    let mut local = match tables.preserved.as_ref()? {
        _ if in_cells => None, // Rows have no pieces.
        PreservedPart::Edges(_) => None,
        PreservedPart::Term(term) | PreservedPart::Assumed(term) => Local::new(term, guards),
    };
    for (number, axiom) in tables.axioms.iter_mut().enumerate() {
        let is_kept = match (&axiom.check, &mut local) {
            (_, None) | (Check::Closure(_), _) => false,
            (Check::Local(within, edges), Some(local)) => local.add_order(number, within, edges, guards),
            (Check::Coherence(_) | Check::Automaton { .. } | Check::Matrix(_), Some(_)) => true,
        };
        if !is_kept {
            axiom.check = Check::Matrix(axiom.meaning.clone());
        }
    }
    local
}

fn number(rows: &[Row], shape: Shape) -> Vec<usize> {
    let number = |row: &Row| match *row {
        Row::Own(n) => n,
        Row::Carried(n) => shape.own + n,
        Row::Empty(n) => shape.carried + n,
    };
    rows.iter().map(number).collect()
}

/// The steps of all views along the relations for which there is a scope.
fn steps(views: &[View], states: &[Vec<usize>], scope: impl Fn(Symbol) -> Option<Scope>) -> Vec<ClockStep> {
    let mut steps = Vec::new();
    for (view, rows) in views.iter().zip(states).filter(|(view, _)| !is_causal(view)) {
        steps.extend(view.transitions.iter().filter_map(|t| Some(step(t, scope(t.symbol)?, rows))));
    }
    steps
}

fn coherences(tables: &Tables, views: &[Vec<usize>], rf_steps: &[ClockStep]) -> Vec<Coherence> {
    let all = Classes::ALL;
    let causal = ClockStep { source: CAUSAL, target: CAUSAL, before: all, after: all, scope: Scope::All };
    let mut found = Vec::new();
    for (axiom, entry) in tables.axioms.iter().enumerate() {
        let Check::Coherence(view) = entry.check else { continue };
        let rows = views[view].clone();
        let steps = rf_steps.iter().chain([&causal]).filter(|step| rows.contains(&step.target));
        found.push(Coherence { axiom, rf_steps: steps.copied().collect(), rows });
    }
    found
}

fn searches(tables: &Tables, in_cells: bool) -> Vec<Searched> {
    let mut found = Vec::new();
    for (axiom, entry) in tables.axioms.iter().enumerate() {
        let check = match &entry.check {
            Check::Automaton { states, transitions } => {
                SearchCheck::Automaton(Automaton::new(*states, transitions, &tables.views, in_cells))
            }
            Check::Matrix(matrix) => SearchCheck::Matrix(matrix.clone()),
            Check::Closure(_) | Check::Coherence(_) | Check::Local(..) => continue,
        };
        found.push(Searched { axiom, check });
    }
    found
}

fn settled_rows(coherences: &[Coherence], orders: &[Order]) -> Vec<usize> {
    let mut rows: Vec<usize> = coherences.iter().flat_map(|coherence| coherence.rows.clone()).collect();
    if orders.iter().any(Order::contains_all) {
        rows.push(CAUSAL);
    }
    rows
}

fn lifetime_rows(tables: &Tables, views: &[Vec<usize>], orders: &[Order]) -> Vec<usize> {
    match tables.happens_before {
        HappensBefore::Causal | HappensBefore::Computed(_) => vec![CAUSAL],
        HappensBefore::View(view) => views[view].clone(),
        HappensBefore::Axiom(axiom) => match orders.iter().find(|order| order.axiom == axiom) {
            Some(Order { kept: Kept::Clock(row), .. }) => vec![*row],
            _ => vec![CAUSAL],
        },
    }
}

fn step(t: &Transition, scope: Scope, rows: &[usize]) -> ClockStep {
    ClockStep { source: rows[t.source], target: rows[t.target], before: t.before, after: t.after, scope }
}

fn is_unguarded(step: &ClockStep) -> bool {
    step.before.is_all() && step.after.is_all()
}

/// Whether a view is `(po ∪ rf)+`.
fn is_causal(view: &View) -> bool {
    let unguarded = |t: &&Transition| t.before.is_all() && t.after.is_all();
    view.states == 1
        && view.transitions.iter().filter(unguarded).any(|t| t.symbol == Symbol::Rf(Scope::All))
        && view.transitions.iter().filter(unguarded).any(|t| t.symbol == Symbol::PoImm)
}
