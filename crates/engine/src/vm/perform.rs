//! Instructions that need more than registers, but no request: calls, private memory, constants.
//!
//! I1: each method either performs its instruction, moves the pc past it and returns true; or it changes
//!     nothing and returns false, and the image waits there.

use super::bulk::pay_for;
use super::heap::{self, Object, NO_ROOM};
use super::image::{base, frames, pack, thread, Field, Fields, LINKS, NO_CALLER};
use super::private::{extent, is_private, is_written, mark_written, read, resolve, store};
use super::run::value;
use super::values::{apply_rmw, bytes, mask};
use super::Vm;
use crate::ids::FunctionId;
use crate::program::{
    address, around, offset, origin, region, step, thread_of, Extent, Instr, Op, Owner, Region, RmwOp,
    ALLOC_PRIVATE, ALLOC_STACK, ALLOC_ZERO, SLACK, STACK_LIMIT,
};

impl Vm<'_> {
    /// Does an instruction of the image at the top of `words` if the thread can do it alone. `steps` are
    /// those that are left.
    #[inline(never)]
    pub(super) fn perform(&self, words: &mut Vec<u64>, start: usize, i: &Instr, steps: &mut u64) -> bool {
        match i.op {
            Op::Load | Op::Store | Op::Rmw | Op::Cas => {
                let image = &mut words[start..];
                let address = self.operand(image, i.a);
                if is_private(address) {
                    return self.access(image, i, address);
                }
                i.op == Op::Load && self.load_constant(image, i, address)
            }
            Op::LoadPair | Op::StorePair | Op::RmwPair | Op::CasPair => {
                self.perform_pair(&mut words[start..], i)
            }
            Op::Call | Op::Calli => {
                let callee = self.callee(&words[start..], i);
                callee.is_some_and(|callee| self.call(words, start, callee, i))
            }
            Op::Ret => self.ret(words, start, i),
            Op::Alloc => {
                pay_for(words.len() - start, steps);
                self.allocate(words, start, i)
            }
            Op::Step => self.step(&mut words[start..], i),
            Op::Free => {
                pay_for(words.len() - start, steps);
                self.free(words, start, i)
            }
            Op::Objsize => self.object_size(&mut words[start..], i),
            Op::Fill | Op::Copy => self.bulk(&mut words[start..], i, steps),
            Op::Sync => self.synchronise(&mut words[start..], i),
            _ => false,
        }
    }

    /// The value of an operand in the image's top frame.
    #[inline]
    pub(super) fn operand(&self, image: &[u64], operand: u32) -> u64 {
        value(operand, &image[base(image)..], &self.program.constants)
    }

    /// Writes a result register and moves on.
    #[inline]
    pub(super) fn finish(&self, image: &mut [u64], dst: u32, result: u64) -> bool {
        let base = base(image);
        image[base + dst as usize] = result;
        self.advance(image)
    }

    /// Moves on.
    #[inline]
    pub(super) fn advance(&self, image: &mut [u64]) -> bool {
        let pc = image.field(Field::Pc) as usize;
        image.set_pc(pc + 1);
        true
    }

    fn load_constant(&self, image: &mut [u64], i: &Instr, address: u64) -> bool {
        match self.constants.read(address, bytes(i.width)) {
            Some(value) => self.finish(image, i.dst, value & mask(i.width)),
            None => false,
        }
    }

    /// A load, store, read-modify-write or compare-and-swap of private memory.
    fn access(&self, image: &mut [u64], i: &Instr, address: u64) -> bool {
        let size = bytes(i.width);
        let Some(place) = resolve(self.program, image, address, usize::from(size)) else {
            return false;
        };
        if i.op == Op::Store {
            let value = self.operand(image, i.b);
            store(image, place, size, value & mask(i.width));
            return self.advance(image);
        }
        let moves = i.op == Op::Load && i.x != 0;
        if !moves && !is_written(image, place, usize::from(size)) {
            return false;
        }
        let old = read(image, place.at, size) & mask(i.width);
        if i.op == Op::Rmw {
            let op = RmwOp::from_u8(i.x).expect("program I1: the operation exists");
            let new = apply_rmw(op, old, self.operand(image, i.b), size);
            store(image, place, size, new);
        } else if i.op == Op::Cas {
            let success = old == self.operand(image, i.b) & mask(i.width);
            if success {
                let new = self.operand(image, i.c);
                store(image, place, size, new);
            }
            let flag = base(image) + i.dst as usize + 1;
            image[flag] = u64::from(success);
        }
        self.finish(image, i.dst, old)
    }

    /// The function that an instruction calls.
    pub(super) fn callee(&self, image: &[u64], i: &Instr) -> Option<FunctionId> {
        match i.op {
            Op::Call => Some(FunctionId(i.a)),
            Op::Calli => self.program.function_at(self.operand(image, i.a)),
            _ => None,
        }
    }

    /// Whether a recursive call is cut: a function may call itself as often as a loop may iterate.
    pub(super) fn is_too_deep(&self, image: &[u64], callee: FunctionId) -> bool {
        let bound = self.bounds.of_calls(callee);
        let depth = || frames(image).filter(|frame| frame.function == callee).count() as u64;
        bound != u64::MAX && !self.in_prologue && depth() > bound
    }

    fn call(&self, words: &mut Vec<u64>, start: usize, callee: FunctionId, i: &Instr) -> bool {
        let function = &self.program.functions[callee.at()];
        let image = &words[start..];
        let stack = image.field(Field::Stack) as usize;
        let below = image.len() - stack;
        let size = LINKS + function.registers as usize + function.frame_words();
        if below + size > STACK_LIMIT || self.is_too_deep(image, callee) {
            return false;
        }
        let link = pack(image.field(Field::Pc), image.field(Field::Function));
        let caller = image.field(Field::Frame);
        let from = start + base(image);
        let to = words.len() + LINKS;
        words.resize(words.len() + size, 0);
        words[to - 2] = link;
        words[to - 1] = u64::from(caller);
        let arguments = &self.program.lists[i.c as usize];
        for (k, &operand) in arguments.iter().take(function.params as usize).enumerate() {
            words[to + k] = value(operand, &words[from..], &self.program.constants);
        }
        let image = &mut words[start..];
        image.set_field(Field::Function, callee.0);
        image.set_pc(0);
        image.set_field(Field::Frame, (below + LINKS) as u32);
        true
    }

    /// Returns to the caller; missing results are 0, extra ones dropped.
    fn ret(&self, words: &mut Vec<u64>, start: usize, i: &Instr) -> bool {
        let image = &mut words[start..];
        let from = base(image);
        let (link, caller) = (image[from - 2], image[from - 1]);
        if caller == NO_CALLER {
            return false;
        }
        let (pc, function) = (link as u32, (link >> 32) as u32);
        let to = image.field(Field::Stack) as usize + caller as usize;
        let call = self.program.functions[function as usize].code[pc as usize];
        let results = &self.program.lists[i.c as usize];
        for k in 0..usize::from(call.x) {
            let result = results.get(k).map_or(0, |&operand| self.operand(image, operand));
            image[to + call.dst as usize + k] = result;
        }
        image.set_field(Field::Function, function);
        image.set_pc(pc as usize + 1);
        image.set_field(Field::Frame, caller as u32);
        words.truncate(start + from - LINKS);
        true
    }

    /// Computes an address from another one, unless that one is in an object that this thread does not know.
    fn step(&self, image: &mut [u64], i: &Instr) -> bool {
        let (base, offset) = (self.operand(image, i.a), self.operand(image, i.b));
        let origin = origin(base);
        let object = match region(origin) {
            Region::SHARED => return false,
            Region::GLOBAL => self.global(origin),
            Region::FRAME | Region::PRIVATE => extent(self.program, image, origin),
            _ => None,
        };
        self.finish(image, i.dst, step(object, base, offset))
    }

    fn global(&self, base: u64) -> Option<Extent> {
        let after = self.globals.partition_point(|global| global.0 <= base + SLACK);
        around(*self.globals[..after].last()?, base)
    }

    /// Makes a private object. No machine has room for some sizes: then the result is null.
    fn allocate(&self, words: &mut Vec<u64>, start: usize, i: &Instr) -> bool {
        let image = &words[start..];
        let (size, alignment) = (self.operand(image, i.a), self.operand(image, i.b));
        if size >= NO_ROOM && i.x & ALLOC_STACK == 0 {
            return self.finish(&mut words[start..], i.dst, 0);
        }
        if i.x & ALLOC_PRIVATE == 0 {
            return false;
        }
        let owner = Owner::of(i.x);
        let Some(offset) = heap::allocate(self.program, words, start, size, alignment, owner) else {
            return false;
        };
        let image = &mut words[start..];
        let result = address(Region::PRIVATE, thread(image), u64::from(offset));
        if i.x & ALLOC_ZERO != 0 {
            if let Some(place) = resolve(self.program, image, result, size as usize) {
                mark_written(image, place, size as usize);
            }
        }
        self.finish(image, i.dst, result)
    }

    /// Frees a private object, or nothing for address 0.
    fn free(&self, words: &mut Vec<u64>, start: usize, i: &Instr) -> bool {
        let address = self.operand(&words[start..], i.a);
        if address == 0 {
            return self.advance(&mut words[start..]);
        }
        match self.heap_object(&words[start..], address) {
            Object::Live(entry) if entry.owner == Owner::of(i.x) => {
                heap::release(self.program, words, start, entry);
                self.advance(&mut words[start..])
            }
            _ => false,
        }
    }

    fn object_size(&self, image: &mut [u64], i: &Instr) -> bool {
        let address = self.operand(image, i.a);
        if address == 0 {
            return self.finish(image, i.dst, 0);
        }
        match self.heap_object(image, address) {
            Object::Live(entry) => self.finish(image, i.dst, entry.size as u64),
            _ => false,
        }
    }

    /// The private heap object of this thread that starts at an address.
    pub(super) fn heap_object(&self, image: &[u64], address: u64) -> Object {
        let own = region(address) == Region::PRIVATE && thread_of(address) == thread(image);
        if !own {
            return Object::None;
        }
        let at = offset(address) as usize;
        match heap::object(self.program, image, at) {
            Object::Live(entry) if entry.offset != at => Object::None,
            found => found,
        }
    }
}
