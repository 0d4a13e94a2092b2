//! The same words with fewer states and steps.
//!
//! I1: the words stay the same. The smallest automaton is not searched for: that takes longer than it saves.

use crate::budget::Stop;
use crate::context::Context;
use crate::guards::{Guard, Guards};
use crate::hashing::Map;
use crate::nfa::{reachable, Edge, Label, Nfa, State, END, START};

/// How often states are merged; more rarely helps.
const MOST_PASSES: usize = 3;

/// The same words with fewer states: states with the same steps out, or the same steps in, are merged.
pub fn reduced(nfa: Nfa, cx: &mut Context) -> Result<Nfa, Stop> {
    let mut nfa = trimmed(nfa, cx)?;
    for _ in 0..MOST_PASSES {
        let size = nfa.states;
        nfa = merged(nfa, true, cx)?;
        nfa = merged(nfa, false, cx)?;
        if nfa.states == size {
            break;
        }
    }
    Ok(nfa)
}

/// The automaton without states that no word passes, its guards merged.
fn trimmed(nfa: Nfa, cx: &mut Context) -> Result<Nfa, Stop> {
    let size = nfa.states as usize;
    let edges = merged_guards(nfa.edges, cx)?;
    let forward = reachable(size, &[START], edges.iter().map(|e| (e.source, e.target)));
    let backward = reachable(size, &[END], edges.iter().map(|e| (e.target, e.source)));
    let mut names: Vec<Option<State>> = vec![None; size];
    let mut count = 0;
    for state in 0..size {
        if state < 2 || forward[state] && backward[state] {
            names[state] = Some(count);
            count += 1;
        }
    }
    let kept = edges.into_iter().filter_map(|e| {
        let (source, target) = (names[e.source as usize]?, names[e.target as usize]?);
        Some(Edge { source, target, ..e })
    });
    Ok(Nfa::new(count, kept.collect(), nfa.nullable))
}

/// The same steps: those between the same states that differ in only one guard are merged.
pub(crate) fn merged_guards(mut edges: Vec<Edge>, cx: &mut Context) -> Result<Vec<Edge>, Stop> {
    for _ in 0..2 {
        cx.budget.spend(2 * edges.len())?;
        edges.sort_unstable();
        edges = joined(edges, |e| (e.source, e.label, e.target, e.before), |e| &mut e.after, &mut cx.guards);
        edges.sort_unstable_by_key(|e| (e.source, e.label, e.target, e.after));
        edges = joined(edges, |e| (e.source, e.label, e.target, e.after), |e| &mut e.before, &mut cx.guards);
    }
    edges.sort_unstable();
    Ok(edges)
}

type Key = (State, Label, State, Guard);

/// Neighbours with the same key, merged: the other guard is the union.
fn joined(
    edges: Vec<Edge>,
    key: impl Fn(&Edge) -> Key,
    guard: impl Fn(&mut Edge) -> &mut Guard,
    guards: &mut Guards,
) -> Vec<Edge> {
    let mut found: Vec<Edge> = Vec::with_capacity(edges.len());
    for mut e in edges {
        match found.last_mut() {
            Some(last) if key(last) == key(&e) => {
                let whole = guards.or(*guard(last), *guard(&mut e));
                *guard(last) = whole;
            }
            _ => found.push(e),
        }
    }
    found
}

/// Merges states that cannot be distinguished by what follows (or by what comes before).
fn merged(nfa: Nfa, forward: bool, cx: &mut Context) -> Result<Nfa, Stop> {
    let block = partition(&nfa, forward, cx)?;
    let count = block.iter().max().map_or(0, |most| most + 1);
    if count == nfa.states {
        return Ok(nfa);
    }
    let mut names: Vec<Option<State>> = vec![None; count as usize];
    names[block[START as usize] as usize] = Some(START);
    names[block[END as usize] as usize] = Some(END);
    let mut next = 2;
    for &number in &block {
        if names[number as usize].is_none() {
            names[number as usize] = Some(next);
            next += 1;
        }
    }
    let name = |state: State| names[block[state as usize] as usize].unwrap_or(state);
    let edges = nfa.edges.iter().map(|e| Edge { source: name(e.source), target: name(e.target), ..*e });
    trimmed(Nfa::new(count, edges.collect(), nfa.nullable), cx)
}

type Way = (Label, Guard, Guard, State);

/// The coarsest partition in which states of one block have the same ways to the same blocks.
fn partition(nfa: &Nfa, forward: bool, cx: &mut Context) -> Result<Vec<State>, Stop> {
    let size = nfa.states as usize;
    let mut ways: Vec<Vec<Way>> = vec![Vec::new(); size];
    for e in &nfa.edges {
        let (here, there) = if forward { (e.source, e.target) } else { (e.target, e.source) };
        ways[here as usize].push((e.label, e.before, e.after, there));
    }
    let mut block: Vec<State> = vec![0; size];
    block[START as usize] = 1;
    block[END as usize] = 2;
    let mut count = 0;
    loop {
        cx.budget.spend(nfa.edges.len() + size)?;
        let mut numbers: Map<(State, Vec<Way>), State> = Map::default();
        let mut following = vec![0; size];
        for state in 0..size {
            let mut seen: Vec<Way> = ways[state]
                .iter()
                .map(|&(label, b, a, there)| (label, b, a, block[there as usize]))
                .collect();
            seen.sort_unstable();
            seen.dedup();
            let next = numbers.len() as State;
            following[state] = *numbers.entry((block[state], seen)).or_insert(next);
        }
        let now = numbers.len();
        block = following;
        if now == count {
            return Ok(block);
        }
        count = now;
    }
}

/// The first events for which other pairs of guards do not allow all of the second ones.
pub(crate) fn uncovered(
    before: Guard,
    after: Guard,
    others: &[(Guard, Guard)],
    guards: &mut Guards,
) -> Guard {
    // Parts of the first events, with the second ones that are not allowed yet.
    let mut cells = vec![(before, after)];
    for &(first, second) in others {
        let mut split = Vec::with_capacity(cells.len() + 1);
        for (cell, missing) in cells {
            let (inside, rest) = (guards.and(cell, first), guards.minus(missing, second));
            if rest == missing || inside.is_none() {
                split.push((cell, missing));
                continue;
            }
            let outside = guards.minus(cell, first);
            if !outside.is_none() {
                split.push((outside, missing));
            }
            if !rest.is_none() {
                split.push((inside, rest));
            }
        }
        cells = split;
    }
    cells.into_iter().fold(Guard::NONE, |all, (cell, _)| guards.or(all, cell))
}
