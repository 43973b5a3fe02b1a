# Everything a person or a machine does with a checkout. `make` alone lists it.
.DEFAULT_GOAL := help
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c

VENV := .venv
BIN := $(VENV)/bin
# What to test, and more arguments for pytest: make test T=tests/corpus ARGS="-k import"
T ?= tests
ARGS ?=
WORKERS ?= 2
# What starter-figures scores: a folder with system.json, or a baseline's name.
SYSTEM ?= starter
# Installed first and outside the lock: which build fits depends on the machine, and
# pip takes a local one where there is one.
TORCH := torch==2.13.0
LOCK_KEY := $(shell cksum < requirements.lock | cut -d' ' -f1)
INSTALLED := $(VENV)/.installed-$(LOCK_KEY)

.PHONY: help setup run test lint format screenshots demo-reset starter-figures scorer \
	lock audit

help:  ## List the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

setup: $(INSTALLED)  ## Create .venv and install the locked packages

# The file's name carries the lock's checksum: a changed lock installs again, and an
# unchanged one costs nothing.
$(INSTALLED):
	@scripts/find-python > /dev/null
	test -x $(BIN)/python || "$$(scripts/find-python)" -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "$(TORCH)"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check \
		--require-hashes -r requirements.lock
	rm -f $(VENV)/.installed-*
	touch $@

run: setup  ## Start the site, its workers and its broker (Ctrl+C stops all)
	@exec $(BIN)/python -m config.run

test: setup  ## Run the tests (T=path, ARGS="more for pytest")
	@scripts/install-chromium
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup $(T) $(ARGS)

lint: setup  ## Check style, types, layers, dependencies, migrations, templates
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/djlint templates --lint --quiet
	$(BIN)/lint-imports
	$(BIN)/deptry .
	DJANGO_SETTINGS_MODULE=config.test_settings $(BIN)/python manage.py \
		makemigrations --check --dry-run
	$(BIN)/mypy .
	@scripts/check-javascript

format: setup  ## Rewrite the code in the one style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

screenshots: setup  ## Take the pictures of the documentation again
	CLAIMDESK_KEEP_SCREENSHOTS=1 $(BIN)/python -m pytest tests/browser -k pictures

demo-reset: setup  ## Put the demo projects back to their first state
	$(BIN)/python manage.py load_demo --reset

starter-figures: setup  ## Score a verification system (SYSTEM=folder) on the public sets
	$(BIN)/python -m benchmarks.pipeline_figures $(SYSTEM)

scorer: setup  ## Build build/claimdesk-scorer.pyz, the scorer as one file (needs numpy)
	$(BIN)/python -m scripts.build_scorer build/claimdesk-scorer.pyz

lock: setup  ## Renew requirements.lock from pyproject.toml
	@mkdir -p build && echo "$(TORCH)" > build/torch.txt
	$(BIN)/pip-compile pyproject.toml --extra dev --output-file requirements.lock \
		--constraint build/torch.txt \
		--generate-hashes --strip-extras --unsafe-package torch --unsafe-package pip \
		--no-emit-options --no-emit-index-url --no-emit-find-links \
		--no-header --annotation-style line --quiet $(ARGS)

audit: setup  ## Ask the advisory databases about the locked packages (needs the network)
	$(BIN)/pip-audit --requirement requirements.lock --disable-pip
