//! Loops and recursions that do not end, found before they fill the memory.
//!
//! Without a loop bound an exploration ends only if every execution does. Three checks stop one that will not.
//!
//! A thread goes round alike. This is exact: if two rounds in a row leave the thread as it was, and each read of the
//! second round reads from the write that its twin read from, or from the thread's own write one round later than its
//! twin did, then a third round like the second is consistent, and a fourth: there are executions of every length.
//! Rounds are looked for as Brent looks for cycles: a thread's state at each event is compared with its state at the
//! newest event before whose position is a power of two, so a round of any length is found within a few rounds.
//!
//! A thread has very many events, or the exploration holds very much memory for the execution at hand, while a loop has
//! gone round, or a function has called itself, `SUSPICIOUS` times. These are bounds, and are documented as such.
//! I1: all three depend on the execution at hand and the choices that led to it, not on who explores it.

use crate::consistency::Plan;
use crate::detect::Finding;
use crate::detect::Refusal;
use crate::explore::choices::extend::blame;
use crate::explore::limits::room::busiest_of;
use crate::explore::outcome::Config;
use crate::explore::regimes::Regime;
use crate::explore::threads::states::States;
use crate::explore::{Explorer, Stop};
use crate::graph::{Event, Graph, Label};
use crate::ids::{EventId, ThreadId};
use crate::vm::{Loops, Repetition};
use std::ops::Range;

/// Rounds of a loop, or calls of a function within itself, from which on these may be what does not end.
const SUSPICIOUS: u64 = 256;
/// Bytes that may be held for one execution in which something is suspicious.
const SUSPICIOUS_BYTES: usize = 512 << 20;
/// A thread's events between two looks at how much there is.
const EVENTS_BETWEEN_LOOKS: u32 = 64;
/// Words that the states of an execution's threads may take.
const ARENA_LIMIT: usize = 1 << 29;
/// Powers of two below the number of events of a thread.
const POWERS: usize = 32;

/// The message if there are executions of every length.
const ANY_NUMBER: &str = "can go round any number of times";
/// The message if a bound was reached.
pub(super) const VERY_LONG: &str = "goes on for very long, and may not end";

/// From when on an execution may be endless.
pub(in crate::explore) struct Bounds {
    /// Rounds of one loop.
    pub(super) rounds: u64,
    /// Events of one thread.
    events: u32,
    /// Bytes that are held for the execution.
    bytes: usize,
}

impl Bounds {
    /// Lower where each event costs as much as there are events.
    pub fn new<R: Regime>(plan: &Plan, config: &Config) -> Bounds {
        let limit = config.event_limit;
        let (events, bytes) = match (R::SEARCHES_COHERENCE, plan.checks().has_searches()) {
            (true, _) => (limit / 100, SUSPICIOUS_BYTES / 16),
            (false, true) => (limit / 20 * 3, SUSPICIOUS_BYTES),
            (false, false) => (limit, SUSPICIOUS_BYTES),
        };
        Bounds { rounds: SUSPICIOUS.min(limit.into()), events, bytes }
    }
}

/// Remembers events of threads, to find the rounds that these make.
pub(in crate::explore) struct Landmarks {
    /// Some loop may go round for ever.
    are_kept: bool,
    /// By thread, and exponent of a power of two: the event at that position, when it was last looked for.
    events: Vec<[EventId; POWERS]>,
}

impl Landmarks {
    pub fn new(states: &States) -> Landmarks {
        Landmarks { are_kept: states.has_open_loops(), events: Vec::new() }
    }

    fn slot(&mut self, thread: ThreadId, exponent: usize) -> &mut EventId {
        if self.events.len() <= thread.at() {
            self.events.resize(thread.at() + 1, [EventId::NONE; POWERS]);
        }
        &mut self.events[thread.at()][exponent]
    }

    /// The loop that a thread, which has this many events, repeats for ever without any difference, if there is one.
    #[inline(never)]
    fn find_round(&mut self, graph: &Graph, states: &States, thread: ThreadId, count: u32) -> Option<u32> {
        let at = graph.thread(thread).pending.snapshot;
        let event = graph.event(self.landmark(graph, thread, count));
        let round = count - event.index;
        if event.index < round || states.position(event.snapshot) != states.position(at) {
            return None;
        }
        let id = states.repeats(event.snapshot, at)??;
        (!states.is_bounded(id) && repeats_for_ever(graph, thread, round)).then_some(id)
    }

    /// The newest event whose position is a power of two; of a read-modify-write the read half, which has its state.
    #[inline]
    fn landmark(&mut self, graph: &Graph, thread: ThreadId, count: u32) -> EventId {
        let exponent = (count - 1).ilog2();
        let slot = self.slot(thread, exponent as usize);
        let index = 1 << exponent;
        let is_there = |event: &Event| event.thread == thread && event.index == index;
        if slot.is_none() || !graph.events().get(slot.at()).is_some_and(is_there) {
            let mut id = graph.thread(thread).last;
            while graph.event(id).index > index {
                id = graph.event(id).po_prev;
            }
            *slot = id;
        }
        let event = graph.event(*slot);
        if event.is_write_half() {
            event.po_prev
        } else {
            *slot
        }
    }
}

impl<R: Regime> Explorer<'_, R> {
    /// Refuses a thread that goes on for ever, unless a bound will cut it.
    #[inline(always)]
    pub(in crate::explore) fn guard_endless(&mut self, thread: ThreadId) -> Result<(), Stop> {
        let count = self.graph().thread(thread).count;
        if count < 2 {
            return Ok(());
        }
        // The write half of a read-modify-write is not guarded, but what follows it is.
        if count % EVENTS_BETWEEN_LOOKS < 2 {
            self.guard_size(thread, count)?;
        }
        if !self.landmarks.are_kept {
            return Ok(());
        }
        match self.landmarks.find_round(self.graphs.current(), &self.states, thread, count) {
            Some(id) => Err(blame(Finding::endless(Repetition::Loop(id), ANY_NUMBER).into(), thread)),
            None => Ok(()),
        }
    }

    #[cold]
    fn guard_size(&self, thread: ThreadId, count: u32) -> Result<(), Stop> {
        if self.states.mark() >= ARENA_LIMIT {
            let message = "an execution whose threads' states take more than 4 GiB";
            return Err(blame(Finding::refusal(Refusal::Unsupported, message).into(), thread));
        }
        if self.config.unroll.any.is_some() {
            return Ok(());
        }
        if count >= self.bounds.events {
            return self.suspect(thread..ThreadId(thread.0 + 1));
        }
        // What is held for the execution at hand: its threads' states, its graph, and those that revisits led it through.
        let graphs = self.inherited + self.graphs.bytes_below(self.graphs.level() + 1);
        if graphs + self.states.arena().bytes() > self.bounds.bytes {
            return self.suspect(ThreadId(0)..ThreadId::from_usize(self.threads.len()));
        }
        Ok(())
    }

    /// Blames what some threads do most often, if it is often enough.
    pub(in crate::explore) fn suspect(&self, threads: Range<ThreadId>) -> Result<(), Stop> {
        match busiest_of(self.graph(), &self.states, threads, Loops::Open) {
            // A second look does not go so far.
            Some((rounds, ..)) if rounds >= self.bounds.rounds && self.leniency.is_on() => {
                Err(Stop::Interrupted)
            }
            Some((rounds, thread, what)) if rounds >= self.bounds.rounds => {
                Err(blame(Finding::endless(what, VERY_LONG).into(), thread))
            }
            _ => Ok(()),
        }
    }
}

pub(in crate::explore) fn newest_first(
    graph: &Graph,
    thread: ThreadId,
) -> impl Iterator<Item = EventId> + '_ {
    let mut next = graph.thread(thread).last;
    std::iter::from_fn(move || {
        if next.is_none() {
            return None;
        }
        let id = next;
        next = graph.event(id).po_prev;
        Some(id)
    })
}

/// Whether the last two rounds, of this many events each, are alike in the way that the module describes.
fn repeats_for_ever(graph: &Graph, thread: ThreadId, round: u32) -> bool {
    let events = round as usize;
    let last = newest_first(graph, thread).take(events);
    let twins = newest_first(graph, thread).skip(events).take(events);
    last.zip(twins).all(|(id, twin)| is_alike(graph, id, twin, round))
}

fn is_alike(graph: &Graph, id: EventId, twin: EventId, round: u32) -> bool {
    let (event, before) = (graph.event(id), graph.event(twin));
    let same_access = || {
        let (access, before) = (event.access(), before.access());
        access.address == before.address && graph.is_same_value(id, twin)
    };
    event.label() == before.label()
        && match event.label() {
            Label::Read => {
                let mut sources = graph.sources(id).iter().zip(graph.sources(twin));
                let is_alike = |(source, before): (&EventId, &EventId)| {
                    source == before || is_one_round_later(graph, event, *source, *before, round)
                };
                same_access() && sources.all(is_alike)
            }
            Label::Write => same_access(),
            Label::Fence => true,
            Label::Alloc | Label::Free | Label::Create | Label::Join => false,
            Label::Arrive | Label::Depart | Label::Choose => false,
        }
}

/// Whether a read reads from its own thread's write, one round after the write that its twin read.
fn is_one_round_later(
    graph: &Graph,
    read: &Event,
    source: EventId,
    twin_source: EventId,
    round: u32,
) -> bool {
    if source.is_none() || twin_source.is_none() {
        return false;
    }
    let (source, older) = (graph.event(source), graph.event(twin_source));
    source.thread == read.thread && older.thread == read.thread && source.index == older.index + round
}
