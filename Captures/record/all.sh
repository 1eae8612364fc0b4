#!/bin/bash
# Records everything again. Takes some minutes; needs root and what install.sh installs.
set -euo pipefail
cd "$(dirname "$0")"
for script in article-*.sh rtsp-*.sh rtp-*.sh rtmp-*.sh http-*.sh signaling-*.sh webrtc-*.sh transport-*.sh ntp.sh; do
    case "$script" in *-common.sh) continue ;; esac # is sourced by others
    echo "$script"
    "./$script"
done
