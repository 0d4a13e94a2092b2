//! What a program says about its own accesses (`ANNOTATE`): each annotation is checked, and two of them are used.
//!
//! An annotation stands in the code directly before the access that it is about, so an event's state says which it has.
//!
//! Two kinds of compare-exchanges may *stop* their threads where they would succeed, as by a false assumption (see
//! `stopping`): a helping one that leaves the work to the thread that it helps (`helping`), and a confirming one. The
//! execution then does not count. Whether one stops depends on its causal past alone, so a thread that stops is a thread of
//! another program, and TruSt explores all executions of that program.
//!
//! A confirming compare-exchange follows a load of the same location that saw the value it expects. If it succeeds, but sees
//! another write of that value than the load did, it stops. Nothing is lost: the load could have seen the write that the
//! compare-exchange sees. It is the event right before, is not stronger, and returns the same value, so that execution is
//! consistent whenever this one is, and goes on alike. Where something stands between the two, or the load is stronger,
//! this is not done.

mod helping;

use crate::detect::{Finding, Violation};
use crate::explore::choices::extend::blame_event;
use crate::explore::choices::read::read_half;
use crate::explore::regimes::Regime;
use crate::explore::threads::states::States;
use crate::explore::{Config, Explorer, Stop};
use crate::graph::{Event, Graph, Label, Pending, ThreadState, ThreadStatus};
use crate::ids::{EventId, ThreadId};
use crate::program::{Annotation, Mode, Op, Program};
use crate::vm::Request;

/// The annotations of a program.
pub(in crate::explore) struct Annotations<'p> {
    program: &'p Program,
    /// There are some.
    exist: bool,
    /// Confirming compare-exchanges may stop.
    confirm: bool,
    /// Helping compare-exchanges may stop.
    help: bool,
}

impl<'p> Annotations<'p> {
    pub fn new<R: Regime>(program: &'p Program, config: &Config) -> Annotations<'p> {
        let mut code = program.functions.iter().flat_map(|function| &function.code);
        Annotations {
            program,
            exist: R::READS_ANNOTATIONS && code.any(|i| i.op == Op::Annotate),
            confirm: R::FIXES_READS && config.confirmations,
            help: R::FIXES_READS && config.helping,
        }
    }

    /// Whether the program has any.
    #[inline(always)]
    pub fn exist(&self) -> bool {
        self.exist
    }

    /// The annotation of an event.
    fn of(&self, states: &States, event: &Event) -> Option<Annotation> {
        let (function, pc) = states.position(event.snapshot);
        let before = self.program.functions[function.at()].code.get((pc as usize).checked_sub(1)?)?;
        (before.op == Op::Annotate).then(|| Annotation::from_u8(before.a as u8)).flatten()
    }

    /// Whether a compare-exchange that finds what it expects, in `source`, stops.
    #[inline]
    pub fn stop(&self, states: &States, graph: &Graph, read: EventId, source: EventId) -> bool {
        self.exist && self.stop_annotated(states, graph, read, source)
    }

    #[cold]
    fn stop_annotated(&self, states: &States, graph: &Graph, read: EventId, source: EventId) -> bool {
        let other_than_confirmed = |load| graph.rf(load) != source;
        match self.of(states, graph.event(read)) {
            Some(Annotation::ConfirmingCas) => {
                self.confirm && self.load_to_confirm(states, graph, read).is_some_and(other_than_confirmed)
            }
            Some(Annotation::HelpingCas) => self.link(states, graph, read, source).is_some(),
            _ => false,
        }
    }

    /// The load that a confirming compare-exchange has to confirm.
    pub fn load_to_confirm(&self, states: &States, graph: &Graph, read: EventId) -> Option<EventId> {
        let event = graph.event(read);
        if !self.exist || self.of(states, event) != Some(Annotation::ConfirmingCas) {
            return None;
        }
        // The event's own mode may be that of a failure.
        let Request::Cas { mode, .. } = states.request(event.snapshot) else { return None };
        let load = event.po_prev;
        (load.is_some() && is_confirmable(graph.event(load), event, read_half(mode))).then_some(load)
    }
}

/// Whether a load is right for the compare-exchange that follows it to confirm, which has a mode if it succeeds.
fn is_confirmable(load: &Event, exchange: &Event, mode: Mode) -> bool {
    load.label() == Label::Read
        && load.is_load()
        && load.loc() == exchange.loc()
        && strength(load.mode) <= strength(mode)
}

/// How strong the mode of a read is.
fn strength(mode: Mode) -> u8 {
    match mode {
        Mode::Na | Mode::Rlx | Mode::Rel => 0,
        Mode::Acq | Mode::AcqRel => 1,
        Mode::Sc => 2,
        _ => 3, // of machines, whose programs have no annotations
    }
}

impl<R: Regime> Explorer<'_, R> {
    /// A compare-exchange that found what it expects stops its thread. Most of these executions need not be followed
    /// to their ends (`stopping`), except to see whether a thread is helped as it should be.
    #[cold]
    pub(in crate::explore) fn stop_exchange(&mut self, read: EventId) -> Result<(), Stop> {
        let event = *self.graph().event(read);
        let helps = self.annotations.of(&self.states, &event) == Some(Annotation::HelpingCas);
        if !helps || self.is_left_to_helped(read)? {
            self.stopped = Some(event.thread);
        }
        self.graph_mut().thread_mut(event.thread).pending =
            Pending { snapshot: event.snapshot, status: ThreadStatus::Blocked, other: ThreadId(0) };
        Ok(())
    }

    /// Whether a thread has stopped at a compare-exchange that found what it expects.
    pub(in crate::explore) fn stopped_at_exchange(&self, thread: &ThreadState) -> bool {
        self.annotations.exist()
            && thread.pending.status == ThreadStatus::Blocked
            && matches!(self.states.request(thread.pending.snapshot), Request::Cas { .. })
    }

    /// What is wrong with the annotations of a read that has its value, and of what it reads.
    #[cold]
    pub(in crate::explore) fn check_annotated_read(&mut self, read: EventId) -> Result<(), Stop> {
        self.graphs.settle();
        let (graph, notes) = (self.graph(), &self.annotations);
        let event = graph.event(read);
        let source = graph.rf(read);
        if source.is_some()
            && graph.event(source).thread != event.thread
            && notes.of(&self.states, graph.event(source)) == Some(Annotation::LocalWrite)
            && !self.graphs.happens_before(source, read)
        {
            let message = "another thread reads a write that was announced as local";
            return Err(blame_event(wrong(message).with(source), event));
        }
        let Request::Cas { expected, new, .. } = self.states.request(event.snapshot) else { return Ok(()) };
        match notes.of(&self.states, event) {
            Some(Annotation::HelpedCas) if event.access().value != expected => {
                let done = graph.co_after(event.loc(), EventId::NONE).any(|write| {
                    let other = graph.event(write);
                    let helps = matches!(
                        notes.of(&self.states, other),
                        Some(Annotation::HelpingCas | Annotation::HelpedCas)
                    );
                    helps && asks_for(&self.states, other, expected, new)
                });
                let message = "a helped compare-exchange fails, and no other one has done its work";
                done.then_some(()).ok_or_else(|| blame_event(wrong(message), event))
            }
            Some(Annotation::ConfirmingCas) => {
                let mut before = event.po_prev;
                while before.is_some() && !reads_same(graph.event(before), event) {
                    before = graph.event(before).po_prev;
                }
                if before.is_some() && graph.event(before).access().value == expected {
                    return Ok(());
                }
                let message = "a confirming compare-exchange does not expect what its thread read there last";
                Err(blame_event(wrong(message), event))
            }
            _ => Ok(()),
        }
    }

    /// A final write must be the last one of its location: all others happen before it.
    #[cold]
    pub(in crate::explore) fn check_annotated_write(&mut self, write: EventId) -> Result<(), Stop> {
        self.graphs.settle();
        let graph = self.graph();
        let event = graph.event(write);
        let is_final =
            |id| self.annotations.of(&self.states, graph.event(id)) == Some(Annotation::FinalWrite);
        let new_is_final = is_final(write);
        for other in graph.co_after(event.loc(), EventId::NONE).filter(|other| *other != write) {
            let follows = new_is_final && !self.graphs.happens_before(other, write);
            if follows || (is_final(other) && !self.graphs.happens_before(write, other)) {
                let message = "a write that was announced as final is not the last one";
                return Err(blame_event(wrong(message).with(other), event));
            }
        }
        Ok(())
    }
}

fn wrong(message: &str) -> Finding {
    Finding::violation(Violation::Annotation, message)
}

/// Whether an event belongs to a compare-exchange of these two values.
fn asks_for(states: &States, event: &Event, expected: u64, new: u64) -> bool {
    matches!(states.request(event.snapshot), Request::Cas { expected: e, new: n, .. } if (e, n) == (expected, new))
}

fn reads_same(event: &Event, other: &Event) -> bool {
    event.label() == Label::Read && event.loc() == other.loc()
}
