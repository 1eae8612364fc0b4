#!/bin/bash
# RTSP with media over UDP: GStreamer serves H.264 and PCMU; ffmpeg and then GStreamer's rtspsrc play it.
. "$(dirname "$0")/common.sh"
two_hosts
gst_server

start_capture client rtsp/rtsp-udp.pcap -i eth0
ffmpeg_client -rtsp_transport udp -i rtsp://$server/live -t 5 -f null -
stop_capture

start_capture client rtsp/rtsp-udp-gst.pcap -i eth0
gst_client rtsp://$server/live play=5
stop_capture
