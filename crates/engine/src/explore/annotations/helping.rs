//! Threads that help others: what is left to the helped one, and whether what the annotations say about it holds.
//!
//! A thread *links*: a read-modify-write of its own announces a value, as the push onto a list does, and its next step is
//! the *helped* compare-exchange that makes this value the new one of another variable. Whoever has seen the link may make
//! the same compare-exchange in its place, which is then a *helping* one. It stops instead, since the thread that linked
//! can always make its step itself. `docs/waiting.md` says when nothing is lost by that, and why; `soundness/helping.py`
//! decides the part of it that does not depend on the execution.
//!
//! I1: an execution with a helper that stopped is not dropped (`stopping`) before the next step of the thread that linked
//! is there. So a wrong next step is seen: the helper, what comes before it, and that step are an execution without any
//! stopped read that drops it, and an explored one contains them.

use super::{asks_for, wrong, Annotations};
use crate::detect::Finding;
use crate::explore::limits::endless::newest_first;
use crate::explore::regimes::Regime;
use crate::explore::threads::states::States;
use crate::explore::Explorer;
use crate::graph::{Event, Graph, Label};
use crate::ids::EventId;
use crate::program::{Annotation, Mode};
use crate::vm::Request;

const NOT_HELPED: &str =
    "a helping compare-exchange has seen what another thread linked, but the next step of that thread is \
                          not a helped compare-exchange of the same variable and values";
const GOT_BACK: &str = "a variable got the value back that a helped or helping compare-exchange has replaced";

impl Annotations<'_> {
    /// The link whose thread a helping compare-exchange that finds what it expects, in `source`, leaves the work to.
    pub(super) fn link(
        &self,
        states: &States,
        graph: &Graph,
        read: EventId,
        source: EventId,
    ) -> Option<EventId> {
        let event = graph.event(read);
        let Request::Cas { new, .. } = states.request(event.snapshot) else { return None };
        if !self.help {
            return None;
        }
        let is_read = |id: &EventId| graph.event(*id).label() == Label::Read && is_plain(states, graph, *id);
        let sees_new = |id: &EventId| is_read(id) && graph.event(*id).access().value == new;
        let seen = before(graph, read).find(sees_new)?;
        let link = graph.rf(seen);
        let knows = |id: EventId| is_read(&id) && acquires(graph, id) && graph.rf(id) == source;
        let is_link = link.is_some()
            && acquires(graph, seen)
            && releases(graph.event(link))
            && graph.event(link).is_write_half()
            && graph.event(link).thread != event.thread
            && is_plain(states, graph, link)
            && (source.is_none() || before(graph, link).any(knows));
        is_link.then_some(link)
    }
}

/// The events before another in its thread, newest first.
fn before(graph: &Graph, event: EventId) -> impl Iterator<Item = EventId> + '_ {
    let earlier = |id: EventId| Some(graph.event(id).po_prev).filter(|id| id.is_some());
    std::iter::successors(earlier(event), move |id| earlier(*id))
}

/// Whether an event is not one of a synchronisation object.
fn is_plain(states: &States, graph: &Graph, event: EventId) -> bool {
    !matches!(states.request(graph.event(event).snapshot), Request::Sync { .. })
}

fn acquires(graph: &Graph, read: EventId) -> bool {
    matches!(graph.event(read).mode, Mode::Acq | Mode::AcqRel | Mode::Sc)
}

fn releases(write: &Event) -> bool {
    matches!(write.mode, Mode::Rel | Mode::AcqRel | Mode::Sc)
}

impl<R: Regime> Explorer<'_, R> {
    /// Whether the thread that a stopped helping compare-exchange leaves its work to has made its own, as it must; false
    /// if it has made no further step (I1).
    pub(super) fn is_left_to_helped(&self, read: EventId) -> Result<bool, Finding> {
        let (graph, notes) = (self.graph(), &self.annotations);
        let event = graph.event(read);
        let link = notes.link(&self.states, graph, read, graph.rf(read)).expect("it has stopped");
        let mut steps = newest_first(graph, graph.event(link).thread);
        let Some(next) = steps.find(|id| graph.event(*id).po_prev == link) else { return Ok(false) };
        let helped = graph.event(next);
        let is_same = self.is_helped(helped)
            && helped.loc() == event.loc()
            && matches!(self.states.request(event.snapshot),
                Request::Cas { expected, new, .. } if asks_for(&self.states, helped, expected, new));
        if !is_same {
            return Err(blamed(NOT_HELPED, event).with(link));
        }
        if helped.is_exclusive() && graph.rf(next) != graph.rf(read) {
            return Err(blamed(GOT_BACK, event).with(next));
        }
        Ok(true)
    }

    fn is_helped(&self, event: &Event) -> bool {
        event.label() == Label::Read
            && self.annotations.of(&self.states, event) == Some(Annotation::HelpedCas)
    }

    /// In an execution that cannot go on, complete or not: helpers that stopped have left their work to someone who made
    /// or tried it, and what was done is not taken back.
    #[cold]
    pub(in crate::explore) fn check_left_to_helped(&self) -> Result<(), Finding> {
        let graph = self.graph();
        for thread in graph.threads().iter().filter(|thread| self.stopped_at_exchange(thread)) {
            let event = graph.event(thread.last);
            let helps = self.annotations.of(&self.states, event) == Some(Annotation::HelpingCas);
            if helps && !self.is_left_to_helped(thread.last)? {
                return Err(blamed(NOT_HELPED, event));
            }
        }
        self.check_not_taken_back()
    }

    fn check_not_taken_back(&self) -> Result<(), Finding> {
        let graph = self.graph();
        for write in (0..graph.events().len()).map(EventId::from_usize) {
            let event = graph.event(write);
            let note = event.is_write_half().then(|| self.annotations.of(&self.states, event)).flatten();
            if !matches!(note, Some(Annotation::HelpedCas | Annotation::HelpingCas)) {
                continue;
            }
            let Request::Cas { expected, .. } = self.states.request(event.snapshot) else { continue };
            let mut later = graph.co_after(event.loc(), write);
            if let Some(back) = later.find(|later| graph.event(*later).access().value == expected) {
                return Err(blamed(GOT_BACK, event).with(back));
            }
        }
        Ok(())
    }

    /// In a complete execution, each helping compare-exchange that succeeded has done the work of a helped one.
    #[cold]
    pub(in crate::explore) fn check_helping(&self) -> Result<(), Finding> {
        let graph = self.graph();
        let has = |event: &Event, what| self.annotations.of(&self.states, event) == Some(what);
        for event in graph.events().iter().filter(|event| event.is_write_half()) {
            if !has(event, Annotation::HelpingCas) {
                continue;
            }
            let Request::Cas { expected, new, .. } = self.states.request(event.snapshot) else { continue };
            let is_helped = |other: &Event| {
                self.is_helped(other)
                    && other.loc() == event.loc()
                    && asks_for(&self.states, other, expected, new)
            };
            if !graph.events().iter().any(is_helped) {
                return Err(blamed("a helping compare-exchange did what no helped one asked for", event));
            }
        }
        Ok(())
    }
}

fn blamed(message: &str, event: &Event) -> Finding {
    let mut finding = wrong(message);
    (finding.thread, finding.at) = (event.thread, Some(event.snapshot));
    finding
}
