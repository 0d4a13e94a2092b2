//! The choices of threads, compared.

use crate::graph::{AccessKind, Graph};
use crate::ids::{EventId, LocId, ThreadId};
use std::cmp::Ordering;

/// Where the choices of two threads differ first, and how.
pub(super) struct Difference {
    /// The position of the two events in their threads.
    pub position: usize,
    pub order: Ordering,
}

/// The events of a thread, in program order.
pub(super) fn events_of(graph: &Graph, thread: ThreadId) -> Vec<EventId> {
    let mut events = Vec::new();
    let mut id = graph.thread(thread).last;
    while id.is_some() {
        events.push(id);
        id = graph.event(id).po_prev;
    }
    events.reverse();
    events
}

/// The first difference between the choices of two threads. Up to there they ask for the same, because they have got
/// the same values.
pub(super) fn difference(graph: &Graph, one: &[EventId], two: &[EventId]) -> Option<Difference> {
    let pairs = one.iter().zip(two).enumerate();
    pairs
        .map(|(position, (x, y))| Difference { position, order: compare(graph, *x, *y) })
        .find(|d| d.order.is_ne())
}

fn compare(graph: &Graph, x: EventId, y: EventId) -> Ordering {
    match graph.event(x).access_kind() {
        Some(AccessKind::Read) => in_coherence(graph, graph.event(x).loc(), graph.rf(x), graph.rf(y)),
        Some(AccessKind::Write) => in_coherence(graph, graph.event(x).loc(), x, y),
        None => number(graph, x).cmp(&number(graph, y)),
    }
}

/// Which of several values an event chose, if it chose any.
fn number(graph: &Graph, id: EventId) -> u32 {
    graph.event(id).choice().map_or(0, |choice| choice.number)
}

/// Compares the places of two writes of a location.
fn in_coherence(graph: &Graph, loc: LocId, x: EventId, y: EventId) -> Ordering {
    if x == y {
        Ordering::Equal
    } else if graph.co_after(loc, x).any(|later| later == y) {
        Ordering::Less
    } else {
        Ordering::Greater
    }
}

/// For how many executions a full graph stands, as far as a group is concerned.
pub(super) fn weight(graph: &Graph, group: &[ThreadId]) -> u64 {
    let threads: Vec<_> = group.iter().map(|thread| events_of(graph, *thread)).collect();
    let (mut weight, mut alike) = (1, 1);
    for (number, pair) in (2..).zip(threads.windows(2)) {
        let order = match difference(graph, &pair[0], &pair[1]) {
            Some(found) => found.order,
            None => pair[0].len().cmp(&pair[1].len()),
        };
        alike = match order {
            Ordering::Greater => return 0,
            Ordering::Equal => alike + 1,
            Ordering::Less => 1,
        };
        // number! / (m1! m2! …), one thread at a time: a binomial coefficient is whole at each step.
        weight = weight * number / alike;
    }
    weight
}
