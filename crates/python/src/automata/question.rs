//! The kernel: the owner of the guards and automata of one question, with all operations on them.

use super::{
    duration, kernel, stopped, Guard, Inside, Language, Nfa, PyEdge, PyLabel, PyRelation, PyStep, Saturated,
    Searching, Shared, Words,
};
use mazurka_automata::{Budget, Context, CycleSearch, Label, Relation, Stop};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// The owner of the guards and automata of one question.
#[pyclass(frozen, module = "mazurka._engine")]
pub(super) struct Kernel {
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
        let limit = time_limit.and_then(duration);
        // Python runs its Ctrl-C handler only when asked to.
        let interrupted = || Python::attach(|py| py.check_signals().is_err());
        let context = Context::new(variables, Budget::new(limit, memory_limit, Box::new(interrupted)));
        let inside = Inside { context, names: Vec::new(), numbers: HashMap::new() };
        Kernel { shared: Shared(Arc::new(Mutex::new(inside))) }
    }

    /// Sets the time limit, counted from now; None removes it.
    fn set_time_limit(&self, seconds: Option<f64>) {
        self.shared.lock().context.budget.set_time_limit(seconds.and_then(duration));
    }

    /// Raises OutOfTime or OutOfMemory if a limit is exceeded.
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

    /// States what is known about each relation; there are no letters and no words within relations yet.
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

    /// States which words are within relations; relations that are not named have none.
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

    /// An automaton with what is known put within it, without the work of making it small.
    fn close(&self, nfa: &Nfa) -> PyResult<Saturated> {
        self.saturated(|cx| kernel::Saturated::new(&nfa.inner, cx))
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

    /// The words of an automaton, made ready for many questions.
    fn language(&self, right: &Saturated) -> PyResult<Language> {
        let inner = kernel::Language::new(&right.inner, &mut self.shared.lock().context).map_err(stopped)?;
        Ok(Language { shared: self.shared.clone(), inner: Mutex::new(inner) })
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
