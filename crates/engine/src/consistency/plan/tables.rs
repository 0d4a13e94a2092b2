//! The Plan as the engine receives it: tables, decoded and laid out.
//!
//! `docs/reference/plan.md` says what each table means; `mazurka/kat/meaning/plan.py` writes them.
//! I1: row 0 of every event's clocks is the causal order `po ∪ rf`.

use crate::consistency::plan::bytes::Words;
use crate::consistency::plan::vocabulary::{
    CheckKind, LifetimeOrder, MatrixWord, RelationName, Verdict, FIRST_VIEWS,
};
use crate::graph::{Dependency, EventClass};
use std::fmt;
use std::sync::Arc;

pub(in crate::consistency) const MAGIC: &[u8] = b"MZPL\x01";

/// A set of event classes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Classes(pub u64);

impl Classes {
    /// Every class.
    pub const ALL: Classes = Classes(EventClass::EVERY);

    /// Whether a class is in the set.
    #[inline(always)]
    pub fn has(self, class: u8) -> bool {
        self.0 >> class & 1 != 0
    }

    /// Whether every class is in the set.
    pub fn is_all(self) -> bool {
        self.0 & Classes::ALL.0 == Classes::ALL.0
    }
}

/// A relation that a table names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Symbol {
    /// Program order, with thread creation and joining; transitively closed.
    Po,
    /// The immediate steps of program order.
    PoImm,
    /// The immediate steps between accesses of one location.
    PoImmLoc,
    /// The other immediate steps.
    PoImmElsewhere,
    /// Program order between accesses of one location.
    PoLoc,
    /// Reads-from: all of it, or the part between threads or within threads.
    Rf(Scope),
    /// Coherence; transitively closed.
    Co(Scope),
    /// From-read: the read's write is overwritten, at once or later.
    Fr(Scope),
    /// The halves of a read-modify-write.
    Rmw,
    /// Distinct events of one thread.
    SameThread,
    /// Distinct accesses with common bytes.
    LocOverlap,
    /// Distinct fences of SRCU whose domains have common bytes.
    SameDomain,
    /// From a creation to every event of its thread.
    Tc,
    /// From every event of a thread to the events that join it.
    Tj,
    /// Every pair.
    Any,
    /// From an `Alloc` to the accesses of its object.
    Alloc,
    /// From a `Free` to the accesses of its object.
    Free,
    /// Between the pieces of one access, each with itself included; the identity where pieces are not told apart.
    SameAccess,
    /// From a read to the events that depend on it, in one way.
    Depends(Dependency),
    /// A view of the plan.
    View(usize),
    /// The pairs of a view that are accesses of one location.
    ViewLoc(usize),
}

const VIEWS: u32 = FIRST_VIEWS[0];
const VIEWS_LOC: u32 = FIRST_VIEWS[1];

/// Which pairs of a relation count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// All.
    All,
    /// Those between threads.
    External,
    /// Those within one.
    Internal,
}

/// An edge of an automaton.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Transition {
    /// From this state…
    pub source: usize,
    /// …by this relation…
    pub symbol: Symbol,
    /// …to this state.
    pub target: usize,
    /// The classes of the event that the walk comes from.
    pub before: Classes,
    /// The classes of the event that it goes to.
    pub after: Classes,
    /// Whether it walks the relation backwards.
    pub inverse: bool,
}

/// A relation of the causal past, kept as one clock per state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// How many states; 0 is the start.
    pub states: usize,
    /// How states follow from those of predecessors.
    pub transitions: Vec<Transition>,
    /// The states whose clocks make up the relation.
    pub last: Vec<usize>,
}

/// Pairs of a relation between two sets of classes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GuardedEdge {
    /// The relation.
    pub symbol: Symbol,
    /// The first event's class.
    pub before: Classes,
    /// The second event's class.
    pub after: Classes,
}

/// An instruction of a matrix program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MatrixOp {
    /// Pushes a relation.
    Relation(Symbol),
    /// Pushes the relation of each event of some classes to itself.
    Test(Classes),
    /// Pushes the empty relation.
    Empty,
    /// Pushes the identity.
    Identity,
    /// Union.
    Union,
    /// Intersection.
    Intersection,
    /// The first without the second.
    Difference,
    /// Composition: the first, then the second.
    Sequence,
    /// One or more times.
    Plus,
    /// Any number of times.
    Star,
    /// At most once.
    Maybe,
    /// Inverse.
    Inverse,
    /// Keeps the top in a slot.
    Store(usize),
    /// Pushes a slot.
    Load(usize),
    /// Pushes a variable of a fixpoint.
    Variable(u32),
    /// Makes the top the least value of a variable that it is equal to.
    Fixpoint(u32),
}

/// An axiom as a program over bit matrices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Matrix {
    /// The instructions.
    pub program: Arc<[MatrixOp]>,
    /// What the result must be.
    pub verdict: Verdict,
}

/// How an axiom is checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Check {
    /// A union of edges is acyclic: kept closed.
    Closure(Vec<GuardedEdge>),
    /// The union of a part of `po`, which a program computes, and of edges between accesses of one location is acyclic:
    /// kept closed.
    Local(Matrix, Vec<GuardedEdge>),
    /// A view followed by `eco` is irreflexive.
    Coherence(usize),
    /// No cycle is a word from state 0 to state 0: searched.
    Automaton {
        /// How many states.
        states: usize,
        /// Its edges.
        transitions: Vec<Transition>,
    },
    /// A matrix program is evaluated.
    Matrix(Matrix),
}

/// An axiom: its check, and what it means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Axiom {
    /// What the engine runs.
    pub check: Check,
    /// Its meaning, which can be evaluated on any graph.
    pub meaning: Matrix,
}

/// An error rule: two accesses that must be ordered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ErrorRule {
    /// Which rule of the plan.
    pub number: usize,
    /// Whether a violation is only a warning.
    pub warning: bool,
    /// One access.
    pub first: Classes,
    /// The other.
    pub second: Classes,
    /// The view that must order them, or the order that is computed.
    pub view: usize,
    /// Accesses of one thread never break it.
    pub between: bool,
}

/// What orders accesses before the end of their object's life.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HappensBefore {
    /// The causal order.
    Causal,
    /// A view.
    View(usize),
    /// The closure of an axiom.
    Axiom(usize),
    /// An order that is computed.
    Computed(usize),
}

/// A part of `po`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PreservedPart {
    /// Guarded edges of `po` and `po-loc`.
    Edges(Vec<GuardedEdge>),
    /// What a program computes.
    Term(Matrix),
    /// The same; it is not known whether every event can be added, and exploration must notice if one cannot.
    Assumed(Matrix),
}

/// The tables of a Plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tables {
    /// Views.
    pub views: Vec<View>,
    /// Axioms.
    pub axioms: Vec<Axiom>,
    /// Error rules.
    pub errors: Vec<ErrorRule>,
    /// Orders that are computed for error rules and lifetimes: if there are any, rules are about these, not about views.
    pub computed: Vec<Matrix>,
    /// These are about the source of the program, not about what it was compiled to.
    pub of_source: bool,
    /// What orders accesses before the end of their object's life, for memory errors.
    pub happens_before: HappensBefore,
    /// The part of `po` in the causal order; `None` means all of it.
    pub preserved: Option<PreservedPart>,
    /// What has the same meaning for graphs in which `po` and `rf` have no common cycle, and needs no dependencies.
    pub unbuffered: Option<Unbuffered<Tables>>,
    /// Between events of these classes, `po` and `rf` lead nowhere where the order of coherence does not lead, too: such
    /// graphs are what the tables are about.
    pub watched: Classes,
    /// The same for `rf` from or to events of these classes: the order of coherence has it.
    pub watched_rf: Classes,
    /// The states and steps of an automaton whose cycles some axiom forbids, whatever depends on what.
    pub causality: Option<(usize, Vec<Transition>)>,
}

/// A plan for graphs in which `po` and `rf` have no common cycle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unbuffered<P> {
    /// The plan.
    pub plan: Box<P>,
    /// For each of its axioms, the axiom of the whole plan that it checks.
    pub axioms: Vec<usize>,
}

/// Why bytes are not a Plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlanError(pub String);

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the plan cannot be read: {}", self.0)
    }
}

impl std::error::Error for PlanError {}

impl Tables {
    /// Reads the tables from what `Plan.encode()` wrote.
    pub fn decode(bytes: &[u8]) -> Result<Tables, PlanError> {
        let body = bytes.strip_prefix(MAGIC).ok_or_else(|| PlanError("wrong magic".into()))?;
        let mut words = Words::new(body)?;
        let tables = Tables::read(&mut words)?;
        words.end()?;
        tables.validate()?;
        Ok(tables)
    }

    fn read(words: &mut Words<'_>) -> Result<Tables, PlanError> {
        let views = words.list(view)?;
        let axioms = words.list(|words| {
            let check = check(words)?;
            Ok(Axiom { check, meaning: matrix(words)? })
        })?;
        let errors = words.list(|words| {
            Ok(ErrorRule {
                number: words.index()?,
                warning: words.flag()?,
                first: Classes(words.long()?),
                second: Classes(words.long()?),
                view: words.index()?,
                between: words.flag()?,
            })
        })?;
        let computed = words.list(matrix)?;
        let of_source = words.flag()?;
        let order = word(words.next()?, LifetimeOrder::ALL, "happens-before")?;
        let index = words.index()?;
        let happens_before = match order {
            LifetimeOrder::Causal => HappensBefore::Causal,
            LifetimeOrder::View => HappensBefore::View(index),
            LifetimeOrder::Axiom => HappensBefore::Axiom(index),
            LifetimeOrder::Computed => HappensBefore::Computed(index),
        };
        let preserved = match words.next()? {
            0 => None,
            1 => Some(PreservedPart::Edges(words.list(edge)?)),
            2 => Some(PreservedPart::Term(matrix(words)?)),
            3 => Some(PreservedPart::Assumed(matrix(words)?)),
            other => return Err(PlanError(format!("unknown form {other} of the causal order"))),
        };
        let unbuffered = match words.flag()? {
            true => {
                let plan = Box::new(Tables::read(words)?);
                Some(Unbuffered { plan, axioms: words.list(Words::index)? })
            }
            false => None,
        };
        Ok(Tables {
            views,
            axioms,
            errors,
            computed,
            of_source,
            happens_before,
            preserved,
            unbuffered,
            watched: Classes(words.long()?),
            watched_rf: Classes(words.long()?),
            causality: match words.flag()? {
                true => Some((words.index()?, words.list(transition)?)),
                false => None,
            },
        })
    }
}

fn view(words: &mut Words<'_>) -> Result<View, PlanError> {
    Ok(View { states: words.index()?, transitions: words.list(transition)?, last: words.list(Words::index)? })
}

fn transition(words: &mut Words<'_>) -> Result<Transition, PlanError> {
    Ok(Transition {
        source: words.index()?,
        symbol: symbol(words.next()?)?,
        target: words.index()?,
        before: Classes(words.long()?),
        after: Classes(words.long()?),
        inverse: words.flag()?,
    })
}

/// The member of a vocabulary with a number.
fn word<T: Copy>(number: u32, all: &[T], what: &str) -> Result<T, PlanError> {
    all.get(number as usize).copied().ok_or_else(|| PlanError(format!("unknown {what} {number}")))
}

fn check(words: &mut Words<'_>) -> Result<Check, PlanError> {
    Ok(match word(words.next()?, CheckKind::ALL, "kind of check")? {
        CheckKind::Closure => Check::Closure(words.list(edge)?),
        CheckKind::Coherence => Check::Coherence(words.index()?),
        CheckKind::Automaton => {
            Check::Automaton { states: words.index()?, transitions: words.list(transition)? }
        }
        CheckKind::Matrix => Check::Matrix(matrix(words)?),
        CheckKind::Local => Check::Local(matrix(words)?, words.list(edge)?),
    })
}

fn edge(words: &mut Words<'_>) -> Result<GuardedEdge, PlanError> {
    Ok(GuardedEdge {
        symbol: symbol(words.next()?)?,
        before: Classes(words.long()?),
        after: Classes(words.long()?),
    })
}

fn matrix(words: &mut Words<'_>) -> Result<Matrix, PlanError> {
    let verdict = word(words.next()?, Verdict::ALL, "verdict")?;
    let end = words.index()? + words.position();
    let mut program = Vec::new();
    while words.position() < end {
        program.push(match word(words.next()?, MatrixWord::ALL, "matrix instruction")? {
            MatrixWord::Relation => MatrixOp::Relation(symbol(words.next()?)?),
            MatrixWord::Test => MatrixOp::Test(Classes(words.long()?)),
            MatrixWord::Empty => MatrixOp::Empty,
            MatrixWord::Identity => MatrixOp::Identity,
            MatrixWord::Union => MatrixOp::Union,
            MatrixWord::Intersection => MatrixOp::Intersection,
            MatrixWord::Difference => MatrixOp::Difference,
            MatrixWord::Sequence => MatrixOp::Sequence,
            MatrixWord::Plus => MatrixOp::Plus,
            MatrixWord::Star => MatrixOp::Star,
            MatrixWord::Maybe => MatrixOp::Maybe,
            MatrixWord::Inverse => MatrixOp::Inverse,
            MatrixWord::Store => MatrixOp::Store(words.index()?),
            MatrixWord::Load => MatrixOp::Load(words.index()?),
            MatrixWord::Variable => MatrixOp::Variable(words.next()?),
            MatrixWord::Fixpoint => MatrixOp::Fixpoint(words.next()?),
        });
    }
    Ok(Matrix { program: program.into(), verdict })
}

fn symbol(number: u32) -> Result<Symbol, PlanError> {
    use Scope::{All, External, Internal};
    if number >= VIEWS_LOC {
        return Ok(Symbol::ViewLoc((number - VIEWS_LOC) as usize));
    }
    if number >= VIEWS {
        return Ok(Symbol::View((number - VIEWS) as usize));
    }
    Ok(match word(number, RelationName::ALL, "relation")? {
        RelationName::Po => Symbol::Po,
        RelationName::PoImm => Symbol::PoImm,
        RelationName::PoLoc => Symbol::PoLoc,
        RelationName::Rf => Symbol::Rf(All),
        RelationName::Rfe => Symbol::Rf(External),
        RelationName::Rfi => Symbol::Rf(Internal),
        RelationName::Co => Symbol::Co(All),
        RelationName::Coe => Symbol::Co(External),
        RelationName::Coi => Symbol::Co(Internal),
        RelationName::Fr => Symbol::Fr(All),
        RelationName::Fre => Symbol::Fr(External),
        RelationName::Fri => Symbol::Fr(Internal),
        RelationName::Rmw => Symbol::Rmw,
        RelationName::SameThread => Symbol::SameThread,
        RelationName::LocOverlap => Symbol::LocOverlap,
        RelationName::Tc => Symbol::Tc,
        RelationName::Tj => Symbol::Tj,
        RelationName::Any => Symbol::Any,
        RelationName::Alloc => Symbol::Alloc,
        RelationName::Free => Symbol::Free,
        RelationName::PoImmLoc => Symbol::PoImmLoc,
        RelationName::PoImmElsewhere => Symbol::PoImmElsewhere,
        RelationName::Addr => Symbol::Depends(Dependency::Addr),
        RelationName::Data => Symbol::Depends(Dependency::Data),
        RelationName::Ctrl => Symbol::Depends(Dependency::Ctrl),
        RelationName::Si => Symbol::SameAccess,
        RelationName::SameDomain => Symbol::SameDomain,
    })
}
