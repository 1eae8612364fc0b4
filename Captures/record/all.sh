#!/bin/bash
# Records everything again. Takes some minutes; needs root and what install.sh installs.
set -euo pipefail
cd "$(dirname "$0")"
for script in article-*.sh rtsp-*.sh rtmp-[pr]*.sh transport-*.sh ntp.sh; do
    if [ -e "$script" ]; then
        echo "$script"
        "./$script"
    fi
done
