# `make check` installs the package with its development tools, and does what CI does except for the larger profile of the tests (`make test-ci`) and the benchmarks.
PYTHON ?= python

.PHONY: check develop format lint types rust test test-ci coverage docs bench

check: develop format lint types rust test docs

develop:
	$(PYTHON) -m pip install '.[dev]'

format:
	$(PYTHON) -m ruff format --check .
	cargo fmt --all --check

lint:
	$(PYTHON) -m ruff check .
	cargo clippy --workspace --all-targets -- -D warnings

types:
	$(PYTHON) -m mypy

rust:
	cargo test --package mazurka-engine --package mazurka-automata --package mazurka-machine

test:
	$(PYTHON) -m pytest

test-ci:
	MAZURKA_PROFILE=ci $(PYTHON) -m pytest

# Which lines the tests run, in Python and in Rust.
coverage:
	$(PYTHON) tests/measure_coverage.py

docs:
	RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps --document-private-items --quiet
	$(PYTHON) -m mkdocs build --strict # with --quiet it would ignore warnings
	$(PYTHON) -m pytest tests/quality/test_tree.py tests/quality/test_site.py

bench:
	$(PYTHON) -m benchmarks
