//! The steps of an automaton: how each transition is walked along the links of a graph.
//!
//! A closed relation (`po`, `co`, `fr`) is walked one immediate step at a time in an extra state, unless its
//! target has a loop that does the same.

use crate::consistency::plan::tables::{Classes, Scope, Symbol, Transition, View};
use crate::graph::EventClass;

/// How a step finds where it leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::consistency) enum Walk {
    /// To what follows directly in program order.
    PoNext,
    /// To what precedes directly in program order.
    PoPrev,
    /// To what follows directly, if both are accesses of one location, or only if they are not.
    PoNextIf(bool),
    /// The same backwards.
    PoPrevIf(bool),
    /// To the next newer write.
    CoNext,
    /// To the next older write.
    CoPrev,
    /// From a read to the write that overwrites its source.
    FrNext,
    /// From a write to the readers of what it overwrites.
    FrPrev,
    /// From a write to its readers.
    Readers(Scope),
    /// From a read to its write.
    Source(Scope),
    /// To all newer writes.
    Newer(Scope),
    /// To all older writes.
    Older(Scope),
    /// From a read to all writes newer than its source.
    Overwriters(Scope),
    /// From a write to all readers of older ones.
    Overwritten(Scope),
    /// From the read half of a read-modify-write to the write half.
    WriteHalf,
    /// From the write half of a read-modify-write to the read half.
    ReadHalf,
    /// Along a view that leads to the rest of a thread if to one of its events; how far each thread has been
    /// visited is kept under this number.
    Suffix(usize, usize),
    /// Along any view.
    View(usize),
    /// Against a view.
    ViewBack(usize),
    /// Along a view to accesses of the same location.
    ViewLoc(usize),
    /// Against a view to accesses of the same location.
    ViewLocBack(usize),
    /// Along a relation that is tested pair by pair.
    Pairs(Symbol),
    /// Against one.
    PairsBack(Symbol),
}

impl Walk {
    /// Whether it goes along `rf`, `co` or `fr`.
    pub(in crate::consistency) fn follows_links(self) -> bool {
        match self {
            Walk::CoNext | Walk::CoPrev | Walk::FrNext | Walk::FrPrev => true,
            Walk::Readers(_) | Walk::Source(_) | Walk::Newer(_) | Walk::Older(_) => true,
            Walk::Overwriters(_) | Walk::Overwritten(_) => true,
            Walk::PoNext | Walk::PoPrev | Walk::PoNextIf(_) | Walk::PoPrevIf(_) => false,
            Walk::WriteHalf | Walk::ReadHalf | Walk::Suffix(..) | Walk::View(_) | Walk::ViewBack(_) => false,
            Walk::ViewLoc(_) | Walk::ViewLocBack(_) | Walk::Pairs(_) | Walk::PairsBack(_) => false,
        }
    }
}

/// A step from a state.
#[derive(Clone, Copy, Debug)]
pub(in crate::consistency) struct WalkStep {
    pub(in crate::consistency) walk: Walk,
    pub(in crate::consistency) target: u32,
    pub(in crate::consistency) before: Classes,
    pub(in crate::consistency) after: Classes,
}

impl WalkStep {
    /// Whether it leads from the write of an atomic section as it does from the section's read.
    pub(in crate::consistency) fn leads_from_section(&self) -> bool {
        matches!(self.walk, Walk::Overwriters(_)) && self.before.has(EventClass::ReadScLoad as u8)
    }
}

/// A closed relation as steps: how it starts (going on, arriving) and how it continues.
struct Chain {
    start: (Walk, Walk),
    again: (Walk, Walk),
    /// An unguarded loop of this at the target state makes the extra state unnecessary.
    loops: Option<Symbol>,
    range: u64,
}

fn chain(symbol: Symbol, inverse: bool) -> Option<Chain> {
    let same = |walk, loops, range| Chain { start: (walk, walk), again: (walk, walk), loops, range };
    Some(match (symbol, inverse) {
        (Symbol::Po, false) => same(Walk::PoNext, Some(Symbol::Po), EventClass::EVENTS),
        (Symbol::Po, true) => same(Walk::PoPrev, Some(Symbol::Po), EventClass::EVENTS),
        (Symbol::Co(Scope::All), false) => same(Walk::CoNext, Some(symbol), EventClass::WRITES),
        (Symbol::Co(Scope::All), true) => same(Walk::CoPrev, Some(symbol), EventClass::WRITES),
        (Symbol::Fr(Scope::All), false) => Chain {
            start: (Walk::FrNext, Walk::FrNext),
            again: (Walk::CoNext, Walk::CoNext),
            loops: Some(Symbol::Co(Scope::All)),
            range: EventClass::WRITES,
        },
        (Symbol::Fr(Scope::All), true) => {
            let steps = (Walk::CoPrev, Walk::FrPrev);
            Chain { start: steps, again: steps, loops: None, range: 0 }
        }
        _ => return None,
    })
}

/// The steps of each state of a table, extra states last, and how many of them are `Walk::Suffix`. Where accesses have
/// several cells, a step along `co` in one cell and then in another is none along `co`, so these are not split up.
pub(in crate::consistency) fn steps_of(
    states: usize,
    table: &[Transition],
    views: &[View],
    in_cells: bool,
) -> (Vec<Vec<WalkStep>>, usize) {
    let mut builder = Builder { steps: vec![Vec::new(); states], walks: Vec::new(), suffixes: 0, in_cells };
    for transition in table {
        builder.add(transition, table, views);
    }
    (builder.steps, builder.suffixes)
}

/// Steps by state, as they are found.
struct Builder {
    steps: Vec<Vec<WalkStep>>,
    /// The extra states, and the transitions that each stands for.
    walks: Vec<(Transition, usize)>,
    suffixes: usize,
    in_cells: bool,
}

impl Builder {
    fn add(&mut self, t: &Transition, table: &[Transition], views: &[View]) {
        let is_split = !self.in_cells || t.symbol == Symbol::Po;
        let Some(chain) = chain(t.symbol, t.inverse).filter(|_| is_split) else {
            let walk = self.single(t, views);
            self.push(t.source, walk, t.target, t.before, t.after);
            return;
        };
        self.push(t.source, chain.start.1, t.target, t.before, t.after);
        let covers = |guard: Classes| guard.0 & chain.range == chain.range;
        let goes_on = |l: &Transition| {
            let loops = l.source == t.target && l.target == t.target && l.inverse == t.inverse;
            loops && Some(l.symbol) == chain.loops && covers(l.before) && covers(l.after)
        };
        if covers(t.after) && table.iter().any(goes_on) {
            return;
        }
        let extra = self.extra_state(t, &chain);
        self.push(extra, chain.again.1, t.target, Classes::ALL, t.after);
    }

    /// The state of walks that began like this one.
    fn extra_state(&mut self, t: &Transition, chain: &Chain) -> usize {
        let same = |w: &Transition| {
            (w.source, w.symbol, w.inverse, w.before) == (t.source, t.symbol, t.inverse, t.before)
        };
        if let Some((_, state)) = self.walks.iter().find(|(walk, _)| same(walk)) {
            return *state;
        }
        let extra = self.steps.len();
        self.steps.push(Vec::new());
        self.walks.push((*t, extra));
        self.push(t.source, chain.start.0, extra, t.before, Classes::ALL);
        self.push(extra, chain.again.0, extra, Classes::ALL, Classes::ALL);
        extra
    }

    fn single(&mut self, t: &Transition, views: &[View]) -> Walk {
        match (t.symbol, t.inverse) {
            (Symbol::PoImm, false) => Walk::PoNext,
            (Symbol::PoImm, true) => Walk::PoPrev,
            (Symbol::PoImmLoc, false) => Walk::PoNextIf(true),
            (Symbol::PoImmLoc, true) => Walk::PoPrevIf(true),
            (Symbol::PoImmElsewhere, false) => Walk::PoNextIf(false),
            (Symbol::PoImmElsewhere, true) => Walk::PoPrevIf(false),
            (Symbol::Rf(scope), false) => Walk::Readers(scope),
            (Symbol::Rf(scope), true) => Walk::Source(scope),
            (Symbol::Co(scope), false) => Walk::Newer(scope),
            (Symbol::Co(scope), true) => Walk::Older(scope),
            (Symbol::Fr(scope), false) => Walk::Overwriters(scope),
            (Symbol::Fr(scope), true) => Walk::Overwritten(scope),
            (Symbol::Rmw, false) => Walk::WriteHalf,
            (Symbol::Rmw, true) => Walk::ReadHalf,
            (Symbol::View(view), false) if leads_to_suffixes(&views[view]) => {
                self.suffixes += 1;
                Walk::Suffix(view, self.suffixes - 1)
            }
            (Symbol::View(view), false) => Walk::View(view),
            (Symbol::View(view), true) => Walk::ViewBack(view),
            (Symbol::ViewLoc(view), false) => Walk::ViewLoc(view),
            (Symbol::ViewLoc(view), true) => Walk::ViewLocBack(view),
            (symbol, false) => Walk::Pairs(symbol),
            (symbol, true) => Walk::PairsBack(symbol),
        }
    }

    fn push(&mut self, source: usize, walk: Walk, target: usize, before: Classes, after: Classes) {
        self.steps[source].push(WalkStep { walk, target: target as u32, before, after });
    }
}

/// Whether what a view leads to in a thread is the rest of the thread: each last state goes on along `po`.
fn leads_to_suffixes(view: &View) -> bool {
    let covers = |guard: Classes| guard.0 & EventClass::EVENTS == EventClass::EVENTS;
    view.last.iter().all(|q| {
        view.transitions.iter().any(|t| {
            let unguarded = t.symbol == Symbol::PoImm && covers(t.before) && covers(t.after);
            t.source == *q && unguarded && view.last.contains(&t.target)
        })
    })
}
