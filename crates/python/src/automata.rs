//! Bindings of the prover's automata: handles that share one context, and the conversion of labels and edges.
//!
//! A context belongs to one question, so its lock is never waited for. The interpreter is not released: most
//! operations are short, and long ones ask for signals.

use mazurka_automata as kernel;
use mazurka_automata::{Budget, Context, CycleSearch, Edge, Label, Relation, Search, Stop, Word};
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

create_exception!(_engine, OutOfTime, PyException, "The time that was given to a proof is used up.");
create_exception!(_engine, OutOfMemory, PyException, "A proof takes more memory than was given.");

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
        // A panic is an error of ours that ends the question anyway.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn guard(&self, id: kernel::Guard) -> Guard {
        Guard { shared: self.clone(), id }
    }

    fn nfa(&self, inner: kernel::Nfa) -> Nfa {
        Nfa { shared: self.clone(), inner }
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

    fn __next__(&self) -> PyResult<Option<(Vec<PyLabel>, Vec<Guard>)>> {
        let mut inside = self.shared.lock();
        let mut search = self.search.lock().unwrap_or_else(PoisonError::into_inner);
        let word = match &mut *search {
            Searching::Paths(search) => search.next_word(&mut inside.context),
            Searching::Cycles(search) => search.next_word(&mut inside.context),
        };
        let shown = |word: Word| {
            let labels = word.labels.iter().map(|&label| inside.names[usize::from(label)].clone());
            (labels.collect(), word.events.into_iter().map(|guard| self.shared.guard(guard)).collect())
        };
        Ok(word.map_err(stopped)?.map(shown))
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

/// The owner of the guards and automata of one question.
#[pyclass(frozen, module = "mazurka._engine")]
struct Kernel {
    shared: Shared,
}

type PyRule<'py> = (PyRef<'py, Nfa>, PyRef<'py, Nfa>);

impl Kernel {
    fn made(&self, make: impl FnOnce(&mut Context) -> Result<kernel::Nfa, Stop>) -> PyResult<Nfa> {
        let made = make(&mut self.shared.lock().context).map_err(stopped)?;
        Ok(self.shared.nfa(made))
    }

    fn saturated(
        &self,
        make: impl FnOnce(&mut Context) -> Result<kernel::Saturated, Stop>,
    ) -> PyResult<Saturated> {
        let inner = make(&mut self.shared.lock().context).map_err(stopped)?;
        Ok(Saturated { shared: self.shared.clone(), inner })
    }
}

fn taken(rules: Vec<PyRule<'_>>) -> Vec<kernel::Rule> {
    let rule = |(smaller, larger): PyRule<'_>| kernel::Rule {
        smaller: smaller.inner.clone(),
        larger: larger.inner.clone(),
    };
    rules.into_iter().map(rule).collect()
}

#[pymethods]
impl Kernel {
    #[new]
    #[pyo3(signature = (variables, time_limit=None, memory_limit=None))]
    fn new(variables: usize, time_limit: Option<f64>, memory_limit: Option<u64>) -> Self {
        let limit = time_limit.and_then(|seconds| Duration::try_from_secs_f64(seconds.max(0.0)).ok());
        // Python's Ctrl-C handler runs only when asked.
        let interrupted = || Python::attach(|py| py.check_signals().is_err());
        let context = Context::new(variables, Budget::new(limit, memory_limit, Box::new(interrupted)));
        let inside = Inside { context, names: Vec::new(), numbers: HashMap::new() };
        Kernel { shared: Shared(Arc::new(Mutex::new(inside))) }
    }

    /// Raises OutOfTime or OutOfMemory if there is no more.
    fn look(&self) -> PyResult<()> {
        self.shared.lock().context.budget.look().map_err(stopped)
    }

    /// The events for which a variable is true.
    fn variable(&self, number: u32) -> Guard {
        let id = self.shared.lock().context.guards.variable(number);
        self.shared.guard(id)
    }

    /// Every assignment.
    fn all(&self) -> Guard {
        self.shared.guard(kernel::Guard::ALL)
    }

    /// No event.
    fn none(&self) -> Guard {
        self.shared.guard(kernel::Guard::NONE)
    }

    /// Says what is known of each relation; none is a letter then, nor are there words within it.
    fn define(&self, everything: &Guard, names: Vec<PyLabel>, relations: Vec<PyRelation>) -> PyResult<()> {
        let mut inside = self.shared.lock();
        let number = |(index, name): (usize, &PyLabel)| {
            let label = Label::try_from(index).map_err(|_| PyValueError::new_err("too many relations"))?;
            Ok((name.clone(), label))
        };
        inside.numbers = names.iter().enumerate().map(number).collect::<PyResult<_>>()?;
        inside.names = names;
        inside.context.everything = everything.id;
        let known: PyResult<Vec<Relation>> = relations.into_iter().map(|r| inside.relation(r)).collect();
        inside.context.relations = known?;
        Ok(())
    }

    /// Says which words are within relations; within others there are none.
    fn set_words(&self, words: Vec<(PyLabel, Vec<PyStep>)>) -> PyResult<()> {
        let mut inside = self.shared.lock();
        inside.context.relations.iter_mut().for_each(|relation| relation.words.clear());
        for (name, steps) in words {
            let label = inside.label(&name)?;
            let step = |(source, name, target)| Ok((source, inside.label(&name)?, target));
            let steps = steps.into_iter().map(step).collect::<PyResult<_>>()?;
            inside.context.relations[usize::from(label)].words = steps;
        }
        Ok(())
    }

    /// Makes these relations the letters.
    fn set_letters(&self, names: Vec<PyLabel>) -> PyResult<()> {
        let mut inside = self.shared.lock();
        let labels = inside.labels(&names)?;
        for (index, relation) in inside.context.relations.iter_mut().enumerate() {
            relation.is_letter = labels.iter().any(|&label| usize::from(label) == index);
        }
        Ok(())
    }

    /// Makes letters of the parts of an automaton's relations.
    fn add_letters(&self, nfa: &Nfa) {
        self.shared.lock().context.exactly(&nfa.inner.edges);
    }

    /// The letters there are.
    fn letters(&self) -> Vec<PyLabel> {
        let inside = self.shared.lock();
        let labels = inside.names.iter().zip(&inside.context.relations);
        labels.filter(|(_, relation)| relation.is_letter).map(|(name, _)| name.clone()).collect()
    }

    /// Whether some letter's relation is within one.
    fn has_letters(&self, name: PyLabel) -> PyResult<bool> {
        let inside = self.shared.lock();
        Ok(inside.context.has_letters(inside.label(&name)?))
    }

    /// An automaton of some steps.
    fn nfa(&self, states: u32, edges: Vec<PyEdge>, nullable: &Guard) -> PyResult<Nfa> {
        let edges = self.shared.lock().edges(&edges)?;
        Ok(self.shared.nfa(kernel::Nfa::new(states, edges, nullable.id)))
    }

    /// Words of one or another.
    fn unite(&self, parts: Vec<PyRef<'_, Nfa>>) -> PyResult<Nfa> {
        let parts: Vec<&kernel::Nfa> = parts.iter().map(|part| &part.inner).collect();
        self.made(|cx| kernel::unite(&parts, cx))
    }

    /// A word of the first, then one of the second.
    fn concatenate(&self, left: &Nfa, right: &Nfa) -> PyResult<Nfa> {
        self.made(|cx| kernel::concatenate(&left.inner, &right.inner, cx))
    }

    /// One or more words, one after the other.
    fn repeat(&self, body: &Nfa) -> PyResult<Nfa> {
        self.made(|cx| kernel::repeat(&body.inner, cx))
    }

    /// The inverse relation.
    fn reverse(&self, nfa: &Nfa) -> PyResult<Nfa> {
        self.made(|cx| Ok(kernel::reverse(&nfa.inner, cx)))
    }

    /// The rotational closure.
    fn rotate(&self, nfa: &Nfa) -> PyResult<Nfa> {
        self.made(|cx| kernel::rotate(&nfa.inner, cx))
    }

    /// The same words with fewer states.
    fn reduced(&self, nfa: &Nfa) -> PyResult<Nfa> {
        self.made(|cx| kernel::reduced(nfa.inner.clone(), cx))
    }

    /// An automaton with what is known and what the rules put within it.
    fn saturate(&self, nfa: &Nfa, rules: Vec<PyRule<'_>>) -> PyResult<Saturated> {
        let rules = taken(rules);
        self.saturated(|cx| {
            let right = kernel::Saturated::new(&nfa.inner, cx)?;
            kernel::saturate(right, &rules, cx)
        })
    }

    /// The same in one round, for rules with many words.
    fn saturate_once(&self, right: &Saturated, rules: Vec<PyRule<'_>>) -> PyResult<Saturated> {
        let rules = taken(rules);
        self.saturated(|cx| kernel::saturate_once(right.inner.clone(), &rules, cx))
    }

    /// For each step the words that lead from its end round to its beginning.
    fn words_round(
        &self,
        right: &Saturated,
        steps: Vec<PyEdge>,
        before: &Guard,
        after: &Guard,
        one_location: bool,
    ) -> PyResult<Vec<Nfa>> {
        let mut inside = self.shared.lock();
        let steps = inside.edges(&steps)?;
        let ends = (before.id, after.id);
        let found = kernel::words_round(&right.inner, &steps, ends, one_location, &mut inside.context);
        Ok(found.map_err(stopped)?.into_iter().map(|nfa| self.shared.nfa(nfa)).collect())
    }

    /// The words of an automaton between some events that another lacks.
    fn words(&self, left: &Nfa, right: &Saturated, events: &Guard) -> PyResult<Words> {
        let cx = &mut self.shared.lock().context;
        let letters = cx.exactly(&left.inner.edges);
        let search = kernel::inclusion(&letters, &right.inner, events.id, cx).map_err(stopped)?;
        Ok(Words { shared: self.shared.clone(), search: Mutex::new(Searching::Paths(search)) })
    }

    /// The cyclic words of an automaton between some events that another one's cycles do not forbid.
    fn cyclic_words(&self, left: &Nfa, forbidden: &Saturated, events: &Guard) -> PyResult<Words> {
        let cx = &mut self.shared.lock().context;
        let letters = cx.exactly(&left.inner.edges);
        let search = CycleSearch::new(letters, &forbidden.inner, events.id, cx).map_err(stopped)?;
        Ok(Words { shared: self.shared.clone(), search: Mutex::new(Searching::Cycles(search)) })
    }
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("OutOfTime", module.py().get_type::<OutOfTime>())?;
    module.add("OutOfMemory", module.py().get_type::<OutOfMemory>())?;
    module.add_class::<Guard>()?;
    module.add_class::<Nfa>()?;
    module.add_class::<Saturated>()?;
    module.add_class::<Words>()?;
    module.add_class::<Kernel>()
}
