# make run   set up, then show the main job on real input
# make test  set up, then pass the tests
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PYTHON ?= python3

# What the llmlingua2 extra is tested with. torch first and by exact version, so that a CPU build at hand is taken.
ML_VENV := .venv-ml
ML_BIN := $(ML_VENV)/bin
ML_STAMP := $(ML_VENV)/.installed
TORCH := torch==2.13.0

.PHONY: run vocab model eval figures test bench lint table clean setup ml test-ml

run: vocab
	@echo '$$ silp decode --extract --as calls fixtures/answers/thoughts.txt   # what a model wrote, and the calls in it'
	@cat fixtures/answers/thoughts.txt
	@echo
	@$(BIN)/silp decode --extract --as calls fixtures/answers/thoughts.txt || test $$? = 1  # one call of it is broken
	@echo
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

test: vocab model
	$(BIN)/python -m pytest -n auto --dist worksteal

bench: vocab
	$(BIN)/python -m pytest tests/bench -s

# The tokenizers' vocabularies, into the user's cache (SILP_VOCAB_DIR moves it); what is there is left alone.
vocab: $(STAMP)
	$(BIN)/silp vocab pull

# The smallest model, for the tests (100 MB, in the cache beside the vocabularies).
model: $(STAMP)
	@$(BIN)/silp model pull smollm2-135m

# From nothing to a report: fetch models, let them read and write some of the cases kept for the final figures, rank.
# Under ten minutes on two cores; a run that was stopped goes on. EVAL_CASES=60 asks about all, for hours.
EVAL_MODELS ?= smollm2-135m qwen2.5-coder-0.5b
EVAL_CASES ?= 8
EVAL_DIR ?= build/eval

eval: vocab
	$(BIN)/silp model pull $(EVAL_MODELS)
	mkdir -p $(EVAL_DIR)
	set -e; for model in $(EVAL_MODELS); do \
	  $(BIN)/silp eval --model $$model --split final --limit $(EVAL_CASES) --logprobs --max-tokens 300 --timeout 600 \
	    -o $(EVAL_DIR)/results.jsonl fixtures/eval/cases.jsonl; done
	for task in read write; do \
	  $(BIN)/silp rank $(EVAL_DIR)/results.jsonl --task $$task --html $(EVAL_DIR)/rank-$$task.html; done
	@echo 'the report is in $(EVAL_DIR)'

# The figures of the README and the manual, from the recorded measurements.
figures: $(STAMP)
	$(BIN)/silp rank fixtures/eval/results/*.jsonl --task read
	$(BIN)/silp rank fixtures/eval/results/*.jsonl --task write

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# What the parser of ordinary command lines knows, from the declarations in silp_cli/cli.
table: $(STAMP)
	$(BIN)/python -m silp_cli.cli.make_table

# The fifth frontend with its model libraries, in an environment of its own (about 1.2 GB).
ml: $(ML_STAMP)
	@echo 'installed; try: $(ML_BIN)/silp compile -f llmlingua2 --help'

$(ML_STAMP): pyproject.toml
	test -x $(ML_BIN)/python || $(PYTHON) -m venv $(ML_VENV)
	$(ML_BIN)/python -m pip install --quiet --upgrade pip
	$(ML_BIN)/python -m pip install --quiet $(TORCH)
	$(ML_BIN)/python -m pip install --quiet --editable '.[dev,llmlingua2]'
	touch $(ML_STAMP)

test-ml: $(ML_STAMP)
	$(ML_BIN)/silp vocab pull gpt-3.5
	$(ML_BIN)/python -m pytest tests/ml

clean:
	rm -rf $(VENV) $(ML_VENV) build dist
