//! Looks for a cycle in the product of an automaton and a graph.
//!
//! Implements thesis §4.2.2 (algorithm 4.1, incremental): the graph without some events is known to be
//! consistent, so a new cycle passes through one of these.
//!
//! Departs 1: a cycle may be in any state at such an event, so the search starts from all of them.
//! Departs 2: no strongly connected components. One search from all starts together finds out which of them
//! are reached at all (mostly none); each of those is then asked whether it reaches itself, which settles it,
//! because every way back to a start passes state 0 ([`Automaton`]).
//!
//! I1: a node is an event and a state; a node is seen in this search if its stamp is `now`.
//! I2: starts are not stamped, so a stamp on one means that a step led there.
//!
//! Initial writes are no nodes: `fr` knows readers of the initial write, but `rf^-1` leads to no initial write.

use crate::consistency::checks::automaton::Automaton;
use crate::consistency::rows::po::ProgramOrder;
use crate::graph::Graph;
use crate::ids::EventId;

/// Searches for cycles; reusable for any graphs and automata.
#[derive(Clone, Default)]
pub struct Searcher {
    starts: Vec<Start>,
    pub(in crate::consistency) stamps: Vec<u32>,
    pub(in crate::consistency) now: u32,
    pub(in crate::consistency) stack: Vec<(EventId, u32)>,
    pub(in crate::consistency) po: ProgramOrder,
    /// For each suffix walk and thread, the newest event that it has not visited.
    pub(in crate::consistency) rest: Vec<EventId>,
    /// For each suffix walk, when `rest` was valid.
    pub(in crate::consistency) rest_stamps: Vec<u32>,
}

/// A node where a cycle may start, and the state in which it closes.
#[derive(Clone, Copy)]
struct Start {
    event: EventId,
    state: u32,
    goal: u32,
}

/// A search: what is searched, and the memory for it.
pub(in crate::consistency) struct Search<'s, V> {
    pub(in crate::consistency) automaton: &'s Automaton,
    pub(in crate::consistency) graph: &'s Graph,
    pub(in crate::consistency) in_view: &'s V,
    pub(in crate::consistency) scratch: &'s mut Searcher,
}

impl Searcher {
    /// A searcher with no memory yet.
    pub fn new() -> Searcher {
        Searcher::default()
    }

    /// Whether there is a cycle through state 0 and one of the events `around`.
    /// `in_view(k, x, e)` says whether (x, e) is in the k-th view; it is not asked about an event and itself.
    pub fn has_cycle<V>(
        &mut self,
        automaton: &Automaton,
        graph: &Graph,
        around: &[EventId],
        in_view: &V,
    ) -> bool
    where
        V: Fn(usize, EventId, EventId) -> bool,
    {
        self.starts.clear();
        for &event in around {
            for &(state, goal) in automaton.starts(graph.event(event).class) {
                self.starts.push(Start { event, state, goal });
            }
        }
        if self.starts.is_empty() {
            return false;
        }
        self.begin(automaton, graph);
        let mut search = Search { automaton, graph, in_view, scratch: self };
        search.finds_cycle()
    }

    /// Whether an automaton without views leads from one event to another, both in state 0.
    pub(in crate::consistency) fn leads(
        &mut self,
        automaton: &Automaton,
        graph: &Graph,
        first: EventId,
        last: EventId,
    ) -> bool {
        self.begin(automaton, graph);
        let in_view = |_, _, _| unreachable!("it has no views");
        let state = automaton.zero();
        let mut search = Search { automaton, graph, in_view: &in_view, scratch: self };
        search.reaches(first, Start { event: last, state, goal: state })
    }

    /// Forgets the previous graph, and makes room for this one.
    fn begin(&mut self, automaton: &Automaton, graph: &Graph) {
        self.po.reset();
        let nodes = graph.len() * automaton.states();
        if self.stamps.len() < nodes {
            self.stamps.resize(nodes, 0);
        }
    }

    /// Begins with no node seen.
    fn forget(&mut self) {
        self.stack.clear();
        self.now = self.now.wrapping_add(1);
        if self.now == 0 {
            self.stamps.fill(0);
            self.rest_stamps.fill(0);
            self.now = 1;
        }
    }
}

impl<V: Fn(usize, EventId, EventId) -> bool> Search<'_, V> {
    fn finds_cycle(&mut self) -> bool {
        if let [start] = self.scratch.starts[..] {
            return self.returns_to(start);
        }
        self.scratch.forget();
        for at in 0..self.scratch.starts.len() {
            let Start { event, state, .. } = self.scratch.starts[at];
            self.scratch.stack.push((event, state));
        }
        self.reach(None);
        let mut starts = std::mem::take(&mut self.scratch.starts);
        starts.retain(|start| self.is_seen(self.node(start.event, start.goal)));
        let found = starts.iter().any(|start| self.returns_to(*start));
        self.scratch.starts = starts;
        found
    }

    fn returns_to(&mut self, start: Start) -> bool {
        self.reaches(start.event, start)
    }

    fn reaches(&mut self, event: EventId, end: Start) -> bool {
        self.scratch.forget();
        self.scratch.stack.push((event, end.state));
        self.reach(Some(self.node(end.event, end.goal)))
    }

    /// Sees all that can be reached from the stack, or enough to know that the goal can be.
    fn reach(&mut self, goal: Option<usize>) -> bool {
        let graph = self.graph;
        if graph.cells.is_used() {
            return self.reach_in_cells(goal);
        }
        while let Some((event, state)) = self.scratch.stack.pop() {
            let class = graph.event(event).class;
            for step in self.automaton.steps(state as usize) {
                if step.before.has(class) {
                    self.follow(step, event);
                }
            }
            if goal.is_some_and(|goal| self.is_seen(goal)) {
                return true;
            }
        }
        false
    }

    /// The same where accesses have several cells, and the write of an atomic section what the section has read.
    #[cold]
    fn reach_in_cells(&mut self, goal: Option<usize>) -> bool {
        while let Some((event, state)) = self.scratch.stack.pop() {
            let class = self.graph.event(event).class;
            let reads = self.graph.cells.has_sections() && self.graph.is_in_section(event);
            for step in self.automaton.steps(state as usize) {
                if step.before.has(class) || (reads && step.leads_from_section()) {
                    if step.walk.follows_links() {
                        self.follow_cells(step, event);
                    } else {
                        self.follow(step, event);
                    }
                }
            }
            if goal.is_some_and(|goal| self.is_seen(goal)) {
                return true;
            }
        }
        false
    }

    #[inline(always)]
    pub(in crate::consistency) fn node(&self, event: EventId, state: u32) -> usize {
        event.at() * self.automaton.states() + state as usize
    }

    #[inline(always)]
    fn is_seen(&self, node: usize) -> bool {
        self.scratch.stamps[node] == self.scratch.now
    }
}
