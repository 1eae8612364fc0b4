#!/bin/bash
# An MPEG program stream in RTP, as cameras of GB/T 28181 send it after a SIP call that is not recorded: gst_ps.py makes the
# packets of GStreamer's multiplex. The capture is taken at the client.
. "$(dirname "$0")/common.sh"
two_hosts
start_capture client rtp/rtp-ps.pcap -i eth0 udp
in_host server $python "$record/gst_ps.py" $client 5110 40 >"$work/sender.log" 2>&1
stop_capture
