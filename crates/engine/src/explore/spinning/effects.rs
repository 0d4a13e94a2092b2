//! What a round of a loop did for others to see.

use crate::explore::limits::endless::newest_first;
use crate::graph::{Graph, Label};
use crate::ids::{EventId, ThreadId};

/// The effect of a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effect {
    /// It read nothing and changed nothing.
    None,
    /// It read what others may write, and changed nothing.
    Waits,
    /// It wrote.
    Writes,
    /// It changed something other than memory.
    Other,
}

/// What the last `events` events of a thread did.
pub(super) fn effect_of(graph: &Graph, thread: ThreadId, events: u32) -> Effect {
    let mut effect = Effect::None;
    for id in newest_first(graph, thread).take(events as usize) {
        match graph.event(id).label() {
            Label::Read if effect == Effect::None => effect = Effect::Waits,
            Label::Read | Label::Fence => {}
            Label::Write if writes_back(graph, id) => {}
            Label::Write => effect = Effect::Writes,
            Label::Alloc | Label::Free | Label::Create | Label::Join | Label::Arrive | Label::Depart => {
                return Effect::Other
            }
            // The next round may choose something else, so the thread does not wait.
            Label::Choose => return Effect::Other,
        }
    }
    effect
}

/// Whether a write is that of a read-modify-write that wrote the value which it read.
pub(in crate::explore) fn writes_back(graph: &Graph, id: EventId) -> bool {
    let write = graph.event(id);
    write.is_write_half() && graph.is_same_value(write.po_prev, id)
}

/// What a read-modify-write read, by its write half.
pub(super) fn value_before(graph: &Graph, write: EventId) -> u64 {
    graph.event(graph.event(write).po_prev).access().value
}
