#!/bin/bash
# The profile SAVP: RTP and RTCP are encrypted, with MIKEY key management. GStreamer serves and plays; the second time, it writes
# the packets before encryption to .sent.
. "$(dirname "$0")/common.sh"
two_hosts

# record NAME OPTIONS…: a session with the server's options.
record() {
    local name=$1
    shift
    gst_server --profile savp "$@"
    start_capture client "rtsp/$name.pcap" -i eth0
    gst_client rtsp://$server/live play=4
    stop_capture
    kill "$gst_server_pid"
    wait "$gst_server_pid" || true
}

record rtsp-srtp
record rtsp-srtp-mikey --sent "$captures/rtsp/rtsp-srtp-mikey.sent"
