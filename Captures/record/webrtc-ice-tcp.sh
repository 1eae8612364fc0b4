#!/bin/bash
# A call with TCP candidates only (RFC 6544): checks, DTLS and audio on one connection, each packet after its length
# (RFC 4571). Both peers are GStreamer's webrtcbin, whose ICE is libnice.
. "$(dirname "$0")/common.sh"
two_hosts

background answerer server $python "$record/gst_webrtc_peer.py" answer --no-udp --ipv4
wait_for_port server 6868
start_capture client webrtc/webrtc-ice-tcp.pcap -s 65535 -i eth0 tcp
in_host client timeout 40 $python "$record/gst_webrtc_peer.py" offer "$server:6868" --no-udp --ipv4 --seconds 1 \
    >"$work/offerer.log" 2>&1
stop_capture
