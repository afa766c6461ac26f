# make demo: a refereed game on the drawn table. make test: everything that CI checks.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

# Compiled tests are kept, whatever the shell says: pytest takes 7 s to compile them anew.
export PYTHONDONTWRITEBYTECODE :=

# Two tests at a time, each on one core: more threads would only wait for each other.
PYTEST := OMP_NUM_THREADS=1 OPENCV_FOR_THREADS_NUM=1 $(BIN)/pytest -q -n 2 --dist worksteal

.PHONY: demo demo-club test quick unit-tests long lint pictures browser club-servers clean pi-install pi-back pi-uninstall

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Dragon Table needs Python 3.11 or newer; try: make PYTHON=python3.11"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/.tools: $(STAMP)
	$(BIN)/python -m pip install --quiet --editable ".[club]" --group dev
	@touch $@

demo: $(STAMP)
	$(BIN)/dragon-table demo

# Five drawn tables, a broker and a hub: a club on one machine.
demo-club: $(VENV)/.club
	$(BIN)/dragon-table club-demo

$(VENV)/.club: $(STAMP)
	$(BIN)/python -m pip install --quiet --editable ".[club]"
	@touch $@

lint: $(VENV)/.tools
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Under 60 s on two cores: the inner loop. Types beside tests, as neither keeps both busy.
quick: $(VENV)/.tools
	@$(MAKE) --no-print-directory -j 2 lint unit-tests

# In memory where there is some, and no more kept there than what failed: hundreds of
# tests have a store, which waits for the disk at each move. `make test` does wait.
unit-tests: $(VENV)/.tools
	TMPDIR=$(firstword $(wildcard /dev/shm) $(TMPDIR) /tmp) $(PYTEST) \
	  -o tmp_path_retention_policy=failed -o tmp_path_retention_count=1 \
	  -m "not slow and not long and not browser and not photos"

# Chromium through apt where that needs no question; tests say it where there is none.
browser:
	@sh tests/get_browser.sh

# A broker and a database for the tests of the club, in the same way; starts neither.
club-servers:
	@sh tests/get_club_servers.sh

# Under 15 minutes on two cores.
test: lint browser club-servers
	$(BIN)/coverage erase
	COVERAGE_PROCESS_START=pyproject.toml $(PYTEST) -m "not long" --cov --cov-report=
	$(BIN)/coverage report --include "companion/games/*" --fail-under 100
	$(BIN)/coverage report --fail-under 90

# Under 60 minutes on two cores; writes tests/LONG.md.
long: $(VENV)/.tools browser club-servers
	$(BIN)/python -m tests.long

# The screenshots of the READMEs.
pictures: $(VENV)/.tools browser
	$(BIN)/pytest -q -m browser tests/dashboard -k pictures

# On a Raspberry Pi, with sudo: install it as a service, or bring it up to date.
pi-install:
	@sh firmware/pi/install.sh

# Back to the version before the last pi-install; and off the Pi, games kept.
pi-back:
	@sh firmware/pi/back.sh

pi-uninstall:
	@sh firmware/pi/uninstall.sh

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage*
