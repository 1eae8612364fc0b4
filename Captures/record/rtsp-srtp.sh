#!/bin/bash
# The profile SAVP: RTP and RTCP are encrypted, with MIKEY key management. GStreamer serves and plays.
. "$(dirname "$0")/common.sh"
two_hosts
gst_server --profile savp

start_capture client rtsp/rtsp-srtp.pcap -i eth0
gst_client rtsp://$server/live play=4
stop_capture
