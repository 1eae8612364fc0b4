#!/bin/bash
# Calls with DTLS 1.3, made with their secrets: no program here speaks it and writes a key log.
. "$(dirname "$0")/common.sh"
"$python" "$record/dtls13_made.py" "$captures/webrtc"
