"""Reads the end of a litmus test: ``locations``, ``filter`` and the condition.

Precedence as herd's: ``~`` and ``not`` bind most, then ``/\\``, then ``\\/``, then ``=>``, which is right
associative. ``final P with tso: ~exists; … default: ~exists;`` is an older form of the condition.
"""

from __future__ import annotations

from collections.abc import Callable

from mazurka.errors import Place
from mazurka.litmus.meaning.conditions import (
    FALSE,
    TRUE,
    And,
    Condition,
    Equals,
    Not,
    Or,
    Proposition,
    Quantifier,
)
from mazurka.litmus.meaning.values import Location, Observed, Value
from mazurka.litmus.text.places import Places, Registers
from mazurka.litmus.text.tokens import Token, Tokens

KEYWORDS = ("exists", "forall", "locations", "filter", "final", "observed")
_CONDITION = "end the test with a condition such as: exists (x=1 /\\ 0:r1=0)"
_DEEPEST = 100  # parentheses


class Propositions:
    """Reads propositions about what ``places`` can name."""

    def __init__(self, tokens: Tokens, places: Places, signs: str = "'=' or '<>'") -> None:
        self.tokens = tokens
        self.places = places
        self.signs = signs
        self.depth = 0

    def proposition(self) -> Proposition:
        """The proposition that comes next."""
        left = self._or()
        if self.tokens.accept("=>"):
            return Or((Not(left), self.proposition()))
        return left

    def _or(self) -> Proposition:
        parts = [self._and()]
        while self.tokens.accept("\\/", "||"):
            parts.append(self._and())
        return parts[0] if len(parts) == 1 else Or(tuple(parts))

    def _and(self) -> Proposition:
        parts = [self._not()]
        while self.tokens.accept("/\\", "&&"):
            parts.append(self._not())
        return parts[0] if len(parts) == 1 else And(tuple(parts))

    def _not(self) -> Proposition:
        tokens = self.tokens
        if tokens.accept("~", "not", "!"):
            return self._nested(lambda: Not(self._not()))
        if tokens.peek().text in ("true", "false"):
            return TRUE if tokens.take().text == "true" else FALSE
        if tokens.accept("("):
            inner = self._nested(self.proposition)
            tokens.expect(")", "close the parenthesis")
            return inner
        return self._equation()

    def _nested(self, read: Callable[[], Proposition]) -> Proposition:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise self.tokens.unexpected(
                "the condition is nested too deeply", f"use {_DEEPEST} levels at most"
            )
        found = read()
        self.depth -= 1
        return found

    def _equation(self) -> Proposition:
        tokens, start = self.tokens, self.tokens.peek()
        left = self.places.observed()
        sign = tokens.accept("=", "==", "<>", "!=")
        if not sign:
            raise tokens.unexpected(
                f"expected {self.signs}", "compare a register or a location: 0:r1=1, x=0, x<>0"
            )
        place = tokens.source.place(start.at)
        found: Proposition
        if tokens.peek().text == "{":
            found = self._elements(left, place)
        else:
            found = Equals(left, self._side(), place)
        return Not(found) if sign.text in ("<>", "!=") else found

    def _elements(self, left: Observed, place: Place) -> Proposition:
        """An array with all its values."""
        tokens = self.tokens
        brace = tokens.take()
        if not isinstance(left, Location) or left.index is not None:
            raise tokens.source.problem(
                brace.at, "only a location can have several values", hint="write one value"
            )
        parts: list[Proposition] = []
        while not tokens.accept("}"):
            parts.append(Equals(Location(left.name, len(parts)), self._side(), place))
            if tokens.peek().text != "}":
                tokens.expect(",", "separate the values of an array by ','")
        return And(tuple(parts))

    def _side(self) -> Observed | Value:
        """The right side of an equation: a value; ``[x]`` and ``0:r1`` stand for what is there."""
        tokens = self.tokens
        if tokens.peek().text in ("[", "*"):
            return self.places.location()
        if self.places.at_thread() and self.places.registers(tokens.peek(2).text) is not None:
            return self.places.observed()
        return self.places.value()


class Question(Propositions):
    """What a test asks."""

    def __init__(self, tokens: Tokens, registers: Registers) -> None:
        super().__init__(tokens, Places(tokens, registers))
        self.shown: tuple[Observed, ...] = ()
        self.filter: Proposition = TRUE
        self.condition = Condition(Quantifier.FORALL, TRUE, tokens.source.place(tokens.peek().at))
        while self._locations() or self._filter():
            pass
        self._condition()
        while tokens.accept(";"):
            pass
        if tokens.peek().kind != "end":
            raise tokens.unexpected("the test ends with its condition", "remove what follows it")

    def _locations(self) -> bool:
        """Reads a list of what belongs to the states, if one comes next."""
        tokens = self.tokens
        if not tokens.accept("locations", "observed"):
            return False
        tokens.expect("[", "list them as in: locations [x; 0:r1;]")
        while not tokens.accept("]"):
            if tokens.accept(";"):
                continue
            self.shown += (self.places.observed(),)
            if tokens.peek().text == ":":  # a type behind it: only the way it is printed depends on it
                tokens.take()
                tokens.name("a type", "list locations as in: locations [x; 0:r1;]")
                tokens.accept("*")
            if tokens.peek().text not in (";", "]"):
                raise tokens.unexpected("expected ';' or ']'", "list them as in: locations [x; 0:r1;]")
        return True

    def _filter(self) -> bool:
        """Reads a filter, if one comes next; executions have to pass all of them."""
        if not self.tokens.accept("filter"):
            return False
        proposition = self.proposition()
        self.filter = proposition if self.filter is TRUE else And((self.filter, proposition))
        self.tokens.accept(";")
        return True

    def _condition(self) -> None:
        tokens, start = self.tokens, self.tokens.peek()
        place = tokens.source.place(start.at)
        if start.kind == "end":
            return
        if tokens.accept("final"):
            proposition = self.proposition()
            text = self._text(start)
            self.condition = Condition(self._verdicts(), proposition, place, text)
            return
        if tokens.accept("forall"):
            quantifier = Quantifier.FORALL
        elif tokens.accept("~", "not"):
            tokens.expect("exists", _CONDITION)
            quantifier = Quantifier.NOT_EXISTS
        elif tokens.accept("exists"):
            quantifier = Quantifier.EXISTS
        else:
            raise tokens.unexpected("expected a condition", _CONDITION)
        proposition = self.proposition()
        self.condition = Condition(quantifier, proposition, place, self._text(start))

    def _text(self, start: Token) -> str:
        """What was read since a token, on one line."""
        return " ".join(self.tokens.text_since(start).split())

    def _verdicts(self) -> Quantifier:
        """``with model: exists; … default: ~exists;``: what is said by default counts."""
        tokens, found = self.tokens, Quantifier.EXISTS
        tokens.accept(";")
        if not tokens.accept("with"):
            return found
        while tokens.peek().kind == "name":
            model = tokens.take().text
            tokens.expect(":", "write the verdict as in: default: ~exists;")
            negated = tokens.accept("~")
            if not tokens.accept("exists", "forall"):
                raise tokens.unexpected("expected 'exists' or '~exists'", "as in: default: ~exists;")
            if model == "default":
                found = Quantifier.NOT_EXISTS if negated else Quantifier.EXISTS
            tokens.accept(";")
        return found
