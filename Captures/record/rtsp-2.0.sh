#!/bin/bash
# RTSP 2.0 (RFC 7826) between GStreamer's server and rtspsrc.
. "$(dirname "$0")/common.sh"
two_hosts
make_film "$work/film.mp4" 10
gst_server --film "$work/film.mp4"

start_capture client rtsp/rtsp-2.0.pcap -i eth0
gst_client rtsp://$server/live play=2 pause=1 play=1 --rtsp-version 2-0
stop_capture

start_capture client rtsp/rtsp-2.0-tcp.pcap -i eth0
gst_client rtsp://$server/live play=2 --rtsp-version 2-0 --protocols tcp
stop_capture
