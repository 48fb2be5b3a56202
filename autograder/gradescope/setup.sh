#!/bin/sh
# Runs once, when the image is built. Needs apt and the Python package index; the system's python is only read.
set -eu
umask 022  # a submission's user must be able to read the interpreter and its packages
source=$(cd "$(dirname "$0")" && pwd)
python=/autograder/venv/bin/python
export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install -y --no-install-recommends python3 python3-venv
python3 -m venv /autograder/venv
"$python" -m pip install --disable-pip-version-check --no-cache-dir --progress-bar off --only-binary :all: \
    --require-hashes -r "$source/requirements.lock"
# The image is only good if the reference gets full marks in it. While `otter grade` builds its image there is no
# reference yet; the first run_autograder grades it instead.
if [ -e "$source/bundle.json" ]; then
    cd "$source"
    PYTHONPATH=$source "$python" -c "from autograder.grading.gradescope import check_reference; check_reference('/autograder')"
fi
