//! Coherence found for a graph that has none: TruSt §4.2, `GetConsCO`.
//!
//! The graph is built again, event by event, and each write is put in every place that what is forced allows,
//! the latest first, until all of it is consistent.
//!
//! I1: which orders are found depends on the events and on what each reads alone, not on how the graph came
//! about: events are taken in a causal order by thread and position.

use crate::consistency::alarm::Late;
use crate::consistency::choices::forced::Forced;
use crate::consistency::plan::layout::Plan;
use crate::consistency::rows::rebuild::causal_sequence;
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
}

impl Plan {
    /// Finds coherence orders under which the kept part of a graph is consistent, if there are any. What is
    /// kept is closed under `po` and `rf`, and every read in it reads from something. The search can take time that
    /// is exponential in the number of writes.
    pub fn find_coherence(
        &self,
        graph: &Graph,
        keeps: &dyn Fn(EventId) -> bool,
        work: &mut Workspace,
        witness: &mut Witness,
    ) -> Result<bool, Late> {
        work.check_time()?;
        if !witness.forced.find(self, graph, keeps, work)? {
            return Ok(false);
        }
        let sequence = causal_sequence(graph, keeps);
        let mut copy = witness.copy.take().unwrap_or_else(|| graph.clone());
        copy.clear_like(graph);
        witness.map.clear();
        witness.map.resize(graph.len(), EventId::NONE);
        witness.back.clear();
        witness.choices.clear();
        witness.places.clear();
        let found = self.add_in_some_way(graph, &sequence, &mut copy, work, witness);
        witness.copy = Some(copy);
        found
    }

    /// Whether the graph's coherence order lets a new read see a write; if not, by which axiom.
    pub fn fits(
        &self,
        graph: &mut Graph,
        read: EventId,
        write: EventId,
        work: &mut Workspace,
    ) -> Result<(), Forbidden> {
        self.settle_orders(graph);
        self.forbids_source(graph, read, write, work).map_or(Ok(()), |axiom| Err(Forbidden(axiom)))
    }

    /// Finds coherence orders under which a graph is consistent with a new read, not linked yet, seeing a write.
    pub fn find_coherence_reading(
        &self,
        graph: &mut Graph,
        read: EventId,
        write: EventId,
        work: &mut Workspace,
        witness: &mut Witness,
    ) -> Result<bool, Late> {
        if self.is_hidden(graph, read, write) {
            return Ok(false);
        }
        graph.link_read(read, write);
        self.see(graph, read, write);
        let found = self.find_coherence(graph, &|_| true, work, witness);
        graph.unlink_read(read);
        self.reenter(graph, read);
        found
    }

    fn add_in_some_way(
        &self,
        graph: &Graph,
        sequence: &[EventId],
        copy: &mut Graph,
        work: &mut Workspace,
        witness: &mut Witness,
    ) -> Result<bool, Late> {
        let (mut step, mut taken) = (0, 0_u64);
        while step < sequence.len() {
            let old = sequence[step];
            let mark = copy.mark();
            self.copy_event(graph, old, copy, &mut witness.map);
            witness.back.push(old);
            let new = witness.map[old.at()];
            let fits = match graph.event(old).access_kind() {
                Some(AccessKind::Read) => self.add_read(graph, old, copy, work, witness),
                Some(AccessKind::Write) => {
                    let first = witness.places.len();
                    self.find_allowed(copy, new, work, witness)?;
                    witness.choices.push(Choice { step, mark, first });
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
            match self.take_next_place(sequence, copy, witness) {
                Some(last) => step = last + 1,
                None => return Ok(false),
            }
        }
        Ok(true)
    }

    /// Lets a copied read see what it sees, unless that is inconsistent.
    fn add_read(
        &self,
        graph: &Graph,
        old: EventId,
        copy: &mut Graph,
        work: &mut Workspace,
        witness: &Witness,
    ) -> bool {
        let source = graph.rf(old);
        let source = if source.is_some() { witness.map[source.at()] } else { source };
        let read = witness.map[old.at()];
        if self.forbids_source(copy, read, source, work).is_some() {
            return false;
        }
        copy.link_read(read, source);
        self.order_read(copy, read);
        self.settle_orders(copy);
        true
    }

    /// Appends the places of a copied write, the best last.
    fn find_allowed(
        &self,
        copy: &mut Graph,
        write: EventId,
        work: &mut Workspace,
        witness: &mut Witness,
    ) -> Result<(), Late> {
        let first = witness.places.len();
        if copy.event(write).is_exclusive() {
            witness.places.extend(self.place_exclusive(copy, write, work));
        } else {
            self.placeable(copy, write, work, &mut witness.places)?;
        }
        let loc = copy.event(write).loc();
        let (forced, back) = (&witness.forced, &witness.back);
        let mut kept = first;
        for i in first..witness.places.len() {
            work.check_time_now_and_then()?;
            let after = witness.places[i];
            let old = back[write.at()];
            let mut earlier = after;
            let mut fits = true;
            while earlier.is_some() && fits {
                fits = !forced.has(old, back[earlier.at()]);
                earlier = copy.co_prev(earlier);
            }
            if fits && copy.co_after(loc, after).all(|later| !forced.has(back[later.at()], old)) {
                witness.places[kept] = after;
                kept += 1;
            }
        }
        witness.places.truncate(kept);
        witness.places[first..].reverse();
        Ok(())
    }

    /// Goes back to the newest write that has a place left and puts it there; gives its position.
    fn take_next_place(
        &self,
        sequence: &[EventId],
        copy: &mut Graph,
        witness: &mut Witness,
    ) -> Option<usize> {
        loop {
            let choice = witness.choices.last()?;
            let (step, mark, first) = (choice.step, choice.mark, choice.first);
            let write = witness.map[sequence[step].at()];
            while copy.len() > write.at() + 1 {
                let gone = witness.back.pop().expect("every copy has an original");
                witness.map[gone.at()] = EventId::NONE;
                copy.pop();
            }
            copy.undo_to(mark);
            copy.unlink_write(write);
            self.reenter(copy, write);
            if witness.places.len() > first {
                let after = witness.places.pop().expect("a place is left");
                copy.link_write(write, after);
                self.order_write(copy, write);
                self.settle_orders(copy);
                return Some(step);
            }
            witness.choices.pop();
        }
    }

    /// Gives a graph the orders that were found, with all its writes, and brings its rows up to date.
    pub fn adopt(&self, graph: &mut Graph, witness: &Witness) {
        graph.deferred.clear();
        let copy = witness.copy.as_ref().expect("an order was found");
        for loc in copy.written_locs() {
            let order: Vec<EventId> =
                copy.co_after(loc, EventId::NONE).map(|w| witness.back[w.at()]).collect();
            graph.relink_coherence(loc, &order);
        }
        self.reorder(graph);
    }
}
