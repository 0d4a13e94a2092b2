//! Whether what a revisit removes was added maximally, where accesses have cells and threads may have gaps.
//!
//! As in `Gaps`: each removed event must have taken the first choice that was consistent with what was there when it
//! was added and is there still, or was added later and stays. A read that may be followed by a write also must not come
//! before what was kept without it.

use crate::consistency::{writes_of, Conditional, Kept, Late};
use crate::explore::choices::read::Condition;
use crate::explore::choices::write::{exclusive_write, write_half, write_half_mode};
use crate::explore::regimes::in_cells::{attach, class_with};
use crate::explore::regimes::mixed_gaps::MixedGaps;
use crate::explore::Explorer;
use crate::graph::{Access, AccessKind, Event, Graph, CONDITIONAL};
use crate::ids::{EventId, LocId};
use crate::vm::{Request, PAIR};
use std::ops::ControlFlow;

/// A part of a graph together with the writes of a revisit.
struct Wider {
    graph: Graph,
    /// What became of each event of the whole graph, and what each event of the smaller part was there.
    map: Vec<EventId>,
    back: Vec<usize>,
    read: EventId,
}

impl Explorer<'_, MixedGaps> {
    /// Whether a revisit removes only what was added maximally, and the read comes before nothing that was kept.
    pub(super) fn is_maximal_in_pieces(
        &mut self,
        read: EventId,
        write: EventId,
        kept: &Kept,
    ) -> Result<bool, Late> {
        let graph = self.graphs.take_current();
        let is_maximal = self.has_maximal(&graph, read, write, kept);
        *self.graphs.current_mut() = graph;
        is_maximal
    }

    fn has_maximal(
        &mut self,
        graph: &Graph,
        read: EventId,
        write: EventId,
        kept: &Kept,
    ) -> Result<bool, Late> {
        let stays = |id: EventId| id != write && kept.has(id);
        let removed = || (read.at()..write.at()).map(EventId::from_usize).filter(|id| !stays(*id));
        // The write half of what stays comes back at once, so whoever reads it need not have been revisited.
        let comes_back = |id: EventId| {
            let event = graph.event(id);
            id != write && event.is_write_half() && stays(event.po_prev)
        };
        let revisits = |id: EventId| {
            readers_of(graph, id).any(|reader| stays(reader) || (reader < id && !comes_back(id)))
        };
        if removed().any(|id| graph.event(id).access_kind() == Some(AccessKind::Write) && revisits(id)) {
            return Ok(false);
        }
        if removed().any(|id| !graph.event(id).chose_first()) {
            return Ok(false);
        }
        // With its other outcome the read could not have been added after what is kept behind it.
        // The write of an exchange that stays moves, so the read may have seen whatever was there (`forwarded`).
        let moves = graph.write_half_of(read).is_some_and(stays);
        let was_there = |source: &EventId| source.is_none() || *source < read || stays(*source);
        if moves && !graph.cells.sources(read).iter().all(was_there) {
            return Ok(false);
        }
        for id in removed().filter(|id| *id != read || !(kept.changes_outcome || moves)) {
            let event = graph.event(id);
            if event.access_kind().is_none() || event.is_write_half() {
                continue;
            }
            let is_there = |other: EventId| (other <= id && other != write) || stays(other);
            let has_half = |other: EventId| {
                let event = graph.event(other);
                other != write && event.is_write_half() && event.po_prev != id && is_there(event.po_prev)
            };
            let mut part = self.graphs.empty();
            let mut map = std::mem::take(&mut self.regime.map);
            graph.part_into(&|other| is_there(other) || has_half(other), None, &mut part, &mut map);
            let wider = (event.flags & CONDITIONAL != 0).then(|| {
                let (mut wider, mut wide_map) = (self.graphs.empty(), Vec::new());
                let keeps = |other: EventId| is_there(other) || has_half(other) || other == write;
                graph.part_into(&keeps, None, &mut wider, &mut wide_map);
                let back = (0..graph.len()).filter(|at| map[*at].is_some()).collect();
                Wider { graph: wider, read: wide_map[id.at()], map: wide_map, back }
            });
            let chosen = chosen_in_part(graph, id, &map);
            let new = map[id.at()];
            self.regime.map = map;
            let Some(chosen) = chosen else { return Ok(false) };
            let first = match event.access_kind() {
                Some(AccessKind::Read) => self.first_sources(event, new, &mut part, wider)?,
                _ => self.first_place(new, &mut part)?,
            };
            if first.as_ref() != Some(&chosen) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The first place of a write of a part of the graph.
    fn first_place(&mut self, write: EventId, part: &mut Graph) -> Result<Option<Vec<EventId>>, Late> {
        part.cells.unlink(write);
        let mut first = None;
        self.plan.each_place_in_pieces(part, write, &mut self.work, |_, _, after| {
            first = Some(after.to_vec());
            ControlFlow::Break(())
        })?;
        Ok(first)
    }

    /// The first sources of a read of a part of the graph, so that its write half has a place, too.
    fn first_sources(
        &mut self,
        event: &Event,
        read: EventId,
        part: &mut Graph,
        mut wider: Option<Wider>,
    ) -> Result<Option<Vec<EventId>>, Late> {
        let condition = Condition::of(self.program, &self.states, event);
        let initial = self.locations.get(event.loc()).initial;
        let holds = |value| condition.is_some_and(|condition| condition.holds(value));
        let conditional = condition.map(|condition| condition.classes(event, initial, &holds));
        part.cells.unlink(read);
        part.go_back_to(read); // Its write half comes before what the thread has after it.
        let mut consistent = Vec::new();
        {
            let Explorer { locations, states, plan, work, .. } = &mut *self;
            let classify = |graph: &Graph, sources: &[EventId]| {
                class_with(locations, states, graph, event, sources, conditional.as_ref())
            };
            let is_simple = !event.is_exclusive() && conditional.is_none();
            plan.each_source_in_pieces(part, read, &classify, work, |_, _, _, sources| {
                consistent.push(sources.to_vec());
                if is_simple {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            })?;
        }
        for sources in consistent {
            let writes = self.writes_with(part, event, &sources, conditional.as_ref());
            let class = self.class_of(part, event, &sources, conditional.as_ref());
            if let Some(class) = class {
                self.plan.upkeep().reclassify(part, read, class);
            }
            part.cells.link_read(read, sources.iter().copied());
            let mut fits = !writes || self.half_fits(part, event, &sources);
            part.cells.unlink(read);
            if let (true, Some(wider)) = (fits, &mut wider) {
                let renamed = |source: &EventId| match source.is_some() {
                    true => wider.map[wider.back[source.at()]],
                    false => *source,
                };
                let seen: Vec<EventId> = sources.iter().map(renamed).collect();
                let wide_read = wider.read;
                wider.graph.cells.unlink(wide_read);
                let kinds = class.zip(conditional.as_ref());
                fits = !self.is_missed_with(&mut wider.graph, wide_read, event, &seen, kinds, writes);
            }
            if fits {
                return Ok(Some(sources));
            }
        }
        Ok(None)
    }

    /// Whether a read that sees these writes is followed by a write.
    fn writes_with(
        &self,
        graph: &Graph,
        event: &Event,
        sources: &[EventId],
        conditional: Option<&Conditional>,
    ) -> bool {
        match conditional {
            Some(kinds) => self.class_of(graph, event, sources, conditional) == Some(kinds.writing),
            None => event.is_exclusive(),
        }
    }

    fn class_of(
        &self,
        graph: &Graph,
        event: &Event,
        sources: &[EventId],
        conditional: Option<&Conditional>,
    ) -> Option<u8> {
        class_with(&self.locations, &self.states, graph, event, sources, conditional)
    }

    /// Adds the write half of a read that sees these writes to a graph.
    fn push_half(&mut self, graph: &mut Graph, read: &Event, sources: &[EventId]) -> EventId {
        let access = *read.access();
        let seen = || sources.iter().copied();
        let is_pair = access.size == PAIR;
        let (value, mode) = if is_pair {
            let Request::Pair { mode, access: how, .. } = self.states.request(read.snapshot) else {
                unreachable!("it reads and writes 16 bytes");
            };
            let old = self.locations.assemble_pair(graph, &access, seen());
            let new = how.written(old, &self.states.pair_operands(read.snapshot)).expect("it writes");
            (new, write_half_mode(mode))
        } else {
            let mut read = *read;
            read.access_mut().value = self.locations.assemble(graph, &access, seen());
            let (value, mode, _) = write_half(self.program, &self.states, &read, read.snapshot);
            (value.into(), mode)
        };
        let event =
            exclusive_write(read.thread, mode, read.snapshot, Access { value: value as u64, ..access });
        graph.dependencies.stage(self.states.dependencies(read.snapshot));
        let half = self.plan.upkeep().push(graph, event);
        attach(&self.locations, graph, half);
        if is_pair {
            graph.cells.set_values(half, &self.locations.parts_of_pair(&access, value));
        }
        half
    }

    /// Whether the write half of a linked read, the newest event of its thread, has a place.
    fn half_fits(&mut self, part: &mut Graph, read: &Event, sources: &[EventId]) -> bool {
        let cells = self.locations.cells(read.loc());
        if cells.iter().zip(sources).any(|(cell, source)| part.splits_rmw_in(*cell, *source)) {
            return false;
        }
        let half = self.push_half(part, read, sources);
        part.cells.link_write(half, sources.iter().copied());
        let fits = self.plan.is_consistent_in_pieces(part, &mut self.work);
        part.pop();
        fits
    }

    /// Whether a read, or its write half, would come before an event that is there already, in the preserved part of
    /// `po`, if the read saw these writes. That event was kept without the read, so executions with this are found
    /// elsewhere. (A store that is ordered after the read with the other class, too, may have been kept alone.)
    fn is_missed_with(
        &mut self,
        graph: &mut Graph,
        read: EventId,
        event: &Event,
        sources: &[EventId],
        kinds: Option<(u8, &Conditional)>,
        writes: bool,
    ) -> bool {
        graph.cells.link_read(read, sources.iter().copied());
        let mut anyway = Vec::new();
        if let Some((class, kinds)) = kinds {
            let other = if class == kinds.writing { kinds.failing } else { kinds.writing };
            self.plan.upkeep().reclassify(graph, read, other);
            anyway = self.plan.ordered_after(graph, read, None, &mut self.work);
            self.plan.upkeep().reclassify(graph, read, class);
        }
        let half = writes.then(|| self.push_half(graph, event, sources));
        let may_be_alone = |later: &EventId| {
            graph.event(*later).access_kind() == Some(AccessKind::Write) && anyway.contains(later)
        };
        let after = self.plan.ordered_after(graph, read, half, &mut self.work);
        let comes_first = after.iter().any(|later| !may_be_alone(later));
        if half.is_some() {
            graph.pop();
        }
        graph.cells.unlink(read);
        comes_first
    }

    /// The same for a read that was just linked to the writes of a revisit.
    pub(super) fn is_missed_by_joint_revisit(&mut self, read: EventId, sources: &[EventId]) -> bool {
        let event = *self.graph().event(read);
        if event.flags & CONDITIONAL == 0 {
            return false;
        }
        let mut graph = self.graph().clone();
        graph.cells.unlink(read);
        let writes = |_| event.is_exclusive();
        let condition = Condition::of(self.program, &self.states, &event);
        let kinds = condition.map(|condition| condition.classes(&event, 0, &writes));
        let kinds = kinds.as_ref().map(|kinds| (event.class, kinds));
        graph.go_back_to(read)
            && self.is_missed_with(&mut graph, read, &event, sources, kinds, event.is_exclusive())
    }

    /// Drops the sources of a read by which it would come before what was kept without it.
    pub(super) fn drop_missed_sources(
        &mut self,
        read: EventId,
        conditional: Option<&Conditional>,
        first: usize,
    ) {
        let event = *self.graph().event(read);
        let mut graph = self.graphs.take_current();
        let found: Vec<EventId> = self.choices.options().drain(first..).collect();
        for choice in found {
            let cells = graph.cells.of(read).to_vec();
            let sources: Vec<EventId> = writes_of(&graph, &cells, choice).collect();
            let writes = self.writes_with(&graph, &event, &sources, conditional);
            let class = self.class_of(&graph, &event, &sources, conditional);
            if !self.is_missed_with(&mut graph, read, &event, &sources, class.zip(conditional), writes) {
                self.choices.options().push(choice);
            }
        }
        *self.graphs.current_mut() = graph;
    }
}

/// The reads that take a piece from a write.
pub(super) fn readers_of(graph: &Graph, write: EventId) -> impl Iterator<Item = EventId> + '_ {
    graph.cells.of(write).iter().flat_map(move |cell| {
        let reads = graph.cells.cell(*cell).reads.iter().copied();
        reads.filter(move |read| graph.cells.source_in(*read, *cell) == write)
    })
}

/// The choice of an event in a part of its graph: the same writes, or for a write the nearest older ones that are there.
/// None if a read sees a write that is not there.
fn chosen_in_part(graph: &Graph, id: EventId, map: &[EventId]) -> Option<Vec<EventId>> {
    let renamed = |write: EventId| if write.is_some() { map[write.at()] } else { write };
    if graph.event(id).is_read() {
        let there = |write: &EventId| write.is_none() || map[write.at()].is_some();
        let sources = graph.cells.sources(id);
        return sources.iter().all(there).then(|| sources.iter().map(|write| renamed(*write)).collect());
    }
    let nearest = |cell: &LocId| {
        let older = graph.cells.cell(*cell).before(id).iter().rev();
        older.map(|write| renamed(*write)).find(|write| write.is_some()).unwrap_or(EventId::NONE)
    };
    Some(graph.cells.of(id).iter().map(nearest).collect())
}
