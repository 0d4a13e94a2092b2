//! Several workers for one exploration, each with graphs of its own (thesis §6.3.3 and §9.2.3.3).
//!
//! One worker starts alone. If it is not done after a few milliseconds the others join; an idle worker asks for
//! work, and a busy worker gives it the end of what it has left. The parts are intervals of one order
//! of exploration, so that counts, graphs, warnings and the finding are what one worker would report.
//!
//! Departs 1: in the thesis each backward revisit is a task for a pool. Here a task is made only when a worker asks for
//! one, from the choices, of any kind, that the giver would have explored last.
//! I1: a busy worker shares nothing but one flag, which says whether another worker asks for work.
//! I2: threads are numbered in the order in which one worker meets them: a task that meets a new one waits until all
//! tasks before it are done.

use crate::explore::limits::watch::Watch;
use crate::explore::outcome::{Config, Outcome};
use crate::explore::regimes::Regime;
use crate::explore::workers::team::{TaskId, Team, FIRST_TASK};
use crate::explore::{Explorer, Stop};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// How long one worker explores alone: starting others costs about a tenth of a millisecond.
const ALONE: Duration = Duration::from_millis(5);
/// The least time between two gifts of a worker.
const BETWEEN_GIFTS: Duration = Duration::from_micros(100);
/// After a gift, which may be a large graph, a worker gives nothing for this many times the time that it took.
const REST: u32 = 10;
/// Room for the stack of a worker: what the first thread of a process has on most systems.
const STACK: usize = 8 << 20;

/// A worker's place in its team.
pub(in crate::explore) struct Member {
    team: Arc<Team>,
    task: TaskId,
    /// When it may be asked again.
    rests_until: Instant,
}

impl Member {
    fn new(team: &Arc<Team>) -> Member {
        Member { team: Arc::clone(team), task: FIRST_TASK, rests_until: Instant::now() }
    }

    /// Notes that this worker holds `now` bytes instead of `before`; returns what all workers hold.
    pub fn hold(&self, before: usize, now: usize) -> usize {
        self.team.hold(before, now)
    }

    /// Whether another worker asks for work.
    #[inline(always)]
    pub fn is_called(&self) -> bool {
        self.team.calls()
    }

    /// Stops if this task is no longer needed.
    fn check_is_on(&self) -> Result<(), Stop> {
        if self.is_called() {
            self.team.check_is_on(self.task)?;
        }
        Ok(())
    }
}

/// How long one worker explores alone, if others may join it.
pub(in crate::explore) fn patience(config: &Config) -> Option<Duration> {
    // Which executions are the first does not depend on the number of workers.
    let may_share = config.workers > 1 && config.max_executions.is_none();
    may_share.then_some(if config.eager { Duration::ZERO } else { ALONE })
}

/// Goes on with an exploration, with as many workers as the options say. None: there are too many threads.
pub(in crate::explore) fn explore_together<R: Regime>(
    lead: &mut Explorer<'_, R>,
    watch: &mut Watch,
) -> Option<Outcome> {
    let team = &Arc::new(Team::new(lead.threads.closed()));
    let (helpers, eager) = (lead.config.workers - 1, lead.config.eager);
    thread::scope(|scope| {
        for _ in 0..helpers {
            let mut helper = sibling(lead);
            let alarm = watch.alarm().without_questions();
            helper.work.set_alarm(alarm.clone());
            let serve = move || {
                let mut watch = Watch::new(alarm);
                watch.start(helper.is_slow());
                Worker::new(&mut helper, team).serve(&mut watch);
            };
            team.expect(1);
            let builder = thread::Builder::new().name("worker".into()).stack_size(STACK);
            if builder.spawn_scoped(scope, serve).is_err() {
                team.expect(-1); // The machine has no more threads: go on with fewer.
                break;
            }
        }
        Worker::new(lead, team).lead(eager, watch);
    });
    lead.member = None;
    team.conclude()
}

/// Another explorer of the same program, after the prologue.
fn sibling<'p, R: Regime>(explorer: &Explorer<'p, R>) -> Explorer<'p, R> {
    let lanes = explorer.graphs.lanes();
    let mut sibling = Explorer::new(explorer.program, explorer.plan, explorer.config, lanes);
    sibling.memory = explorer.memory.clone();
    sibling.symmetry = explorer.symmetry.clone();
    sibling
}

/// An explorer that works for a team.
struct Worker<'w, 'p, R: Regime> {
    explorer: &'w mut Explorer<'p, R>,
    team: &'w Team,
}

impl<'w, 'p, R: Regime> Worker<'w, 'p, R> {
    fn new(explorer: &'w mut Explorer<'p, R>, team: &'w Arc<Team>) -> Worker<'w, 'p, R> {
        explorer.member = Some(Member::new(team));
        Worker { explorer, team }
    }

    /// The first worker: goes on where it is, then helps the others.
    fn lead(mut self, eager: bool, watch: &mut Watch) {
        guarded(self.team, || {
            let gathered = if eager { self.team.gather(watch) } else { Ok(()) };
            let ended = gathered.and_then(|()| self.explorer.go_on(watch, false));
            self.hand_in(FIRST_TASK, ended);
            self.work(watch);
        });
    }

    /// Any other worker.
    fn serve(mut self, watch: &mut Watch) {
        guarded(self.team, || self.work(watch));
    }

    /// Does tasks until there are no more.
    fn work(&mut self, watch: &mut Watch) {
        while let Some((task, work)) = self.team.next_work(watch) {
            self.explorer.take_over(work);
            if let Some(member) = &mut self.explorer.member {
                (member.task, member.rests_until) = (task, Instant::now() + BETWEEN_GIFTS);
            }
            let ended = self.explorer.go_on(watch, true);
            self.hand_in(task, ended);
        }
    }

    fn hand_in(&mut self, task: TaskId, ended: Result<(), Stop>) {
        match self.explorer.conclude(ended) {
            Some(outcome) => self.team.finish(task, outcome, &self.explorer.threads),
            None => self.team.give_up(),
        }
    }
}

/// If a worker panics all stop, and the panic goes on where the exploration was started.
fn guarded(team: &Team, work: impl FnOnce()) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
        team.fail(panic);
    }
}

impl<R: Regime> Explorer<'_, R> {
    /// Someone calls, between two executions: stops if this task is no longer needed, or gives work.
    #[cold]
    pub(in crate::explore) fn answer_call(&mut self) -> Result<(), Stop> {
        let Some(member) = &self.member else { return Ok(()) };
        let now = Instant::now();
        if now < member.rests_until && !self.config.eager {
            return Ok(());
        }
        let (team, task) = (Arc::clone(&member.team), member.task);
        if team.wants_work(task)? {
            let work = self.part_with_work();
            team.give(task, work);
        }
        if let Some(member) = &mut self.member {
            member.rests_until = Instant::now() + BETWEEN_GIFTS.max(now.elapsed() * REST);
        }
        Ok(())
    }

    /// A look around in the middle of an execution.
    #[cold]
    pub(in crate::explore) fn look_around(&mut self, watch: &mut Watch) -> Result<(), Stop> {
        if let Some(member) = &self.member {
            member.check_is_on()?;
        }
        if self.has_explored_enough() {
            return Err(Stop::Interrupted);
        }
        let (length, steps) = (self.graph().len(), self.states.arena().steps());
        self.leniency.pay::<R>(watch.events_passed(), length, steps)?;
        let asks = watch.look()?;
        if asks {
            self.report_progress();
        }
        if asks || watch.has_grown() {
            self.guard_room()?;
        }
        Ok(())
    }

    /// Waits until this task may number a thread that it has met.
    pub(in crate::explore) fn await_turn(&mut self, watch: &mut Watch) -> Result<(), Stop> {
        let member = self.member.as_ref().expect("a worker that is alone numbers every thread");
        let met = member.team.await_turn(member.task, watch)?;
        self.threads.open_after(met);
        // The event that asked for the number is about to be added once more.
        self.outcome.events -= 1;
        Ok(())
    }
}
