#!/bin/bash
# Media to a multicast group, with two clients that join the same stream one after the other: GStreamer serves;
# rtspsrc and ffmpeg play. The capture is taken at the client.
. "$(dirname "$0")/common.sh"
two_hosts
gst_server --multicast

start_capture client rtsp/rtsp-multicast.pcap -i eth0
background player client $python "$record/gst_client.py" rtsp://$server/live play=5 --protocols udp-mcast
first=$started
sleep 1.5
ffmpeg_client -rtsp_transport udp_multicast -i rtsp://$server/live -t 2 -f null -
wait "$first"
stop_capture
