//! Sets of events as binary decision diagrams: an event is an assignment of truth values to variables.
//!
//! What a variable stands for is the caller's choice (bits of an event's class, declared predicates).
//! I1: nodes are shared and reduced, so equal sets have equal numbers. I2: variables are tested in the order of their
//! numbers. Nothing is ever freed: a kernel lives as long as one question.

use crate::hashing::Map;

/// A set of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Guard(u32);

impl Guard {
    /// No event.
    pub const NONE: Guard = Guard(0);
    /// Every assignment, including those that no event has.
    pub const ALL: Guard = Guard(1);

    /// Whether there is no event.
    pub fn is_none(self) -> bool {
        self == Guard::NONE
    }

    /// The number of the set, for debugging and hashing.
    pub fn number(self) -> u32 {
        self.0
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    variable: u32,
    low: Guard,
    high: Guard,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Operation {
    And,
    Minus,
}

#[derive(Clone, Copy)]
struct Entry {
    operation: Operation,
    left: Guard,
    right: Guard,
    result: Guard,
}

const CACHE: usize = 1 << 15;
const LEAF: u32 = u32::MAX;

/// The owner of all sets.
pub struct Guards {
    nodes: Vec<Node>,
    numbers: Map<Node, Guard>,
    cache: Vec<Entry>,
}

impl Default for Guards {
    fn default() -> Self {
        Guards::new()
    }
}

impl Guards {
    /// Only the two trivial sets.
    pub fn new() -> Self {
        let leaf = |guard| Node { variable: LEAF, low: guard, high: guard };
        let nothing =
            Entry { operation: Operation::And, left: Guard::NONE, right: Guard::NONE, result: Guard::NONE };
        Guards {
            nodes: vec![leaf(Guard::NONE), leaf(Guard::ALL)],
            numbers: Map::default(),
            cache: vec![nothing; CACHE],
        }
    }

    /// The events for which a variable is true.
    pub fn variable(&mut self, number: u32) -> Guard {
        self.node(number, Guard::NONE, Guard::ALL)
    }

    /// The events of both.
    pub fn and(&mut self, left: Guard, right: Guard) -> Guard {
        // The order does not matter, so each pair is cached once.
        let (left, right) = if left < right { (left, right) } else { (right, left) };
        if left == Guard::NONE || left == right || right == Guard::ALL {
            return left;
        }
        if left == Guard::ALL {
            return right;
        }
        self.apply(Operation::And, left, right)
    }

    /// The events of the first set that are not in the second.
    pub fn minus(&mut self, left: Guard, right: Guard) -> Guard {
        if left == right || left == Guard::NONE || right == Guard::ALL {
            return Guard::NONE;
        }
        if right == Guard::NONE {
            return left;
        }
        self.apply(Operation::Minus, left, right)
    }

    /// The assignments that are not in the set.
    pub fn not(&mut self, guard: Guard) -> Guard {
        self.minus(Guard::ALL, guard)
    }

    /// The events of either.
    pub fn or(&mut self, left: Guard, right: Guard) -> Guard {
        if left == right || right == Guard::NONE || left == Guard::ALL {
            return left;
        }
        if left == Guard::NONE || right == Guard::ALL {
            return right;
        }
        let outside = self.not(left);
        let outside = self.minus(outside, right);
        self.not(outside)
    }

    /// Whether the two have an event in common.
    pub fn meet(&mut self, left: Guard, right: Guard) -> bool {
        !self.and(left, right).is_none()
    }

    /// Whether all events of the first set are in the second.
    pub fn within(&mut self, left: Guard, right: Guard) -> bool {
        left == right || self.minus(left, right).is_none()
    }

    /// One event of a set that has one: which variables are true. False is preferred, for earlier variables first.
    pub fn example(&self, guard: Guard, variables: usize) -> Vec<bool> {
        let mut values = vec![false; variables];
        let mut at = guard;
        while at > Guard::ALL {
            let node = self.nodes[at.0 as usize];
            let down = node.low.is_none();
            values[node.variable as usize] = down;
            at = if down { node.high } else { node.low };
        }
        values
    }

    /// Whether an event is in the set.
    pub fn has(&self, guard: Guard, event: &[bool]) -> bool {
        let mut at = guard;
        while at > Guard::ALL {
            let node = self.nodes[at.0 as usize];
            at = if event[node.variable as usize] { node.high } else { node.low };
        }
        at == Guard::ALL
    }

    fn apply(&mut self, operation: Operation, left: Guard, right: Guard) -> Guard {
        let slot = slot(operation, left, right);
        let known = self.cache[slot];
        if known.left == left && known.right == right && known.operation == operation {
            return known.result;
        }
        let (one, two) = (self.nodes[left.0 as usize], self.nodes[right.0 as usize]);
        let variable = one.variable.min(two.variable);
        let halves = |node: Node, whole: Guard| {
            if node.variable == variable {
                (node.low, node.high)
            } else {
                (whole, whole)
            }
        };
        let ((left_low, left_high), (right_low, right_high)) = (halves(one, left), halves(two, right));
        let mut below = |a, b| match operation {
            Operation::And => self.and(a, b),
            Operation::Minus => self.minus(a, b),
        };
        let (low, high) = (below(left_low, right_low), below(left_high, right_high));
        let result = self.node(variable, low, high);
        self.cache[slot] = Entry { operation, left, right, result };
        result
    }

    fn node(&mut self, variable: u32, low: Guard, high: Guard) -> Guard {
        if low == high {
            return low;
        }
        let node = Node { variable, low, high };
        let next = Guard(u32::try_from(self.nodes.len()).expect("fewer guards than memory can hold"));
        let nodes = &mut self.nodes;
        *self.numbers.entry(node).or_insert_with(|| {
            nodes.push(node);
            next
        })
    }
}

fn slot(operation: Operation, left: Guard, right: Guard) -> usize {
    let mixed = left.0.wrapping_mul(0x9E37_79B1) ^ right.0.wrapping_mul(0x85EB_CA77) ^ operation as u32;
    (mixed ^ mixed >> 15) as usize % CACHE
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sets of the 16 assignments of four variables, as masks, against the diagrams.
    fn of_mask(guards: &mut Guards, mask: u16) -> Guard {
        let mut all = Guard::NONE;
        for number in 0..16u32 {
            if mask >> number & 1 == 1 {
                let mut one = Guard::ALL;
                for bit in 0..4 {
                    let variable = guards.variable(bit);
                    one = if number >> (3 - bit) & 1 == 1 {
                        guards.and(one, variable)
                    } else {
                        guards.minus(one, variable)
                    };
                }
                all = guards.or(all, one);
            }
        }
        all
    }

    #[test]
    fn operations_are_those_of_masks() {
        let mut guards = Guards::new();
        let mut masks = vec![0u16, 0xFFFF, 1, 0x8000];
        let mut seed = 7u32;
        for _ in 0..40 {
            seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12345);
            masks.push((seed >> 16) as u16);
        }
        for &a in &masks {
            for &b in &masks {
                let (one, two) = (of_mask(&mut guards, a), of_mask(&mut guards, b));
                assert_eq!(guards.and(one, two), of_mask(&mut guards, a & b));
                assert_eq!(guards.or(one, two), of_mask(&mut guards, a | b));
                assert_eq!(guards.minus(one, two), of_mask(&mut guards, a & !b));
                assert_eq!(guards.not(one), of_mask(&mut guards, !a));
                assert_eq!(guards.within(one, two), a & !b == 0);
                assert_eq!(guards.meet(one, two), a & b != 0);
            }
        }
    }

    #[test]
    fn an_example_is_the_first_event() {
        let mut guards = Guards::new();
        for mask in [0x8000u16, 0x0840, 0x0011] {
            let guard = of_mask(&mut guards, mask);
            let event = guards.example(guard, 4);
            let number = event.iter().fold(0, |sum, &bit| 2 * sum + u32::from(bit));
            assert_eq!(number, mask.trailing_zeros());
            assert!(guards.has(guard, &event));
        }
    }

    #[test]
    fn twenty_free_variables_stay_small() {
        let mut guards = Guards::new();
        let mut all = Guard::ALL;
        for number in 0..20 {
            let variable = guards.variable(number);
            all = guards.minus(all, variable);
        }
        assert!(guards.nodes.len() < 500);
        assert!(!guards.example(all, 20).contains(&true));
    }
}
