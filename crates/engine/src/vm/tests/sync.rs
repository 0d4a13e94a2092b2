//! Synchronisation objects that only one thread sees are handled inside the VM; others are requests.

use super::*;
use crate::program::assemble_sync::{Use, BUSY, MISUSE};

/// Runs operations on a thread-local lock; returns register 1.
fn run(uses: &[Use]) -> (Request, Vec<String>) {
    let mut asm = Assembler { thread_locals: vec![(0, 8, vec![])], ..Assembler::default() };
    let mut code = vec![op3(Op::Tlsaddr, 0, 4, 0)];
    code.extend(uses.iter().map(|&which| asm.lock(which, 1, 0)));
    code.push(asm.ret(&[1]));
    asm.function(0, 2, &code);
    (first(&asm.program(), &[]), asm.strings)
}

/// The message of the misuse that some operations end in.
fn misuse(uses: &[Use]) -> String {
    match run(uses) {
        (Request::Fault(Fault::Fail { kind, message }), strings) => {
            assert_eq!(strings[kind as usize], MISUSE);
            strings[message as usize].clone()
        }
        (other, _) => panic!("{uses:?}: {other:?}"),
    }
}

#[test]
fn private_objects() {
    use Use::*;
    let result = |uses: &[Use]| run(uses).0;
    assert_eq!(result(&[Init, Take, Give, Take, Give, Destroy]), done(0));
    assert_eq!(result(&[Try]), done(0));
    assert_eq!(result(&[Take, Try]), done(BUSY));
    assert_eq!(result(&[Take, Take]), Request::Blocked);
    assert_eq!(misuse(&[Give]), "lock is not held");
    assert_eq!(misuse(&[Take, Give, Give]), "lock is not held");
    assert_eq!(misuse(&[Destroy, Take]), "lock is gone");
    assert_eq!(misuse(&[Destroy, Try]), "lock is gone");
    assert_eq!(misuse(&[Take, Destroy]), "lock is held");
}

#[test]
fn shared_objects_are_requests() {
    let mut asm = Assembler::default();
    let address = address(Region::GLOBAL, ThreadId(0), 64);
    let lock = asm.constant(address);
    let uses = [Use::Init, Use::Take, Use::Try, Use::Give, Use::Destroy];
    let mut code: Vec<Instr> = uses.iter().map(|&which| asm.lock(which, 0, lock)).collect();
    code.push(asm.ret(&[0]));
    asm.function(0, 1, &code);
    let program = asm.program();
    let vm = Vm::new(&program, &Unroll::default(), STEPS);
    let mut arena = Arena::new();
    let (mut at, mut request) = vm.spawn(&mut arena, ME, FunctionId(0), &[]);
    for operation in 0..uses.len() as u32 {
        assert_eq!(request, Request::Sync { address, operand: address, operation });
        (at, request) = vm.resume_in_place(&mut arena, at, Answer::Value(BUSY));
    }
    assert_eq!(request, done(BUSY));
}
