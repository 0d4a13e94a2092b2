//! Mutexes that only one thread sees are settled inside the VM.

use super::*;

/// Runs mutex instructions on a thread-local mutex; returns register 1.
fn run(codes: &[Op]) -> Request {
    let mut asm = Assembler { thread_locals: vec![(0, 8, vec![])], ..Assembler::default() };
    let mut code = vec![op3(Op::Tlsaddr, 0, 4, 0)];
    code.extend(codes.iter().map(|&code| op3(code, 1, 0, 0)));
    code.push(asm.ret(&[1]));
    asm.function(0, 2, &code);
    first(&asm.program(), &[])
}

#[test]
fn private_mutexes() {
    use Op::*;
    let address = address(Region::PRIVATE, ME, 4);
    let mistake = fault(Fault::PrivateMutex { address });
    assert_eq!(run(&[MutexInit, Lock, Unlock, Lock, Unlock, MutexDestroy]), done(0));
    assert_eq!(run(&[Trylock]), done(0));
    assert_eq!(run(&[Lock, Trylock]), done(16));
    assert_eq!(run(&[Lock, Lock]), Request::Blocked);
    assert_eq!(run(&[Unlock]), mistake);
    assert_eq!(run(&[Lock, Unlock, Unlock]), mistake);
    assert_eq!(run(&[MutexDestroy, Lock]), mistake);
    assert_eq!(run(&[MutexDestroy, Trylock]), mistake);
}

#[test]
fn shared_mutexes_are_requests() {
    let mut asm = Assembler::default();
    let address = address(Region::GLOBAL, ThreadId(0), 64);
    let mutex = asm.constant(address);
    let codes = [Op::MutexInit, Op::Lock, Op::Trylock, Op::Unlock, Op::MutexDestroy];
    let mut code: Vec<Instr> = codes.iter().map(|&code| op3(code, 0, mutex, 0)).collect();
    code.push(asm.ret(&[0]));
    asm.function(0, 1, &code);
    let program = asm.program();
    let vm = Vm::new(&program, None, STEPS);
    let mut arena = Arena::new();
    let (mut at, mut request) = vm.spawn(&mut arena, ME, FunctionId(0), &[]);
    let wanted = [
        (Request::MutexInit { address }, Answer::None),
        (Request::Lock { address }, Answer::None),
        (Request::TryLock { address }, Answer::Value(16)),
        (Request::Unlock { address }, Answer::None),
        (Request::MutexDestroy { address }, Answer::None),
    ];
    for (want, answer) in wanted {
        assert_eq!(request, want);
        (at, request) = vm.resume_in_place(&mut arena, at, answer);
    }
    assert_eq!(request, done(16));
}
