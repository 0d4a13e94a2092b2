//! Atomic sections (Mixer §5): a section is added as a whole, first its read and then its write.
//!
//! The section's thread runs from the BEGIN. What it loads is what it has stored itself, or what it has read before;
//! otherwise the exploration chooses a source for each new cell, and the thread runs once more from the BEGIN with what
//! is known then. At the END the section's write is added, with all that was stored.
//!
//! A write may revisit any section that has read something (the liberal condition): the section then runs again from
//! its BEGIN, without all that it had read, and must read from the write in the end, and from each write that was kept for
//! it. If it does not, the graph is dropped: it is found without this revisit.
//!
//! I1: a thread whose newest event is a section's read, and which may go on, goes on with the section at once.

use crate::consistency::writes_of;
use crate::detect::{check_access_begun, check_new_access, unwritten, Finding, Refusal};
use crate::explore::choices::cells::are_too_many_ways;
use crate::explore::choices::extend::blame_event;
use crate::explore::choices::frames::{Choice, Frame};
use crate::explore::choices::locate::too_many_ways;
use crate::explore::regimes::mixed::Mixed;
use crate::explore::requests::no_heap_object;
use crate::explore::{Explorer, Step, Stop};
use crate::graph::{Event, Payload, Pending, SECTION};
use crate::ids::{EventId, LocId, ThreadId};
use crate::program::Mode;
use crate::vm::{apply_rmw, Answer, PairAccess, Request, Snapshot};

/// How far a section has come.
enum Progress {
    /// It is about to read cells of which nothing is known.
    Reads(Vec<LocId>),
    /// It is over.
    Ends(Snapshot),
    /// It does not end: an assumption failed, or something is wrong.
    Stops(Snapshot, Request),
}

/// What a section has done so far.
struct Section {
    read: EventId,
    thread: ThreadId,
    /// Sections that it is in.
    depth: u32,
    /// What it has stored, by cell.
    stored: Vec<(LocId, u64)>,
}

impl Section {
    fn stored_in(&self, cell: LocId) -> Option<u64> {
        self.stored.iter().find(|(stored, _)| *stored == cell).map(|(_, value)| *value)
    }

    fn store(&mut self, cell: LocId, value: u64) {
        match self.stored.iter_mut().find(|(stored, _)| *stored == cell) {
            Some(entry) => entry.1 = value,
            None => self.stored.push((cell, value)),
        }
    }
}

/// What a section is asked to do.
enum Asked {
    Answer(Answer),
    Reads(Vec<LocId>),
    Ends,
    Stops,
}

impl Explorer<'_, Mixed> {
    /// Adds the read of a section.
    pub(super) fn add_section(&mut self, thread: ThreadId, at: Snapshot) -> Step {
        self.graph_mut().reserve_locs(1);
        let read = self.graphs.push(section_event(thread, Payload::READ, at));
        self.graph_mut().cells.attach_section(read);
        self.await_write_half(read);
        Step::Extended
    }

    /// Lets a section read more, by an option if there is a choice, or end.
    pub(super) fn continue_section(&mut self, read: EventId, option: Option<EventId>) -> Result<Step, Stop> {
        let thread = self.graph().event(read).thread;
        let mark = self.states.mark();
        let mut section = Section { read, thread, depth: 1, stored: Vec::new() };
        let progress = self.run_section(&mut section)?;
        if let Progress::Reads(cells) = progress {
            self.states.go_back_to(mark);
            return match option {
                Some(option) => self.read_more(read, &cells, option),
                None => self.choose_sources(read, &cells),
            };
        }
        if !self.has_read_what_it_must(read) {
            return Ok(Step::Dropped);
        }
        match progress {
            Progress::Stops(at, request) => self.settle(thread, at, request),
            Progress::Ends(at) if section.stored.is_empty() => self.proceed(thread, at, Answer::None),
            Progress::Ends(at) => return self.add_section_write(&section, at),
            Progress::Reads(_) => unreachable!("it does not read"),
        }
        Ok(Step::Extended)
    }

    /// Runs a section from its BEGIN as far as possible.
    fn run_section(&mut self, section: &mut Section) -> Result<Progress, Stop> {
        let begin = self.graph().event(section.read).snapshot;
        let (mut at, mut request) = self.states.resume(begin, Answer::None);
        let mut patience = None;
        loop {
            (at, request) = match request {
                Request::Round => self.come_round(section.thread, at, &mut patience),
                Request::Pause => self.end_pause(at)?,
                _ => match self.ask_section(section, at, request).map_err(|stop| blame_at(stop, at))? {
                    Asked::Answer(answer) => self.answer_alone(at, answer, &mut patience),
                    Asked::Reads(cells) => return Ok(Progress::Reads(cells)),
                    Asked::Ends => return Ok(Progress::Ends(at)),
                    Asked::Stops => return Ok(Progress::Stops(at, request)),
                },
            };
        }
    }

    fn ask_section(&mut self, section: &mut Section, at: Snapshot, request: Request) -> Result<Asked, Stop> {
        let answer = match request {
            Request::Load { address, size, .. } => match self.load(section, address, size)? {
                Ok(value) => Answer::Value(value),
                Err(cells) => return Ok(Asked::Reads(cells)),
            },
            Request::Store { address, size, value, .. } => self.store(section, address, size, value)?,
            Request::Rmw { address, size, op, operand, .. } => match self.load(section, address, size)? {
                Ok(old) => {
                    self.store(section, address, size, apply_rmw(op, old, operand, size))?;
                    Answer::Value(old)
                }
                Err(cells) => return Ok(Asked::Reads(cells)),
            },
            Request::Cas { address, size, expected, new, .. } => match self.load(section, address, size)? {
                Ok(old) => {
                    if old == expected {
                        self.store(section, address, size, new)?;
                    }
                    Answer::Exchange { old, success: old == expected }
                }
                Err(cells) => return Ok(Asked::Reads(cells)),
            },
            Request::Fence { .. } => Answer::None,
            Request::Begin => {
                section.depth += 1;
                Answer::None
            }
            Request::End => {
                section.depth -= 1;
                if section.depth == 0 {
                    return Ok(Asked::Ends);
                }
                Answer::None
            }
            Request::Print { .. } => {
                self.print(section.thread, at);
                Answer::None
            }
            Request::Step { .. } | Request::Unwind | Request::ObjectSize { .. } => {
                let value = self.answer_about_objects(section.thread, request).ok_or_else(no_heap_object)?;
                Answer::Value(value)
            }
            Request::Blocked
            | Request::Spin { .. }
            | Request::Cut { .. }
            | Request::CutCall { .. }
            | Request::Fault(_) => return Ok(Asked::Stops),
            Request::Round | Request::Pause => unreachable!("these are not asked"),
            Request::Fill { .. } | Request::Copy { .. } => Answer::Value(0),
            Request::Pair { address, access, .. } => match self.access_pair(section, at, address, access)? {
                Ok(answer) => answer,
                Err(cells) => return Ok(Asked::Reads(cells)),
            },
            Request::Alloc { .. }
            | Request::Free { .. }
            | Request::Create { .. }
            | Request::Join { .. }
            | Request::Choose { .. }
            | Request::Sync { .. }
            | Request::Done { .. }
            | Request::Exit => return Err(refused_in_section(request).into()),
        };
        Ok(Asked::Answer(answer))
    }

    /// What a section loads, or the cells of which it is not known.
    fn load(
        &mut self,
        section: &Section,
        address: u64,
        size: u8,
    ) -> Result<Result<u64, Vec<LocId>>, Finding> {
        let loc = self.locate(address, size, false)?;
        let (mut value, mut unknown) = (0, Vec::new());
        for cell in self.locations.cells(loc) {
            let read = || self.graph().cells.value_in(section.read, *cell);
            match section.stored_in(*cell).or_else(read) {
                Some(part) => value |= part << (8 * (self.locations.get(*cell).address - address)),
                None => unknown.push(*cell),
            }
        }
        Ok(if unknown.is_empty() { Ok(value) } else { Err(unknown) })
    }

    /// An access of 16 bytes, whose halves are accessed one after the other; or the cells of which a half is not known.
    fn access_pair(
        &mut self,
        section: &mut Section,
        at: Snapshot,
        address: u64,
        access: PairAccess,
    ) -> Result<Result<Answer, Vec<LocId>>, Finding> {
        let mut old = 0;
        for offset in if access == PairAccess::Store { 0..0 } else { 0..2 } {
            match self.load(section, address + 8 * offset, 8)? {
                Ok(half) => old |= u128::from(half) << (64 * offset),
                Err(cells) => return Ok(Err(cells)),
            }
        }
        let new = access.written(old, &self.states.pair_operands(at));
        if let Some(new) = new {
            self.store(section, address, 8, new as u64)?;
            self.store(section, address + 8, 8, (new >> 64) as u64)?;
        }
        Ok(Ok(Answer::of_pair(old, new.is_some())))
    }

    fn store(
        &mut self,
        section: &mut Section,
        address: u64,
        size: u8,
        value: u64,
    ) -> Result<Answer, Finding> {
        let loc = self.locate(address, size, true)?;
        for cell in self.locations.cells(loc) {
            section.store(*cell, self.locations.part_of_value(*cell, address, value));
        }
        Ok(Answer::None)
    }

    /// Chooses what a section reads in new cells.
    fn choose_sources(&mut self, read: EventId, cells: &[LocId]) -> Result<Step, Stop> {
        self.graphs.settle();
        let first = self.choices.end();
        let Explorer { graphs, plan, work, choices, .. } = self;
        let graph = graphs.current_mut();
        graph.cells.expect(cells);
        if are_too_many_ways(graph, cells) {
            return Err(too_many_ways().into());
        }
        plan.readable_in_section(graph, read, cells, work, choices.options())?;
        let Some(option) = self.choices.option(first) else { return Ok(Step::Dropped) };
        let end = self.choices.end();
        if end - first > 1 {
            let graph = self.graph();
            self.choices.push(Frame {
                choice: Choice::Section { count: graph.cells.read_count(read) as u32 },
                level: self.graphs.level(),
                event: EventId::from_usize(graph.len() - 1),
                arena: self.states.mark(),
                mark: graph.mark(),
                after: Pending::ABSENT,
                first,
                next: first + 1,
                revisits: end,
                end,
                share: 0,
            });
        } else {
            self.choices.forget_from(first);
        }
        self.read_more(read, cells, option)
    }

    /// A section reads new cells, by an option.
    fn read_more(&mut self, read: EventId, cells: &[LocId], option: EventId) -> Result<Step, Stop> {
        self.name_cells(cells);
        let Explorer { graphs, locations, plan, .. } = self;
        let graph = graphs.current_mut();
        let sources: Vec<EventId> = writes_of(graph, cells, option).collect();
        let parts = cells.iter().zip(&sources);
        let values: Vec<u64> = parts.map(|(cell, write)| locations.part_of(graph, *cell, *write)).collect();
        let class = graph.event(read).class;
        graph.cells.read_more(read, cells, &sources, class);
        graph.cells.set_last_values(read, &values);
        plan.upkeep().see_in_cells(graph, read);
        plan.upkeep().order_in_cells(graph, read);
        self.check_section_access(read)?;
        self.await_write_half(read);
        Ok(Step::Extended)
    }

    /// The read of the section that runs: the newest event, or if that is the write of a revisit what it revisits.
    pub(super) fn running_section(&self, newest: EventId) -> EventId {
        let graph = self.graph();
        match graph.event(newest).is_read() {
            true => newest,
            false => graph.cells.demand.read,
        }
    }

    /// Lets a section have read a number of pieces only.
    pub(super) fn rewind_section(&mut self, read: EventId, count: usize) {
        let graph = self.graphs.current_mut();
        graph.cells.read_less(read, count);
        self.plan.upkeep().see_in_cells(graph, read);
        self.plan.upkeep().order_in_cells(graph, read);
        self.graphs.settle();
    }

    /// Adds the write of a section that is over.
    fn add_section_write(&mut self, section: &Section, at: Snapshot) -> Result<Step, Stop> {
        let cells: Vec<LocId> = section.stored.iter().map(|(cell, _)| *cell).collect();
        self.graphs.settle();
        let write = self.graphs.push(section_event(section.thread, Payload::WRITE, at));
        let graph = self.graphs.current_mut();
        let class = graph.event(write).class;
        graph.cells.attach_section_write(write, section.read, &section.stored, class);
        self.name_cells(&cells);
        self.graphs.renew(write);
        let first = self.choices.end();
        self.find_section_places(write)?;
        let revisits = self.choices.end();
        self.find_joint_revisits(write)?;
        if self.choices.end() == first {
            return Ok(Step::Dropped);
        }
        self.proceed(section.thread, at, Answer::None);
        self.choose_place(write, section.thread, first, revisits)
    }

    /// Appends the places of a write, of a section or not, to the options.
    pub(super) fn find_section_places(&mut self, write: EventId) -> Result<(), Stop> {
        let Explorer { graphs, plan, work, choices, .. } = self;
        let graph = graphs.current_mut();
        if are_too_many_ways(graph, graph.cells.of(write)) {
            return Err(too_many_ways().into());
        }
        if graph.event(write).is_exclusive() {
            let place = plan.place_exclusive_in_cells(graph, write, work);
            choices.options().extend(place);
            return Ok(());
        }
        Ok(plan.placeable_in_cells(graph, write, work, choices.options())?)
    }

    /// Whether a section that was revisited has read from all writes that revisited it.
    fn has_read_what_it_must(&self, read: EventId) -> bool {
        let cells = &self.graph().cells;
        let sources = cells.sources(read);
        cells.demand.read != read || cells.demand.writes.iter().all(|write| sources.contains(write))
    }

    /// The graph knows where cells are.
    fn name_cells(&mut self, cells: &[LocId]) {
        let graph = self.graphs.current_mut();
        graph.cells.expect(cells);
        for cell in cells {
            graph.cells.set_name(*cell, self.locations.name(*cell));
        }
    }

    /// Whether what a section has just read, or written, is an error.
    pub(in crate::explore) fn check_section_access(&mut self, access: EventId) -> Result<(), Stop> {
        self.graphs.settle();
        let graph = self.graph();
        let event = graph.event(access);
        let before = |one, other| self.graphs.happens_before(one, other);
        let mut runs = Vec::new();
        graph.each_run(access, |address, size| runs.push((address, size)));
        for (at, (address, size)) in runs.into_iter().enumerate() {
            let checked = check_new_access(graph, &self.memory, &before, (access, address))
                .and_then(|()| check_access_begun(graph, &self.memory, &before, (access, address)));
            checked.map_err(|finding| blame_event(finding, event))?;
            let is_initial = event.is_read() && graph.cells.sources(access)[at].is_none();
            if is_initial && unwritten(graph, &self.memory, address, size) {
                return Err(blame_event(Finding::unwritten(), event));
            }
        }
        self.check_race(access)
    }
}

/// The read or the write of a section.
fn section_event(thread: ThreadId, payload: Payload, at: Snapshot) -> Event {
    let mut event = Event::new(thread, payload, Mode::Sc, at);
    event.flags = SECTION;
    event
}

/// Says where a section is.
fn blame_at(stop: Stop, at: Snapshot) -> Stop {
    match stop {
        Stop::Finding(mut finding) => {
            finding.at = finding.at.or(Some(at));
            Stop::Finding(finding)
        }
        other => other,
    }
}

fn refused_in_section(request: Request) -> Finding {
    let what = match request {
        Request::Alloc { .. } => "an allocation in an atomic section",
        Request::Free { .. } => "memory that is freed in an atomic section",
        Request::Create { .. } => "the creation of a thread in an atomic section",
        Request::Join { .. } => "a join in an atomic section",
        Request::Sync { .. } => "a synchronisation object in an atomic section",
        _ => "the end of a thread in an atomic section",
    };
    Finding::refusal(Refusal::Unsupported, what)
}
