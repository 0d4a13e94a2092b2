//! The Plan as the engine receives it: tables, decoded and laid out.
//!
//! `docs/reference/plan.md` says what each table means; `mazurka/kat/meaning/plan.py` writes them.
//! I1: row 0 of every event's clocks is the causal order `po ∪ rf`.

use crate::consistency::plan::bytes::Words;
use std::fmt;

const MAGIC: &[u8] = b"MZPL\x01";

/// A set of event classes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Classes(pub u64);

impl Classes {
    /// Every class.
    pub const ALL: Classes = Classes((1 << CLASS_COUNT) - 1);

    /// Whether a class is in the set.
    #[inline(always)]
    pub fn has(self, class: u8) -> bool {
        self.0 >> class & 1 != 0
    }

    /// Whether every class is.
    pub fn is_all(self) -> bool {
        self.0 & Classes::ALL.0 == Classes::ALL.0
    }
}

/// Classes of events, initial writes included.
pub const CLASS_COUNT: u32 = 30;

/// A relation that a table names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Symbol {
    /// Program order, with creation and joining; closed.
    Po,
    /// Its immediate steps.
    PoImm,
    /// Those between accesses of one location.
    PoImmLoc,
    /// The others.
    PoImmElsewhere,
    /// Program order between accesses of one location.
    PoLoc,
    /// Reads-from, whole or between or within threads.
    Rf(Scope),
    /// Coherence; closed.
    Co(Scope),
    /// From-read: the read's write is overwritten, at once or later.
    Fr(Scope),
    /// The halves of a read-modify-write.
    Rmw,
    /// Distinct events of one thread.
    SameThread,
    /// Distinct accesses with common bytes.
    LocOverlap,
    /// From a creation to every event of its thread.
    Tc,
    /// From every event of a thread to who joins it.
    Tj,
    /// Every pair.
    Any,
    /// From an `Alloc` to the accesses of its object.
    Alloc,
    /// From a `Free` to the accesses of its object.
    Free,
    /// A view of the plan.
    View(usize),
    /// Its pairs of accesses of one location.
    ViewLoc(usize),
}

/// The number of the first view among the symbols, and that of the first view's pairs of one location.
const VIEWS: u32 = 64;
const VIEWS_LOC: u32 = 4096;

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
    /// Where the walk comes from.
    pub before: Classes,
    /// Where it goes.
    pub after: Classes,
    /// Along the relation's pairs turned around.
    pub inverse: bool,
}

/// A relation of the causal past: clocks, one a state.
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
pub struct Edge {
    /// The relation.
    pub symbol: Symbol,
    /// The first event's class.
    pub before: Classes,
    /// The second event's class.
    pub after: Classes,
}

/// What a matrix program's relation must be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Without cycles.
    Acyclic,
    /// Without pairs of an event with itself.
    Irreflexive,
    /// Without pairs.
    Empty,
}

/// An instruction of a matrix program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MatrixOp {
    /// Pushes a relation.
    Relation(Symbol),
    /// Pushes the events of some classes, each with itself.
    Test(Classes),
    /// Pushes the empty relation.
    Empty,
    /// Pushes the identity.
    Identity,
    /// Either.
    Union,
    /// Both.
    Intersection,
    /// The first without the second.
    Difference,
    /// One after the other.
    Sequence,
    /// One or more times.
    Plus,
    /// Any number of times.
    Star,
    /// At most once.
    Maybe,
    /// Turned around.
    Inverse,
    /// Keeps the top in a slot.
    Store(usize),
    /// Pushes a slot.
    Load(usize),
}

/// An axiom as a program over bit matrices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Matrix {
    /// The instructions.
    pub program: Vec<MatrixOp>,
    /// What the result must be.
    pub verdict: Verdict,
}

/// How an axiom is checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Check {
    /// A union of edges is acyclic: kept closed.
    Closure(Vec<Edge>),
    /// A view followed by `eco` is irreflexive.
    Coherence(usize),
    /// The words from state 0 to state 0 have no cycle: searched.
    Automaton {
        /// How many states.
        states: usize,
        /// Its edges.
        transitions: Vec<Transition>,
    },
    /// Evaluated.
    Matrix(Matrix),
}

/// An axiom: its check, and what it means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Axiom {
    /// What the engine runs.
    pub check: Check,
    /// The same, for any graph.
    pub meaning: Matrix,
}

/// Two accesses that must not be unordered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ErrorRule {
    /// Which rule of the plan.
    pub number: usize,
    /// Only warns.
    pub warning: bool,
    /// One access.
    pub first: Classes,
    /// The other.
    pub second: Classes,
    /// The view that must order them.
    pub view: usize,
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
    /// For memory errors.
    pub happens_before: HappensBefore,
    /// The part of `po` in the causal order; none: all of it.
    pub preserved: Option<Vec<Edge>>,
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
            })
        })?;
        let happens_before = match (words.next()?, words.index()?) {
            (0, _) => HappensBefore::Causal,
            (1, view) => HappensBefore::View(view),
            (2, axiom) => HappensBefore::Axiom(axiom),
            (other, _) => return Err(PlanError(format!("{other} is no kind of happens-before"))),
        };
        let preserved = match words.flag()? {
            true => Some(words.list(edge)?),
            false => None,
        };
        words.end()?;
        let tables = Tables { views, axioms, errors, happens_before, preserved };
        tables.validate()?;
        Ok(tables)
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

fn check(words: &mut Words<'_>) -> Result<Check, PlanError> {
    match words.next()? {
        0 => Ok(Check::Closure(words.list(edge)?)),
        1 => Ok(Check::Coherence(words.index()?)),
        2 => Ok(Check::Automaton { states: words.index()?, transitions: words.list(transition)? }),
        3 => Ok(Check::Matrix(matrix(words)?)),
        other => Err(PlanError(format!("{other} is no kind of check"))),
    }
}

fn edge(words: &mut Words<'_>) -> Result<Edge, PlanError> {
    Ok(Edge { symbol: symbol(words.next()?)?, before: Classes(words.long()?), after: Classes(words.long()?) })
}

fn matrix(words: &mut Words<'_>) -> Result<Matrix, PlanError> {
    let verdict = match words.next()? {
        0 => Verdict::Acyclic,
        1 => Verdict::Irreflexive,
        2 => Verdict::Empty,
        other => return Err(PlanError(format!("{other} is no verdict"))),
    };
    let end = words.index()? + words.position();
    let mut program = Vec::new();
    while words.position() < end {
        program.push(match words.next()? {
            0 => MatrixOp::Relation(symbol(words.next()?)?),
            1 => MatrixOp::Test(Classes(words.long()?)),
            2 => MatrixOp::Empty,
            3 => MatrixOp::Identity,
            4 => MatrixOp::Union,
            5 => MatrixOp::Intersection,
            6 => MatrixOp::Difference,
            7 => MatrixOp::Sequence,
            8 => MatrixOp::Plus,
            9 => MatrixOp::Star,
            10 => MatrixOp::Maybe,
            11 => MatrixOp::Inverse,
            12 => MatrixOp::Store(words.index()?),
            13 => MatrixOp::Load(words.index()?),
            other => return Err(PlanError(format!("{other} is no matrix instruction"))),
        });
    }
    Ok(Matrix { program, verdict })
}

fn symbol(word: u32) -> Result<Symbol, PlanError> {
    use Scope::{All, External, Internal};
    Ok(match word {
        0 => Symbol::Po,
        1 => Symbol::PoImm,
        2 => Symbol::PoLoc,
        3 => Symbol::Rf(All),
        4 => Symbol::Rf(External),
        5 => Symbol::Rf(Internal),
        6 => Symbol::Co(All),
        7 => Symbol::Co(External),
        8 => Symbol::Co(Internal),
        9 => Symbol::Fr(All),
        10 => Symbol::Fr(External),
        11 => Symbol::Fr(Internal),
        12 => Symbol::Rmw,
        13 => Symbol::SameThread,
        14 => Symbol::LocOverlap,
        15 => Symbol::Tc,
        16 => Symbol::Tj,
        17 => Symbol::Any,
        21 => Symbol::Alloc,
        22 => Symbol::Free,
        23 => Symbol::PoImmLoc,
        24 => Symbol::PoImmElsewhere,
        VIEWS..VIEWS_LOC => Symbol::View((word - VIEWS) as usize),
        VIEWS_LOC.. => Symbol::ViewLoc((word - VIEWS_LOC) as usize),
        other => return Err(PlanError(format!("{other} is no relation"))),
    })
}
