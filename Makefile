# make run   set up, then show the main job on real input
# make test  set up, then pass the tests
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PYTHON ?= python3

.PHONY: run test bench lint clean setup

run: $(STAMP)
	@echo '$$ silp validate fixtures/kinds.jsonl | silp compile --frontend code'
	@$(BIN)/silp validate fixtures/kinds.jsonl | $(BIN)/silp compile --frontend code
	@echo
	@echo '$$ … | silp decode'
	@$(BIN)/silp validate fixtures/kinds.jsonl | $(BIN)/silp compile --frontend code | $(BIN)/silp decode

setup: $(STAMP)

$(STAMP): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $(STAMP)

test: $(STAMP)
	$(BIN)/python -m pytest

bench: $(STAMP)
	$(BIN)/python -m pytest tests/bench -s

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

clean:
	rm -rf $(VENV) build dist
