//! Revisits by several writes together, in graphs that may have gaps.
//!
//! The newest write may revisit a read together with a *keep set* of writes that the revisit would remove. They are
//! kept with what they depend on. The read then sees each of them and the newest write in some cell, and whatever is
//! there in its other cells. None of them depends on another, or on the read.
//!
//! If the newest write depends on a compare-exchange only with the outcome that it has, it may change that outcome. What
//! all these writes depend on is found where the compare-exchange has the other one.
//!
//! I1: an option is the read's number and that of the keep set, in the order in which `keep_sets` finds them.

use crate::consistency::{each_combination, may_stand, Kept, Marks};
use crate::detect::{Finding, Refusal};
use crate::explore::choices::locate::too_many_ways;
use crate::explore::choices::read::Condition;
use crate::explore::regimes::joint::Joint;
use crate::explore::regimes::mixed_gaps::maximal::readers_of;
use crate::explore::regimes::mixed_gaps::MixedGaps;
use crate::explore::regimes::Regime;
use crate::explore::{Explorer, Stop};
use crate::graph::{Graph, CONDITIONAL};
use crate::ids::EventId;

/// Bits of an option that are the read's number.
const READ_BITS: u32 = 20;
/// Sets of writes that an option has room for; the last number is that of no event.
const MOST_SETS: usize = (1 << (u32::BITS - READ_BITS)) - 1;

/// What the writes of a revisit depend on, and the graph in which they do: the current one, or `other` if the read has to
/// change its outcome. Its write half orders nothing there.
struct Scene {
    other: Option<Graph>,
    half: Option<EventId>,
    /// The write of the read, an exchange, if it is kept and moves (`forwarded`).
    forwarded: Option<EventId>,
    past: Marks,
}

impl Explorer<'_, MixedGaps> {
    /// Appends the reads that the newest event, a write, may revisit, with the keep sets.
    pub(super) fn find_joint_revisits_with_gaps(&mut self, write: EventId) -> Result<(), Stop> {
        let past = self.plan.past(self.graphs.current(), write, &mut self.work);
        let cells = &self.graph().cells;
        let mut reads: Vec<EventId> =
            cells.of(write).iter().flat_map(|cell| cells.cell(*cell).reads.iter().copied()).collect();
        reads.sort_unstable_by(|one, other| other.cmp(one));
        reads.dedup();
        for read in reads {
            let Some(scene) = self.scene_of(&past, read, write) else { continue };
            let sets = self.keep_sets_with_gaps(read, write, &scene);
            if read.0 >> READ_BITS != 0 || sets.len() > MOST_SETS {
                let message = "accesses of several sizes that too many writes could change together";
                return Err(Finding::refusal(Refusal::Unsupported, message).into());
            }
            for (number, set) in sets.iter().enumerate() {
                self.work.check_time_now_and_then()?;
                let Some(kept) = self.kept_with(&scene, read, write, set) else { continue };
                if self.is_maximal_in_pieces(read, write, &kept)? {
                    self.choices.options().push(EventId(read.0 | (number as u32) << READ_BITS));
                }
            }
        }
        Ok(())
    }

    /// What the revisit of a read by the newest write is judged by; none if the write depends on the read.
    fn scene_of(&mut self, past: &Marks, read: EventId, write: EventId) -> Option<Scene> {
        if !past.has(read) {
            return Some(Scene { other: None, half: None, forwarded: None, past: past.clone() });
        }
        let event = *self.graph().event(read);
        let Some(condition) = Condition::of(self.program, &self.states, &event) else {
            return self.scene_of_exchange(read, write);
        };
        let kinds = condition.classes(&event, 0, &|_| true);
        let class = if event.is_exclusive() { kinds.failing } else { kinds.writing };
        if class == event.class {
            return None;
        }
        let mut other = self.graph().clone();
        let half = other.write_half_of(read);
        self.plan.upkeep().reclassify(&mut other, read, class);
        let past = self.plan.past_without(&other, write, half, &mut self.work)?;
        (!past.has(read)).then_some(Scene { other: Some(other), half, forwarded: None, past })
    }

    /// The same for an exchange whose write its thread has read early, if the newest write depends on nothing else of it.
    fn scene_of_exchange(&mut self, read: EventId, write: EventId) -> Option<Scene> {
        let half = self.half_of_exchange(read)?;
        let graph = self.graphs.current();
        let is_own = |reader: EventId| graph.event(reader).thread == graph.event(read).thread;
        if !readers_of(graph, half).any(is_own) {
            return None;
        }
        let past = self.plan.past_forwarding(graph, write, half, &mut self.work)?;
        (!past.has(read)).then_some(Scene { other: None, half: None, forwarded: Some(half), past })
    }

    /// What the revisit of a read by the write and a keep set keeps; none if one of them depends on the read.
    fn kept_with(&self, scene: &Scene, read: EventId, write: EventId, set: &[EventId]) -> Option<Kept> {
        let graph = scene.other.as_ref().unwrap_or(self.graph());
        let mut kept = scene.past.clone().including(graph, set).kept(graph, read, write)?;
        kept.changes_outcome = scene.other.is_some();
        Some(kept)
    }

    /// The sets of writes that may revisit a read together with the newest one.
    fn keep_sets_with_gaps(&mut self, read: EventId, write: EventId, scene: &Scene) -> Vec<Vec<EventId>> {
        let mut sets = vec![Vec::new()];
        let graph = scene.other.as_ref().unwrap_or(self.graphs.current());
        let cells = graph.cells.of(read);
        if cells.len() < 2 {
            return sets;
        }
        let most = cells.len();
        let mut writes: Vec<EventId> =
            cells.iter().flat_map(|cell| graph.cells.cell(*cell).writes.iter().copied()).collect();
        writes.retain(|other| *other > read && Some(*other) != scene.half && !scene.past.has(*other));
        writes.sort_unstable();
        writes.dedup();
        let (plan, work) = (self.plan, &mut self.work);
        let past_of = |other: &EventId| {
            let past = match scene.forwarded {
                Some(half) => plan.past_forwarding(graph, *other, half, work),
                None => plan.past_without(graph, *other, scene.half, work),
            };
            past.unwrap_or_else(|| plan.past(graph, *other, work))
        };
        let pasts: Vec<Marks> = writes.iter().map(past_of).collect();
        for (at, other) in writes.iter().enumerate() {
            if sets.len() > MOST_SETS {
                break; // The caller refuses.
            }
            if pasts[at].has(read) || pasts[at].has(write) {
                continue;
            }
            let depends = |kept: &EventId| {
                let place = writes.iter().position(|write| write == kept).expect("it is among them");
                pasts[at].has(*kept) || pasts[place].has(*other)
            };
            let is_free = |set: &&Vec<EventId>| set.len() + 2 <= most && !set.iter().any(depends);
            let larger: Vec<Vec<EventId>> =
                sets.iter().filter(is_free).map(|set| [set.as_slice(), &[*other]].concat()).collect();
            sets.extend(larger);
        }
        sets
    }

    /// Goes to the graph that a revisit leaves; the read and the write there.
    pub(super) fn enter_joint_revisit_with_gaps(
        &mut self,
        option: EventId,
        write: EventId,
    ) -> (EventId, EventId) {
        let read = EventId(option.0 & ((1 << READ_BITS) - 1));
        let past = self.plan.past(self.graphs.current(), write, &mut self.work);
        let scene = self.scene_of(&past, read, write).expect("there was one when the revisit was found");
        let set = self.keep_sets_with_gaps(read, write, &scene).swap_remove((option.0 >> READ_BITS) as usize);
        let kept = self.kept_with(&scene, read, write, &set).expect("it was kept when the revisit was found");
        let is_exclusive = self.graph().event(read).is_exclusive();
        self.regime.outcome = kept.changes_outcome.then_some(!is_exclusive);
        let pair = self.graphs.enter_part(|_, id| id <= read || kept.has(id), read, write);
        self.regime.kept.clear();
        self.regime.kept.extend(set.iter().map(|write| self.graphs.renamed(*write)));
        self.graphs.renew(pair.0);
        self.take_half_out_of_cells(pair.0);
        pair
    }

    /// Appends the consistent choices of places for the write and of sources for the read.
    pub(super) fn find_joint_choices_with_gaps(&mut self, read: EventId, write: EventId) -> Result<(), Stop> {
        let graph = self.graphs.current();
        let places = Joint::of_write(graph, write);
        let sources = Joint::of_read(graph, read, write);
        if places.ways().saturating_mul(sources.ways()) > u64::from(u32::MAX) {
            return Err(too_many_ways().into());
        }
        let mut found = Vec::new();
        each_combination(&places.limits(), |digits| {
            let after = places.writes(digits);
            if !may_stand(self.graph(), write, &after) {
                return Ok(());
            }
            self.graphs.current_mut().cells.link_write(write, after.iter().copied());
            each_combination(&sources.limits(), |digits| {
                let seen = sources.writes(digits);
                let must_see = self.regime.kept.iter().chain([&write]);
                if !must_see.into_iter().all(|write| seen.contains(write)) {
                    return Ok(());
                }
                self.work.check_time_now_and_then()?;
                self.reshape_with(read, &seen);
                let is_exclusive = self.graph().event(read).is_exclusive();
                if self.regime.outcome.is_some_and(|writes| writes != is_exclusive) {
                    return Ok(());
                }
                let graph = self.graphs.current_mut();
                graph.cells.link_read(read, seen.iter().copied());
                let half = graph.write_half_of(read);
                let fits = half.is_none_or(|half| put_half(graph, half, &seen))
                    && self.plan.is_consistent_in_pieces(graph, &mut self.work);
                if let Some(half) = half {
                    self.graphs.current_mut().cells.unlink(half);
                }
                if fits && !self.is_missed_by_joint_revisit(read, &seen) {
                    found.push(EventId(places.number(&after) * sources.count() + sources.number(&seen)));
                }
                self.graphs.current_mut().cells.unlink(read);
                Ok(())
            })?;
            self.graphs.current_mut().cells.unlink(write);
            Ok(())
        })?;
        self.choices.options().extend(found);
        Ok(())
    }

    /// Takes the write of a revisited exchange, if it was kept, out of the order of its cells.
    fn take_half_out_of_cells(&mut self, read: EventId) {
        if let Some(half) = self.moved_half(read) {
            self.graphs.current_mut().cells.unlink(half);
        }
    }

    /// Gives a read whose mode and class depend on its value those that it has with some sources.
    fn reshape_with(&mut self, read: EventId, sources: &[EventId]) {
        let event = *self.graph().event(read);
        if event.flags & CONDITIONAL == 0 {
            return;
        }
        let condition = Condition::of(self.program, &self.states, &event).expect("it is conditional");
        let writes = self.is_met(&condition, &event, sources.iter().copied());
        self.shape_by(read, &condition, writes);
    }

    /// Places the write, lets the read see what was chosen, and lets its thread go on.
    pub(super) fn take_joint_choice_with_gaps(
        &mut self,
        read: EventId,
        write: EventId,
        choice: EventId,
    ) -> Result<(), Stop> {
        self.take_half_out_of_cells(read);
        let graph = self.graphs.current_mut();
        graph.cells.unlink(read);
        let (places, sources) = (Joint::of_write(graph, write), Joint::of_read(graph, read, write));
        let after = places.writes_of(choice.0 / sources.count());
        let seen = sources.writes_of(choice.0 % sources.count());
        graph.cells.link_write(write, after.into_iter());
        self.check_placed(write)?;
        self.reshape_with(read, &seen);
        let graph = self.graphs.current_mut();
        graph.cells.link_read(read, seen.iter().copied());
        if let Some(half) = graph.write_half_of(read) {
            put_half(graph, half, &seen);
        }
        self.plan.upkeep().learn_in_cells(graph, read);
        MixedGaps::deliver_revisit(self, read)
    }
}

/// Puts the write of an exchange directly after what the exchange sees. False, with nothing done, if another
/// read-modify-write has seen that.
fn put_half(graph: &mut Graph, half: EventId, seen: &[EventId]) -> bool {
    let cells = graph.cells.of(half).to_vec();
    if cells.iter().zip(seen).any(|(cell, source)| graph.splits_rmw_in(*cell, *source)) {
        return false;
    }
    graph.cells.link_write(half, seen.iter().copied());
    true
}
