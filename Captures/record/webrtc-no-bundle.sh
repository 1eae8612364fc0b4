#!/bin/bash
# A call without BUNDLE: audio and video have separate transports, each with its own candidates, checks and DTLS. Both
# peers are GStreamer's webrtcbin with libnice.
. "$(dirname "$0")/common.sh"
two_hosts

background answerer server $python "$record/gst_webrtc_peer.py" answer --video --no-bundle --ipv4
wait_for_port server 6868
start_capture client webrtc/webrtc-no-bundle.pcap -s 65535 -i eth0 "tcp port 6868 or (udp and not port 53 and not port 1900)"
in_host client timeout 40 $python "$record/gst_webrtc_peer.py" offer "$server:6868" --video --no-bundle --ipv4 --seconds 1 \
    >"$work/offerer.log" 2>&1
stop_capture
