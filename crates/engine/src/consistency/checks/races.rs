//! Error rules: two accesses of one location that a view leaves unordered.
//!
//! Whether a new access breaks a rule is found in the shorter of two ways, walked side by side: all accesses of its
//! location, or all events since the thread's previous access of the same kind. What was there before that access was
//! compared with it, and broke no rule; the clocks of a thread only grow, so it breaks none now.
//! I1: every two accesses of a graph were compared, or some rule that only warns has its warning.
//! I2: reads of a location are chained in the order in which they were linked: by id, but for reads that were
//! revisited, which read from a newer write.

use crate::consistency::plan::tables::ErrorRule;
use crate::graph::{Event, Graph, Shape};
use crate::ids::{EventId, LocId};

/// Two accesses that break an error rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Race {
    /// The rule's number in the plan.
    pub rule: usize,
    /// It is only a warning.
    pub warning: bool,
    /// The access that was there before.
    pub other: EventId,
}

/// An error rule and the rows that must order its accesses.
struct RaceRule {
    rule: ErrorRule,
    rows: Vec<usize>,
}

/// The error rules of a plan.
pub struct ErrorRules {
    rules: Vec<RaceRule>,
    /// What precedes an event in the view of a rule precedes the rest of the event's thread.
    only_grow: bool,
}

impl ErrorRules {
    /// Rules about views with these rows. `shape`: how the rows of a new event start, unless threads may have gaps.
    pub(in crate::consistency) fn new(
        rules: &[ErrorRule],
        views: &[Vec<usize>],
        shape: Option<Shape>,
    ) -> ErrorRules {
        let is_carried =
            |rule: &ErrorRule, shape: Shape| views[rule.view].iter().all(|row| *row < shape.carried);
        let only_grow = shape.is_some_and(|shape| rules.iter().all(|rule| is_carried(rule, shape)));
        let rule = |rule: &ErrorRule| RaceRule { rule: *rule, rows: views[rule.view].clone() };
        ErrorRules { rules: rules.iter().map(rule).collect(), only_grow }
    }

    /// Whether there are none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Whether some rule is about accesses like those of the event's location.
    #[inline(always)]
    pub fn may_race(&self, graph: &Graph, event: EventId) -> bool {
        if graph.cells.is_used() {
            return self.concern(classes_in_cells(graph, event));
        }
        self.concern(graph.loc(graph.event(event).loc()).classes)
    }

    /// Whether some rule is about accesses of these classes.
    #[inline(always)]
    fn concern(&self, classes: u64) -> bool {
        let concerns =
            |rule: &RaceRule| rule.rule.first.0 & classes != 0 && rule.rule.second.0 & classes != 0;
        self.rules.iter().any(concerns)
    }

    /// Every rule that `event`, which was just linked, breaks together with another access.
    pub fn races(&self, graph: &Graph, event: EventId) -> Vec<Race> {
        if graph.cells.is_used() {
            return self.races_in_cells(graph, event);
        }
        if !self.breaks_rules(graph, event) {
            return Vec::new();
        }
        let others = accesses(graph, graph.event(event).loc());
        others.flat_map(|other| self.races_with(graph, event, other)).collect()
    }

    /// The same where accesses race if they have a byte in common.
    fn races_in_cells(&self, graph: &Graph, event: EventId) -> Vec<Race> {
        if !graph.cells.has_wide() {
            let cell = graph.cells.cell(graph.cells.only(event).0);
            let breaks = |other: &EventId| self.broken_by(graph, event, *other).next().is_some();
            if !cell.writes.iter().any(breaks) && !cell.reads.iter().any(breaks) {
                return Vec::new();
            }
        }
        let cells = graph.cells.of(event).iter().map(|cell| graph.cells.cell(*cell));
        let mut others: Vec<EventId> =
            cells.flat_map(|cell| cell.writes.iter().chain(&cell.reads)).copied().collect();
        // What the write of a section has read, the section's read has.
        others.retain(|other| graph.event(*other).is_read() || graph.overlap(*other, event));
        others.sort_unstable();
        others.dedup();
        others.into_iter().flat_map(|other| self.races_with(graph, event, other)).collect()
    }

    fn races_with<'a>(
        &'a self,
        graph: &'a Graph,
        event: EventId,
        other: EventId,
    ) -> impl Iterator<Item = Race> + 'a {
        let race = move |rule: &RaceRule| Race { rule: rule.rule.number, warning: rule.rule.warning, other };
        self.broken_by(graph, event, other).map(race)
    }

    /// Whether `event` breaks a rule together with another access.
    fn breaks_rules(&self, graph: &Graph, event: EventId) -> bool {
        let access = graph.event(event);
        let loc = access.loc();
        let breaks = |other| self.broken_by(graph, event, other).next().is_some();
        // Only the newest event has been compared with nothing yet.
        let mut recent = (self.only_grow && event.at() + 1 == graph.len()).then_some(event.at());
        for other in accesses(graph, loc) {
            if breaks(other) {
                return true;
            }
            let Some(newer) = recent else { continue };
            if newer == 0 {
                return false;
            }
            recent = Some(newer - 1);
            let (id, event) = (EventId::from_usize(newer - 1), &graph.events()[newer - 1]);
            if event.as_access().is_none_or(|other| other.loc != loc) {
                continue;
            }
            if event.thread == access.thread && event.class == access.class {
                return linked_since(graph, loc, id).any(breaks);
            }
            if breaks(id) {
                return true;
            }
        }
        false
    }

    fn broken_by<'a>(
        &'a self,
        graph: &'a Graph,
        event: EventId,
        other: EventId,
    ) -> impl Iterator<Item = &'a RaceRule> {
        let (one, two) = (graph.event(event), graph.event(other));
        let broken = move |rule: &&RaceRule| rule.concerns(one, two) && rule.leaves(graph, event, other);
        self.rules.iter().filter(move |rule| other != event && broken(rule))
    }
}

/// The classes of the accesses of an event's cells.
#[cold]
fn classes_in_cells(graph: &Graph, event: EventId) -> u64 {
    let cells = graph.cells.of(event).iter().map(|cell| graph.cells.cell(*cell));
    cells.fold(0, |classes, cell| classes | cell.classes)
}

/// The accesses of a location: writes, the oldest first, then reads, the newest first.
fn accesses(graph: &Graph, loc: LocId) -> impl Iterator<Item = EventId> + '_ {
    graph.co_after(loc, EventId::NONE).chain(reads(graph, loc))
}

fn reads(graph: &Graph, loc: LocId) -> impl Iterator<Item = EventId> + '_ {
    let newest = graph.loc(loc).last_read;
    let some = |id: EventId| id.is_some().then_some(id);
    std::iter::successors(some(newest), move |read| some(graph.earlier_read(*read)))
}

/// The reads of a location that were linked after an access of it was there (I2).
fn linked_since(graph: &Graph, loc: LocId, access: EventId) -> impl Iterator<Item = EventId> + '_ {
    let was_revisited = move |read: EventId| {
        let source = graph.rf(read);
        source.is_some() && source > read
    };
    reads(graph, loc).take_while(move |read| *read > access || was_revisited(*read))
}

impl RaceRule {
    fn concerns(&self, one: &Event, two: &Event) -> bool {
        let (first, second) = (self.rule.first, self.rule.second);
        (first.has(one.class) && second.has(two.class)) || (first.has(two.class) && second.has(one.class))
    }

    fn leaves(&self, graph: &Graph, one: EventId, two: EventId) -> bool {
        !self.rows.iter().any(|row| graph.precedes(*row, one, two) || graph.precedes(*row, two, one))
    }
}
