//! Bindings of the automata of the planner and the prover: handles that share one context, and the conversion
//! of labels and edges.
//!
//! A context belongs to one question, so its lock is never waited for. The interpreter is not released: most
//! operations are short, and long ones ask for signals.

mod question;

use mazurka_automata as kernel;
use mazurka_automata::{Context, CycleSearch, Edge, Label, Relation, Search, Stop, Word};
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

create_exception!(_engine, OutOfTime, PyException, "A proof exceeded its time limit.");
create_exception!(_engine, OutOfMemory, PyException, "A proof exceeded its memory limit.");

type PyLabel = (String, bool);
/// Source, relation and target of a step of the words within a relation.
type PyStep = (u32, PyLabel, u32);
type PyEdge = (u32, PyLabel, u32, Guard, Guard);
/// Inverse, within, parts, halves, one location, ends; see `_engine.pyi`.
type PyRelation =
    (PyLabel, Vec<PyLabel>, Vec<PyLabel>, Option<(PyLabel, PyLabel)>, Option<PyLabel>, (Guard, Guard));

struct Inside {
    context: Context,
    names: Vec<PyLabel>,
    numbers: HashMap<PyLabel, Label>,
}

#[derive(Clone)]
struct Shared(Arc<Mutex<Inside>>);

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Inside> {
        // A panic is a bug in Mazurka, and ends the question anyway.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn guard(&self, id: kernel::Guard) -> Guard {
        Guard { shared: self.clone(), id }
    }

    fn nfa(&self, inner: kernel::Nfa) -> Nfa {
        Nfa { shared: self.clone(), inner }
    }

    fn word(&self, word: Word, inside: &Inside) -> PyWord {
        let labels = word.labels.iter().map(|&label| inside.names[usize::from(label)].clone());
        (labels.collect(), word.events.into_iter().map(|guard| self.guard(guard)).collect())
    }

    fn edges<'a>(&self, edges: impl Iterator<Item = &'a Edge>) -> Vec<PyEdge> {
        let inside = self.lock();
        edges
            .map(|e| {
                let label = inside.names[usize::from(e.label)].clone();
                (e.source, label, e.target, self.guard(e.before), self.guard(e.after))
            })
            .collect()
    }
}

impl Inside {
    fn label(&self, name: &PyLabel) -> PyResult<Label> {
        self.numbers
            .get(name)
            .copied()
            .ok_or_else(|| PyValueError::new_err(format!("no relation {}", name.0)))
    }

    fn labels(&self, names: &[PyLabel]) -> PyResult<Vec<Label>> {
        names.iter().map(|name| self.label(name)).collect()
    }

    fn edges(&self, edges: &[PyEdge]) -> PyResult<Vec<Edge>> {
        let edge = |(source, name, target, before, after): &PyEdge| {
            Ok(Edge {
                source: *source,
                label: self.label(name)?,
                target: *target,
                before: before.id,
                after: after.id,
            })
        };
        edges.iter().map(edge).collect()
    }

    fn relation(&self, known: PyRelation) -> PyResult<Relation> {
        let (inverse, within, parts, halves, one_location, ends) = known;
        Ok(Relation {
            inverse: self.label(&inverse)?,
            within: self.labels(&within)?,
            parts: self.labels(&parts)?,
            external_half_of: match halves {
                Some((internal, whole)) => Some((self.label(&internal)?, self.label(&whole)?)),
                None => None,
            },
            one_location: one_location.map(|name| self.label(&name)).transpose()?,
            words: Vec::new(),
            is_letter: false,
            ends: Some((ends.0.id, ends.1.id)),
        })
    }
}

/// A number of seconds; a number that is too large means no limit.
fn duration(seconds: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(seconds.max(0.0)).ok()
}

fn stopped(stop: Stop) -> PyErr {
    match stop {
        Stop::OutOfTime => OutOfTime::new_err(()),
        Stop::OutOfMemory => OutOfMemory::new_err(()),
        Stop::Interrupted => PyKeyboardInterrupt::new_err(()),
    }
}

/// A set of events.
#[pyclass(frozen, module = "mazurka._engine")]
#[derive(Clone)]
struct Guard {
    shared: Shared,
    id: kernel::Guard,
}

#[pymethods]
impl Guard {
    fn __and__(&self, other: &Guard) -> Guard {
        let id = self.shared.lock().context.guards.and(self.id, other.id);
        self.shared.guard(id)
    }

    fn __or__(&self, other: &Guard) -> Guard {
        let id = self.shared.lock().context.guards.or(self.id, other.id);
        self.shared.guard(id)
    }

    fn __invert__(&self) -> Guard {
        let id = self.shared.lock().context.guards.not(self.id);
        self.shared.guard(id)
    }

    fn __bool__(&self) -> bool {
        !self.id.is_none()
    }

    fn __eq__(&self, other: &Guard) -> bool {
        self.id == other.id
    }

    fn __lt__(&self, other: &Guard) -> bool {
        self.id < other.id
    }

    fn __hash__(&self) -> u64 {
        u64::from(self.id.number())
    }

    /// One event of the set: which variables are true.
    fn example(&self) -> Vec<bool> {
        let inside = self.shared.lock();
        inside.context.guards.example(self.id, inside.context.variables)
    }
}

/// An automaton.
#[pyclass(frozen, module = "mazurka._engine")]
struct Nfa {
    shared: Shared,
    inner: kernel::Nfa,
}

#[pymethods]
impl Nfa {
    #[getter]
    fn states(&self) -> u32 {
        self.inner.states
    }

    #[getter]
    fn nullable(&self) -> Guard {
        self.shared.guard(self.inner.nullable)
    }

    #[getter]
    fn edges(&self) -> Vec<PyEdge> {
        self.shared.edges(self.inner.edges.iter())
    }

    /// The same words, but for the empty one, which relates given events to themselves.
    fn with_nullable(&self, nullable: &Guard) -> Nfa {
        self.shared.nfa(kernel::Nfa { nullable: nullable.id, ..self.inner.clone() })
    }

    /// Whether it has a step.
    #[getter]
    fn has_edges(&self) -> bool {
        !self.inner.edges.is_empty()
    }
}

/// An automaton with what is known put within it.
#[pyclass(frozen, module = "mazurka._engine")]
struct Saturated {
    shared: Shared,
    inner: kernel::Saturated,
}

#[pymethods]
impl Saturated {
    #[getter]
    fn states(&self) -> u32 {
        self.inner.states
    }

    #[getter]
    fn edges(&self) -> Vec<PyEdge> {
        self.shared.edges(self.inner.edges.iter())
    }

    /// The steps that all pairs of a relation can take.
    fn whole(&self, name: PyLabel) -> PyResult<Vec<PyEdge>> {
        let edges = {
            let mut inside = self.shared.lock();
            let label = inside.label(&name)?;
            self.inner.whole(label, &mut inside.context).map_err(stopped)?
        };
        Ok(self.shared.edges(edges.iter()))
    }
}

/// The words of an automaton, ready for many questions.
#[pyclass(frozen, module = "mazurka._engine")]
struct Language {
    shared: Shared,
    inner: Mutex<kernel::Language>,
}

/// A word as labels, and what each event can be.
type PyWord = (Vec<PyLabel>, Vec<Guard>);

#[pymethods]
impl Language {
    /// A word of another automaton that this one lacks, how many places were searched, and whether these were
    /// all.
    fn lacks(
        &self,
        left: &Nfa,
        events: &Guard,
        most_places: usize,
    ) -> PyResult<(Option<PyWord>, usize, bool)> {
        let mut inside = self.shared.lock();
        let mut language = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let cx = &mut inside.context;
        let letters = cx.exactly(&left.inner.edges);
        let found = language.lacks(&letters, events.id, most_places, cx).map_err(stopped)?;
        let word = found.word.map(|word| self.shared.word(word, &inside));
        Ok((word, found.places, found.is_complete))
    }
}

enum Searching {
    Paths(Search),
    Cycles(CycleSearch),
}

/// A search for words that a larger side lacks; an iterator of them.
#[pyclass(frozen, module = "mazurka._engine")]
struct Words {
    shared: Shared,
    search: Mutex<Searching>,
}

#[pymethods]
impl Words {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self) -> PyResult<Option<PyWord>> {
        let mut inside = self.shared.lock();
        let mut search = self.search.lock().unwrap_or_else(PoisonError::into_inner);
        let word = match &mut *search {
            Searching::Paths(search) => search.next_word(&mut inside.context),
            Searching::Cycles(search) => search.next_word(&mut inside.context),
        };
        Ok(word.map_err(stopped)?.map(|word| self.shared.word(word, &inside)))
    }

    /// How many places were looked at.
    #[getter]
    fn size(&self) -> usize {
        match &*self.search.lock().unwrap_or_else(PoisonError::into_inner) {
            Searching::Paths(search) => search.size(),
            Searching::Cycles(search) => search.size(),
        }
    }
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("OutOfTime", module.py().get_type::<OutOfTime>())?;
    module.add("OutOfMemory", module.py().get_type::<OutOfMemory>())?;
    module.add_class::<Guard>()?;
    module.add_class::<Nfa>()?;
    module.add_class::<Saturated>()?;
    module.add_class::<Language>()?;
    module.add_class::<Words>()?;
    module.add_class::<question::Kernel>()
}
