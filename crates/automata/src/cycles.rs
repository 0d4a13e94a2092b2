//! Cycles: which cyclic words an assumed irreflexive relation forbids (thesis §3.5, Prop. 8-11).
//!
//! A cyclic word is forbidden if one of its rotations, or of its powers' rotations, is a word of the relation.
//! Instead of building the rotational closure, the automaton is bent into a ring (its end is its start, one
//! round later), and a cyclic word is forbidden if it leads from some state round to the same state.
//! Departs 1: not all states are tried at once. The search starts with the start alone, and takes in another
//! one when a word that was found turns out to be forbidden from there; so the sets that it keeps stay small. It
//! begins anew only after several such words, as most of what it knows is lost then.
//! Departs 2: deduplication is found in the same way: `w` leads from p to q and from q to p, going round once.

use crate::budget::Stop;
use crate::context::Context;
use crate::guards::Guard;
use crate::hashing::{Map, Set};
use crate::nfa::{reachable, Edge, State, START};
use crate::rings::bent;
use crate::saturated::Saturated;
use crate::search::{Search, Word};
use crate::steps::{members, Bits, Steps};

/// Nodes p to q, q to r, … each by one round of the word.
type Chain = Vec<(State, State)>;

/// So many new chains are gathered before the search begins anew.
const MOST_NEW_CHAINS: usize = 8;

/// A search for cyclic words that no automaton of forbidden cycles forbids.
pub struct CycleSearch {
    left: Vec<Edge>,
    ring: Vec<Edge>,
    nodes: State,
    events: Guard,
    /// The nodes from which the search follows the ring, and what it takes to have come round.
    starts: Vec<State>,
    chains: Vec<Chain>,
    /// What the search does not know of yet.
    new_chains: Vec<Chain>,
    search: Search,
    given: Set<Word>,
    size: usize,
}

impl CycleSearch {
    /// A search among the cyclic words of one automaton over letters, between some events.
    pub fn new(
        left: Vec<Edge>,
        forbidden: &Saturated,
        events: Guard,
        cx: &mut Context,
    ) -> Result<Self, Stop> {
        let letters = cx.over_letters(forbidden.edges.iter())?;
        let ring = bent(letters.iter());
        let (nodes, starts) = (2 * forbidden.states, vec![2 * START]);
        let chains = vec![vec![(2 * START, 2 * START + 1)]];
        let search = product(&left, &ring, nodes, events, &starts, &chains);
        let (new_chains, given) = (Vec::new(), Set::default());
        Ok(CycleSearch { left, ring, nodes, events, starts, chains, new_chains, search, given, size: 0 })
    }

    /// How many places were looked at.
    pub fn size(&self) -> usize {
        self.size + self.search.size()
    }

    /// The next cyclic word that is not forbidden.
    pub fn next_word(&mut self, cx: &mut Context) -> Result<Option<Word>, Stop> {
        loop {
            while let Some(word) = self.search.next_word(cx)? {
                let reached = self.walks(&word, cx)?;
                if self.new_chains.iter().any(|chain| leads(&reached, chain)) {
                    continue;
                }
                if let Some(chain) = self.closing(&reached) {
                    self.new_chains.push(chain);
                    if self.new_chains.len() >= MOST_NEW_CHAINS {
                        break;
                    }
                } else if self.given.insert(word.clone()) {
                    return Ok(Some(word));
                }
            }
            if self.new_chains.is_empty() {
                return Ok(None);
            }
            self.begin_anew();
        }
    }

    /// Takes in the nodes of new chains.
    fn begin_anew(&mut self) {
        for &(start, _) in self.new_chains.iter().flatten() {
            if !self.starts.contains(&start) {
                self.starts.push(start);
            }
        }
        self.chains.append(&mut self.new_chains);
        self.size += self.search.size();
        self.search = product(&self.left, &self.ring, self.nodes, self.events, &self.starts, &self.chains);
    }

    /// How a cyclic word leads round: by one round of the word if it can be, else by several; from where the search
    /// follows the ring already if it can be.
    fn closing(&self, reached: &[Bits]) -> Option<Chain> {
        let others = (0..self.nodes).step_by(2);
        let tried = self.starts.iter().copied().filter(|start| start % 2 == 0);
        let mut single = tried.chain(others).map(|start| vec![(start, start + 1)]);
        single.find(|chain| leads(reached, chain)).or_else(|| longer(reached))
    }

    /// For each state before the seam the nodes to which one round of a word leads.
    fn walks(&self, word: &Word, cx: &mut Context) -> Result<Vec<Bits>, Stop> {
        let width = (self.nodes as usize).div_ceil(64);
        let empty: Bits = vec![0; width].into();
        let begun = |node: State| {
            let mut bits = empty.clone();
            bits[node as usize / 64] |= 1 << (node % 64);
            bits
        };
        let mut reached: Vec<Bits> = (0..self.nodes).step_by(2).map(begun).collect();
        let events: Vec<_> =
            word.events.iter().map(|&guard| cx.guards.example(guard, cx.variables)).collect();
        for (index, &label) in word.labels.iter().enumerate() {
            let (first, second) = (&events[index], &events[(index + 1) % events.len()]);
            let mut targets: Vec<Option<Bits>> = vec![None; self.nodes as usize];
            for e in self.ring.iter().filter(|e| e.label == label) {
                if cx.guards.has(e.before, first) && cx.guards.has(e.after, second) {
                    let bits = targets[e.source as usize].get_or_insert_with(|| empty.clone());
                    bits[e.target as usize / 64] |= 1 << (e.target % 64);
                }
            }
            cx.budget.spend(self.ring.len())?;
            for set in &mut reached {
                let mut next = empty.clone();
                for target in members(set).filter_map(|state| targets[state as usize].as_ref()) {
                    next.iter_mut().zip(target.iter()).for_each(|(a, b)| *a |= b);
                }
                *set = next;
            }
        }
        Ok(reached)
    }
}

/// Whether a word leads along a chain.
fn leads(reached: &[Bits], chain: &Chain) -> bool {
    chain.iter().all(|&(from, to)| reached[from as usize / 2][to as usize / 64] >> (to % 64) & 1 == 1)
}

/// A chain of nodes that leads round by several rounds of the word, as short as any.
fn longer(reached: &[Bits]) -> Option<Chain> {
    let mut best: Option<Chain> = None;
    for start in (0..reached.len() as State).map(|state| 2 * state) {
        let mut paths: Map<State, Chain> = Map::default();
        paths.insert(start, Vec::new());
        let mut waiting = std::collections::VecDeque::from([start]);
        while let Some(at) = waiting.pop_front() {
            let rounds = at & 1;
            for arrived in members(&reached[at as usize / 2]) {
                let target = arrived | rounds;
                if rounds & arrived & 1 == 1 || paths.contains_key(&target) {
                    continue;
                }
                let mut path = paths[&at].clone();
                path.push((at - rounds, arrived));
                paths.insert(target, path);
                waiting.push_back(target);
            }
        }
        if let Some(found) = paths.remove(&(start + 1)) {
            if best.as_ref().is_none_or(|known| found.len() < known.len()) {
                best = Some(found);
            }
        }
    }
    best
}

/// A search with a copy of the ring for each start.
fn product(
    left: &[Edge],
    ring: &[Edge],
    nodes: State,
    events: Guard,
    starts: &[State],
    chains: &[Chain],
) -> Search {
    let mut numbers: Map<(State, State), State> = Map::default();
    let mut number = |start, node| {
        let next = numbers.len() as State;
        *numbers.entry((start, node)).or_insert(next)
    };
    let mut edges = Vec::new();
    for &start in starts {
        let needed: Vec<State> =
            chains.iter().flatten().filter(|(from, _)| *from == start).map(|(_, to)| *to).collect();
        let forward = reachable(nodes as usize, &[start], ring.iter().map(|e| (e.source, e.target)));
        let backward = reachable(nodes as usize, &needed, ring.iter().map(|e| (e.target, e.source)));
        let kept = |node: State| forward[node as usize] && backward[node as usize];
        for e in ring.iter().filter(|e| kept(e.source) && kept(e.target)) {
            edges.push(Edge { source: number(start, e.source), target: number(start, e.target), ..*e });
        }
    }
    let begun: Vec<State> = starts.iter().map(|&start| number(start, start)).collect();
    let ends: Vec<Vec<State>> =
        chains.iter().map(|chain| chain.iter().map(|&(from, to)| number(from, to)).collect()).collect();
    let mut steps = Steps::new(numbers.len() as State, &edges);
    let accepting = ends
        .into_iter()
        .map(|states| {
            let set = steps.set(states);
            steps.bits(set).into()
        })
        .collect();
    let begin = steps.set(begun);
    Search::new(left, steps, begin, accepting, events, true)
}
