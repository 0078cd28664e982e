# make run   set up, then show the main job on real input
# make test  set up, then pass the tests
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PYTHON ?= python3

.PHONY: run vocab test bench lint clean setup

run: vocab
	@echo '$$ silp validate fixtures/published.jsonl | silp compile --frontend code'
	@$(BIN)/silp validate fixtures/published.jsonl | $(BIN)/silp compile --frontend code
	@echo
	@echo '$$ … | silp decode'
	@$(BIN)/silp validate fixtures/published.jsonl | $(BIN)/silp compile --frontend code | $(BIN)/silp decode

setup: $(STAMP)

$(STAMP): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $(STAMP)

test: vocab
	$(BIN)/python -m pytest

bench: vocab
	$(BIN)/python -m pytest tests/bench --benchmark-only

# The tokenizers' vocabularies, into the user's cache (SILP_VOCAB_DIR moves it); what is there is left alone.
vocab: $(STAMP)
	$(BIN)/silp vocab pull

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

clean:
	rm -rf $(VENV) build dist
