# Two commands do everything: `make serve` to read, `make test` to check. `make help` lists the rest.

PYTHON ?= python3
PORT   ?= 8000
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install --disable-pip-version-check --quiet

# MkDocs prints a notice about its successor, and the kernel's debugger one about frozen modules.
export NO_MKDOCS_2_WARNING = 1
export PYDEVD_DISABLE_FILE_VALIDATION = 1

.DEFAULT_GOAL := help
.PHONY: help setup serve build verify check test bench site-report mutants mutate-docs outputs values format lint clean

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(VENV)/.docs $(VENV)/.test ## install all that reading and testing need into .venv

serve: $(VENV)/.docs ## read both languages at http://127.0.0.1:8000/ with live reload (or PORT=8001)
	$(BIN)/mkdocs serve --dev-addr 127.0.0.1:$(PORT)

build: $(VENV)/.docs ## build both languages into site/
	$(BIN)/mkdocs build

# Hypothesis's pytest plugin takes seconds at the end of a run, and no page test needs it.
verify: $(VENV)/.test ## check every page, lab, printed output and figure, in seconds
	$(BIN)/python -m pytest -p no:hypothesispytest docs/ja docs/en tests/docs -m "not slow and not build and not machinery"

check: $(VENV)/.test ## check single pages in both languages: make check PAGES=docs/en/scaling.md
	$(BIN)/python -m tests.docs.check $(PAGES)

test: $(VENV)/.test lint ## run every test and check; this is what CI runs
	$(BIN)/python -m tests.browser.chromium
	$(BIN)/python -m pytest -n auto --dist loadfile

bench: $(VENV)/.test ## measure speed and memory of attention_core, in ratios
	$(BIN)/python -m tests.bench

site-report: $(VENV)/.test ## measure the live lesson in a browser: time of an update, bytes, requests
	$(BIN)/python -m tests.browser.report_bank

mutants: $(VENV)/.mutation ## change attention_core in small ways and see its tests fail (half an hour)
	MPLBACKEND=Agg $(BIN)/mutmut run
	$(BIN)/mutmut results

mutate-docs: $(VENV)/.test ## change every documented figure and see the checks turn red (minutes)
	$(BIN)/python -m tests.docs.mutate_docs

outputs: $(VENV)/.test ## record anew what every lab prints, and the values of bound figures
	$(BIN)/python -m tests.docs.record_outputs
	$(BIN)/python -m tests.docs.record_values

values: $(VENV)/.test ## record the values of bound figures alone, in seconds
	$(BIN)/python -m tests.docs.record_values

format: $(VENV)/.test ## format the Python code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lint: $(VENV)/.test ## check formatting, style and types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

clean: ## remove the built site and the caches, but not .venv
	rm -rf mutants site .cache .pytest_cache .mypy_cache .ruff_cache

# Each stamp is renewed when the requirements change; once they are met no network is needed.
$(VENV)/bin/python:
	@command -v $(PYTHON) >/dev/null || { echo "$(PYTHON) was not found; install Python 3.11 or newer, or name yours: make PYTHON=python3.12 serve"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "$(PYTHON) is older than 3.11; name a newer one: make PYTHON=python3.12 serve"; exit 1; }
	@echo "Making the environment $(VENV) ..."
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.docs: pyproject.toml constraints.txt | $(VENV)/bin/python
	@echo "Installing what the site needs into $(VENV) (once, about a minute) ..."
	@$(PIP) -c constraints.txt --editable '.[docs]'
	@touch $@

$(VENV)/.test: pyproject.toml constraints.txt | $(VENV)/.docs
	@echo "Installing what the tests need into $(VENV) (once; PyTorch is large) ..."
	@$(PIP) -c constraints.txt --editable '.[test]'
	@touch $@

$(VENV)/.mutation: pyproject.toml constraints.txt | $(VENV)/.test
	@echo "Installing the mutation tester into $(VENV) (once) ..."
	@$(PIP) -c constraints.txt --editable '.[mutation]'
	@touch $@
