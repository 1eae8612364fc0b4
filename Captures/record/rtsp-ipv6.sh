#!/bin/bash
# IPv6, with media over UDP and interleaved: GStreamer serves, ffmpeg plays.
. "$(dirname "$0")/common.sh"
two_hosts
gst_server --address ::

start_capture client rtsp/rtsp-ipv6.pcap -i eth0
ffmpeg_client -rtsp_transport udp -i rtsp://[fd77::2]/live -t 3 -f null -
stop_capture

start_capture client rtsp/rtsp-ipv6-tcp.pcap -i eth0
ffmpeg_client -rtsp_transport tcp -i rtsp://[fd77::2]/live -t 3 -f null -
stop_capture
