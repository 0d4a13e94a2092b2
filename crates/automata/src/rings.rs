//! Automata of forbidden cycles bent into rings: the end is the start, one round later.
//!
//! Nodes are states before and after the seam; the end is the start behind it.

use crate::budget::Stop;
use crate::context::Context;
use crate::guards::Guard;
use crate::nfa::{reachable, Edge, Nfa, State, END, START};
use crate::reduce::reduced;
use crate::saturated::Saturated;

/// A place on a ring.
pub(crate) fn node(state: State, rounds: State) -> State {
    if state == END {
        2 * START + rounds + 1
    } else {
        2 * state + rounds
    }
}

/// Steps bent into a ring; none goes round twice.
pub(crate) fn bent<'a>(edges: impl Iterator<Item = &'a Edge>) -> Vec<Edge> {
    let mut ring = Vec::new();
    for &e in edges {
        let last = if e.source == END || e.target == END { 0 } else { 1 };
        for rounds in 0..=last {
            ring.push(Edge { source: node(e.source, rounds), target: node(e.target, rounds), ..e });
        }
    }
    ring
}

/// The words that lead from the ends of some steps round to their beginnings, between events of two sets.
///
/// With `one_location`, only by steps that keep the location.
pub fn words_round(
    right: &Saturated,
    steps: &[Edge],
    (before, after): (Guard, Guard),
    one_location: bool,
    cx: &mut Context,
) -> Result<Vec<Nfa>, Stop> {
    let kept: Vec<Edge> = right
        .edges
        .iter()
        .filter_map(|e| {
            let label = if one_location { cx.relation(e.label).one_location? } else { e.label };
            Some(Edge { label, ..*e })
        })
        .collect();
    let ring = bent(kept.iter());
    steps
        .iter()
        .map(|step| {
            let starts = cx.guards.and(step.after, after);
            let ends = cx.guards.and(step.before, before);
            let nodes = 2 * right.states;
            way(&ring, nodes, (node(step.target, 0), starts), (node(step.source, 1), ends), cx)
        })
        .collect()
}

/// The words from one node to another, between given events.
fn way(
    ring: &[Edge],
    nodes: State,
    (first, starts): (State, Guard),
    (last, ends): (State, Guard),
    cx: &mut Context,
) -> Result<Nfa, Stop> {
    cx.budget.spend(2 * ring.len())?;
    let forward = reachable(nodes as usize, &[first], ring.iter().map(|e| (e.source, e.target)));
    let backward = reachable(nodes as usize, &[last], ring.iter().map(|e| (e.target, e.source)));
    let on_the_way = |node: State| forward[node as usize] && backward[node as usize];
    let mut edges = Vec::new();
    for e in ring.iter().filter(|e| on_the_way(e.source) && on_the_way(e.target)) {
        let inner = Edge { source: e.source + 2, target: e.target + 2, ..*e };
        let begun = Edge { source: START, before: cx.guards.and(e.before, starts), ..inner };
        let firsts = if e.source == first { &[inner, begun][..] } else { &[inner][..] };
        for one in firsts {
            edges.push(*one);
            if e.target == last {
                edges.push(Edge { target: END, after: cx.guards.and(one.after, ends), ..*one });
            }
        }
    }
    reduced(Nfa::new(nodes + 2, edges, Guard::NONE), cx)
}
