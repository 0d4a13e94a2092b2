//! Random small automata against what they mean: all short words, and all pairs of small graphs.

use crate::steps::members;
use crate::{
    concatenate, inclusion, reduced, repeat, reverse, saturate, unite, words_round, Budget, Context,
    CycleSearch, Edge, Guard, Label, Language, Nfa, Relation, Rule, Saturated, State, Stop, END, START,
};
use std::time::Duration;

const VARIABLES: usize = 2;
const LETTERS: Label = 2; // and as many labels for their inverses
const EVENTS: usize = 1 << VARIABLES;

/// A reproducible source of numbers.
struct Draw(u64);

impl Draw {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(limit)) as u32
    }

    fn guard(&mut self, cx: &mut Context) -> Guard {
        let (one, two) = (cx.guards.variable(0), cx.guards.variable(1));
        match self.below(8) {
            0 => one,
            1 => cx.guards.not(one),
            2 => two,
            3 => cx.guards.or(one, two),
            4 => cx.guards.minus(two, one),
            _ => Guard::ALL,
        }
    }

    fn nfa(&mut self, cx: &mut Context) -> Nfa {
        let states = 2 + self.below(3);
        let mut edges = Vec::new();
        for _ in 0..1 + self.below(6) {
            // Nothing leads to the start or from the end.
            let from = self.below(states - 1);
            let source = if from == START { START } else { from + 1 };
            let target = 1 + self.below(states - 1);
            let label = self.below(u32::from(LETTERS)) as Label;
            edges.push(Edge { source, label, target, before: self.guard(cx), after: self.guard(cx) });
        }
        let nullable = if self.below(4) == 0 { self.guard(cx) } else { Guard::NONE };
        Nfa::new(states, edges, nullable)
    }
}

fn context() -> Context {
    let mut cx = Context::new(VARIABLES, Budget::endless());
    for label in 0..2 * LETTERS {
        let inverse = (label + LETTERS) % (2 * LETTERS);
        let known = Relation {
            inverse,
            within: vec![label],
            parts: vec![label],
            one_location: Some(label),
            ..Relation::default()
        };
        cx.relations.push(known);
    }
    cx
}

fn event(number: usize) -> Vec<bool> {
    (0..VARIABLES).map(|bit| number >> bit & 1 == 1).collect()
}

/// A word: its events, and the labels between them.
type Plain = (Vec<usize>, Vec<Label>);

fn accepts(nfa: &Nfa, (events, labels): &Plain, cx: &Context) -> bool {
    let mut here = vec![START];
    for (index, &label) in labels.iter().enumerate() {
        let (first, second) = (event(events[index]), event(events[index + 1]));
        let enabled = |e: &&Edge| {
            e.label == label
                && here.contains(&e.source)
                && cx.guards.has(e.before, &first)
                && cx.guards.has(e.after, &second)
        };
        here = nfa.edges.iter().filter(enabled).map(|e| e.target).collect();
    }
    if labels.is_empty() {
        cx.guards.has(nfa.nullable, &event(events[0]))
    } else {
        here.contains(&END)
    }
}

/// All words of up to three letters; shorter ones first.
fn words() -> Vec<Plain> {
    let mut found: Vec<Plain> = (0..EVENTS).map(|first| (vec![first], Vec::new())).collect();
    let mut begin = 0;
    for _ in 0..3 {
        let end = found.len();
        for index in begin..end {
            for label in 0..LETTERS {
                for next in 0..EVENTS {
                    let (mut events, mut labels) = found[index].clone();
                    events.push(next);
                    labels.push(label);
                    found.push((events, labels));
                }
            }
        }
        begin = end;
    }
    found
}

fn part((events, labels): &Plain, from: usize, to: usize) -> Plain {
    (events[from..=to].to_vec(), labels[from..to].to_vec())
}

fn splits(word: &Plain, mut both: impl FnMut(&Plain, &Plain) -> bool) -> bool {
    let size = word.1.len();
    (0..=size).any(|at| both(&part(word, 0, at), &part(word, at, size)))
}

fn repeats(nfa: &Nfa, word: &Plain, cx: &Context) -> bool {
    accepts(nfa, word, cx)
        || splits(word, |one, rest| {
            !one.1.is_empty() && !rest.1.is_empty() && accepts(nfa, one, cx) && repeats(nfa, rest, cx)
        })
}

#[test]
fn compound_automata_have_the_words_of_compound_terms() -> Result<(), Stop> {
    let (mut draw, mut cx) = (Draw(1), context());
    let words = words();
    for _ in 0..40 {
        let (a, b) = (draw.nfa(&mut cx), draw.nfa(&mut cx));
        let (either, both) = (unite(&[&a, &b], &mut cx)?, concatenate(&a, &b, &mut cx)?);
        let (again, fewer) = (repeat(&a, &mut cx)?, reduced(a.clone(), &mut cx)?);
        let twice = reverse(&reverse(&a, &cx), &cx);
        assert_eq!(twice, a);
        for word in &words {
            let one = accepts(&a, word, &cx);
            assert_eq!(accepts(&either, word, &cx), one || accepts(&b, word, &cx));
            assert_eq!(accepts(&fewer, word, &cx), one);
            assert_eq!(accepts(&again, word, &cx), repeats(&a, word, &cx));
            let split = splits(word, |x, y| accepts(&a, x, &cx) && accepts(&b, y, &cx));
            assert_eq!(accepts(&both, word, &cx), split);
        }
    }
    Ok(())
}

#[test]
fn a_search_finds_a_shortest_word_that_is_lacking() -> Result<(), Stop> {
    let (mut draw, mut cx) = (Draw(2), context());
    let (mut found, words) = ([0; 2], words());
    for _ in 0..100 {
        let (a, b) = (draw.nfa(&mut cx), draw.nfa(&mut cx));
        let either = unite(&[&a, &b], &mut cx)?;
        for right in [&b, &either] {
            let letters = cx.exactly(&a.edges);
            let right_side = Saturated::new(right, &mut cx)?;
            let mut search = inclusion(&letters, &right_side, Guard::ALL, &mut cx)?;
            let word = search.next_word(&mut cx)?;
            let lacking = |w: &&Plain| !w.1.is_empty() && accepts(&a, w, &cx) && !accepts(right, w, &cx);
            let shortest = words.iter().find(lacking).map(|w| w.1.len());
            match &word {
                Some(word) if word.labels.len() <= 3 => assert_eq!(Some(word.labels.len()), shortest),
                _ => assert_eq!(shortest, None),
            }
            found[usize::from(word.is_some())] += 1;
        }
    }
    assert!(found.iter().all(|&count| count > 20));
    Ok(())
}

#[test]
fn a_language_answers_many_questions_as_new_searches_do() -> Result<(), Stop> {
    let (mut draw, mut unfinished) = (Draw(29), 0);
    for _ in 0..200 {
        let mut cx = context();
        let right = draw.nfa(&mut cx);
        let lefts: Vec<Nfa> = (0..4).map(|_| draw.nfa(&mut cx)).collect();
        let letters: Vec<Vec<Edge>> = lefts.iter().map(|left| cx.exactly(&left.edges)).collect();
        let right = Saturated::new(&right, &mut cx)?;
        let mut language = Language::new(&right, &mut cx)?;
        for left in letters {
            let mut search = inclusion(&left, &right, Guard::ALL, &mut cx)?;
            let word = search.next_word(&mut cx)?.map(|word| word.labels);
            let found = language.lacks(&left, Guard::ALL, usize::MAX, &mut cx)?;
            assert_eq!(found.word.map(|word| word.labels), word);
            assert_eq!(found.places, search.size());
            // With fewer places, the answer does not say that there is no such word.
            let fewer = language.lacks(&left, Guard::ALL, found.places.saturating_sub(1), &mut cx)?;
            assert!(fewer.word.is_none());
            assert!(!fewer.is_complete || found.places == 0);
            unfinished += usize::from(!fewer.is_complete);
        }
    }
    assert!(unfinished > 100);
    Ok(())
}

/// Whether a rotation of a power of a cyclic word is accepted.
fn forbidden(nfa: &Nfa, (events, labels): &Plain, cx: &Context) -> bool {
    let size = labels.len();
    (0..size).any(|shift| {
        (1..=4).any(|power| {
            let at = |index: usize| (shift + index) % size;
            let turned = (0..=power * size).map(|i| events[at(i)]).collect();
            accepts(nfa, &(turned, (0..power * size).map(|i| labels[at(i)]).collect()), cx)
        })
    })
}

#[test]
fn cyclic_words_are_forbidden_by_rotations_and_powers() -> Result<(), Stop> {
    let (mut draw, mut cx) = (Draw(3), context());
    let (mut found, words) = ([0; 2], words());
    for _ in 0..100 {
        let (a, b) = (draw.nfa(&mut cx), draw.nfa(&mut cx));
        let right = if draw.below(2) == 0 { unite(&[&a, &b], &mut cx)? } else { b };
        let letters = cx.exactly(&a.edges);
        let ring = Saturated::new(&right, &mut cx)?;
        let mut search = CycleSearch::new(letters, &ring, Guard::ALL, &mut cx)?;
        let word = search.next_word(&mut cx)?;
        let escapes = |w: &&Plain| {
            let cyclic = !w.1.is_empty() && w.0.first() == w.0.last();
            cyclic && accepts(&a, w, &cx) && !forbidden(&right, w, &cx)
        };
        let shortest = words.iter().find(escapes).map(|w| w.1.len());
        match &word {
            Some(word) if word.labels.len() <= 3 => assert!(shortest.is_some_and(|s| s <= word.labels.len())),
            Some(_) => {}
            None => assert_eq!(shortest, None),
        }
        found[usize::from(word.is_some())] += 1;
    }
    assert!(found.iter().all(|&count| count > 20));
    Ok(())
}

/// A graph: what its events are, and for each label and event the events that it is related to.
struct Graph {
    events: Vec<usize>,
    rows: Vec<Vec<u64>>,
}

impl Graph {
    fn draw(draw: &mut Draw) -> Self {
        let size = 3;
        let events = (0..size).map(|_| draw.below(EVENTS as u32) as usize).collect();
        let rows =
            (0..LETTERS).map(|_| (0..size).map(|_| u64::from(draw.below(8) & draw.below(8))).collect());
        Graph { events, rows: rows.collect() }
    }

    /// The pairs of an automaton's words, as rows.
    fn pairs(&self, nfa: &Nfa, cx: &Context) -> Vec<u64> {
        let mut rows = Vec::new();
        for first in 0..self.events.len() {
            let mut places: Vec<(State, usize)> = vec![(START, first)];
            let mut index = 0;
            while index < places.len() {
                let (state, at) = places[index];
                index += 1;
                for e in nfa.edges.iter().filter(|e| e.source == state) {
                    for next in members(&[self.rows[usize::from(e.label)][at]]) {
                        let place = (e.target, next as usize);
                        let fits = cx.guards.has(e.before, &event(self.events[at]))
                            && cx.guards.has(e.after, &event(self.events[place.1]));
                        if fits && !places.contains(&place) {
                            places.push(place);
                        }
                    }
                }
            }
            let ends = places.iter().filter(|place| place.0 == END).fold(0, |row, place| row | 1 << place.1);
            let own = u64::from(cx.guards.has(nfa.nullable, &event(self.events[first])));
            rows.push(ends | own << first);
        }
        rows
    }
}

fn within(inner: &[u64], outer: &[u64]) -> bool {
    inner.iter().zip(outer).all(|(a, b)| a & !b == 0)
}

#[test]
fn what_rules_add_is_there_already_in_graphs_that_keep_them() -> Result<(), Stop> {
    let (mut draw, mut cx) = (Draw(4), context());
    cx.relations.iter_mut().for_each(|relation| relation.is_letter = true);
    let (mut grown, words) = (0, words());
    for _ in 0..150 {
        let (right, smaller, larger) = (draw.nfa(&mut cx), draw.nfa(&mut cx), draw.nfa(&mut cx));
        let smaller = Nfa { nullable: Guard::NONE, ..smaller };
        let rule = Rule { smaller: smaller.clone(), larger: larger.clone() };
        let before = Saturated::new(&right, &mut cx)?;
        let after = saturate(before, &[rule], &mut cx)?.nfa();
        for _ in 0..40 {
            let graph = Graph::draw(&mut draw);
            if within(&graph.pairs(&smaller, &cx), &graph.pairs(&larger, &cx)) {
                assert!(within(&graph.pairs(&after, &cx), &graph.pairs(&right, &cx)));
                assert!(within(&graph.pairs(&right, &cx), &graph.pairs(&after, &cx)));
            }
        }
        grown += u32::from(words.iter().any(|w| accepts(&after, w, &cx) && !accepts(&right, w, &cx)));
    }
    assert!(grown > 10, "{grown}");
    Ok(())
}

#[test]
fn words_within_a_relation_are_accepted_where_it_is() -> Result<(), Stop> {
    let mut cx = context();
    // Relation 0 is transitive.
    cx.relations[0].words = vec![(0, 0, 1), (0, 0, 2), (2, 0, 2), (2, 0, 1)];
    cx.relations[0].is_letter = true;
    let one = Nfa::step(0, Guard::ALL, Guard::ALL);
    let more = Saturated::new(&one, &mut cx)?.settled(&mut cx)?.nfa();
    for word in words().iter().filter(|w| !w.1.is_empty()) {
        assert_eq!(accepts(&more, word, &cx), !word.1.contains(&1));
    }
    Ok(())
}

#[test]
fn the_way_round_from_a_step_is_the_rest_of_the_cycle() -> Result<(), Stop> {
    let mut cx = context();
    cx.relations.iter_mut().for_each(|relation| relation.is_letter = true);
    let (a, b) = (Nfa::step(0, Guard::ALL, Guard::ALL), Nfa::step(1, Guard::ALL, Guard::ALL));
    let cycle = concatenate(&concatenate(&a, &b, &mut cx)?, &b, &mut cx)?;
    let right = Saturated::new(&cycle, &mut cx)?;
    let steps = right.whole(0, &mut cx)?;
    let round = words_round(&right, &steps, (Guard::ALL, Guard::ALL), false, &mut cx)?;
    assert_eq!(round.len(), 1);
    for word in words().iter() {
        assert_eq!(accepts(&round[0], word, &cx), word.1 == [1, 1]);
    }
    Ok(())
}

#[test]
fn time_that_is_used_up_ends_every_operation() {
    let mut cx = context();
    cx.budget = Budget::new(Some(Duration::ZERO), None, Box::new(|| false));
    let one = Nfa::step(0, Guard::ALL, Guard::ALL);
    assert_eq!(repeat(&one, &mut cx), Err(Stop::OutOfTime));
    cx.budget = Budget::new(None, None, Box::new(|| true));
    assert_eq!(repeat(&one, &mut cx), Err(Stop::Interrupted));
}
