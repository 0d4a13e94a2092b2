//! The kinds of violations, and the reasons for refusals, each with the word that other programs know it by.
//!
//! `mazurka/program/kinds.py` says what each kind means; a test compares its words with these.

use crate::numbered::numbered;

numbered!(
    /// What an execution does wrong.
    Violation {
        /// Reached code that says so.
        Assertion = "assertion",
        /// Accesses that an error rule of the plan wants ordered; the model names the kind.
        Rule = "rule",
        /// Uses memory that nobody wrote.
        Uninitialized = "uninitialized",
        /// Accesses memory that is in no object.
        Unallocated = "unallocated",
        /// Accesses an object after its life.
        Freed = "freed",
        /// Frees an object twice.
        DoubleFree = "double-free",
        /// Frees what is not the start of a heap object.
        InvalidFree = "invalid-free",
        /// All threads wait for each other.
        Deadlock = "deadlock",
        /// Joins what is not a thread.
        Thread = "thread",
        /// Reaches what must not be reached.
        Undefined = "undefined",
        /// Divides by zero.
        DivisionByZero = "division-by-zero",
        /// Calls too deeply.
        StackOverflow = "stack-overflow",
    }
);

numbered!(
    /// Why the engine does not run a program any further.
    Refusal {
        /// A function that nobody defines.
        UnknownFunction = "unknown-function",
        /// A construct that is not modelled, or a limit of the engine.
        Unsupported = "unsupported",
        /// Bytes accessed with different sizes.
        MixedSize = "mixed-size",
        /// A loop or recursion without an end.
        EndlessLoop = "endless-loop",
        /// An access that depends on what the plan does not order.
        Dependency = "dependency",
        /// Bytes that a second look leaves out; never reported.
        LeftOut = "left-out",
    }
);
