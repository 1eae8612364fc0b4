#!/bin/bash
# RTSP in a pair of HTTP connections, GET for the server's responses and POST (base64) for the client's requests:
# GStreamer serves; ffmpeg and then rtspsrc play.
. "$(dirname "$0")/common.sh"
two_hosts
gst_server --port 8080

start_capture client rtsp/rtsp-http-tunnel.pcap -i eth0
ffmpeg_client -rtsp_transport http -i rtsp://$server:8080/live -t 4 -f null -
stop_capture

start_capture client rtsp/rtsp-http-tunnel-gst.pcap -i eth0
gst_client rtsph://$server:8080/live play=4 --protocols tcp+http
stop_capture
