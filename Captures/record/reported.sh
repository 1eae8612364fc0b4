#!/bin/bash
# Makes captures of what public bug reports describe, from recorded captures. Needs only Python.
set -euo pipefail
cd "$(dirname "$0")"
python3 reported.py ..
