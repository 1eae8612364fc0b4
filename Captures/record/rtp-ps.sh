#!/bin/bash
# An MPEG program stream in RTP, as sent by GB/T 28181 cameras after a SIP call (not recorded): gst_ps.py packetizes the
# output of GStreamer's multiplexer. The capture is taken at the client.
. "$(dirname "$0")/common.sh"
two_hosts
start_capture client rtp/rtp-ps.pcap -i eth0 udp
in_host server $python "$record/gst_ps.py" $client 5110 40 >"$work/sender.log" 2>&1
stop_capture
