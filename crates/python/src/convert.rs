//! Outcomes and graphs as Python dictionaries.

use mazurka_engine::explore::{ExportedEvent, ExportedGraph, ExportedThread, Located, Outcome, Status};
use mazurka_engine::graph::{Class, Label};
use mazurka_engine::vm::Repetition;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// The dictionary that `_engine.pyi` describes.
pub fn outcome<'py>(py: Python<'py>, outcome: &Outcome) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("status", status(outcome.status))?;
    dict.set_item("complete", outcome.complete)?;
    dict.set_item("blocked", outcome.blocked)?;
    dict.set_item("seconds", outcome.seconds)?;
    dict.set_item("events", outcome.events)?;
    dict.set_item("revisits", outcome.revisits)?;
    dict.set_item("parts", outcome.parts)?;
    dict.set_item("forbidden", outcome.forbidden.clone())?;
    let warnings = outcome.warnings.iter().map(|(rule, pair)| {
        let places: Vec<_> = pair.iter().map(stack).collect();
        (*rule, places)
    });
    dict.set_item("warnings", warnings.collect::<Vec<_>>())?;
    let loops = outcome.cuts.iter().map(|(id, place)| (Some(*id), place.0 .0, place.1));
    let calls = outcome.cut_calls.iter().map(|function| (None, function.0, 0));
    dict.set_item("cuts", loops.chain(calls).collect::<Vec<_>>())?;
    dict.set_item("out_of_memory", outcome.out_of_memory)?;
    dict.set_item("system_refused", outcome.system_refused)?;
    dict.set_item("grew", outcome.grew.as_ref().map(|found| finding(py, found, outcome)).transpose()?)?;
    let finding = outcome.finding.as_ref().map(|found| finding(py, found, outcome)).transpose()?;
    dict.set_item("finding", finding)?;
    dict.set_item("graph", outcome.graph.as_ref().map(|g| graph(py, g)).transpose()?)?;
    let graphs = outcome.graphs.iter().map(|g| graph(py, g)).collect::<PyResult<Vec<_>>>()?;
    dict.set_item("graphs", PyList::new(py, graphs)?)?;
    let output: Vec<_> = outcome.output.iter().map(|(thread, values)| (thread.0, values.clone())).collect();
    dict.set_item("output", output)?;
    dict.set_item("objects", outcome.objects.clone())?;
    let writers: Vec<_> = outcome.writers.iter().map(|(a, w)| (*a, w.0, w.1, w.2)).collect();
    dict.set_item("prologue", writers)?;
    Ok(dict)
}

fn status(status: Status) -> &'static str {
    match status {
        Status::Finished => "finished",
        Status::Violation => "violation",
        Status::Refused => "refused",
        Status::Interrupted => "interrupted",
    }
}

fn finding<'py>(py: Python<'py>, located: &Located, outcome: &Outcome) -> PyResult<Bound<'py, PyDict>> {
    let finding = &located.finding;
    let dict = PyDict::new(py);
    dict.set_item("kind", &finding.kind)?;
    dict.set_item("message", &finding.message)?;
    dict.set_item("thread", finding.thread.0)?;
    let stack = stack(located);
    let (function, pc) = stack.first().copied().unwrap_or((0, 0));
    dict.set_item("function", function)?;
    dict.set_item("pc", pc)?;
    dict.set_item("stack", stack)?;
    let (loop_id, recursion) = match finding.endless {
        Some(Repetition::Loop(id)) => (Some(id), None),
        Some(Repetition::Recursion(function)) => (None, Some(function.0)),
        None => (None, None),
    };
    dict.set_item("loop", loop_id)?;
    dict.set_item("recursion", recursion)?;
    dict.set_item("rule", finding.rule)?;
    dict.set_item("address", finding.address)?;
    dict.set_item("object", finding.object.as_deref().copied())?;
    let other = finding.other.and_then(|id| outcome.graph.as_ref()?.reference(id));
    dict.set_item("other", other.map(|(thread, index)| (thread.0, index)))?;
    Ok(dict)
}

fn stack(located: &Located) -> Vec<(u32, u32)> {
    located.stack.iter().map(|(function, pc)| (function.0, *pc)).collect()
}

fn graph<'py>(py: Python<'py>, graph: &ExportedGraph) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let threads = graph.threads.iter().map(|t| thread(py, t)).collect::<PyResult<Vec<_>>>()?;
    dict.set_item("threads", threads)?;
    let co: Vec<_> = graph
        .co
        .iter()
        .map(|(address, size, writes)| {
            let writes: Vec<_> = writes.iter().map(|(thread, index)| (thread.0, *index)).collect();
            (*address, *size, writes)
        })
        .collect();
    dict.set_item("co", co)?;
    Ok(dict)
}

fn thread<'py>(py: Python<'py>, thread: &ExportedThread) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("parent", thread.parent.map(|parent| parent.0))?;
    dict.set_item("created_by", thread.created_by)?;
    let status = match thread.status {
        Class::Done | Class::Exited => "done",
        Class::Blocked | Class::Waiting => "blocked",
        Class::Cut => "cut",
        Class::Join => "waiting",
        Class::Fault | Class::Astray => "failed",
        Class::Absent => "absent",
        Class::Exclusive | Class::Ready | Class::Read => "running",
    };
    dict.set_item("status", status)?;
    let events = thread.events.iter().map(|e| event(py, e)).collect::<PyResult<Vec<_>>>()?;
    dict.set_item("events", events)?;
    Ok(dict)
}

fn event<'py>(py: Python<'py>, event: &ExportedEvent) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let kind = match event.label {
        Label::Read => "R",
        Label::Write => "W",
        Label::Fence => "F",
        Label::Alloc => "ALLOC",
        Label::Free => "FREE",
        Label::Create => "CREATE",
        Label::Join => "JOIN",
    };
    dict.set_item("kind", kind)?;
    dict.set_item("mode", event.mode as u8)?;
    dict.set_item("function", event.position.0 .0)?;
    dict.set_item("pc", event.position.1)?;
    dict.set_item("stamp", event.stamp.0)?;
    match event.label {
        Label::Read | Label::Write => {
            dict.set_item("address", event.address)?;
            dict.set_item("size", event.size)?;
            dict.set_item("value", event.value)?;
            dict.set_item("exclusive", event.exclusive)?;
            dict.set_item("rf", event.rf.map(|(thread, index)| (thread.0, index)))?;
        }
        Label::Alloc | Label::Free => {
            dict.set_item("address", event.address)?;
            dict.set_item("size", event.size)?;
        }
        Label::Create | Label::Join => dict.set_item("other", event.value)?,
        Label::Fence => {}
    }
    Ok(dict)
}
