//! Loops that do not end, found before they fill the memory.
//!
//! Without a loop bound an exploration ends only if every execution does. Two checks stop one that will not:
//! a thread with very many events, and a thread that goes round a loop twice alike. The second is exact:
//! if two rounds in a row leave the thread as it was, and each read of the second round reads from the write
//! that its twin read from, or from the thread's own write one round later than its twin did, then a third round
//! like the second is consistent, and a fourth: there are executions of every length.

use super::extend::blame;
use super::{Explorer, Stop};
use crate::detect::Finding;
use crate::graph::{Event, Graph, Label};
use crate::ids::{EventId, ThreadId};
use crate::vm::Snapshot;

/// A thread's rounds are compared at each event whose position is a multiple of this.
const EVENTS_BETWEEN_CHECKS: u32 = 4;
/// Words that the states of an execution's threads may take.
const ARENA_LIMIT: usize = 1 << 29;
/// Events of the longest round that is looked for.
const LONGEST_ROUND: usize = 32;

impl Explorer<'_> {
    /// Refuses a thread that goes on for ever, unless a bound will cut it.
    #[inline]
    pub(super) fn guard_endless(&self, thread: ThreadId) -> Result<(), Stop> {
        let count = self.graph().thread(thread).count;
        if !count.is_multiple_of(EVENTS_BETWEEN_CHECKS) || count == 0 {
            return Ok(());
        }
        self.guard_memory(thread)?;
        if self.config.unroll.is_some() {
            return Ok(());
        }
        self.find_endless(thread, count)
    }

    /// Each event keeps its thread's state, private memory included: too much of it is refused before the
    /// machine runs out of memory.
    fn guard_memory(&self, thread: ThreadId) -> Result<(), Stop> {
        if self.arena.len() < ARENA_LIMIT {
            return Ok(());
        }
        let message = "an execution whose threads' states take more than 4 GiB";
        Err(blame(Finding::refusal("unsupported", message).into(), thread))
    }

    fn find_endless(&self, thread: ThreadId, count: u32) -> Result<(), Stop> {
        if count >= self.config.event_limit {
            let message = format!("a thread has made {count} events");
            return Err(blame(Finding::refusal("endless-loop", message).into(), thread));
        }
        let at = self.graph().thread(thread).pending.snapshot;
        let Some((loop_id, round)) = self.last_round(thread, at) else { return Ok(()) };
        if !repeats_for_ever(self.graph(), thread, round) {
            return Ok(());
        }
        let mut finding = Finding::refusal("endless-loop", "a loop can go round for ever");
        finding.loop_id = Some(loop_id);
        Err(blame(finding.into(), thread))
    }

    /// The loop that has brought the thread back to where it was and as it was, and the events of its last
    /// round.
    fn last_round(&self, thread: ThreadId, at: Snapshot) -> Option<(u32, usize)> {
        let place = self.vm.position(&self.arena, at);
        let events = newest_first(self.graph(), thread).take(LONGEST_ROUND).enumerate();
        for (newer, event) in events {
            let half = event.label == Label::Write && event.is_exclusive();
            if half || self.vm.position(&self.arena, event.snapshot) != place {
                continue;
            }
            let loop_id = self.vm.repeats(&self.arena, event.snapshot, at)??;
            return Some((loop_id, newer + 1));
        }
        None
    }
}

fn newest_first(graph: &Graph, thread: ThreadId) -> impl Iterator<Item = &Event> {
    let mut id = graph.thread(thread).last;
    std::iter::from_fn(move || {
        if id.is_none() {
            return None;
        }
        let event = graph.event(id);
        id = event.po_prev;
        Some(event)
    })
}

/// Whether the last two rounds of so many events are alike in the way that the module describes.
fn repeats_for_ever(graph: &Graph, thread: ThreadId, round: usize) -> bool {
    let last = newest_first(graph, thread).take(round);
    let twins = newest_first(graph, thread).skip(round).take(round);
    let alike = last.zip(twins).filter(|(event, twin)| is_alike(graph, event, twin, round as u32)).count();
    alike == round
}

fn is_alike(graph: &Graph, event: &Event, twin: &Event, round: u32) -> bool {
    let same = event.label == twin.label && event.address == twin.address && event.value == twin.value;
    same && match event.label {
        Label::Read => event.rf == twin.rf || is_one_round_later(graph, event, twin.rf, round),
        Label::Write | Label::Fence => true,
        Label::Alloc | Label::Free | Label::Create | Label::Join => false,
    }
}

/// Whether a read reads from its own thread's write, one round after the write that its twin read.
fn is_one_round_later(graph: &Graph, read: &Event, twin_source: EventId, round: u32) -> bool {
    if read.rf.is_none() || twin_source.is_none() {
        return false;
    }
    let (source, older) = (graph.event(read.rf), graph.event(twin_source));
    source.thread == read.thread && older.thread == read.thread && source.index == older.index + round
}
