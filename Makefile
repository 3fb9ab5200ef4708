# Each target is one line that calls `python -m …`, so that a machine without
# make loses nothing. On Windows: make PYTHON=py lesson-03, or py -m lessons 03.
PYTHON ?= python3
# STEP=1, NODE=1 and SERVER="any command" reach the programs as environment variables.
export STEP SERVER NODE

.PHONY: help setup test soak check notebooks lab docs records tags stages bench cost-live migrate
.DEFAULT_GOAL := help

help:         ; @$(PYTHON) -m lessons --help
setup:        ; @$(PYTHON) -m tools.setup
test:         ; @$(PYTHON) -m tools.test
soak:         ; @$(PYTHON) -m tools.test --soak
notebooks:    ; @$(PYTHON) -m tools.nb --run
lab:          ; @$(PYTHON) -m tools.nb --lab
docs:         ; @$(PYTHON) -m tools.docs --update
records:      ; @$(PYTHON) -m tools.record --all
stages:       ; @$(PYTHON) -m tools.stages check
tags:         ; @$(PYTHON) -m tools.stages tags
bench:        ; @$(PYTHON) -m tools.bench
cost-live:    ; @$(PYTHON) -m tools.cost_live
migrate:      ; @$(PYTHON) -m tools.migration
check:        ; @$(PYTHON) -m lessons check
lesson-%:     ; @$(PYTHON) -m lessons $*
check-%:      ; @$(PYTHON) -m lessons check $*
exercise-%:   ; @$(PYTHON) -m lessons exercise $*
quiz-%:       ; @$(PYTHON) -m lessons quiz $*
diff-%:       ; @$(PYTHON) -m tools.stages diff $*
