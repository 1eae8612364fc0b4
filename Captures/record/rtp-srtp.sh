#!/bin/bash
# SRTP and SRTCP with each profile, with the keys beside the capture, and the same packets in the clear: srtpenc of
# GStreamer encrypts what its payloader also sends to other ports.
. "$(dirname "$0")/common.sh"
two_hosts

start_capture client rtp/rtp-srtp.pcap -i eth0 udp dst portrange 5000-5099
start_capture client rtp/rtp-srtp-clear.pcap -i eth0 udp dst portrange 6000-6099
in_host server timeout 60 $python "$record/gst_srtp.py" $client "$captures/rtp/rtp-srtp.keys" >"$work/sender.log" 2>&1
stop_capture
