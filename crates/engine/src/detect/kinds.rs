//! The kinds of violations, and the reasons for refusals, each with the word that other programs know it by.
//!
//! `mazurka/checking/kinds.py` says what each kind means; a test compares its words with these.

/// An enum whose variants have words.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$meaning:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$meaning])* $variant,)*
        }

        impl $name {
            /// All of them, in order.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// The stable word.
            pub fn word(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)*
                }
            }
        }
    };
}

words! {
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
        /// Misuses a mutex.
        Mutex = "mutex",
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
}

words! {
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
}
