//! Exploration where events may be missing in the middle of threads (thesis §5.7; HMC).
//!
//! A revisit keeps what the write depends on, which may come after events of the same thread that are removed.
//! The thread then runs again from the first missing event, and passes over what was kept.
//!
//! Departs 1: an event counts as added maximally if it took the latest choice that is consistent with what was
//! there (the thesis leaves the oracle of extensibility to each model).
//! I1: a thread that passes over an event asks for what the event is; if not, the program has a dependency that
//! the plan's causal order leaves out, and is refused.

use crate::consistency::Late;
use crate::detect::Finding;
use crate::detect::Refusal;
use crate::explore::{Explorer, Stop};
use crate::graph::{Class, Event, Graph, Label, Pending, EXCLUSIVE};
use crate::ids::{EventId, ThreadId};
use crate::vm::{Answer, Request, Snapshot};

/// What came of meeting an event that is there already.
pub(in crate::explore) enum Passed {
    /// Nothing is there.
    Missing,
    /// The thread has gone on.
    On(Snapshot, Request),
    /// The thread waits as noted.
    Settled,
}

impl Explorer<'_> {
    /// If the event that a thread asks for is there, passes over it.
    pub(in crate::explore) fn pass_over(
        &mut self,
        thread: ThreadId,
        at: Snapshot,
        request: Request,
    ) -> Passed {
        let Some(kept) = self.graph().kept_next(thread) else {
            let ends = matches!(
                request,
                Request::Done { .. }
                    | Request::Exit
                    | Request::Blocked
                    | Request::Cut { .. }
                    | Request::CutCall { .. }
            );
            if ends && self.graph().thread(thread).tail.is_some() {
                return self.go_astray(thread, at);
            }
            return Passed::Missing;
        };
        let event = *self.graph().event(kept);
        let mut value = event.value;
        if event.label == Label::Read {
            value = self.value_of(event.loc, event.rf);
        }
        let Some(answer) = self.answer_kept(&event, request, value) else {
            return self.go_astray(thread, at);
        };
        let graph = &mut self.graphs[self.level];
        graph.pass(thread, kept);
        let event = graph.event_mut(kept);
        (event.snapshot, event.value) = (at, value);
        if event.label == Label::Read && event.is_exclusive() {
            return self.pass_over_write_half(thread, at);
        }
        let (snapshot, request) = self.vm.resume(&mut self.arena, at, answer);
        Passed::On(snapshot, request)
    }

    fn go_astray(&mut self, thread: ThreadId, at: Snapshot) -> Passed {
        let pending = Pending { snapshot: at, class: Class::Astray, other: ThreadId(0) };
        self.graph_mut().thread_mut(thread).pending = pending;
        Passed::Settled
    }

    /// The read half was there; the write half may be, or is added next.
    fn pass_over_write_half(&mut self, thread: ThreadId, at: Snapshot) -> Passed {
        let graph = self.graph();
        let read = *graph.event(graph.thread(thread).last);
        let mut pending = Pending { snapshot: at, class: Class::Exclusive, other: ThreadId(0) };
        if let Some(kept) = graph.kept_next(thread) {
            let (value, _, answer) = self.write_half(&read, at);
            let event = self.graph_mut().event_mut(kept);
            if event.label == Label::Write && event.is_exclusive() && event.value == value {
                event.snapshot = at;
                self.graph_mut().pass(thread, kept);
                let (snapshot, request) = self.vm.resume(&mut self.arena, at, answer);
                return Passed::On(snapshot, request);
            }
            pending.class = Class::Astray;
        }
        self.graph_mut().thread_mut(thread).pending = pending;
        Passed::Settled
    }

    /// The answer to a request for an event that is there; none if it asks for something else.
    fn answer_kept(&self, event: &Event, request: Request, value: u64) -> Option<Answer> {
        let access = |address: u64, size: u8| (address, size) == (event.address, event.size);
        match (event.label, request) {
            (Label::Read, Request::Load { address, size, .. }) => {
                (event.is_load() && access(address, size)).then_some(Answer::Value(value))
            }
            (Label::Read, Request::Rmw { address, size, .. }) => {
                (event.is_exclusive() && access(address, size)).then_some(Answer::Value(value))
            }
            (Label::Read, Request::Cas { address, size, expected, .. }) => {
                let alike = access(address, size) && event.is_exclusive() == (value == expected);
                alike.then_some(Answer::Exchange { old: value, success: value == expected })
            }
            (Label::Write, Request::Store { address, size, value: stored, .. }) => {
                (access(address, size) && stored == event.value).then_some(Answer::None)
            }
            (Label::Fence, Request::Fence { mode }) => (mode == event.mode).then_some(Answer::None),
            (Label::Alloc, Request::Alloc { address, .. }) | (Label::Free, Request::Free { address, .. }) => {
                (address == event.address).then_some(Answer::None)
            }
            (Label::Create, Request::Create { .. }) => Some(Answer::Value(event.value + 1)),
            (Label::Join, Request::Join { .. }) => {
                let done = self.graph().thread(ThreadId(event.value as u32)).pending.snapshot;
                match self.request(done) {
                    Request::Done { value } => Some(Answer::Value(value)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The refusal of a program with a dependency that the causal order leaves out.
    pub(in crate::explore) fn astray(&self) -> Finding {
        let message = "an access that depends on an earlier one, which the model's ppo does not order";
        Finding::refusal(Refusal::Dependency, message)
    }

    /// Appends to the options the reads that a new write may revisit, those before it in its thread included.
    pub(in crate::explore) fn find_revisits_with_gaps(&mut self, write: EventId) -> Result<(), Late> {
        let mut read = self.graph().loc(self.graph().event(write).loc).last_read;
        let mut part = self.plan.graph(self.lanes);
        while read.is_some() {
            let previous = self.graph().event(read).previous;
            if !self.plan.causes(self.graph(), read, write)
                && self.is_maximal_with_gaps(read, write, &mut part)?
            {
                self.options.push(read);
            }
            read = previous;
        }
        Ok(())
    }

    /// Whether the read and all that its revisit removes were added maximally (Algorithm 6.1).
    fn is_maximal_with_gaps(
        &mut self,
        read: EventId,
        write: EventId,
        part: &mut Graph,
    ) -> Result<bool, Late> {
        let plan = self.plan;
        let graph = std::mem::replace(&mut self.graphs[self.level], plan.graph(self.lanes));
        let is_maximal = self.is_maximal_in(&graph, read, write, part);
        self.graphs[self.level] = graph;
        is_maximal
    }

    fn is_maximal_in(
        &mut self,
        graph: &Graph,
        read: EventId,
        write: EventId,
        part: &mut Graph,
    ) -> Result<bool, Late> {
        let plan = self.plan;
        let stays = |id: EventId| id != write && plan.causes(graph, id, write);
        let removed = || (read.at()..write.at()).map(EventId::from_usize).filter(|id| !stays(*id));
        let revisits = |id: EventId| graph.readers_of(id).any(|reader| reader < id || stays(reader));
        if removed().any(|id| graph.event(id).label == Label::Write && revisits(id)) {
            return Ok(false);
        }
        for id in removed() {
            let event = graph.event(id);
            let chosen = match event.label {
                Label::Read => event.rf,
                Label::Write if !event.is_exclusive() => event.co_prev,
                _ => continue,
            };
            graph.part_into(&|other| other <= id || stays(other), None, part, &mut self.map);
            let new = self.map[id.at()];
            // Its predecessor in the part is the nearest that is there.
            let chosen = nearest(graph, event, chosen, &self.map);
            let latest = match event.label {
                Label::Read => self.latest_source(event, new, part)?,
                _ => {
                    part.unlink_write(new);
                    let first = self.options.len();
                    plan.consistent_places(part, new, &mut self.work, &mut self.options)?;
                    let latest = self.options.get(first).copied();
                    self.options.truncate(first);
                    latest
                }
            };
            if latest != Some(chosen) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The latest write that a read of a part of the graph can see, so that its write half has a place, too.
    fn latest_source(
        &mut self,
        event: &Event,
        read: EventId,
        part: &mut Graph,
    ) -> Result<Option<EventId>, Late> {
        let conditional = self.conditional(event);
        part.unlink_any_read(read);
        let mut write = part.loc(event.loc).last;
        loop {
            self.work.check_time_now_and_then()?;
            let initial = self.locations.get(event.loc).initial;
            let value = if write.is_some() { part.event(write).value } else { initial };
            let writes = match &conditional {
                Some(kinds) => value == kinds.expected,
                None => event.is_exclusive(),
            };
            if let Some(kinds) = &conditional {
                self.plan.reclassify(part, read, kinds.class(part, write));
            }
            part.link_read(read, write);
            let mut fits = self.plan.is_consistent(part, &mut self.work);
            if fits && writes {
                fits = self.write_half_fits(&Event { value, ..*event }, write, part);
            }
            part.unlink_read(read);
            if fits {
                return Ok(Some(write));
            }
            if write.is_none() {
                return Ok(None);
            }
            write = part.event(write).co_prev;
        }
    }

    fn write_half_fits(&mut self, read: &Event, source: EventId, part: &mut Graph) -> bool {
        if self.plan.splits_rmw(part, source, part.co_next(read.loc, source)) {
            return false;
        }
        let (value, mode, _) = self.write_half(read, read.snapshot);
        let mut event = Event::new(read.thread, Label::Write, mode, read.snapshot);
        (event.loc, event.address, event.size) = (read.loc, read.address, read.size);
        (event.value, event.flags) = (value, EXCLUSIVE);
        let write = self.plan.push(part, event);
        part.link_write(write, source);
        let fits = self.plan.is_consistent(part, &mut self.work);
        part.pop();
        fits
    }

    /// Goes to the part of the current graph that stays when a write revisits a read.
    pub(in crate::explore) fn enter_part(&mut self, read: EventId, write: EventId) {
        if self.graphs.len() == self.level + 1 {
            self.graphs.push(self.plan.graph(self.lanes));
        }
        let (parents, children) = self.graphs.split_at_mut(self.level + 1);
        let (graph, plan) = (&parents[self.level], self.plan);
        let keeps = |id: EventId| id <= read || plan.causes(graph, id, write);
        graph.part_into(&keeps, Some((read, write)), &mut children[0], &mut self.map);
        self.level += 1;
    }

    /// Gives a revisited read its value; its thread goes on from there unless an earlier event is missing.
    pub(in crate::explore) fn deliver_with_gaps(&mut self, read: EventId) -> Result<(), Stop> {
        if self.graph_mut().go_back_to(read) {
            return self.deliver(read);
        }
        let event = self.graph().event(read);
        let value = self.value_of(event.loc, event.rf);
        self.graph_mut().event_mut(read).value = value;
        Ok(())
    }
}

/// The choice of an event in a part of its graph: the same write, or the nearest older one that is there.
fn nearest(graph: &Graph, event: &Event, mut write: EventId, map: &[EventId]) -> EventId {
    if event.label == Label::Write {
        while write.is_some() && map[write.at()].is_none() {
            write = graph.event(write).co_prev;
        }
    }
    if write.is_some() {
        map[write.at()]
    } else {
        write
    }
}
