//! Audits: every answer to the explorer's questions compared with what the axioms mean, on the same graph.
//!
//! Slow, and only on demand: the specialised checks must say what the general evaluator says of every graph met.
//! When time is up, the rest is not compared; the explorer then stops before its next event.

use crate::consistency::choices::sources::Conditional;
use crate::consistency::plan::layout::Plan;
use crate::consistency::Workspace;
use crate::graph::Graph;
use crate::ids::EventId;

/// Panics unless `allowed` are the writes that the read may see.
pub(in crate::consistency) fn check_sources(
    plan: &Plan,
    graph: &mut Graph,
    read: EventId,
    conditional: Option<&Conditional>,
    work: &mut Workspace,
    allowed: &[EventId],
) {
    for write in writes_of(graph, read) {
        if work.check_time().is_err() {
            return;
        }
        if let Some(kinds) = conditional {
            plan.upkeep.reclassify(graph, read, kinds.class(graph, write));
        }
        graph.link_read(read, write);
        plan.upkeep.see(graph, read, write);
        let right = plan.checks.is_consistent(graph, work);
        graph.unlink_read(read);
        plan.upkeep.reenter(graph, read);
        assert_eq!(allowed.contains(&write), right, "{read:?} reads from {write:?}: {}", picture(graph));
    }
}

/// Panics unless `allowed` are the writes after which the write may stand.
pub(in crate::consistency) fn check_places(
    plan: &Plan,
    graph: &mut Graph,
    write: EventId,
    work: &mut Workspace,
    allowed: &[EventId],
) {
    let loc = graph.event(write).loc();
    for after in writes_of(graph, write) {
        if work.check_time().is_err() {
            return;
        }
        let splits = graph.splits_rmw(after, graph.overwriter(loc, after));
        graph.link_write(write, after);
        let right = !splits && plan.checks.is_consistent(graph, work);
        graph.unlink_write(write);
        assert_eq!(allowed.contains(&after), right, "{write:?} after {after:?}: {}", picture(graph));
    }
}

/// Panics unless `allowed` are the writes after which the write may stand with the read reading from it.
pub(in crate::consistency) fn check_revisits(
    plan: &Plan,
    graph: &mut Graph,
    read: EventId,
    write: EventId,
    work: &mut Workspace,
    allowed: &[EventId],
) {
    let event = *graph.event(write);
    let source = if event.is_exclusive() { Some(graph.rf(event.po_prev)) } else { None };
    for after in writes_of(graph, write) {
        if work.check_time().is_err() {
            return;
        }
        let splits = graph.splits_rmw(after, graph.overwriter(event.loc(), after));
        let has_place = !splits && source.is_none_or(|source| source == after);
        graph.link_write(write, after);
        plan.upkeep.see(graph, read, write);
        let right = has_place && plan.checks.is_consistent(graph, work);
        graph.unlink_write(write);
        plan.upkeep.reenter(graph, read);
        let allows = allowed.contains(&after);
        assert_eq!(allows, right, "{read:?} revisited by {write:?} after {after:?}: {}", picture(graph));
    }
}

/// The writes of an event's location, the initial one first.
fn writes_of(graph: &Graph, event: EventId) -> Vec<EventId> {
    let loc = graph.event(event).loc();
    std::iter::once(EventId::NONE).chain(graph.co_after(loc, EventId::NONE)).collect()
}

fn picture(graph: &Graph) -> String {
    let line = |(id, event)| format!("\n{id}: {event:?}");
    graph.events().iter().enumerate().map(line).collect()
}
