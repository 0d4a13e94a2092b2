//! Tests of the VM, through its public interface and the test assembler.

mod control;
mod floats;
mod heap;
mod images;
mod memory;
mod pairs;
mod pauses;
mod rounds;
mod sync;
mod values;

use super::{Answer, Arena, Cause, Fault, Repetition, Request, Snapshot, Unroll, Vm};
use crate::ids::{FunctionId, ThreadId};
use crate::program::assemble::{op, op3, Assembler};
use crate::program::{address, Field, Instr, Mode, Op, Program, Region};

/// The thread that the tests run.
const ME: ThreadId = ThreadId(2);
const STEPS: u64 = 100_000;

/// The first request of function 0 with arguments.
fn first(program: &Program, arguments: &[u64]) -> Request {
    let vm = Vm::new(program, &Unroll::default(), STEPS);
    let mut arena = Arena::new();
    let (at, request) = vm.spawn(&mut arena, ME, FunctionId(0), arguments);
    assert_eq!(vm.request(&arena, at), request, "request() repeats what spawn said");
    request
}

fn done(value: u64) -> Request {
    Request::Done { value }
}

fn fault(fault: Fault) -> Request {
    Request::Fault(fault)
}

/// Programs that compute one instruction of registers 0, 1 and 2 into 3 (and 4).
struct Unit {
    result: Program,
    second: Program,
}

impl Unit {
    fn new(instr: Instr) -> Self {
        let instr = Instr { dst: 3, a: 0, b: 1, c: 2, ..instr };
        let returning = |register| {
            let mut asm = Assembler::default();
            let ret = asm.ret(&[register]);
            asm.function(3, 5, &[instr, ret]);
            asm.program()
        };
        Unit { result: returning(3), second: returning(4) }
    }

    fn run(&self, arguments: &[u64]) -> Request {
        first(&self.result, arguments)
    }

    fn value(&self, arguments: &[u64]) -> u64 {
        match self.run(arguments) {
            Request::Done { value } => value,
            other => panic!("{other:?} for {arguments:x?}"),
        }
    }

    /// The register after the result.
    fn flag(&self, arguments: &[u64]) -> u64 {
        match first(&self.second, arguments) {
            Request::Done { value } => value,
            other => panic!("{other:?} for {arguments:x?}"),
        }
    }
}
