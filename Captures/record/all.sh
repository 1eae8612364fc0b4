#!/bin/bash
# Repeats all recordings. Takes some minutes; needs root and the software of install.sh.
set -euo pipefail
cd "$(dirname "$0")"
for script in article-*.sh rtsp-*.sh rtp-*.sh rtmp-*.sh http-*.sh signaling-*.sh webrtc-*.sh tls-*.sh transport-*.sh reported.sh diff.sh srt.sh srt-peers.sh ntp.sh; do
    case "$script" in *-common.sh) continue ;; esac # sourced by other scripts
    echo "$script"
    "./$script"
done
