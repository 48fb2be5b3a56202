#!/bin/sh
# Runs once, when the image is built. Needs apt and the Python package index; the system's python is only read.
set -eu
here=$(dirname "$0")
export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install -y --no-install-recommends python3 python3-venv
python3 -m venv /autograder/venv
/autograder/venv/bin/pip install --require-hashes -r "$here/requirements.lock"
