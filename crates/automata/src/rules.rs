//! Assumptions A <= B, used on the larger side of an inclusion: where it has all of B, A may be added.
//!
//! Implements the saturation of thesis §3.7 ("KATER uses such assumptions in a heuristic fashion"), Prop. 3 and 4.
//! Departs 1: a pair of A has some word of B, not all of them; so A is added between two states only if every
//! word of B between the same events leads from one to the other.
//! Departs 2: it is repeated until nothing changes, but at most ROUNDS times, as each round may make new states.

use crate::budget::Stop;
use crate::context::Context;
use crate::guards::{Guard, Guards};
use crate::hashing::{Map, Set};
use crate::nfa::{outgoing, Edge, Nfa, State, END, START};
use crate::saturated::Saturated;
use crate::steps::{members, Move, SetId, Steps};

const ROUNDS: usize = 3;
const MOST_STATES: State = 4000;

/// `smaller <= larger`: words of the smaller side may replace those of the larger one.
pub struct Rule {
    /// What is added.
    pub smaller: Nfa,
    /// Where it is.
    pub larger: Nfa,
}

/// An automaton with the words that the rules add.
pub fn saturate(right: Saturated, rules: &[Rule], cx: &mut Context) -> Result<Saturated, Stop> {
    let mut right = right.settled(cx)?;
    for _ in 0..ROUNDS {
        let mut walks = Walks::new(&right, cx)?;
        let mut new = Vec::new();
        for (number, rule) in rules.iter().enumerate() {
            new.extend(walks.added(&mut right, rule, number, cx)?);
        }
        if !right.add(new, cx)? {
            break;
        }
        right = right.settled(cx)?;
        if right.states > MOST_STATES {
            break;
        }
    }
    Ok(right)
}

/// The same in one round, for rules with many words: these are closed before they are added.
pub fn saturate_once(mut right: Saturated, rules: &[Rule], cx: &mut Context) -> Result<Saturated, Stop> {
    let mut walks = Walks::new(&right, cx)?;
    for (number, rule) in rules.iter().enumerate() {
        let words = Saturated::new(&rule.smaller, cx)?.settled(cx)?;
        let closed = Rule { smaller: words.nfa(), larger: rule.larger.clone() };
        let new = walks.added(&mut right, &closed, number, cx)?;
        right.add_closed(new);
    }
    right.settled(cx)
}

/// Where words lead from the states of an automaton.
struct Walks {
    sources: Vec<State>,
    all: Steps,
}

/// What the first and the last event of a word can be, and the states that it leads to.
type Ends = (Guard, Guard, SetId);

impl Walks {
    fn new(right: &Saturated, cx: &mut Context) -> Result<Self, Stop> {
        let edges = cx.over_letters(right.edges.iter())?;
        let mut states: Vec<State> = edges.iter().flat_map(|e| [e.source, e.target]).collect();
        states.extend([START, END]);
        states.sort_unstable();
        states.dedup();
        Ok(Walks { sources: states, all: Steps::new(right.states, &edges) })
    }

    /// The steps that a rule adds.
    fn added(
        &mut self,
        right: &mut Saturated,
        rule: &Rule,
        number: usize,
        cx: &mut Context,
    ) -> Result<Vec<Edge>, Stop> {
        let arcs = cx.exactly(&rule.larger.edges);
        let arcs = outgoing(rule.larger.states, &arcs);
        let mut edges = Vec::new();
        for index in 0..self.sources.len() {
            let source = self.sources[index];
            // For a target and parts of the first events: those of the last.
            let mut cells: Map<(State, Guard), Guard> = Map::default();
            for (before, after, targets) in self.led_to(source, &arcs, rule, cx)? {
                for target in targets {
                    let known = cells.entry((target, before)).or_insert(Guard::NONE);
                    *known = cx.guards.or(*known, after);
                }
            }
            let mut wide: Map<(State, Guard), Guard> = Map::default();
            for ((target, before), after) in cells {
                let known = wide.entry((target, after)).or_insert(Guard::NONE);
                *known = cx.guards.or(*known, before);
            }
            let mut wide: Vec<_> = wide.into_iter().collect();
            wide.sort_unstable();
            for ((target, after), before) in wide {
                copy(
                    right,
                    &rule.smaller,
                    number,
                    (source, before),
                    (target, after),
                    &mut edges,
                    &mut cx.guards,
                );
            }
        }
        Ok(edges)
    }

    /// For parts of the first and of the last events the states to which all words between them lead.
    fn led_to(
        &mut self,
        source: State,
        arcs: &[Vec<Edge>],
        rule: &Rule,
        cx: &mut Context,
    ) -> Result<Vec<(Guard, Guard, Vec<State>)>, Stop> {
        let nullable = rule.larger.nullable;
        if arcs.iter().all(Vec::is_empty) {
            return Ok(if nullable.is_none() {
                Vec::new()
            } else {
                vec![(nullable, nullable, vec![source])]
            });
        }
        let ends = ends_of(source, &mut self.all, arcs, cx)?;
        let mut found = Vec::new();
        for before in partition(ends.iter().map(|end| end.0).chain([nullable]), &mut cx.guards) {
            cx.budget.spend(1 + ends.len())?;
            let some: Vec<Ends> = ends.iter().copied().filter(|end| cx.guards.meet(end.0, before)).collect();
            let seams = [cx.guards.and(before, nullable)];
            for after in partition(some.iter().map(|end| end.1).chain(seams), &mut cx.guards) {
                cx.budget.spend(1 + some.len())?;
                let sets: Vec<SetId> =
                    some.iter().filter(|end| cx.guards.meet(end.1, after)).map(|end| end.2).collect();
                let mut targets = common(&self.all, &sets);
                if cx.guards.meet(seams[0], after) {
                    let led = targets.is_none_or(|states| states.contains(&source));
                    targets = led.then(|| vec![source]); // the empty word
                }
                let Some(targets) = targets else { continue };
                if !targets.is_empty() {
                    found.push((before, after, targets));
                }
            }
        }
        Ok(found)
    }
}

/// The states of all sets; nothing if there is no set.
fn common(steps: &Steps, sets: &[SetId]) -> Option<Vec<State>> {
    let (first, rest) = sets.split_first()?;
    let mut bits: Vec<u64> = steps.bits(*first).to_vec();
    for set in rest {
        bits.iter_mut().zip(steps.bits(*set)).for_each(|(a, b)| *a &= b);
    }
    Some(members(&bits).collect())
}

/// For each way to walk the arcs from start to end: the events at both ends, the states reached.
fn ends_of(
    source: State,
    steps: &mut Steps,
    arcs: &[Vec<Edge>],
    cx: &mut Context,
) -> Result<Vec<Ends>, Stop> {
    let mut found: Set<Ends> = Set::default();
    let begin = (START, steps.set([source]), cx.everything, cx.everything);
    let mut waiting = vec![begin];
    let mut seen: Set<(State, SetId, Guard, Guard)> = waiting.iter().copied().collect();
    while let Some((state, set, first, here)) = waiting.pop() {
        for arc in &arcs[state as usize] {
            cx.budget.spend(4)?;
            let by = Move { label: arc.label, before: arc.before, after: arc.after };
            for cell in steps.after(set, by, cx)?.iter() {
                let origin = cx.guards.and(cell.before, here);
                if origin.is_none() {
                    continue;
                }
                let begun = if state == START { origin } else { first };
                for &(after, reached) in &cell.ways {
                    if arc.target == END {
                        found.insert((begun, after, reached));
                    } else if steps.is_empty(reached) {
                        // No state is reached any more, wherever the rest of the word ends.
                        found.insert((begun, cx.everything, reached));
                    } else if seen.insert((arc.target, reached, begun, after)) {
                        waiting.push((arc.target, reached, begun, after));
                    }
                }
            }
        }
    }
    let mut found: Vec<Ends> = found.into_iter().collect();
    found.sort_unstable();
    Ok(found)
}

/// The steps of an automaton between two states of another, for given events at both ends.
fn copy(
    right: &mut Saturated,
    nfa: &Nfa,
    number: usize,
    (source, before): (State, Guard),
    (target, after): (State, Guard),
    edges: &mut Vec<Edge>,
    guards: &mut Guards,
) {
    for e in &nfa.edges {
        let first = if e.source == START { guards.and(e.before, before) } else { e.before };
        let second = if e.target == END { guards.and(e.after, after) } else { e.after };
        if first.is_none() || second.is_none() {
            continue;
        }
        let mut name = |state| match state {
            START => source,
            END => target,
            other => right.state((true, number as u32, other, target, after)),
        };
        edges.push(Edge {
            source: name(e.source),
            target: name(e.target),
            label: e.label,
            before: first,
            after: second,
        });
    }
}

/// The coarsest partition of the union of sets of which each set is a union.
fn partition(sets: impl Iterator<Item = Guard>, guards: &mut Guards) -> Vec<Guard> {
    let mut cells: Vec<Guard> = Vec::new();
    for set in sets {
        let mut left = set;
        for index in 0..cells.len() {
            let inside = guards.and(cells[index], set);
            if inside.is_none() {
                continue;
            }
            left = guards.minus(left, inside);
            let outside = guards.minus(cells[index], set);
            if !outside.is_none() {
                cells[index] = inside;
                cells.push(outside);
            }
        }
        if !left.is_none() {
            cells.push(left);
        }
    }
    cells
}
