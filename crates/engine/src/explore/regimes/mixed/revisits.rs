//! Revisits by several writes together (Mixer §3.2, §3.3, and Algorithm 1, lines 10-17).
//!
//! The newest write may revisit a read together with a *keep set* of writes that the revisit would remove. They are
//! kept, with their causal past, and the read then sees each of them and the newest write in some cell. In its other
//! cells it may see whatever is there.
//!
//! A keep set holds writes that were added after the read (the others stay anyway), that are in threads further left
//! (tie-breaking), and of which none is in the causal past of another or of the newest write (independence).
//!
//! I1: an option is the read's number and that of the keep set, in the order in which `keep_sets` finds them.

use crate::consistency::{each_combination, Late};
use crate::detect::{Finding, Refusal};
use crate::explore::choices::locate::too_many_ways;
use crate::explore::choices::read::Condition;
use crate::explore::regimes::joint::Joint;
use crate::explore::regimes::mixed::Mixed;
use crate::explore::regimes::Regime;
use crate::explore::{Explorer, Stop};
use crate::graph::{AccessKind, Demand, Graph, CONDITIONAL};
use crate::ids::{EventId, LocId};

/// Bits of an option that are the read's number.
const READ_BITS: u32 = 20;
/// Sets of writes that an option has room for; the last number is that of no event.
const MOST_SETS: usize = (1 << (u32::BITS - READ_BITS)) - 1;
/// So many reads of a cell are looked at one by one; if there are more, most are often in the past of the next write.
const FEW_READS: usize = 32;

impl Explorer<'_, Mixed> {
    /// Appends the reads that the newest event, a write, may revisit, with the keep sets.
    pub(super) fn find_joint_revisits(&mut self, write: EventId) -> Result<(), Stop> {
        let graph = self.graphs.current();
        if !graph.cells.has_wide() {
            return Ok(self.find_single_revisits(write)?);
        }
        for read in revisitable_reads(graph, write) {
            let sets = keep_sets(graph, read, write);
            if read.0 >> READ_BITS != 0 || sets.len() > MOST_SETS {
                let message = "accesses of several sizes that too many writes could change together";
                return Err(Finding::refusal(Refusal::Unsupported, message).into());
            }
            for (number, kept) in sets.iter().enumerate() {
                self.work.check_time_now_and_then()?;
                if is_maximal_extension(graph, read, write, kept) {
                    self.choices.options().push(EventId(read.0 | (number as u32) << READ_BITS));
                }
            }
        }
        Ok(())
    }

    /// The same where every access has one cell: one sweep from the newest event to the oldest, as in TruSt.
    fn find_single_revisits(&mut self, write: EventId) -> Result<(), Late> {
        let graph = self.graphs.current();
        let place = graph.cells.only(write).0;
        let mut left = count_revisitable(graph, write, place);
        let stays = |id: EventId| graph.causes(id, write);
        let rival = rival(graph, write, place);
        for id in (0..write.0).rev().map(EventId) {
            if left == 0 {
                break;
            }
            if stays(id) {
                continue;
            }
            self.work.check_time_now_and_then()?;
            if !is_maximal(graph, id, stays) {
                break;
            }
            if is_read_of(graph, id, place) {
                if rival.is_none_or(|rival| id < rival) {
                    self.choices.options().push(id);
                }
                left -= 1;
            }
        }
        Ok(())
    }

    /// Goes to the graph that a revisit leaves; the read and the write there.
    pub(super) fn enter_joint_revisit(&mut self, option: EventId, write: EventId) -> (EventId, EventId) {
        let read = EventId(option.0 & ((1 << READ_BITS) - 1));
        let kept = &match option.0 >> READ_BITS {
            0 => Vec::new(),
            number => keep_sets(self.graphs.current(), read, write).swap_remove(number as usize),
        };
        let stays = |graph: &Graph, id: EventId| is_kept(graph, id, write, kept);
        let new_write = self.graphs.enter_in_cells(stays, read);
        self.regime.kept.clear();
        self.regime.kept.extend(kept.iter().map(|write| self.graphs.renamed(*write)));
        if self.graph().is_in_section(read) {
            let writes = self.regime.kept.iter().copied().chain([new_write]).collect();
            let cells = &mut self.graphs.current_mut().cells;
            cells.read_less(read, 0);
            cells.demand = Demand { read, writes };
        }
        self.graphs.renew(read);
        (read, new_write)
    }

    /// Appends the consistent choices of places for the write and of sources for the read.
    pub(super) fn find_joint_choices(&mut self, read: EventId, write: EventId) -> Result<(), Stop> {
        if !self.graph().cells.has_wide() {
            return Ok(self.find_single_choices(read, write)?);
        }
        let graph = self.graphs.current();
        if graph.is_in_section(read) {
            return self.find_section_places(write);
        }
        let places = Joint::of_write(graph, write);
        let sources = Joint::of_read(graph, read, write);
        if places.ways().saturating_mul(sources.ways()) > u64::from(u32::MAX) {
            return Err(too_many_ways().into());
        }
        let mut found = Vec::new();
        let limits = places.limits();
        each_combination(&limits, |digits| {
            let after = places.writes(digits);
            self.work.check_time_now_and_then()?;
            if self.may_stand(write, &after) {
                self.find_sources_beside(read, write, (&places, &after), &sources, &mut found)?;
            }
            Ok(())
        })?;
        self.choices.options().extend(found);
        Ok(())
    }

    /// The same where every access has one cell: the read sees the write, so there are only places to choose.
    fn find_single_choices(&mut self, read: EventId, write: EventId) -> Result<(), Late> {
        let first = self.choices.end();
        let graph = self.graphs.current_mut();
        if graph.event(write).is_exclusive() {
            let place = self.plan.place_exclusive_in_cells(graph, write, &mut self.work);
            self.choices.options().extend(place);
        } else {
            self.plan.placeable_in_cells(graph, write, &mut self.work, self.choices.options())?;
        }
        self.reshape(read, &[write]);
        let (mut choices, mut late) = (std::mem::take(&mut self.choices), Ok(()));
        choices.retain_from(first, |place| {
            late = late.and(self.work.check_time_now_and_then());
            let graph = self.graphs.current_mut();
            self.plan.may_revisit_in_cell(graph, read, write, place, &mut self.work)
        });
        self.choices = choices;
        late
    }

    /// Whether no write stands in the way of a write directly after these.
    fn may_stand(&self, write: EventId, after: &[EventId]) -> bool {
        let graph = self.graph();
        let event = graph.event(write);
        let cells = graph.cells.of(write);
        let is_own = !event.is_exclusive() || graph.cells.sources(event.po_prev) == after;
        is_own && cells.iter().zip(after).all(|(cell, after)| !graph.splits_rmw_in(*cell, *after))
    }

    /// Tries all sources of the read with the write in its place.
    fn find_sources_beside(
        &mut self,
        read: EventId,
        write: EventId,
        (places, after): (&Joint, &[EventId]),
        sources: &Joint,
        found: &mut Vec<EventId>,
    ) -> Result<(), Late> {
        let mark = self.graph().mark();
        let graph = self.graphs.current_mut();
        let is_newest = |graph: &Graph, cells: &[LocId], writes: &[EventId]| {
            cells.iter().zip(writes).all(|(cell, write)| graph.cells.cell(*cell).last() == *write)
        };
        let newest = is_newest(graph, graph.cells.of(write), after) && graph.has_read_newest(write);
        graph.cells.link_write(write, after.iter().copied());
        if self.plan.broken_in_cells(graph, write, newest, &mut self.work).is_none() {
            self.plan.upkeep().order_in_cells(graph, write);
            self.plan.upkeep().settle_orders(graph);
            each_combination(&sources.limits(), |digits| {
                let seen = sources.writes(digits);
                let must_see = self.regime.kept.iter().chain([&write]);
                if !must_see.into_iter().all(|write| seen.contains(write)) {
                    return Ok(());
                }
                self.work.check_time_now_and_then()?;
                self.reshape(read, &seen);
                let graph = self.graphs.current_mut();
                let newest = is_newest(graph, graph.cells.of(read), &seen);
                graph.cells.link_read(read, seen.iter().copied());
                self.plan.upkeep().see_in_cells(graph, read);
                let broken = self.plan.broken_in_cells(graph, read, newest, &mut self.work);
                graph.cells.unlink(read);
                if broken.is_none() {
                    found.push(EventId(places.number(after) * sources.count() + sources.number(&seen)));
                }
                Ok(())
            })?;
        }
        let graph = self.graphs.current_mut();
        graph.cells.unlink(write);
        graph.undo_to(mark);
        self.plan.upkeep().reenter(graph, write);
        self.plan.upkeep().reenter(graph, read);
        Ok(())
    }

    /// Gives a read whose mode and class depend on its value those that it has with some sources.
    fn reshape(&mut self, read: EventId, sources: &[EventId]) {
        let event = *self.graph().event(read);
        if event.flags & CONDITIONAL == 0 {
            return;
        }
        let condition = Condition::of(self.program, &self.states, &event).expect("it is conditional");
        let writes = self.is_met(&condition, &event, sources.iter().copied());
        self.shape_by(read, &condition, writes);
    }

    /// Places the write, lets the read see what was chosen, and lets its thread go on.
    pub(super) fn take_joint_choice(
        &mut self,
        read: EventId,
        write: EventId,
        choice: EventId,
    ) -> Result<(), Stop> {
        let graph = self.graphs.current_mut();
        if graph.is_in_section(read) {
            graph.cells.read_less(read, 0);
            self.graphs.renew(read);
            self.place(write, choice)?;
            self.await_write_half(read);
            return Ok(());
        }
        graph.cells.unlink(read);
        if !graph.cells.has_wide() {
            self.place(write, choice)?;
            self.reshape(read, &[write]);
            self.see(read, [write]);
            return Mixed::deliver_revisit(self, read);
        }
        let (places, sources) = (Joint::of_write(graph, write), Joint::of_read(graph, read, write));
        let after = places.writes_of(choice.0 / sources.count());
        let seen = sources.writes_of(choice.0 % sources.count());
        graph.cells.link_write(write, after.into_iter());
        self.plan.upkeep().order_in_cells(graph, write);
        self.check_placed(write)?;
        self.reshape(read, &seen);
        self.see(read, seen);
        Mixed::deliver_revisit(self, read)
    }
}

/// How many reads of a cell are not in the causal past of a write.
fn count_revisitable(graph: &Graph, write: EventId, cell: LocId) -> usize {
    let reads = &graph.cells.cell(cell).reads;
    if reads.len() <= FEW_READS {
        return reads.iter().filter(|read| !graph.causes(**read, write)).count();
    }
    let mut count = 0;
    for thread in graph.threads() {
        let mut event = thread.last;
        while event.is_some() && !graph.causes(event, write) {
            count += usize::from(is_read_of(graph, event, cell));
            event = graph.event(event).po_prev;
        }
    }
    count
}

/// Whether an event is a read of a cell, where every access has one cell.
fn is_read_of(graph: &Graph, id: EventId, cell: LocId) -> bool {
    graph.event(id).is_read() && graph.cells.only(id).0 == cell
}

/// The write half that stands in a cell where another one would have to: what stays with it cannot be revisited.
fn rival(graph: &Graph, write: EventId, cell: LocId) -> Option<EventId> {
    let event = graph.event(write);
    let source = event.is_exclusive().then(|| graph.cells.only(event.po_prev).1)?;
    let next = graph.cells.cell(cell).after(source).first().copied();
    next.filter(|next| graph.is_update_of(*next, cell, source))
}

/// The reads that are not in the causal past of a write, and that have a cell in common with it or are of a section,
/// the newest first.
fn revisitable_reads(graph: &Graph, write: EventId) -> Vec<EventId> {
    let cells = graph.cells.of(write).iter().map(|cell| graph.cells.cell(*cell));
    let mut reads: Vec<EventId> = cells.flat_map(|cell| cell.reads.iter().copied()).collect();
    if graph.cells.has_sections() {
        // A section that reads something else may then read more.
        let ids = (0..write.at()).map(EventId::from_usize);
        reads.extend(ids.filter(|id| graph.is_in_section(*id) && graph.cells.read_count(*id) > 0));
    }
    reads.retain(|read| graph.event(*read).is_read() && !graph.causes(*read, write));
    reads.sort_unstable_by(|one, other| other.cmp(one));
    reads.dedup();
    reads
}

/// The sets of writes that may revisit a read together with the newest one.
fn keep_sets(graph: &Graph, read: EventId, write: EventId) -> Vec<Vec<EventId>> {
    let mut sets = vec![Vec::new()];
    let cells = graph.cells.of(read);
    let is_section = graph.is_in_section(read);
    if cells.len() < 2 && !is_section {
        return sets;
    }
    // A section may read from any writes, and from any number of them.
    let most = if is_section { usize::MAX } else { cells.len() };
    let mut writes: Vec<EventId> = match is_section {
        true => (read.at()..write.at()).map(EventId::from_usize).filter(|id| is_write(graph, *id)).collect(),
        false => cells.iter().flat_map(|cell| graph.cells.cell(*cell).writes.iter().copied()).collect(),
    };
    let place = graph.turn(write);
    writes.retain(|other| {
        let is_removed = *other > read && !graph.causes(*other, write);
        is_removed && !graph.causes(read, *other) && graph.turn(*other) < place
    });
    writes.sort_unstable();
    writes.dedup();
    for other in writes {
        if sets.len() > MOST_SETS {
            break; // The caller refuses.
        }
        let is_free = |set: &&Vec<EventId>| {
            set.len() + 2 <= most
                && !set.iter().any(|kept| graph.causes(*kept, other) || graph.causes(other, *kept))
        };
        let larger: Vec<Vec<EventId>> =
            sets.iter().filter(is_free).map(|set| [set.as_slice(), &[other]].concat()).collect();
        sets.extend(larger);
    }
    sets
}

fn is_write(graph: &Graph, id: EventId) -> bool {
    graph.event(id).access_kind() == Some(AccessKind::Write)
}

/// Whether an event stays because a write, or one that is kept, depends on it.
fn is_kept(graph: &Graph, id: EventId, write: EventId, kept: &[EventId]) -> bool {
    graph.causes(id, write) || kept.iter().any(|kept| graph.causes(id, *kept))
}

/// Whether the read and all that a revisit removes were added maximally (MaximalExtension of §4.3).
fn is_maximal_extension(graph: &Graph, read: EventId, write: EventId, kept: &[EventId]) -> bool {
    let stays = |id: EventId| is_kept(graph, id, write, kept);
    let removed = (read.at()..write.at()).rev().map(EventId::from_usize);
    removed.filter(|id| *id == read || !stays(*id)).all(|id| is_maximal(graph, id, stays))
}

fn is_maximal(graph: &Graph, id: EventId, stays: impl Fn(EventId) -> bool) -> bool {
    let cells = &graph.cells;
    match graph.event(id).access_kind() {
        None => graph.event(id).chose_first(),
        Some(_) if !cells.has_wide() => is_maximal_in(graph, id, cells.only(id), &stays),
        Some(AccessKind::Read) => cells.linked(id).all(|link| is_maximal_in(graph, id, link, &stays)),
        Some(AccessKind::Write) => {
            let mut links = cells.of(id).iter().map(|cell| (*cell, EventId::NONE));
            links.all(|link| is_maximal_in(graph, id, link, &stays))
        }
    }
}

/// The same in one of its cells, with what it sees there if it is a read.
fn is_maximal_in(
    graph: &Graph,
    id: EventId,
    (place, source): (LocId, EventId),
    stays: impl Fn(EventId) -> bool,
) -> bool {
    let (event, cells, cell) = (graph.event(id), &graph.cells, graph.cells.cell(place));
    let is_later = |write: &EventId| *write > id && !stays(*write);
    if event.is_read() {
        let was_there = source.is_none() || source < id || stays(source);
        return was_there && cell.after(source).iter().all(is_later);
    }
    // A reader that was there before its write was revisited by it.
    let was_revisited = |read: &EventId| *read < id && cells.source_in(*read, place) == id;
    !(cells.may_have_revisited(id) && cell.reads.iter().any(was_revisited))
        && (event.is_exclusive() || cell.after(id).iter().all(is_later))
}
