//! Runs threads as `resume` and `perform` do, and tracks what they depend on.

use super::beside::{computes, is_access, Shadow, DECIDED, READS};
use super::sets::NONE;
use crate::program::{Instr, Op};
use crate::vm::heap::{words_of, Object};
use crate::vm::image::{base, Arena, Field, Fields, Snapshot};
use crate::vm::pairs::PAIR;
use crate::vm::private::{is_private, resolve};
use crate::vm::request::{Answer, Request};
use crate::vm::run::Stop;
use crate::vm::values::bytes;
use crate::vm::Vm;
use std::sync::Arc;

/// What an instruction that waits depends on: reads of its thread, each by how many came before it.
#[derive(Clone, Debug)]
pub struct Depends {
    /// Its address.
    pub addr: Arc<[u32]>,
    /// What it writes.
    pub data: Arc<[u32]>,
    /// That it is reached.
    pub ctrl: Arc<[u32]>,
    /// How many reads the thread has made.
    pub reads: u32,
}

impl Vm<'_> {
    /// What the instruction that an image waits at depends on.
    pub fn dependencies(&self, arena: &mut Arena, at: Snapshot) -> Depends {
        let i = self.instruction(arena, at);
        let image = &arena.words[at.start as usize..at.end()];
        let mut tracker = arena.shadow.tracker(image, at.start as usize);
        let has_address = is_access(i.op) || i.op == Op::FenceAt;
        let addr = if has_address { tracker.of(i.a) } else { NONE };
        let (written, expected) = tracker.written_and_expected(&self.program.lists, i);
        let (ctrl, reads) = (tracker.numbers[DECIDED], tracker.numbers[READS]);
        // Its own read comes next in the thread, right before its write.
        let own = if computes(i) { tracker.sets.number(vec![reads]) } else { NONE };
        let data = tracker.sets.union(written, expected);
        let data = tracker.sets.union(data, own);
        let [addr, data, ctrl] = [addr, data, ctrl].map(|set| tracker.sets.get(set));
        Depends { addr, data, ctrl, reads }
    }

    /// As `resume`, with dependencies.
    #[inline(never)]
    pub(in crate::vm) fn resume_tracked(
        &self,
        arena: &mut Arena,
        from: Snapshot,
        answer: &Answer,
    ) -> (Snapshot, Request) {
        let start = self.copy_to_top(arena, from);
        arena.counted.clear();
        self.run_tracked(arena, start, Some(answer))
    }

    /// As `run`, with dependencies.
    #[inline(never)]
    pub(in crate::vm) fn run_tracked(
        &self,
        arena: &mut Arena,
        start: usize,
        mut answer: Option<&Answer>,
    ) -> (Snapshot, Request) {
        let Arena { words, shadow, counted, .. } = arena;
        shadow.numbers.resize(2 * words.len(), NONE);
        if answer.is_some() {
            self.track_answer(shadow, &words[start..], start);
        }
        let mut steps = self.slice;
        let (stop, i) = loop {
            let mut tracker = shadow.tracker(&words[start..], start);
            let image = &mut words[start..];
            let (stop, i) = self.run_registers(image, answer.take(), &mut steps, counted, &mut tracker);
            if !matches!(stop, Stop::Needs) || !self.perform_tracked(words, shadow, start, i, &mut steps) {
                break (stop, i);
            }
            steps -= 1;
            if steps == 0 {
                break (Stop::Endless, i);
            }
        };
        arena.steps += self.slice - steps;
        self.at_rest(arena, start, stop, i)
    }

    /// The instruction that waits gets its answer. Before the first thread, reads are no events.
    fn track_answer(&self, shadow: &mut Shadow, image: &[u64], start: usize) {
        let function = &self.program.functions[image.field(Field::Function) as usize];
        let i = &function.code[image.field(Field::Pc) as usize];
        let operation = (i.op == Op::Sync).then(|| &self.program.operations[i.c as usize]);
        let reads = match i.op {
            Op::Store | Op::StorePair => false,
            op => operation.map_or(is_access(op), |operation| operation.reads.is_some()),
        };
        if !reads || self.in_prologue {
            return;
        }
        let mut tracker = shadow.tracker(image, start);
        let (written, expected) = tracker.written_and_expected(&self.program.lists, i);
        let number = tracker.numbers[READS];
        tracker.numbers[READS] += 1;
        let mut result = tracker.sets.number(vec![number]);
        if operation.is_some_and(|operation| operation.may_wait) {
            tracker.decide(result);
        }
        if operation.is_some() {
            result = tracker.sets.union(result, written);
        }
        tracker.put_read(i, result, expected);
    }

    /// As `perform`, with dependencies.
    fn perform_tracked(
        &self,
        words: &mut Vec<u64>,
        shadow: &mut Shadow,
        start: usize,
        i: &Instr,
        steps: &mut u64,
    ) -> bool {
        match i.op {
            op if is_access(op) => self.access_tracked(words, shadow, start, i, steps),
            // The accesses that follow in the code do the same, and are tracked.
            Op::Fill | Op::Copy if !self.in_prologue => self.finish(&mut words[start..], i.dst, 0),
            Op::Call | Op::Calli => {
                let mut tracker = shadow.tracker(&words[start..], start);
                let list = &self.program.lists[i.c as usize];
                let arguments: Vec<u32> = list.iter().map(|operand| tracker.of(*operand)).collect();
                let pointer = if i.op == Op::Calli { tracker.of(i.a) } else { NONE };
                tracker.decide(pointer);
                if !self.perform(words, start, i, steps) {
                    return false;
                }
                shadow.numbers.resize(2 * words.len(), NONE);
                let image = &words[start..];
                let params = self.program.functions[image.field(Field::Function) as usize].params as usize;
                let mut tracker = shadow.tracker(image, start);
                arguments.iter().take(params).enumerate().for_each(|(k, set)| tracker.put(k, *set));
                true
            }
            Op::Ret => {
                let tracker = shadow.tracker(&words[start..], start);
                let list = &self.program.lists[i.c as usize];
                let results: Vec<u32> = list.iter().map(|operand| tracker.of(*operand)).collect();
                if !self.perform(words, start, i, steps) {
                    return false;
                }
                shadow.numbers.truncate(2 * words.len());
                let image = &words[start..];
                let function = &self.program.functions[image.field(Field::Function) as usize];
                let call = &function.code[image.field(Field::Pc) as usize - 1];
                let mut tracker = shadow.tracker(image, start);
                for k in 0..usize::from(call.x) {
                    tracker.put(call.dst as usize + k, results.get(k).copied().unwrap_or(NONE));
                }
                true
            }
            Op::Alloc => {
                let (length, stack) = (words.len(), words[start..].field(Field::Stack) as usize);
                let entries = self.end_of_directory(&words[start..]);
                if !self.perform(words, start, i, steps) {
                    return false;
                }
                if words.len() > length {
                    shadow.insert(start + stack, words.len() - length - 2);
                    shadow.insert(start + entries, 2);
                }
                true
            }
            Op::Free => {
                let object = self.heap_object(&words[start..], self.operand(&words[start..], i.a));
                if !self.perform(words, start, i, steps) {
                    return false;
                }
                if let Object::Live(entry) = object {
                    let first = 2 * (start + entry.first);
                    shadow.numbers.drain(first..first + 2 * words_of(entry.size));
                }
                true
            }
            _ => self.perform(words, start, i, steps),
        }
    }

    /// An access of private memory or of a constant.
    fn access_tracked(
        &self,
        words: &mut Vec<u64>,
        shadow: &mut Shadow,
        start: usize,
        i: &Instr,
        steps: &mut u64,
    ) -> bool {
        let operation = (i.op == Op::Sync).then(|| &self.program.operations[i.c as usize]);
        let size = match i.op {
            Op::LoadPair | Op::StorePair | Op::RmwPair | Op::CasPair => usize::from(PAIR),
            _ => usize::from(operation.map_or(bytes(i.width), |operation| operation.size)),
        };
        let address = self.operand(&words[start..], i.a);
        let place = match is_private(address) {
            true => resolve(self.program, &words[start..], address, size),
            false => None,
        };
        let mut tracker = shadow.tracker(&words[start..], start);
        let addr = tracker.of(i.a);
        let (written, expected) = tracker.written_and_expected(&self.program.lists, i);
        if !self.perform(words, start, i, steps) {
            return false;
        }
        let image = &words[start..];
        let mut tracker = shadow.tracker(image, start);
        tracker.decide(addr);
        let reads = operation.map_or(!matches!(i.op, Op::Store | Op::StorePair), |op| op.reads.is_some());
        let mut result = if operation.is_some() { written } else { NONE };
        if reads {
            let found = place.map_or(NONE, |place| tracker.load(place, size));
            result = [addr, found].into_iter().fold(result, |set, more| tracker.sets.union(set, more));
        }
        let register = |at: usize| image[base(image) + i.dst as usize + at];
        let writes = match i.op {
            Op::Load | Op::LoadPair => false,
            Op::Cas => register(1) != 0,
            Op::CasPair => register(2) != 0,
            _ => true,
        };
        if let (true, Some(place)) = (writes, place) {
            let own = if computes(i) { result } else { NONE };
            let set = [written, addr].into_iter().fold(own, |set, more| tracker.sets.union(set, more));
            tracker.store(place, size, set);
        }
        if reads {
            tracker.put_read(i, result, expected);
        }
        true
    }
}
