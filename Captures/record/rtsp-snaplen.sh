#!/bin/bash
# Frames truncated by the snap length: 96 octets with media over UDP, 120 octets with media interleaved.
. "$(dirname "$0")/common.sh"
two_hosts
gst_server

start_capture client rtsp/rtsp-snaplen-udp.pcap -s 96 -i eth0
ffmpeg_client -rtsp_transport udp -i rtsp://$server/live -t 3 -f null -
stop_capture

start_capture client rtsp/rtsp-snaplen-tcp.pcap -s 120 -i eth0
ffmpeg_client -rtsp_transport tcp -i rtsp://$server/live -t 3 -f null -
stop_capture
