#!/bin/sh
# Installs everything that the recordings need, on Debian 12.
set -eu
export DEBIAN_FRONTEND=noninteractive
apt-get install -y --no-install-recommends \
    iproute2 iputils-ping ethtool tcpdump tshark wireshark-common procps psmisc \
    ffmpeg srt-tools rist-tools vlc-bin vlc-plugin-base \
    python3 python3-gi python3-scapy python3-venv \
    gir1.2-gstreamer-1.0 gir1.2-gst-rtsp-server-1.0 gir1.2-gst-plugins-base-1.0 gir1.2-gst-plugins-bad-1.0 \
    gstreamer1.0-tools gstreamer1.0-rtsp gstreamer1.0-plugins-base gstreamer1.0-plugins-good \
    gstreamer1.0-plugins-bad gstreamer1.0-plugins-ugly gstreamer1.0-libav gstreamer1.0-nice glib-networking \
    libgstrtspserver-1.0-0 \
    netcat-openbsd nginx libnginx-mod-rtmp libnginx-mod-stream openssl rtmpdump zstd \
    chrony ntpsec-ntpdig coturn chromium janus

# FFmpeg libraries newer than Debian's, for Enhanced RTMP; peers of WebSocket, HTTP and WebRTC.
venv=$(dirname "$0")/.venv
python3 -m venv "$venv"
"$venv/bin/pip" install --quiet av==18.1.0 websockets==17.4 aiohttp==3.14.5 aiortc==1.16.0 \
    python-socketio==5.18.1
