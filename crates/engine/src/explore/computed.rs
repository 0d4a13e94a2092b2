//! Rules about accesses and lifetimes whose order is computed, on what the program's source says.
//!
//! The source of a program that was compiled for a machine has other modes, and not all of the fences. Rules are about
//! the source: an event that only the machine has is in no class.
//!
//! I1: only graphs without gaps are judged. In such a graph nothing that is added later, at the end of a thread, comes
//! before what is there, so two accesses that a rule leaves unordered stay so.
//! I2: what a new access breaks is found at once. A revisit may change what is ordered before events that it keeps, so
//! a graph to which nothing can be added is judged as a whole.
//! I3: the read of a read-modify-write is judged together with its write: there may be no place for that.

use crate::consistency::Race;
use crate::detect::{check_access_begun, check_accesses_before, check_begun, check_new_access, object_size};
use crate::explore::choices::extend::blame_event;
use crate::explore::races::broken_rule;
use crate::explore::regimes::Regime;
use crate::explore::{Explorer, Stop};
use crate::graph::{Event, Graph, Label, Payload};
use crate::ids::EventId;
use crate::program::{region, Region};

/// The class of what the source does not have: no set of classes has it.
const NOWHERE: u8 = 63;

impl<R: Regime> Explorer<'_, R> {
    /// Judges an event that was just added or linked.
    #[cold]
    pub(in crate::explore) fn judge_new(&mut self, event: EventId) -> Result<(), Stop> {
        let graph = self.graph();
        let is_half = graph.event(event).label() == Label::Read && graph.event(event).is_exclusive();
        if is_half || has_gaps(graph) {
            return Ok(());
        }
        let mut events = vec![event];
        if graph.event(event).is_write_half() {
            events.insert(0, graph.event(event).po_prev);
        }
        self.judge(&events)
    }

    /// Judges a graph to which nothing can be added.
    #[inline]
    pub(in crate::explore) fn judge_whole(&mut self) -> Result<(), Stop> {
        if self.plan.computed_rules().is_empty() || has_gaps(self.graph()) {
            return Ok(());
        }
        let events: Vec<EventId> = (0..self.graph().len()).map(EventId::from_usize).collect();
        self.judge(&events)
    }

    fn judge(&mut self, events: &[EventId]) -> Result<(), Stop> {
        self.graphs.settle();
        self.judge_races(events)?;
        self.judge_lifetimes(events)
    }

    fn judge_races(&mut self, events: &[EventId]) -> Result<(), Stop> {
        let mut pairs = Vec::new();
        for event in events {
            self.find_rivals(*event, &mut pairs);
        }
        if pairs.is_empty() {
            return Ok(());
        }
        let (plan, source) = (self.plan, self.source_graph());
        let graph = source.as_ref().unwrap_or(self.graphs.current());
        let broken = plan.computed_rules().broken(graph, &pairs, &mut self.work);
        if let Some((event, race)) = broken.iter().find(|(_, race)| !race.warning) {
            return Err(self.blame_access(*event, race));
        }
        for (event, race) in broken {
            let access = *self.graph().event(event);
            self.note_warning(&race, &access);
        }
        Ok(())
    }

    fn blame_access(&self, event: EventId, race: &Race) -> Stop {
        let access = self.graph().event(event);
        let mut finding = broken_rule(race, access);
        finding.event = event;
        blame_event(finding, access)
    }

    /// Appends the older accesses with which an access may break a rule.
    fn find_rivals(&self, event: EventId, pairs: &mut Vec<(EventId, EventId)>) {
        let (graph, rules) = (self.graph(), self.plan.computed_rules());
        let this = graph.event(event);
        let Some(access) = this.as_access() else { return };
        let class = self.source_class(this);
        for other in (0..event.at()).map(EventId::from_usize) {
            let that = graph.event(other);
            let meets = match that.as_access() {
                Some(_) if graph.cells.is_used() => graph.overlap(event, other),
                Some(with) => access.loc == with.loc,
                None => false,
            };
            if meets && rules.concern(class, self.source_class(that), this.thread == that.thread) {
                pairs.push((event, other));
            }
        }
    }

    fn judge_lifetimes(&mut self, events: &[EventId]) -> Result<(), Stop> {
        let Some(order) = self.plan.computed_rules().lifetimes() else { return Ok(()) };
        let concerns = |event: &Event| match event.payload {
            Payload::Free(_) => true,
            _ => event.as_access().is_some_and(|access| region(access.address) == Region::SHARED),
        };
        if !events.iter().any(|event| concerns(self.graph().event(*event))) {
            return Ok(());
        }
        let (plan, source) = (self.plan, self.source_graph());
        let graph = self.graphs.current();
        let before = plan.computed_rules().relation(order, source.as_ref().unwrap_or(graph), &mut self.work);
        let memory = &self.memory;
        for id in events {
            let event = graph.event(*id);
            let judged = match event.payload {
                Payload::Free(free) => {
                    let size = object_size(graph, memory, free.address).unwrap_or(0);
                    check_begun(graph, &before, free.alloc, *id)
                        .and_then(|()| check_accesses_before(graph, &before, *id, free.address, size))
                }
                _ if concerns(event) => {
                    let access = (*id, event.access().address);
                    check_new_access(graph, memory, &before, access)
                        .and_then(|()| check_access_begun(graph, memory, &before, access))
                }
                _ => Ok(()),
            };
            judged.map_err(|mut finding| {
                finding.event = *id;
                blame_event(finding, event)
            })?;
        }
        Ok(())
    }

    /// A copy of the graph in which events are what the source says, unless they are so anyway.
    fn source_graph(&self) -> Option<Graph> {
        if !self.differs_from_source() {
            return None;
        }
        let mut graph = self.graph().clone();
        for id in (0..graph.len()).map(EventId::from_usize) {
            let class = self.source_class(graph.event(id));
            graph.event_mut(id).class = class;
        }
        Some(graph)
    }

    /// Whether rules are about events that are not what the program has.
    fn differs_from_source(&self) -> bool {
        self.plan.computed_rules().of_source && !self.program.sources.is_empty()
    }

    /// The class that an event has in the source.
    fn source_class(&self, event: &Event) -> u8 {
        if !self.differs_from_source() || !matches!(event.label(), Label::Read | Label::Write | Label::Fence)
        {
            return event.class;
        }
        let Some(source) = self.program.sources.get(&self.states.position(event.snapshot)) else {
            return event.class;
        };
        let Some(mode) = source.mode else { return NOWHERE };
        let mode = match event.label() {
            Label::Read if event.is_exclusive() => mode.read_half(),
            Label::Read if !event.is_load() => source.failure,
            Label::Write if event.is_exclusive() => mode.write_half(),
            _ => mode,
        };
        Event { mode, ..*event }.classify()
    }
}

fn has_gaps(graph: &Graph) -> bool {
    graph.threads().iter().any(|thread| thread.tail.is_some())
}
