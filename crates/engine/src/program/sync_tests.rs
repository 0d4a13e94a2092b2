//! What the decoder refuses in the description of a synchronisation object, and what operations compute.

use super::assemble::Assembler;
use super::assemble_sync::encode;
use super::{Effect, Inputs, Operation, Program};
use crate::ids::ThreadId;

const ALWAYS: [u8; 9] = [3, 1, 0, 0, 0, 0, 0, 0, 0];
const ACQ: u8 = 2;
const REL: u8 = 3;
const NO_READ: u8 = 0xff;

/// A program with one operation.
fn decoded(modes: [u8; 3], cases: &[Vec<u8>], overwrites: &[Vec<u8>]) -> Result<Operation, String> {
    let mut asm = Assembler::default();
    let ret = asm.ret(&[]);
    asm.function(0, 1, &[ret]);
    let operation = encode(&mut asm, modes, cases, overwrites);
    asm.operations.push(operation);
    let program = Program::decode(&asm.bytes()).map_err(|error| error.to_string())?;
    Ok(program.operations[0].clone())
}

fn case(when: &[u8], then: &[&[u8]]) -> Vec<u8> {
    [when, &then.concat()].concat()
}

#[test]
fn operations_are_whole() {
    let write = [case(&ALWAYS, &[&[0], &ALWAYS, &ALWAYS])];
    let wait = [case(&ALWAYS, &[&[2]])];
    let message = [case(&ALWAYS, &[&[0, 0, 0, 0]])];
    assert!(decoded([ACQ, REL, 0], &write, &[]).is_ok());
    assert!(decoded([NO_READ, REL, 0], &write, &message).is_ok());
    let refused = |modes, cases: &[Vec<u8>], overwrites: &[Vec<u8>], why: &str| {
        let what = decoded(modes, cases, overwrites).expect_err(why);
        assert!(what.contains(why), "{what}");
    };
    refused([ACQ, REL, 0], &[], &[], "must always apply");
    refused([ACQ, REL, 0], &[case(&[0], &[&[2]])], &[], "must always apply");
    refused([NO_READ, REL, 0], &wait, &[], "cannot wait or have a result");
    refused([NO_READ, REL, 1], &write, &[], "cannot wait or have a result");
    refused([ACQ, REL, 0], &write, &message, "must check the old value in its cases");
    refused([9, REL, 0], &write, &[], "unknown mode");
    refused([ACQ, 9, 0], &write, &[], "unknown mode");
    refused([ACQ, REL, 0], &[case(&ALWAYS, &[&[7]])], &[], "unknown effect 7");
    refused([ACQ, REL, 0], &[case(&ALWAYS, &[&[3, 99, 0, 0, 0]])], &[], "does not exist");
    refused([ACQ, REL, 0], &[case(&[9], &[&[2]])], &[], "unknown expression 9");
    refused([ACQ, REL, 0], &[case(&[4, 22, 0, 0], &[&[2]])], &[], "unknown operator");
    let deep = [[4, 1, 0].repeat(40), vec![0]].concat();
    refused([ACQ, REL, 0], &[case(&deep, &[&[2]])], &[], "unknown expression 4");
}

#[test]
fn operators_and_masks() {
    // op, then what it makes of 6 and 2.
    let table =
        [(1, 8), (2, 4), (8, 2), (9, 6), (10, 4), (11, 24), (12, 1), (14, 0), (15, 1), (16, 0), (17, 0)];
    for (op, expected) in table {
        let computed = [4, op, 0, 2];
        let operation = decoded([ACQ, REL, 1], &[case(&ALWAYS, &[&[1], &computed])], &[]);
        let inputs = Inputs::new(6, ThreadId(0), 2);
        assert_eq!(operation.expect("it is whole").effect(&inputs), Effect::Stay(expected), "{op}");
    }
    let decrement = [&[4, 2, 0][..], &ALWAYS].concat();
    let operation = decoded([ACQ, REL, 1], &[case(&ALWAYS, &[&[0], &decrement, &[1]])], &[]);
    let inputs = Inputs::new(0, ThreadId(3), 0);
    let effect = operation.expect("it is whole").effect(&inputs);
    assert_eq!(effect, Effect::Write { value: 0xffff_ffff, result: 3 });
}
