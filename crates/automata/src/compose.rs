//! Automata of compound terms, from the automata of their parts; every result is reduced.

use crate::budget::Stop;
use crate::context::Context;
use crate::guards::Guard;
use crate::nfa::{Edge, Nfa, State, END, START};
use crate::reduce::reduced;

/// The steps of an automaton, with new numbers for its start, its end and its first other state.
fn shifted(nfa: &Nfa, start: State, end: State, first: State) -> impl Iterator<Item = Edge> + '_ {
    let name = move |state| match state {
        START => start,
        END => end,
        other => first + other - 2,
    };
    nfa.edges.iter().map(move |e| Edge { source: name(e.source), target: name(e.target), ..*e })
}

/// Words of either automaton.
pub fn unite(parts: &[&Nfa], cx: &mut Context) -> Result<Nfa, Stop> {
    let (mut states, mut nullable, mut edges) = (2, Guard::NONE, Vec::new());
    for part in parts {
        edges.extend(shifted(part, START, END, states));
        states += part.states - 2;
        nullable = cx.guards.or(nullable, part.nullable);
    }
    reduced(Nfa::new(states, edges, nullable), cx)
}

/// A word of the first automaton, then one of the second.
pub fn concatenate(left: &Nfa, right: &Nfa, cx: &mut Context) -> Result<Nfa, Stop> {
    let middle = left.states;
    let mut edges: Vec<Edge> = shifted(left, START, middle, 2).collect();
    edges.extend(shifted(right, middle, END, middle + 1));
    for index in 0..edges.len() {
        let e = edges[index];
        if e.target == middle {
            edges.push(Edge { target: END, after: cx.guards.and(e.after, right.nullable), ..e });
        }
        if e.source == middle {
            edges.push(Edge { source: START, before: cx.guards.and(e.before, left.nullable), ..e });
        }
    }
    let nullable = cx.guards.and(left.nullable, right.nullable);
    reduced(Nfa::new(middle + right.states - 1, edges, nullable), cx)
}

/// One or more words, one after the other.
pub fn repeat(body: &Nfa, cx: &mut Context) -> Result<Nfa, Stop> {
    let middle = body.states;
    let mut edges = body.edges.clone();
    for &e in &body.edges {
        let again = [e.source == START, e.target == END];
        if again[0] {
            edges.push(Edge { source: middle, ..e });
        }
        if again[1] {
            edges.push(Edge { target: middle, ..e });
        }
        if again == [true; 2] {
            edges.push(Edge { source: middle, target: middle, ..e });
        }
    }
    reduced(Nfa::new(body.states + 1, edges, body.nullable), cx)
}

/// The inverse relation: words backwards, with each step inverted.
pub fn reverse(nfa: &Nfa, cx: &Context) -> Nfa {
    let swap = |state| match state {
        START => END,
        END => START,
        other => other,
    };
    let turned = |e: &Edge| Edge {
        source: swap(e.target),
        label: cx.relation(e.label).inverse,
        target: swap(e.source),
        before: e.after,
        after: e.before,
    };
    Nfa::new(nfa.states, nfa.edges.iter().map(turned).collect(), nfa.nullable)
}

/// The rotational closure: for each state the words from there to the end, then from the start to it.
pub fn rotate(nfa: &Nfa, cx: &mut Context) -> Result<Nfa, Stop> {
    let mut parts = vec![nfa.clone()];
    for state in 2..nfa.states {
        let (after, until) = (from(nfa, state, cx)?, until(nfa, state, cx)?);
        parts.push(concatenate(&after, &until, cx)?);
    }
    unite(&parts.iter().collect::<Vec<_>>(), cx)
}

/// The words from a state to the end.
fn from(nfa: &Nfa, state: State, cx: &mut Context) -> Result<Nfa, Stop> {
    let old_start = nfa.states;
    let moved = |e: &Edge| Edge { source: if e.source == START { old_start } else { e.source }, ..*e };
    let mut edges: Vec<Edge> = nfa.edges.iter().map(moved).collect();
    let begun: Vec<Edge> =
        edges.iter().filter(|e| e.source == state).map(|e| Edge { source: START, ..*e }).collect();
    edges.extend(begun);
    reduced(Nfa::new(old_start + 1, edges, Guard::NONE), cx)
}

/// The words from the start to a state.
fn until(nfa: &Nfa, state: State, cx: &mut Context) -> Result<Nfa, Stop> {
    let backwards = from(&reverse(nfa, cx), state, cx)?;
    Ok(reverse(&backwards, cx))
}
