//! The states of threads: images in an arena, run by the VM from one request to the next.
//!
//! I1: the arena grows and shrinks with the stack of choices: what a choice needs lies below its mark, and going back
//! is a truncation.
//! I2: whoever lets a thread rest in a new state notes what it asks for there (see `asked`).

use crate::explore::threads::asked::Asked;
use crate::graph::Depends;
use crate::ids::{FunctionId, Stack, ThreadId};
use crate::program::Instr;
use crate::vm::{Answer, Arena, Arrival, Loops, PairOperands, Repetition, Request, Snapshot, Vm};

/// The VM with the images that it runs.
pub(in crate::explore) struct States<'p> {
    vm: Vm<'p>,
    arena: Arena,
    asked: Asked,
}

/// Running.
impl<'p> States<'p> {
    /// No thread yet.
    pub fn new(vm: Vm<'p>) -> States<'p> {
        States { vm, arena: Arena::new(), asked: Asked::new() }
    }

    /// What main does from now on is, or is not, before the first thread.
    pub fn set_prologue(&mut self, is_prologue: bool) {
        self.vm.in_prologue = is_prologue;
    }

    /// Starts a thread.
    pub fn spawn(
        &mut self,
        thread: ThreadId,
        function: FunctionId,
        arguments: &[u64],
    ) -> (Snapshot, Request) {
        self.vm.spawn(&mut self.arena, thread, function, arguments)
    }

    /// Goes on from a state, which stays.
    #[inline(always)]
    pub fn resume(&mut self, from: Snapshot, answer: Answer) -> (Snapshot, Request) {
        self.vm.resume(&mut self.arena, from, answer)
    }

    /// Goes on from the newest state, which is used up.
    #[inline(always)]
    pub fn resume_in_place(&mut self, from: Snapshot, answer: Answer) -> (Snapshot, Request) {
        self.vm.resume_in_place(&mut self.arena, from, answer)
    }

    /// Lets a thread that spins go round again, from a state which stays.
    pub fn pass_spin(&mut self, from: Snapshot) -> (Snapshot, Request) {
        self.vm.pass_spin(&mut self.arena, from)
    }

    /// What a thread that does not come to its next event asks for instead.
    pub fn give_up(&mut self, at: Snapshot) -> Request {
        self.vm.give_up(&mut self.arena, at)
    }

    /// What a thread that has come round without any change asks for instead of another round.
    pub fn spin(&mut self, at: Snapshot) -> Request {
        self.vm.spin(&mut self.arena, at)
    }

    /// What a thread that has run for long asks for instead of what it was about to.
    pub fn pause(&mut self, at: Snapshot) -> Request {
        self.vm.pause(&mut self.arena, at)
    }

    /// Goes on from a state in which a thread pauses, and which stays.
    pub fn go_on(&mut self, from: Snapshot) -> (Snapshot, Request) {
        self.vm.go_on(&mut self.arena, from)
    }

    /// The same from the newest state, which is used up.
    pub fn go_on_in_place(&mut self, from: Snapshot) -> (Snapshot, Request) {
        self.vm.go_on_in_place(&mut self.arena, from)
    }

    /// Whether a thread that pauses is known never to end.
    pub fn is_endless(&self, at: Snapshot) -> bool {
        self.vm.is_endless(&self.arena, at)
    }

    /// What makes a thread at the header of a loop remember an arrival there.
    pub fn remember(&self, arrival: Arrival) -> Answer {
        self.vm.remember(arrival)
    }

    /// Whether what threads depend on is tracked.
    pub fn tracks(&self) -> bool {
        self.vm.tracks
    }

    /// What the instruction that a thread waits at depends on.
    pub fn dependencies(&mut self, at: Snapshot) -> Depends {
        let found = self.vm.dependencies(&mut self.arena, at);
        Depends { sets: [found.addr, found.data, found.ctrl], reads: found.reads }
    }

    /// A thread rests in a new state.
    #[inline(always)]
    pub fn note(&mut self, at: Snapshot, request: Request) {
        self.asked.note(at, request);
    }

    /// What a thread asks for in a state that it rests in.
    #[inline]
    pub fn request(&self, at: Snapshot) -> Request {
        self.asked.find(at).unwrap_or_else(|| self.vm.request(&self.arena, at))
    }

    /// Writes bytes of private memory, if they are in an object of the thread.
    pub fn put_private(&mut self, at: Snapshot, address: u64, bytes: &[u8]) -> bool {
        self.vm.put_private(&mut self.arena, at, address, bytes)
    }

    /// How far the arena has come.
    #[inline(always)]
    pub fn mark(&self) -> usize {
        self.arena.len()
    }

    /// Forgets the states since then.
    #[inline(always)]
    pub fn go_back_to(&mut self, mark: usize) {
        self.arena.truncate(mark);
    }

    /// The states up to a mark, for another worker.
    pub fn copy_below(&self, mark: usize) -> Arena {
        self.arena.copy_below(mark)
    }

    /// Starts from the states of another worker. What was asked is known by where the states lay in the other arena.
    pub fn take_over(&mut self, arena: Arena) {
        self.arena = arena;
        self.asked = Asked::new();
    }
}

/// Looking.
impl States<'_> {
    /// The images.
    #[inline(always)]
    pub fn arena(&self) -> &Arena {
        &self.arena
    }

    /// Whether a thread is at a ROUND that stands where an attempt has failed.
    pub fn is_attempt(&self, at: Snapshot) -> bool {
        self.vm.is_attempt(&self.arena, at)
    }

    /// The only number that lets an attempt succeed that has failed, if there is one.
    pub fn wanted_exactly(&self, at: Snapshot) -> Option<u64> {
        self.vm.wanted_exactly(&self.arena, at)
    }

    /// Whether the program has attempts that may fail.
    pub fn has_attempts(&self) -> bool {
        self.vm.has_attempts()
    }

    /// The instruction that a thread is at.
    pub fn position(&self, at: Snapshot) -> (FunctionId, u32) {
        self.vm.position(&self.arena, at)
    }

    /// Its active calls, innermost first.
    pub fn stack(&self, at: Snapshot) -> Stack {
        self.vm.stack(&self.arena, at)
    }

    /// All that its state holds.
    pub fn words(&self, at: Snapshot) -> &[u64] {
        self.vm.words(&self.arena, at)
    }

    /// Its thread-locals.
    pub fn thread_locals(&self, at: Snapshot) -> &[u64] {
        self.vm.thread_locals(&self.arena, at)
    }

    /// How many threads it has created.
    pub fn children(&self, at: Snapshot) -> u32 {
        self.vm.children(&self.arena, at)
    }

    /// Whether bytes of private memory lie in a live object of the thread.
    pub fn holds(&self, at: Snapshot, address: u64, size: u8) -> bool {
        self.vm.holds(&self.arena, at, address, size)
    }

    /// Bytes of private memory, if they are in an object of the thread.
    pub fn private_bytes(&self, at: Snapshot, address: u64, size: u64) -> Option<Vec<u8>> {
        self.vm.private_bytes(&self.arena, at, address, size)
    }

    /// Whether it is at a load that only moves bytes.
    pub fn only_moves(&self, at: Snapshot) -> bool {
        self.vm.only_moves(&self.arena, at)
    }

    /// What it gives to the access of 16 bytes that it is about to make.
    pub fn pair_operands(&self, at: Snapshot) -> PairOperands {
        self.vm.pair_operands(&self.arena, at)
    }

    /// The values that it is about to print.
    pub fn print_arguments(&self, at: Snapshot) -> Vec<u64> {
        self.vm.print_arguments(&self.arena, at)
    }

    /// The arrival at the header of a loop that a thread there remembers.
    pub fn last_arrival(&self, at: Snapshot) -> Option<Arrival> {
        self.vm.last_arrival(&self.arena, at)
    }

    /// How many rounds a thread at the header of a loop has made.
    pub fn rounds_made(&self, at: Snapshot) -> u64 {
        self.vm.rounds_made(&self.arena, at)
    }

    /// Whether a thread at the header of a loop is what it was at an earlier arrival.
    pub fn is_back(&self, earlier: Snapshot, at: Snapshot) -> bool {
        self.vm.is_back(&self.arena, earlier, at)
    }

    /// The loop that a thread at the header of one is in.
    pub fn loop_of(&self, at: Snapshot) -> u32 {
        self.vm.loop_of(&self.arena, at)
    }

    /// If a thread has stopped at the header of a loop because it spins: the loop, and the events before the round.
    pub fn spun_since(&self, at: Snapshot) -> Option<(u32, u32)> {
        self.vm.spun_since(&self.arena, at)
    }

    /// If a thread spins: how many events it had before the round, unless the round has one access at most.
    pub fn round_since(&self, at: Snapshot) -> Option<u32> {
        self.vm.round_since(&self.arena, at)
    }

    /// Whether a thread at the header of a loop is to be compared with what it was at an earlier arrival.
    pub fn is_compared(&self, at: Snapshot) -> bool {
        self.vm.is_compared(&self.arena, at)
    }

    /// The instruction that a thread is at.
    pub fn instruction(&self, at: Snapshot) -> &Instr {
        self.vm.instruction(&self.arena, at)
    }

    /// Whether two states differ in counters of loops alone, and if so in which loop it is.
    pub fn repeats(&self, earlier: Snapshot, later: Snapshot) -> Option<Option<u32>> {
        self.vm.repeats(&self.arena, earlier, later)
    }

    /// Whether some loop may iterate any number of times.
    pub fn has_open_loops(&self) -> bool {
        self.vm.has_open_loops()
    }

    /// Whether a loop has a bound.
    pub fn is_bounded(&self, id: u32) -> bool {
        self.vm.is_bounded(id)
    }

    /// What a thread has done most often.
    pub fn busiest(&self, at: Snapshot, which: Loops) -> Option<(u64, Repetition)> {
        self.vm.busiest(&self.arena, at, which)
    }

    /// What it repeats where it is.
    pub fn what_repeats(&self, at: Snapshot) -> Option<Repetition> {
        self.vm.what_repeats(&self.arena, at)
    }
}
