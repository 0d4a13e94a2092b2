//! What a revisit keeps where the causal order is smaller than `po`: what the write depends on.
//!
//! Where the causal order is a union of edges, that is a row of the write. Where it is any other relation, it is found
//! anew for each write, by going backwards from it along that relation, dependencies and `rf`.
//!
//! Departs 1: a store that is read by its own thread alone may be forwarded before what is ordered before it. So such a
//! store is kept with what it depends on, but without what is merely ordered before it (`Mark::Alone`).
//! Departs 2: if the read half of a read-modify-write is kept, its write half is kept, too, unless it depends on the
//! read that is revisited. If it is not (`Kept::splits`), some executions are found more than once.
//! Departs 3: what an exchange writes does not depend on what it reads, and its thread may read it early. So the exchange
//! may read from what depends on its own write (`Plan::past_forwarding`); its write is kept then, and moves.

use crate::consistency::checks::bits::Rows;
use crate::consistency::plan::layout::Plan;
use crate::consistency::rows::causes::{self, is_barrier};
use crate::consistency::rows::local::{ALONE, CTRL, WHOLE};
use crate::consistency::Workspace;
use crate::graph::{Dependency, EventSet, Graph, Label, PO};
use crate::ids::EventId;

/// How an event is kept.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
enum Mark {
    Not,
    /// With what it depends on.
    Alone,
    /// With all that is ordered before it.
    Whole,
}

/// What a write depends on, in one graph.
pub enum Past {
    /// By rows that are up to date.
    Rows(EventSet),
    /// By a search.
    Marks(Marks),
}

/// What a search has found.
#[derive(Clone)]
pub struct Marks {
    marks: Vec<Mark>,
    /// The preserved part of `po`; none if it is in the rows.
    order: Option<Rows>,
    /// The write of a read-modify-write that need not be kept with its read.
    forwarded: EventId,
}

/// What a revisit keeps beside what was there when the read was added.
pub struct Kept {
    events: Vec<bool>,
    /// It keeps the read of a read-modify-write and removes its write.
    pub splits: bool,
    /// It keeps what depends on the read with the outcome that it has, but not with the one that it gets.
    pub changes_outcome: bool,
}

impl Kept {
    /// Some events of a graph, with which no read-modify-write is split.
    pub fn of(graph: &Graph, keeps: impl Fn(EventId) -> bool) -> Kept {
        let ids = (0..graph.len()).map(EventId::from_usize);
        Kept { events: ids.map(keeps).collect(), splits: false, changes_outcome: false }
    }

    /// Whether an event is kept.
    #[inline]
    pub fn has(&self, id: EventId) -> bool {
        self.events[id.at()]
    }
}

impl Plan {
    /// The events that the preserved part of `po` has a read, or its write half, before.
    pub fn ordered_after(
        &self,
        graph: &Graph,
        read: EventId,
        half: Option<EventId>,
        work: &mut Workspace,
    ) -> Vec<EventId> {
        let Some(term) = self.upkeep.preserved_term() else { return Vec::new() };
        let order = work.evaluator.relation(term, graph);
        let is_after = |later: &EventId| {
            Some(*later) != half
                && (order.has(read.at(), later.at())
                    || half.is_some_and(|half| order.has(half.at(), later.at())))
        };
        (0..graph.len()).map(EventId::from_usize).filter(is_after).collect()
    }

    /// Whether the rows of a graph can be used for an event that comes last in its thread. They are made anew if that
    /// helps. They cannot be used if an axiom leads from such an event to others.
    pub fn has_rows_for(&self, graph: &mut Graph, event: EventId) -> bool {
        if self.upkeep.local().is_none() || !self.checks.extends() || !graph.is_last(event) {
            return false;
        }
        if graph.has_fresh_rows() {
            return graph.bits.fit_sets();
        }
        let can_renew = !graph.has_gaps() && graph.bits.fit_sets();
        if can_renew {
            self.upkeep.renew_rows(graph);
        }
        can_renew
    }

    /// Whether coherence within a thread forbids a read to see a later write of its thread, whatever else there is.
    pub fn forbids_own_write(&self, graph: &Graph, read: EventId, write: EventId) -> bool {
        graph.event(read).thread == graph.event(write).thread
            && (self.checks.has_coherence_in_po(self.upkeep.carried())
                || self.upkeep.local().is_some_and(|local| local.forbids_own_write(graph, read, write)))
    }

    /// Whether a program may be explored as if the causal order held all of `po`, until that is not enough.
    pub fn may_be_in_order(&self) -> bool {
        self.upkeep.keeps_rows_of_gaps() && self.checks.extends() && !self.upkeep.may_be_stuck()
    }

    /// Whether what a write depends on includes something that depends on a read-modify-write of the write's location,
    /// whatever outcome that has: a reader of its write half, or an event that was reached or computed by what it read.
    pub fn needs_outcome(&self, graph: &Graph, past: &Past, read: EventId) -> bool {
        let half = graph.overwriter(graph.event(read).loc(), graph.rf(read));
        let is_half =
            half.is_some() && graph.event(half).is_write_half() && graph.event(half).po_prev == read;
        if is_half && graph.readers_of(half).any(|reader| past.has(reader)) {
            return true;
        }
        let depends = |id: EventId| {
            let is_computed = |how| graph.dependencies(id, how).any(|source| source == read);
            graph.bits.has(CTRL, read, id) || is_computed(Dependency::Data) || is_computed(Dependency::Addr)
        };
        let last = graph.tail(graph.event(read).thread);
        let mut later =
            std::iter::once(last).chain(graph.earlier_in_thread(last)).take_while(|id| *id != read);
        graph.bits.fit_sets() && later.any(|id| !(is_half && id == half) && past.has(id) && depends(id))
    }

    /// What a write depends on, in a graph that has rows for it.
    pub fn past_by_rows(&self, graph: &Graph, write: EventId) -> EventSet {
        graph.bits.set_of(WHOLE, write)
    }

    /// What a write depends on; nothing, if it is the initial one.
    pub fn past(&self, graph: &Graph, write: EventId, work: &mut Workspace) -> Marks {
        if write.is_none() {
            return Marks::new(graph, None);
        }
        self.past_without(graph, write, None, work).unwrap_or_else(|| {
            let ids = (0..graph.len()).map(EventId::from_usize);
            let mark = |id| if causes::causes(graph, id, write) { Mark::Whole } else { Mark::Not };
            Marks { marks: ids.map(mark).collect(), ..Marks::new(graph, None) }
        })
    }

    /// What a write depends on by a search, where an event orders nothing; none if rows say it.
    pub fn past_without(
        &self,
        graph: &Graph,
        write: EventId,
        absent: Option<EventId>,
        work: &mut Workspace,
    ) -> Option<Marks> {
        let term = self.upkeep.preserved_term()?;
        let order = match absent {
            Some(absent) => order_without(graph, absent, |part| work.evaluator.relation(term, part).clone()),
            None => work.evaluator.relation(term, graph).clone(),
        };
        let mut past = Marks::new(graph, Some(order));
        past.go_back(graph, write, Mark::Whole);
        Some(past)
    }

    /// The events of a graph that depend neither on a read nor on its write half, which orders nothing; none if rows say
    /// it.
    pub fn independent_of(
        &self,
        graph: &Graph,
        read: EventId,
        half: Option<EventId>,
        work: &mut Workspace,
    ) -> Option<Vec<bool>> {
        let mut past = self.past_without(graph, read, half, work)?;
        let is_independent = |id: EventId| {
            past.marks.fill(Mark::Not);
            past.go_back(graph, id, Mark::Whole);
            !past.has(read) && !half.is_some_and(|half| past.has(half))
        };
        Some((0..graph.len()).map(EventId::from_usize).map(is_independent).collect())
    }

    /// The same where the write of an exchange does not depend on its read; none if rows say it.
    pub fn past_forwarding(
        &self,
        graph: &Graph,
        write: EventId,
        half: EventId,
        work: &mut Workspace,
    ) -> Option<Marks> {
        let order = work.evaluator.relation(self.upkeep.preserved_term()?, graph).clone();
        let mut past = Marks { forwarded: half, ..Marks::new(graph, Some(order)) };
        past.go_back(graph, write, Mark::Whole);
        Some(past)
    }
}

impl Past {
    /// Whether the write depends on an event, or is it.
    #[inline]
    pub fn has(&self, id: EventId) -> bool {
        match self {
            Past::Rows(past) => past.has(id),
            Past::Marks(past) => past.has(id),
        }
    }

    /// What the revisit of a read by the write keeps; none if the write depends on the read.
    pub fn kept(&self, graph: &Graph, read: EventId, write: EventId) -> Option<Kept> {
        match self {
            Past::Rows(past) => kept_by_rows(graph, *past, read, write),
            Past::Marks(past) => past.kept(graph, read, write),
        }
    }
}

/// As `Marks::kept`, where rows are up to date.
fn kept_by_rows(graph: &Graph, past: EventSet, read: EventId, write: EventId) -> Option<Kept> {
    if past.has(read) {
        return None;
    }
    let (mut kept, mut tried) = (past, EventSet::EMPTY);
    let removed_half = |kept: EventSet, id: EventId| {
        let event = graph.event(id);
        event.is_write_half() && !kept.has(id) && (event.po_prev < read || kept.has(event.po_prev))
    };
    while let Some(half) =
        (read.0 + 1..write.0).map(EventId).find(|id| !tried.has(*id) && removed_half(kept, *id))
    {
        let alone = graph.bits.set_of(ALONE, half);
        if alone.has(read) || alone.has(write) {
            tried.insert(half);
        } else {
            kept.add(alone);
        }
    }
    Some(Kept { splits: !tried.is_empty(), ..Kept::of(graph, |id| kept.has(id)) })
}

impl Marks {
    fn new(graph: &Graph, order: Option<Rows>) -> Marks {
        Marks { marks: vec![Mark::Not; graph.len()], order, forwarded: EventId::NONE }
    }

    /// Whether an event is among them.
    #[inline]
    pub fn has(&self, id: EventId) -> bool {
        self.marks[id.at()] != Mark::Not
    }

    /// With what other writes depend on, too.
    pub fn including(mut self, graph: &Graph, writes: &[EventId]) -> Marks {
        writes.iter().for_each(|write| self.go_back(graph, *write, Mark::Whole));
        self
    }

    /// What the revisit of a read by the write keeps; none if the write depends on the read.
    pub fn kept(&self, graph: &Graph, read: EventId, write: EventId) -> Option<Kept> {
        if self.marks[read.at()] != Mark::Not {
            return None;
        }
        let mut marks = self.marks.clone();
        let mut splits = false;
        if let Some(order) = &self.order {
            let removed_half = |marks: &[Mark], id: EventId| {
                let event = graph.event(id);
                id > read && id != write && event.is_write_half() && marks[id.at()] == Mark::Not && {
                    let half = event.po_prev;
                    half < read || marks[half.at()] != Mark::Not
                }
            };
            let mut tried: Vec<EventId> = Vec::new();
            while let Some(half) = (read.at() + 1..graph.len())
                .map(EventId::from_usize)
                .find(|id| !tried.contains(id) && removed_half(&marks, *id))
            {
                let mut more = Marks { marks: marks.clone(), order: None, forwarded: self.forwarded };
                more.go_back_along(graph, order, half, Mark::Alone);
                if more.marks[read.at()] == Mark::Not && more.marks[write.at()] == self.marks[write.at()] {
                    marks = more.marks;
                } else {
                    tried.push(half);
                    splits = true;
                }
            }
        }
        let events = marks.iter().map(|mark| *mark != Mark::Not).collect();
        Some(Kept { events, splits, changes_outcome: false })
    }

    fn go_back(&mut self, graph: &Graph, from: EventId, mark: Mark) {
        if let Some(order) = self.order.take() {
            self.go_back_along(graph, &order, from, mark);
            self.order = Some(order);
        }
    }

    fn go_back_along(&mut self, graph: &Graph, order: &Rows, from: EventId, mark: Mark) {
        let mut pending = vec![(from, mark)];
        while let Some((id, mark)) = pending.pop() {
            if self.marks[id.at()] >= mark {
                continue;
            }
            self.marks[id.at()] = mark;
            let needed = needed(graph, id, id != self.forwarded);
            pending.extend(needed.into_iter().map(|earlier| (earlier, Mark::Whole)));
            if mark == Mark::Whole {
                let before = (0..graph.len()).filter(|x| order.has(*x, id.at()));
                pending.extend(before.map(|x| (EventId::from_usize(x), Mark::Whole)));
            }
            for source in graph.sources(id).iter().filter(|source| source.is_some()) {
                let is_own = graph.event(*source).thread == graph.event(id).thread;
                pending.push((*source, if is_own { Mark::Alone } else { Mark::Whole }));
            }
        }
    }
}

/// A relation on the part of a graph that lacks an event, as one on the whole graph. What leads through the event is not
/// in it: a read-modify-write that is fully ordered under `lkmm` orders what is around it by its write half, if there is one.
fn order_without(graph: &Graph, absent: EventId, relation: impl FnOnce(&Graph) -> Rows) -> Rows {
    let (mut part, mut map) = (graph.clone(), Vec::new());
    graph.part_into(&|id| id != absent, None, &mut part, &mut map);
    let (found, mut order) = (relation(&part), Rows::default());
    order.reset(graph.len());
    let stays = |id: &usize| map[*id].is_some();
    for before in (0..graph.len()).filter(stays) {
        for after in (0..graph.len()).filter(stays) {
            if found.has(map[before].at(), map[after].at()) {
                order.set(before, after);
            }
        }
    }
    order
}

/// The events without which one could not be what it is: those that it depends on, and those before it in `po` that
/// are in every causal order. Fences are among them, so that none is added between events that it orders. The read of a
/// read-modify-write is among those of its write if that `needs_read`.
fn needed(graph: &Graph, id: EventId, needs_read: bool) -> Vec<EventId> {
    let event = graph.event(id);
    let own = [Dependency::Addr, Dependency::Data, Dependency::Ctrl];
    let mut found: Vec<EventId> = own.into_iter().flat_map(|how| graph.dependencies(id, how)).collect();
    for earlier in graph.earlier_in_thread(id) {
        found.extend(graph.dependencies(earlier, Dependency::Addr));
        if graph.event(earlier).label() == Label::Fence {
            found.push(earlier);
        }
    }
    if event.is_write_half() && needs_read {
        found.push(event.po_prev);
    }
    for earlier in (0..graph.len()).map(EventId::from_usize) {
        let orders = |event| is_barrier(event) || event.label() == Label::Choose;
        if earlier != id
            && graph.bits.has(PO, earlier, id)
            && (orders(graph.event(earlier)) || is_barrier(event))
        {
            found.push(earlier);
        }
    }
    found
}
