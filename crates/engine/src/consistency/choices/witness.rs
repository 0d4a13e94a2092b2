//! Coherence found for a graph that has none: TruSt §4.2, `GetConsCO`.
//!
//! The graph is built again, event by event, and each write is put in every place that what is forced allows,
//! the latest first, until all of it is consistent.
//!
//! I1: which orders are found depends on the events and on what each reads alone, not on how the graph came
//! about: events are taken in a causal order by thread and position.

use crate::consistency::alarm::Late;
use crate::consistency::choices::forced::{is_hidden, Forced};
use crate::consistency::plan::layout::Plan;
use crate::consistency::rows::rebuild::causal_sequence;
use crate::consistency::rows::Upkeep;
use crate::consistency::workspace::{Forbidden, Workspace};
use crate::graph::{AccessKind, Graph, Mark};
use crate::ids::EventId;

/// How many places the search takes between two looks at the clock.
const PLACES_BETWEEN_LOOKS: u64 = 16;

/// Coherence orders, and the space to find them in.
#[derive(Default)]
pub struct Witness {
    copy: Option<Graph>,
    forced: Forced,
    /// By event of the graph: its copy; and back.
    map: Vec<EventId>,
    back: Vec<EventId>,
    choices: Vec<Choice>,
    places: Vec<EventId>,
}

/// A write that could also stand elsewhere.
struct Choice {
    /// Its position in the sequence of events.
    step: usize,
    mark: Mark,
    /// Places that are left, in `places`.
    first: usize,
}

impl Witness {
    /// The last write of an access's location in the order that was found.
    pub fn last_of(&self, graph: &Graph, access: EventId) -> EventId {
        let copy = self.copy.as_ref().expect("an order was found");
        self.original(copy.loc(graph.event(access).loc()).last)
    }

    fn original(&self, copied: EventId) -> EventId {
        if copied.is_some() {
            self.back[copied.at()]
        } else {
            copied
        }
    }

    /// Finds coherence orders under which the kept part of a graph is consistent, if there are any. What is
    /// kept is closed under `po` and `rf`, and every read in it reads from something. The search can take time that
    /// is exponential in the number of writes.
    pub fn find(
        &mut self,
        plan: &Plan,
        graph: &Graph,
        keeps: &dyn Fn(EventId) -> bool,
        work: &mut Workspace,
    ) -> Result<bool, Late> {
        work.check_time()?;
        if !self.forced.find(&plan.checks, graph, keeps, work)? {
            return Ok(false);
        }
        let sequence = causal_sequence(graph, keeps);
        let mut copy = self.copy.take().unwrap_or_else(|| graph.clone());
        copy.clear_like(graph);
        self.map.clear();
        self.map.resize(graph.len(), EventId::NONE);
        self.back.clear();
        self.choices.clear();
        self.places.clear();
        let found = self.add_in_some_way(plan, graph, &sequence, &mut copy, work);
        self.copy = Some(copy);
        found
    }

    /// Finds coherence orders under which a graph is consistent with a new read, not linked yet, seeing a write.
    pub fn find_reading(
        &mut self,
        plan: &Plan,
        graph: &mut Graph,
        read: EventId,
        write: EventId,
        work: &mut Workspace,
    ) -> Result<bool, Late> {
        if is_hidden(&plan.checks, graph, read, write) {
            return Ok(false);
        }
        graph.link_read(read, write);
        plan.upkeep.see(graph, read, write);
        let found = self.find(plan, graph, &|_| true, work);
        graph.unlink_read(read);
        plan.upkeep.reenter(graph, read);
        found
    }

    fn add_in_some_way(
        &mut self,
        plan: &Plan,
        graph: &Graph,
        sequence: &[EventId],
        copy: &mut Graph,
        work: &mut Workspace,
    ) -> Result<bool, Late> {
        let (mut step, mut taken) = (0, 0_u64);
        while step < sequence.len() {
            let old = sequence[step];
            let mark = copy.mark();
            plan.upkeep.copy_event(graph, old, copy, &mut self.map);
            self.back.push(old);
            let new = self.map[old.at()];
            let fits = match graph.event(old).access_kind() {
                Some(AccessKind::Read) => self.add_read(plan, graph, old, copy, work),
                Some(AccessKind::Write) => {
                    let first = self.places.len();
                    self.find_allowed(plan, copy, new, work)?;
                    self.choices.push(Choice { step, mark, first });
                    false // Its first place is taken like any other.
                }
                None => true,
            };
            if fits {
                step += 1;
                continue;
            }
            taken += 1;
            if taken % PLACES_BETWEEN_LOOKS == 0 {
                work.check_time()?;
            }
            match self.take_next_place(plan, sequence, copy) {
                Some(last) => step = last + 1,
                None => return Ok(false),
            }
        }
        Ok(true)
    }

    /// Lets a copied read see what it sees, unless that is inconsistent.
    fn add_read(
        &self,
        plan: &Plan,
        graph: &Graph,
        old: EventId,
        copy: &mut Graph,
        work: &mut Workspace,
    ) -> bool {
        let source = graph.rf(old);
        let source = if source.is_some() { self.map[source.at()] } else { source };
        let read = self.map[old.at()];
        if plan.forbids_source(copy, read, source, work).is_some() {
            return false;
        }
        copy.link_read(read, source);
        plan.upkeep.order_read(copy, read);
        plan.upkeep.settle_orders(copy);
        true
    }

    /// Appends the places of a copied write, the best last.
    fn find_allowed(
        &mut self,
        plan: &Plan,
        copy: &mut Graph,
        write: EventId,
        work: &mut Workspace,
    ) -> Result<(), Late> {
        let first = self.places.len();
        if copy.event(write).is_exclusive() {
            self.places.extend(plan.place_exclusive(copy, write, work));
        } else {
            plan.placeable(copy, write, work, &mut self.places)?;
        }
        let loc = copy.event(write).loc();
        let (forced, back) = (&self.forced, &self.back);
        let mut kept = first;
        for i in first..self.places.len() {
            work.check_time_now_and_then()?;
            let after = self.places[i];
            let old = back[write.at()];
            let mut earlier = after;
            let mut fits = true;
            while earlier.is_some() && fits {
                fits = !forced.has(old, back[earlier.at()]);
                earlier = copy.co_prev(earlier);
            }
            if fits && copy.co_after(loc, after).all(|later| !forced.has(back[later.at()], old)) {
                self.places[kept] = after;
                kept += 1;
            }
        }
        self.places.truncate(kept);
        self.places[first..].reverse();
        Ok(())
    }

    /// Goes back to the newest write that has a place left and puts it there; gives its position.
    fn take_next_place(&mut self, plan: &Plan, sequence: &[EventId], copy: &mut Graph) -> Option<usize> {
        loop {
            let choice = self.choices.last()?;
            let (step, mark, first) = (choice.step, choice.mark, choice.first);
            let write = self.map[sequence[step].at()];
            while copy.len() > write.at() + 1 {
                let gone = self.back.pop().expect("every copy has an original");
                self.map[gone.at()] = EventId::NONE;
                copy.pop();
            }
            copy.undo_to(mark);
            copy.unlink_write(write);
            plan.upkeep.reenter(copy, write);
            if self.places.len() > first {
                let after = self.places.pop().expect("a place is left");
                copy.link_write(write, after);
                plan.upkeep.order_write(copy, write);
                plan.upkeep.settle_orders(copy);
                return Some(step);
            }
            self.choices.pop();
        }
    }

    /// Gives a graph the orders that were found, with all its writes, and brings its rows up to date.
    pub fn give_to(&self, graph: &mut Graph, upkeep: &Upkeep) {
        graph.deferred.clear();
        let copy = self.copy.as_ref().expect("an order was found");
        for loc in copy.written_locs() {
            let order: Vec<EventId> = copy.co_after(loc, EventId::NONE).map(|w| self.back[w.at()]).collect();
            graph.relink_coherence(loc, &order);
        }
        upkeep.reorder(graph);
    }
}

impl Plan {
    /// Whether the graph's coherence order lets a new read see a write; if not, by which axiom.
    pub fn fits(
        &self,
        graph: &mut Graph,
        read: EventId,
        write: EventId,
        work: &mut Workspace,
    ) -> Result<(), Forbidden> {
        self.upkeep.settle_orders(graph);
        self.forbids_source(graph, read, write, work).map_or(Ok(()), |axiom| Err(Forbidden(axiom)))
    }
}
