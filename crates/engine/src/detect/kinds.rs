//! The kinds of violations, and the reasons for refusals, each with the stable word by which other programs
//! recognise it.
//!
//! `mazurka/program/kinds.py` says what each kind means; a test compares its words with these.

use crate::numbered::numbered;

numbered!(
    /// What an execution does wrong.
    Violation {
        /// Reaches code that reports a failure.
        Assertion = "assertion",
        /// Makes accesses that an error rule of the plan requires to be ordered; the model names the kind.
        Rule = "rule",
        /// Uses memory that was never written.
        Uninitialized = "uninitialized",
        /// Accesses memory outside of every object.
        Unallocated = "unallocated",
        /// Accesses an object after the end of its lifetime.
        Freed = "freed",
        /// Frees an object twice.
        DoubleFree = "double-free",
        /// Frees something that is not the start of a heap object.
        InvalidFree = "invalid-free",
        /// Does not do what the program announced.
        Annotation = "annotation",
        /// All threads wait for each other.
        Deadlock = "deadlock",
        /// Threads wait for ever, at least one of them in a loop.
        Liveness = "liveness",
        /// Joins something that is not a thread.
        Thread = "thread",
        /// Reaches code that must be unreachable.
        Undefined = "undefined",
        /// Divides by zero.
        DivisionByZero = "division-by-zero",
        /// Nests calls too deeply.
        StackOverflow = "stack-overflow",
        /// Throws an exception, which ends the run.
        Exception = "exception",
        /// Computes a signed number that its type cannot hold, or shifts by too much.
        Overflow = "overflow",
        /// Ends a critical section of RCU or SRCU that has not begun.
        Rcu = "rcu",
        /// Never frees memory that it has allocated.
        Leak = "leak",
    }
);

numbered!(
    /// Why the engine stops running a program.
    Refusal {
        /// A function without a definition.
        UnknownFunction = "unknown-function",
        /// A construct that is not modelled, or a limit of the engine.
        Unsupported = "unsupported",
        /// Bytes accessed with different sizes.
        MixedSize = "mixed-size",
        /// A loop or recursion without an end.
        EndlessLoop = "endless-loop",
        /// An access that depends on an earlier one that the plan does not order before it.
        Dependency = "dependency",
        /// A choice among more values than are explored.
        TooManyValues = "too-many-values",
        /// Bytes that a second exploration leaves out; never reported.
        LeftOut = "left-out",
        /// A round of a loop that was taken for undone, and that another thread has observed; never reported.
        Observed = "observed",
        /// Attempts of a loop that cannot be left out when they fail; never reported.
        Contended = "contended",
        /// A load that may see a store which comes after it in `po` and `rf`; never reported.
        Buffered = "buffered",
        /// An event that cannot be added to a consistent graph, whatever the schedule.
        Stuck = "stuck",
    }
);
