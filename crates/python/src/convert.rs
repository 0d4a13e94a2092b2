//! What the engine found as Python values: classes whose attributes `_engine.pyi` declares.
//!
//! They are called raw because they use the numbers of the bytecode; `mazurka.checking` turns them into terms
//! of the source. `tests/quality/test_engine_types.py` compares the classes with their declarations.

use mazurka_engine::detect::{Awaited, Seen, Wait};
use mazurka_engine::explore::{
    Estimate, ExportedEvent, ExportedGraph, ExportedPart, ExportedThread, Interval, Located, Outcome,
    Progress as Shared, Route, Status,
};
use mazurka_engine::graph::{Label, ThreadStatus};
use mazurka_engine::ids::{EventId, FunctionId};
use mazurka_engine::vm::Repetition;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

/// A function and a pc in it.
type Place = (u32, u32);
/// A thread and a position in its program order.
type Reference = (u32, u32);
/// A `Route`: its fields, in order.
pub type RawRoute = (u32, Vec<u32>, Vec<(u32, u32)>, Option<u64>, u64, Vec<u32>, Vec<u32>, Vec<u64>);

/// What an exploration found.
#[pyclass(frozen, get_all, module = "mazurka._engine")]
pub struct Explored {
    status: &'static str,
    complete: u64,
    blocked: u64,
    explored_complete: u64,
    explored_blocked: u64,
    flagged: u64,
    seconds: f64,
    events: u64,
    revisits: u64,
    parts: u64,
    fraction: f64,
    forbidden: Vec<u64>,
    warnings: Vec<(usize, [Vec<Place>; 2])>,
    leaks: Vec<(u32, Vec<Place>)>,
    spared: bool,
    cuts: Vec<(Option<u32>, u32, u32)>,
    observed: Vec<u32>,
    contended: Vec<u32>,
    stops_attempts: bool,
    out_of_memory: bool,
    system_refused: bool,
    grew: Option<Py<RawFinding>>,
    finding: Option<Py<RawFinding>>,
    graph: Option<Py<RawGraph>>,
    graphs: Py<PyTuple>,
    route: Option<RawRoute>,
    output: Vec<(u32, Vec<u64>)>,
    objects: Vec<(u64, u64, u32, u32)>,
    prologue: Vec<(u64, u64, u32, u32)>,
    estimate: Option<Py<RawEstimate>>,
}

/// How much there is to explore: the mean of each number, and where it probably lies.
#[pyclass(frozen, get_all, module = "mazurka._engine")]
pub struct RawEstimate {
    executions: (f64, f64, f64),
    explored: (f64, f64, f64),
    exact: bool,
    samples: u64,
}

/// How far an exploration has come that was given this.
#[pyclass(frozen, module = "mazurka._engine")]
pub struct Progress {
    pub shared: Arc<Shared>,
    /// Whether the exploration has to stop.
    pub stops: Arc<AtomicBool>,
}

#[pymethods]
impl Progress {
    #[new]
    fn new() -> Progress {
        Progress { shared: Arc::default(), stops: Arc::default() }
    }

    /// Ends the exploration soon, as if its time were up.
    fn stop(&self) {
        self.stops.store(true, Ordering::Relaxed);
    }

    /// The fraction that is explored; complete and blocked executions and events since the exploration started, and how
    /// often it has.
    fn look(&self) -> (f64, u64, u64, u64, u32) {
        let look = self.shared.look();
        (look.fraction, look.counts.complete, look.counts.blocked, look.counts.events, look.attempts)
    }
}

/// What is wrong, and where.
#[pyclass(frozen, get_all, module = "mazurka._engine")]
pub struct RawFinding {
    kind: String,
    message: String,
    thread: u32,
    function: u32,
    pc: u32,
    stack: Vec<Place>,
    r#loop: Option<u32>,
    recursion: Option<u32>,
    rule: Option<u32>,
    address: Option<u64>,
    object: Option<(u64, u64)>,
    event: Option<Reference>,
    other: Option<Reference>,
    waits: Vec<Py<RawWait>>,
}

/// A thread that waits for ever, and what for.
#[pyclass(frozen, get_all, module = "mazurka._engine")]
pub struct RawWait {
    thread: u32,
    stack: Vec<Place>,
    joins: Option<u32>,
    object: Option<Reference>,
    sees: Vec<(u64, u8, u128, Option<Reference>, Place)>,
}

/// An execution graph.
#[pyclass(frozen, get_all, module = "mazurka._engine")]
pub struct RawGraph {
    threads: Py<PyTuple>,
    co: Vec<(u64, u8, Vec<Reference>)>,
}

/// A thread of a graph.
#[pyclass(frozen, get_all, module = "mazurka._engine")]
pub struct RawThread {
    parent: Option<u32>,
    created_by: Option<u32>,
    status: &'static str,
    spins_in: Option<u32>,
    events: Py<PyTuple>,
}

/// An event of a graph. Numbers that its kind does not use are 0.
#[pyclass(frozen, get_all, module = "mazurka._engine")]
pub struct RawEvent {
    kind: &'static str,
    mode: u8,
    stack: Vec<(u32, u32)>,
    stamp: u32,
    address: u64,
    size: u64,
    value: u128,
    exclusive: bool,
    rf: Option<Reference>,
    section: bool,
    parts: Vec<(u64, u8, Option<Reference>, u64)>,
    other: Option<u64>,
    depends: Option<[Vec<u32>; 3]>,
}

/// Adds the classes to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Explored>()?;
    module.add_class::<RawEstimate>()?;
    module.add_class::<Progress>()?;
    module.add_class::<RawFinding>()?;
    module.add_class::<RawWait>()?;
    module.add_class::<RawGraph>()?;
    module.add_class::<RawThread>()?;
    module.add_class::<RawEvent>()
}

/// All that an exploration found.
pub fn explored(py: Python<'_>, outcome: &Outcome) -> PyResult<Explored> {
    let loops = outcome.cuts.iter().map(|(id, place)| (Some(*id), place.0 .0, place.1));
    let calls = outcome.cut_calls.iter().map(|function| (None, function.0, 0));
    let graphs = outcome.graphs.iter().map(|found| graph(py, found)).collect::<PyResult<Vec<_>>>()?;
    let located = |found: &Option<Located>| {
        found.as_ref().map(|found| Py::new(py, finding(py, found, outcome)?)).transpose()
    };
    Ok(Explored {
        status: status(outcome.status),
        complete: outcome.complete,
        blocked: outcome.blocked,
        explored_complete: outcome.explored_complete,
        explored_blocked: outcome.explored_blocked,
        flagged: outcome.flagged,
        seconds: outcome.seconds,
        events: outcome.events,
        revisits: outcome.revisits,
        parts: outcome.parts,
        fraction: outcome.fraction(),
        forbidden: outcome.forbidden.clone(),
        warnings: outcome.warnings.iter().map(|(rule, pair)| (*rule, pair.each_ref().map(stack))).collect(),
        leaks: outcome.leaks.iter().map(|(calls, thread)| (thread.0, places(calls))).collect(),
        spared: outcome.spared,
        cuts: loops.chain(calls).collect(),
        observed: outcome.observed.clone(),
        contended: outcome.contended.clone(),
        stops_attempts: outcome.stops_attempts,
        out_of_memory: outcome.out_of_memory,
        system_refused: outcome.system_refused,
        grew: located(&outcome.grew)?,
        finding: located(&outcome.finding)?,
        graph: outcome.graph.as_ref().map(|found| graph(py, found)).transpose()?,
        graphs: PyTuple::new(py, graphs)?.unbind(),
        route: outcome.route.clone().map(raw_route),
        output: outcome.output.iter().map(|(thread, _, values)| (thread.0, values.clone())).collect(),
        objects: outcome.objects.clone(),
        prologue: outcome.writers.iter().map(|(address, w)| (*address, w.0, w.1, w.2)).collect(),
        estimate: outcome.estimate.map(|estimate| Py::new(py, raw_estimate(&estimate))).transpose()?,
    })
}

fn raw_estimate(estimate: &Estimate) -> RawEstimate {
    let interval = |of: Interval| (of.mean, of.low, of.high);
    RawEstimate {
        executions: interval(estimate.executions),
        explored: interval(estimate.explored),
        exact: estimate.exact,
        samples: estimate.samples,
    }
}

/// The route that Python gives back.
pub fn route(raw: RawRoute) -> Route {
    let (attempt, choices, threads, schedule_seed, stuck, observed, contended, cuts) = raw;
    Route { attempt, choices, threads, schedule_seed, stuck, observed, contended, cuts }
}

fn raw_route(route: Route) -> RawRoute {
    let Route { attempt, choices, threads, schedule_seed, stuck, observed, contended, cuts } = route;
    (attempt, choices, threads, schedule_seed, stuck, observed, contended, cuts)
}

fn status(status: Status) -> &'static str {
    match status {
        Status::Finished => "finished",
        Status::Violation => "violation",
        Status::Refused => "refused",
        Status::Interrupted => "interrupted",
    }
}

fn finding(py: Python<'_>, located: &Located, outcome: &Outcome) -> PyResult<RawFinding> {
    let finding = &located.finding;
    let stack = stack(located);
    let (function, pc) = stack.first().copied().unwrap_or((0, 0));
    let (r#loop, recursion) = match finding.endless {
        Some(Repetition::Loop(id)) => (Some(id), None),
        Some(Repetition::Recursion(function)) => (None, Some(function.0)),
        None => (None, None),
    };
    let graph = outcome.graph.as_ref();
    let waits = located.waits.iter().map(|found| Py::new(py, wait(found, graph)));
    Ok(RawFinding {
        kind: finding.kind.to_string(),
        message: finding.message.to_string(),
        thread: finding.thread.0,
        function,
        pc,
        stack,
        r#loop,
        recursion,
        rule: finding.rule,
        address: finding.address,
        object: finding.object.as_deref().copied(),
        event: reference(graph, finding.event),
        other: finding.other.and_then(|id| reference(graph, id)),
        waits: waits.collect::<PyResult<_>>()?,
    })
}

fn reference(graph: Option<&ExportedGraph>, event: EventId) -> Option<Reference> {
    graph?.reference(event).map(|(thread, index)| (thread.0, index))
}

fn wait(wait: &Wait, graph: Option<&ExportedGraph>) -> RawWait {
    let sees = |seen: &Seen| {
        let source = seen.source.and_then(|id| reference(graph, id));
        (seen.address, seen.size, seen.value, source, (seen.place.0 .0, seen.place.1))
    };
    let bare = RawWait {
        thread: wait.thread.0,
        stack: places(&wait.stack),
        joins: None,
        object: None,
        sees: Vec::new(),
    };
    match &wait.awaited {
        Awaited::Thread(other) => RawWait { joins: Some(other.0), ..bare },
        Awaited::Object(read) => RawWait { object: reference(graph, *read), ..bare },
        Awaited::Change { seen } => RawWait { sees: seen.iter().map(sees).collect(), ..bare },
    }
}

fn stack(located: &Located) -> Vec<Place> {
    places(&located.stack)
}

fn places(stack: &[(FunctionId, u32)]) -> Vec<Place> {
    stack.iter().map(|(function, pc)| (function.0, *pc)).collect()
}

fn graph(py: Python<'_>, graph: &ExportedGraph) -> PyResult<Py<RawGraph>> {
    let threads = graph.threads.iter().map(|found| thread(py, found)).collect::<PyResult<Vec<_>>>()?;
    let references = |writes: &[(mazurka_engine::ids::ThreadId, u32)]| {
        writes.iter().map(|(thread, index)| (thread.0, *index)).collect()
    };
    let co = graph.co.iter().map(|(address, size, writes)| (*address, *size, references(writes)));
    Py::new(py, RawGraph { threads: PyTuple::new(py, threads)?.unbind(), co: co.collect() })
}

fn thread(py: Python<'_>, thread: &ExportedThread) -> PyResult<Py<RawThread>> {
    let status = match thread.status {
        ThreadStatus::Done | ThreadStatus::Exited => "done",
        ThreadStatus::Blocked | ThreadStatus::Waiting => "blocked",
        ThreadStatus::Spinning => "spinning",
        ThreadStatus::Cut => "cut",
        ThreadStatus::Join | ThreadStatus::Meet => "waiting",
        ThreadStatus::Fault | ThreadStatus::Astray => "failed",
        ThreadStatus::Absent => "absent",
        ThreadStatus::Exclusive | ThreadStatus::Ready | ThreadStatus::Read => "running",
    };
    let events = thread.events.iter().map(|found| Py::new(py, event(found))).collect::<PyResult<Vec<_>>>()?;
    Py::new(
        py,
        RawThread {
            parent: thread.parent.map(|parent| parent.0),
            created_by: thread.created_by,
            status,
            spins_in: thread.spins_in,
            events: PyTuple::new(py, events)?.unbind(),
        },
    )
}

fn event(event: &ExportedEvent) -> RawEvent {
    let outside = |(thread, index): (mazurka_engine::ids::ThreadId, u32)| (thread.0, index);
    let part = |part: &ExportedPart| (part.address, part.size, part.rf.map(outside), part.value);
    let bare = || RawEvent {
        kind: event.label.name(),
        mode: event.mode as u8,
        stack: event.stack.iter().map(|(function, pc)| (function.0, *pc)).collect(),
        stamp: event.stamp.0,
        address: 0,
        size: 0,
        value: 0,
        exclusive: false,
        rf: None,
        section: event.section,
        parts: event.parts.iter().map(part).collect(),
        other: None,
        depends: event.depends.clone(),
    };
    let at = || RawEvent { address: event.address, size: event.size, ..bare() };
    let access = || RawEvent { value: event.value, exclusive: event.exclusive, ..at() };
    match event.label {
        Label::Read => RawEvent { rf: event.rf.map(outside), ..access() },
        Label::Write => access(),
        Label::Fence | Label::Alloc | Label::Free => at(),
        Label::Create | Label::Join => RawEvent { other: Some(event.value as u64), ..bare() },
        Label::Arrive | Label::Depart => RawEvent { value: event.value, ..at() },
        Label::Choose => RawEvent { value: event.value, ..bare() },
    }
}
