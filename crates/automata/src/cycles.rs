//! Cycles: which cyclic words an assumed irreflexive relation forbids (thesis §3.5, Prop. 8-11).
//!
//! A cyclic word is forbidden if one of its rotations, or of its powers' rotations, is a word of the relation.
//! Instead of building the rotational closure, the automaton is bent into a ring (its end is its start, one
//! round later), and a cyclic word is forbidden if it leads from some state round to the same state.
//! Departs 1: not all states are tried at once. The search begins with the start state alone, and adds another one
//! when a word that was found turns out to be forbidden from there, so the sets that it keeps stay small. It starts
//! again only after several such words, because it then loses most of what it knows.
//! Departs 2: deduplication is found in the same way: `w` leads from p to q and from q to p, going round once.

use crate::budget::{Budget, Stop};
use crate::context::Context;
use crate::guards::Guard;
use crate::hashing::{Map, Set};
use crate::nfa::{reachable, Edge, State, START};
use crate::rings::bent;
use crate::saturated::Saturated;
use crate::search::{Search, Word};
use crate::steps::Steps;

/// Nodes of the ring, in their order. A word leads to few of them, so no set has a bit for each.
type Nodes = Vec<State>;

/// Nodes p to q, q to r, … each by one round of the word.
type Chain = Vec<(State, State)>;

/// The number of new chains that are gathered before the search starts again.
const MOST_NEW_CHAINS: usize = 8;

/// A search for cyclic words that no automaton of forbidden cycles forbids.
pub struct CycleSearch {
    left: Vec<Edge>,
    ring: Vec<Edge>,
    nodes: State,
    events: Guard,
    /// The nodes from which the search follows the ring, and which nodes complete a round.
    starts: Vec<State>,
    chains: Vec<Chain>,
    /// Chains that the search does not use yet.
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
        let search = product(&left, &ring, nodes, events, &starts, &chains, &mut cx.budget)?;
        let (new_chains, given) = (Vec::new(), Set::default());
        Ok(CycleSearch { left, ring, nodes, events, starts, chains, new_chains, search, given, size: 0 })
    }

    /// How many places were examined.
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
                if let Some(chain) = self.closing(&reached, &mut cx.budget)? {
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
            self.begin_anew(&mut cx.budget)?;
        }
    }

    /// Adds the nodes of new chains.
    fn begin_anew(&mut self, budget: &mut Budget) -> Result<(), Stop> {
        for &(start, _) in self.new_chains.iter().flatten() {
            if !self.starts.contains(&start) {
                self.starts.push(start);
            }
        }
        self.chains.append(&mut self.new_chains);
        self.size += self.search.size();
        let (starts, chains) = (&self.starts, &self.chains);
        self.search = product(&self.left, &self.ring, self.nodes, self.events, starts, chains, budget)?;
        Ok(())
    }

    /// How a cyclic word leads round: by one round of the word if it can be, else by several; from where the search
    /// follows the ring already if it can be.
    fn closing(&self, reached: &[Nodes], budget: &mut Budget) -> Result<Option<Chain>, Stop> {
        let others = (0..self.nodes).step_by(2);
        let tried = self.starts.iter().copied().filter(|start| start % 2 == 0);
        let mut single = tried.chain(others).map(|start| vec![(start, start + 1)]);
        match single.find(|chain| leads(reached, chain)) {
            Some(chain) => Ok(Some(chain)),
            None => longer(reached, budget),
        }
    }

    /// For each state before the seam the nodes to which one round of a word leads.
    fn walks(&self, word: &Word, cx: &mut Context) -> Result<Vec<Nodes>, Stop> {
        let steps = self.steps_along(word, cx)?;
        let mut reached = Vec::new();
        for start in (0..self.nodes).step_by(2) {
            let mut at = vec![start];
            for step in &steps {
                let mut next: Nodes =
                    at.iter().filter_map(|node| step.get(node)).flatten().copied().collect();
                cx.budget.spend(at.len() + next.len())?;
                next.sort_unstable();
                next.dedup();
                at = next;
            }
            at.shrink_to_fit();
            reached.push(at);
        }
        Ok(reached)
    }

    /// For each step of a word where it leads from each node.
    fn steps_along(&self, word: &Word, cx: &mut Context) -> Result<Vec<Map<State, Nodes>>, Stop> {
        let events: Vec<_> =
            word.events.iter().map(|&guard| cx.guards.example(guard, cx.variables)).collect();
        let mut steps = Vec::new();
        for (index, &label) in word.labels.iter().enumerate() {
            let (first, second) = (&events[index], &events[(index + 1) % events.len()]);
            let mut targets: Map<State, Nodes> = Map::default();
            for e in self.ring.iter().filter(|e| e.label == label) {
                if cx.guards.has(e.before, first) && cx.guards.has(e.after, second) {
                    targets.entry(e.source).or_default().push(e.target);
                }
            }
            cx.budget.spend(self.ring.len())?;
            steps.push(targets);
        }
        Ok(steps)
    }
}

/// Whether a word leads along a chain.
fn leads(reached: &[Nodes], chain: &Chain) -> bool {
    chain.iter().all(|&(from, to)| reached[from as usize / 2].binary_search(&to).is_ok())
}

/// A chain of nodes that leads round by several rounds of the word, as short as any.
fn longer(reached: &[Nodes], budget: &mut Budget) -> Result<Option<Chain>, Stop> {
    let mut best: Option<Chain> = None;
    for start in (0..reached.len() as State).map(|state| 2 * state) {
        let mut paths: Map<State, Chain> = Map::default();
        paths.insert(start, Vec::new());
        let mut waiting = std::collections::VecDeque::from([start]);
        while let Some(at) = waiting.pop_front() {
            let rounds = at & 1;
            let along = &reached[at as usize / 2];
            budget.spend(1 + along.len() * paths[&at].len().max(1))?;
            for &arrived in along {
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
    Ok(best)
}

/// A search with a copy of the ring for each start.
fn product(
    left: &[Edge],
    ring: &[Edge],
    nodes: State,
    events: Guard,
    starts: &[State],
    chains: &[Chain],
    budget: &mut Budget,
) -> Result<Search, Stop> {
    let mut numbers: Map<(State, State), State> = Map::default();
    let mut number = |start, node| {
        let next = numbers.len() as State;
        *numbers.entry((start, node)).or_insert(next)
    };
    let mut edges = Vec::new();
    for &start in starts {
        budget.spend(nodes as usize + 3 * ring.len())?;
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
    Ok(Search::new(left, steps, begin, accepting, events, true))
}
