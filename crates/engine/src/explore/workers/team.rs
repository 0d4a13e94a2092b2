//! What the workers of an exploration share: the tasks, and which workers are idle.
//!
//! A task is an interval of the exploration in the order in which one worker would make it. A worker gives away the
//! end of its interval, so the new task comes directly after the giver's. What tasks counted is added up in that
//! order, and the first finding in that order is reported, even if another was found earlier in time.
//!
//! I1: `tasks` are in that order, none missing up to the first finding; finished neighbours are one record.
//! I2: a task that is called off is no longer in the list.
//! I3: every running task has a worker, or is about to be taken by one that waits for it. So the first of them always
//! goes on, and a worker that waits for its turn gets it.
//! I4: the tables of threads of all tasks are prefixes of one sequence: only the first running task lengthens its own.

use crate::explore::limits::watch::Watch;
use crate::explore::outcome::{Outcome, Status};
use crate::explore::threads::numbers::ThreadTable;
use crate::explore::workers::work::Work;
use crate::explore::Stop;
use std::any::Any;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often a waiting worker checks the clock and whether the caller wants to stop.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// The number of a task.
pub(in crate::explore) type TaskId = u64;

/// The task that the first worker has.
pub(in crate::explore) const FIRST_TASK: TaskId = 0;

/// What the workers share.
pub(in crate::explore) struct Team {
    state: Mutex<State>,
    changed: Condvar,
    /// Someone wants work, or has to stop: the only thing that a busy worker looks at.
    calls: AtomicBool,
    /// Bytes that the workers hold.
    held: AtomicUsize,
}

struct Task {
    id: TaskId,
    /// What it counted; none while it runs.
    outcome: Option<Outcome>,
}

struct State {
    tasks: Vec<Task>,
    made: TaskId,
    /// Work that was given and not yet taken.
    given: Vec<(TaskId, Work)>,
    workers: usize,
    idle: usize,
    /// Idle workers for which no other worker prepares work.
    wanting: usize,
    /// Tasks that were called off and whose workers do not know it yet.
    gone: usize,
    threads: ThreadTable,
    stopping: bool,
    interrupted: bool,
    too_many_threads: bool,
    panic: Option<Box<dyn Any + Send>>,
}

impl Team {
    /// A team of one worker. Its task has met these threads.
    pub fn new(threads: ThreadTable) -> Team {
        let state = State {
            tasks: vec![Task { id: FIRST_TASK, outcome: None }],
            made: FIRST_TASK,
            given: Vec::new(),
            workers: 1,
            idle: 0,
            wanting: 0,
            gone: 0,
            threads,
            stopping: false,
            interrupted: false,
            too_many_threads: false,
            panic: None,
        };
        Team {
            state: Mutex::new(state),
            changed: Condvar::new(),
            calls: AtomicBool::new(false),
            held: AtomicUsize::new(0),
        }
    }

    /// Whether a busy worker should ask what to do.
    #[inline(always)]
    pub fn calls(&self) -> bool {
        self.calls.load(Ordering::Relaxed)
    }

    /// Notes that a worker holds `now` bytes instead of `before`; returns what all workers hold.
    pub fn hold(&self, before: usize, now: usize) -> usize {
        let others = self.held.fetch_add(now.wrapping_sub(before), Ordering::Relaxed).wrapping_sub(before);
        others.wrapping_add(now)
    }

    /// Changes the shared state and wakes all waiting workers.
    fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let mut state = self.lock();
        let result = change(&mut state);
        self.call(&state);
        self.changed.notify_all();
        result
    }

    fn call(&self, state: &State) {
        self.calls.store(state.wanting > 0 || state.gone > 0 || state.stopping, Ordering::Relaxed);
    }

    /// A worker that panicked has left nothing half done here: no change panics.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_for<T>(
        &self,
        watch: &mut Watch,
        mut ready: impl FnMut(&mut State) -> Option<T>,
    ) -> Result<T, Stop> {
        loop {
            let mut found = None;
            let not_yet = |state: &mut State| {
                found = ready(state);
                found.is_none()
            };
            let waited = self.changed.wait_timeout_while(self.lock(), BETWEEN_LOOKS, not_yet);
            drop(waited.unwrap_or_else(PoisonError::into_inner));
            match found {
                Some(found) => return Ok(found),
                None => {
                    watch.look()?;
                }
            }
        }
    }

    /// So many more workers will ask for work, or fewer than was said.
    pub fn expect(&self, workers: isize) {
        self.change(|state| state.workers = state.workers.saturating_add_signed(workers));
    }

    /// Waits until all other workers want work.
    pub fn gather(&self, watch: &mut Watch) -> Result<(), Stop> {
        self.wait_for(watch, |state| (state.stopping || state.idle + 1 == state.workers).then_some(()))
    }

    /// Waits for work; none if everything is done, or has to stop.
    pub fn next_work(&self, watch: &mut Watch) -> Option<(TaskId, Work)> {
        self.change(|state| {
            state.idle += 1;
            state.wanting += 1;
        });
        let next = self.wait_for(watch, |state| {
            if state.stopping || (state.idle == state.workers && state.given.is_empty()) {
                return Some(None);
            }
            let work = state.given.pop()?;
            state.idle -= 1;
            Some(Some(work))
        });
        next.unwrap_or_else(|_| {
            self.change(State::interrupt);
            None
        })
    }

    /// Whether a worker shall prepare work for another, which it then has to `give`.
    pub fn wants_work(&self, giver: TaskId) -> Result<bool, Stop> {
        let mut state = self.lock();
        state.check_is_on(giver)?;
        let wanted = state.wanting > 0;
        state.wanting -= usize::from(wanted);
        self.call(&state);
        Ok(wanted)
    }

    /// Whether a task has to go on.
    pub fn check_is_on(&self, task: TaskId) -> Result<(), Stop> {
        self.lock().check_is_on(task)
    }

    /// Hands over the end of a task, or nothing if there is nothing to give.
    pub fn give(&self, giver: TaskId, work: Option<Work>) {
        self.change(|state| match (work, state.position(giver)) {
            (Some(work), Some(position)) => {
                state.made += 1;
                let id = state.made;
                state.tasks.insert(position + 1, Task { id, outcome: None });
                state.given.push((id, work));
            }
            _ => state.wanting += 1,
        });
    }

    /// Waits until all tasks before this one are done, and returns the threads met by then.
    pub fn await_turn(&self, task: TaskId, watch: &mut Watch) -> Result<ThreadTable, Stop> {
        self.wait_for(watch, |state| {
            if let Err(stop) = state.check_is_on(task) {
                return Some(Err(stop));
            }
            let first = state.tasks.iter().find(|task| task.outcome.is_none());
            first.is_some_and(|first| first.id == task).then(|| Ok(state.threads.clone()))
        })?
    }

    /// A task is done: with what it counted and the threads that it knows.
    pub fn finish(&self, task: TaskId, outcome: Outcome, threads: &ThreadTable) {
        self.change(|state| state.finish(task, outcome, threads));
    }

    /// Stops everything: there are more threads than clocks have room for.
    pub fn give_up(&self) {
        self.change(|state| (state.too_many_threads, state.stopping) = (true, true));
    }

    /// Stops everything because a worker panicked.
    pub fn fail(&self, panic: Box<dyn Any + Send>) {
        self.change(|state| {
            state.panic.get_or_insert(panic);
            state.stopping = true;
        });
    }

    /// What all tasks counted; none if there were too many threads. Goes on with the panic of a worker.
    pub fn conclude(&self) -> Option<Outcome> {
        let mut state = self.lock();
        if let Some(panic) = state.panic.take() {
            drop(state);
            std::panic::resume_unwind(panic);
        }
        if state.too_many_threads && !state.interrupted {
            return None;
        }
        let mut all = state.tasks.drain(..).filter_map(|task| task.outcome);
        let mut sum = all.next().unwrap_or_else(Outcome::new);
        all.for_each(|outcome| sum.absorb(outcome));
        if state.interrupted && sum.finding.is_none() {
            sum.status = Status::Interrupted;
        }
        Some(sum)
    }
}

impl State {
    fn position(&self, task: TaskId) -> Option<usize> {
        self.tasks.iter().position(|other| other.id == task)
    }

    fn check_is_on(&self, task: TaskId) -> Result<(), Stop> {
        if self.stopping || self.position(task).is_none() {
            return Err(Stop::CalledOff);
        }
        Ok(())
    }

    fn interrupt(&mut self) {
        (self.interrupted, self.stopping) = (true, true);
    }

    fn finish(&mut self, task: TaskId, outcome: Outcome, threads: &ThreadTable) {
        let Some(position) = self.position(task) else {
            self.gone -= 1;
            return;
        };
        if threads.len() > self.threads.len() {
            self.threads = threads.clone();
        }
        if outcome.status == Status::Interrupted {
            self.interrupt();
        }
        if outcome.finding.is_some() {
            self.call_off_after(position);
        }
        self.tasks[position].outcome = Some(outcome);
        self.join_neighbours();
    }

    /// One worker would have stopped before all these.
    fn call_off_after(&mut self, position: usize) {
        for task in self.tasks.split_off(position + 1) {
            if task.outcome.is_some() {
                continue;
            }
            match self.given.iter().position(|(id, _)| *id == task.id) {
                Some(given) => {
                    self.given.swap_remove(given);
                    self.wanting += 1;
                }
                None => self.gone += 1,
            }
        }
    }

    /// Keeps the list as short as there are workers.
    fn join_neighbours(&mut self) {
        let tasks = std::mem::take(&mut self.tasks);
        for mut task in tasks {
            match (self.tasks.last_mut(), task.outcome.take()) {
                (Some(Task { outcome: Some(before), .. }), Some(outcome)) => before.absorb(outcome),
                (_, outcome) => self.tasks.push(Task { outcome, ..task }),
            }
        }
    }
}
