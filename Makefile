# One line per verb; each makes .venv first when it is missing. Variables: STAGE= SUBMISSIONS= OUT= JOBS= PYTHON=
PYTHON ?= python3
OUT ?= graded/$(STAGE)
JOBS ?= 2
RUN := .venv/bin/python -m

.PHONY: release test test-container doctor grade check mutants lock
release: .venv/installed ; @$(RUN) autograder release
test: .venv/installed-for-tests ; @$(RUN) ruff check . && $(RUN) pytest -m alone -s && $(RUN) pytest -m "not alone" -n 2
test-container: release .venv/installed-for-tests ; @$(RUN) pytest tests/container
check: release ; @$(RUN) autograder check --jobs $(JOBS)
mutants: release ; @$(RUN) autograder mutants --jobs $(JOBS)
doctor: .venv/installed ; @$(RUN) autograder doctor
grade: .venv/installed ; @$(RUN) autograder grade $(STAGE) $(SUBMISSIONS) --out $(OUT) --jobs $(JOBS)

.venv/bin/python:
	@$(PYTHON) -c "import ensurepip, sys; sys.exit(sys.version_info < (3, 10))" || { echo "Needs Python 3.10 or newer with venv: on Debian and Ubuntu, apt install python3-venv"; exit 2; }
	@$(PYTHON) -m venv .venv
.venv/installed: requirements.lock pyproject.toml | .venv/bin/python
	@$(RUN) pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(RUN) pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@
.venv/installed-for-tests: .venv/installed requirements-test.lock
	@$(RUN) pip install --quiet --disable-pip-version-check --require-hashes -r requirements-test.lock
	@touch $@

# Maintainers: resolve the locks again (needs uv).
LOCK := uv pip compile --quiet --universal --python-version 3.10 --generate-hashes --no-emit-index-url --no-annotate --custom-compile-command "make lock"
lock:
	$(LOCK) pyproject.toml -o requirements.lock
	$(LOCK) pyproject.toml --extra test -o requirements-test.lock -c requirements.lock
	$(LOCK) autograder/gradescope/requirements.in -o autograder/gradescope/requirements.lock -c requirements.lock
