//! The graphs of an exploration: one for each backward revisit on the way to the current one.
//!
//! Forward choices change the current graph and are undone by popping events; a revisit, or another coherence order,
//! goes to the next graph. Graphs that were left keep their room for the next time.

use crate::consistency::Upkeep;
use crate::graph::{Event, Graph};
use crate::ids::EventId;

/// A pool of graphs, of which one is current.
pub(in crate::explore) struct Graphs<'p> {
    upkeep: &'p Upkeep,
    /// Threads that the graphs' clocks have room for.
    lanes: usize,
    pool: Vec<Graph>,
    level: usize,
    /// What became of each event of the graph before.
    map: Vec<EventId>,
}

impl<'p> Graphs<'p> {
    /// An empty graph with clocks of `lanes` threads.
    pub fn new(upkeep: &'p Upkeep, lanes: usize) -> Graphs<'p> {
        Graphs { upkeep, lanes, pool: vec![upkeep.graph(lanes)], level: 0, map: Vec::new() }
    }

    /// The current graph.
    #[inline(always)]
    pub fn current(&self) -> &Graph {
        &self.pool[self.level]
    }

    /// The current graph, to change it.
    #[inline(always)]
    pub fn current_mut(&mut self) -> &mut Graph {
        &mut self.pool[self.level]
    }

    /// Adds an event to the current graph; its rows hold its past in `po`.
    #[inline(always)]
    pub fn push(&mut self, event: Event) -> EventId {
        self.upkeep.push(&mut self.pool[self.level], event)
    }

    /// Adds an event that has waited for other threads.
    pub fn push_awaiting(&mut self, event: Event) {
        let id = self.push(event);
        self.upkeep.enter_awaited(&mut self.pool[self.level], id);
    }

    /// Brings the current graph's rows up to date: call this before asking what precedes what.
    #[inline(always)]
    pub fn settle(&mut self) {
        self.upkeep.settle_orders(&mut self.pool[self.level]);
    }

    /// Sets the rows of an event of the current graph to its past in `po`.
    #[inline(always)]
    pub fn renew(&mut self, id: EventId) {
        self.upkeep.reenter(&mut self.pool[self.level], id);
    }

    /// A read sees a write that the coherence order lets it see; its rows show that when someone asks.
    /// `is_stale`: they show another.
    #[inline(always)]
    pub fn link_read(&mut self, read: EventId, source: EventId, is_stale: bool) {
        let graph = &mut self.pool[self.level];
        graph.link_read(read, source);
        self.upkeep.order_read_later(graph, read, is_stale);
    }

    /// Puts a write directly after another in the coherence order, which lets it stand there.
    #[inline(always)]
    pub fn link_write(&mut self, write: EventId, after: EventId) {
        let graph = &mut self.pool[self.level];
        graph.link_write(write, after);
        self.upkeep.order_write(graph, write);
    }

    /// Whether an access comes before the end of its object's life, in the current graph.
    pub fn happens_before(&self, access: EventId, end: EventId) -> bool {
        self.upkeep.happens_before(self.current(), access, end)
    }

    /// How many graphs led to the current one.
    #[inline(always)]
    pub fn level(&self) -> usize {
        self.level
    }

    /// How many threads the clocks have room for.
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    /// Takes the current graph away, and leaves an empty one there.
    pub fn take_current(&mut self) -> Graph {
        let empty = self.empty();
        std::mem::replace(self.current_mut(), empty)
    }

    /// An empty graph beside these.
    pub fn empty(&self) -> Graph {
        self.upkeep.graph(self.lanes)
    }

    /// Goes back to a graph that led to the current one.
    #[inline]
    pub fn go_back_to(&mut self, level: usize) {
        self.level = level;
    }

    /// Goes back to the graph before the current one.
    #[inline]
    pub fn leave(&mut self) {
        self.level -= 1;
    }

    /// Goes to what the current graph is without what a revisit removes (see `Graph::restrict_into`). The read and the
    /// write there.
    pub fn enter_restriction(&mut self, read: EventId, write: EventId) -> (EventId, EventId) {
        let (parent, child, map) = self.enter();
        parent.restrict_into(read, write, child, map)
    }

    /// The same without the read, which is put off. The write there.
    pub fn enter_restriction_without(&mut self, read: EventId, write: EventId) -> EventId {
        let (parent, child, map) = self.enter();
        parent.restrict_without(read, write, child, map)
    }

    /// Goes to the part of the current graph that `keeps` names, with the read seeing the write. Both there.
    pub fn enter_part(
        &mut self,
        keeps: impl Fn(&Graph, EventId) -> bool,
        read: EventId,
        write: EventId,
    ) -> (EventId, EventId) {
        let (parent, child, map) = self.enter();
        parent.part_into(&|id| keeps(parent, id), Some((read, write)), child, map);
        (map[read.at()], map[write.at()])
    }

    /// Goes to the part of the current graph that `keeps` names.
    pub fn enter_kept(&mut self, keeps: &dyn Fn(EventId) -> bool) {
        let (parent, child, map) = self.enter();
        parent.part_into(keeps, None, child, map);
    }

    /// Goes to what was added up to a read, and what `keeps` names; the newest event, a write, there.
    pub fn enter_in_cells(&mut self, keeps: impl Fn(&Graph, EventId) -> bool, read: EventId) -> EventId {
        let (parent, child, map) = self.enter();
        parent.restrict_in_cells(read, |id| keeps(parent, id), child, map)
    }

    /// What became of an event of the graph before.
    pub fn renamed(&self, id: EventId) -> EventId {
        self.map[id.at()]
    }

    /// Goes to a copy of the current graph.
    pub fn enter_copy(&mut self) {
        let (parent, child, _) = self.enter();
        child.copy_from(parent);
    }

    fn enter(&mut self) -> (&Graph, &mut Graph, &mut Vec<EventId>) {
        self.level += 1;
        if self.pool.len() == self.level {
            self.pool.push(self.upkeep.graph(self.lanes));
        }
        let (parents, children) = self.pool.split_at_mut(self.level);
        (&parents[self.level - 1], &mut children[0], &mut self.map)
    }

    /// A copy of one of the graphs, with its changes to rows, so that it can go back to a choice.
    pub fn copy_of(&self, level: usize) -> Graph {
        self.pool[level].clone()
    }

    /// Starts from a graph that another worker has given.
    pub fn take_over(&mut self, graph: Graph) {
        self.level = 0;
        self.pool[0] = graph;
    }

    /// Bytes of the graphs below a level.
    pub fn bytes_below(&self, level: usize) -> usize {
        self.pool[..level].iter().map(Graph::bytes).sum()
    }

    /// Bytes that all graphs have taken, in use or not.
    pub fn bytes_reserved(&self) -> usize {
        self.pool.iter().map(Graph::bytes_reserved).sum()
    }
}
