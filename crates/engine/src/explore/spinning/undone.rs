//! What a round of a loop wrote, and whether nothing is left of it before the next round writes.
//!
//! Two kinds of places:
//!
//! - Writes that the round *took back* (zero-net-effect loops, thesis §7.2.6): the first is a read-modify-write, and the
//!   last leaves the value that it read. Or all of them add, and the sum is 0, whatever others have added in between.
//! - A write that the next round *overwrites*: a store, marked by a pass, which is the first write of every round, always
//!   of the same place. (Thesis §7.2.5; node->next in the loop of a push.)
//!
//! I1: all of this depends on the thread's own events alone.

use crate::explore::spinning::effects::{value_before, writes_back};
use crate::explore::threads::states::States;
use crate::graph::{Event, Graph, Label};
use crate::ids::{EventId, LocId, ThreadId};
use crate::program::{Mode, Op, RmwOp};

/// Which writes may be left out of account.
#[derive(Clone, Copy)]
pub(super) struct Allowed {
    /// Those that the round takes back.
    pub taken_back: bool,
    /// Atomic ones that the next round overwrites; plain ones always may.
    pub atomic: bool,
}

/// The writes of a round to one location, oldest first.
pub(super) struct Written {
    pub writes: Vec<EventId>,
    /// Each adds to what is there.
    pub adds: bool,
    /// The next round overwrites it.
    pub overwritten: bool,
    loc: LocId,
}

/// The places that events of a thread, a round of a loop, have written, if nothing is left of that in the end.
/// Read-modify-writes that wrote what they read do not count.
pub(super) fn undone(
    graph: &Graph,
    states: &States,
    round: &[EventId],
    loop_id: u32,
    allowed: Allowed,
) -> Option<Vec<Written>> {
    let mut places = places(graph, round);
    places.retain(|place| !place.writes.iter().all(|&write| writes_back(graph, write)));
    for place in &mut places {
        place.adds = place.writes.iter().all(|&write| adds(states, graph.event(write)));
        place.overwritten = is_overwritten(graph, states, round, place, loop_id, allowed);
        let is_undone = place.overwritten || (allowed.taken_back && is_taken_back(graph, place));
        if !is_undone {
            return None;
        }
    }
    Some(places)
}

fn places(graph: &Graph, round: &[EventId]) -> Vec<Written> {
    let mut places: Vec<Written> = Vec::new();
    for &id in round.iter().filter(|&&id| graph.event(id).label() == Label::Write) {
        let loc = graph.event(id).loc();
        match places.iter_mut().find(|place| place.loc == loc) {
            Some(place) => place.writes.push(id),
            None => places.push(Written { writes: vec![id], adds: false, overwritten: false, loc }),
        }
    }
    places
}

fn is_taken_back(graph: &Graph, place: &Written) -> bool {
    let first = place.writes[0];
    if !graph.event(first).is_write_half() {
        return false;
    }
    let value = |write: EventId| graph.event(write).access().value;
    if place.adds {
        let size = u32::from(graph.event(first).access().size);
        let sum = |sum: u64, &write| sum.wrapping_add(value(write)).wrapping_sub(value_before(graph, write));
        return place.writes.iter().fold(0, sum) << (64 - 8 * size) == 0;
    }
    let follows = |pair: &[EventId]| {
        !graph.event(pair[1]).is_write_half() || value_before(graph, pair[1]) == value(pair[0])
    };
    place.writes.windows(2).all(follows)
        && value(place.writes[place.writes.len() - 1]) == value_before(graph, first)
}

fn is_overwritten(
    graph: &Graph,
    states: &States,
    round: &[EventId],
    place: &Written,
    loop_id: u32,
    allowed: Allowed,
) -> bool {
    let [id] = place.writes[..] else { return false };
    let write = graph.event(id);
    let instruction = states.instruction(write.snapshot);
    let is_first = instruction.op == Op::Store && instruction.c == loop_id + 1;
    // What was read before came from the same addresses in every round (the pass sees to it).
    let before = round.iter().take_while(|&&event| event != id).map(|&event| graph.event(event));
    let mut accessed = before.filter_map(Event::as_access);
    is_first
        && (allowed.atomic || write.mode == Mode::Na)
        && !accessed.any(|access| access.overlaps(write.access()))
}

/// Whether an event is half of a read-modify-write that adds.
pub(super) fn adds(states: &States, write: &Event) -> bool {
    let instruction = states.instruction(write.snapshot);
    instruction.op == Op::Rmw && [RmwOp::Add as u8, RmwOp::Sub as u8].contains(&instruction.x)
}

/// Whether an event is half of a read-modify-write that adds, and whose result nobody uses.
pub(super) fn is_blind(states: &States, event: &Event) -> bool {
    event.is_exclusive() && adds(states, event) && states.instruction(event.snapshot).c == 1
}

/// The newest events of a thread, oldest first.
pub(super) fn last_events(graph: &Graph, thread: ThreadId, events: u32) -> Vec<EventId> {
    use crate::explore::limits::endless::newest_first;
    let mut found: Vec<EventId> = newest_first(graph, thread).take(events as usize).collect();
    found.reverse();
    found
}
