#!/bin/bash
# PLAY, PAUSE, PLAY again, then a seek (PLAY with another Range) in a file that GStreamer serves; rtspsrc plays,
# over UDP and interleaved; and one played to its end, with the server's BYE.
. "$(dirname "$0")/common.sh"
two_hosts
make_film "$work/film.mp4" 30
make_film "$work/short.mp4" 3
gst_server --film "$work/film.mp4"
gst_server --port 8554 --film "$work/short.mp4"

start_capture client rtsp/rtsp-pause-seek.pcap -i eth0
gst_client rtsp://$server/live play=2 pause=1.5 play=2 seek=20 play=2
stop_capture

start_capture client rtsp/rtsp-pause-seek-tcp.pcap -i eth0
gst_client rtsp://$server/live play=1.5 pause=1 play=1.5 seek=20 play=1.5 --protocols tcp
stop_capture

start_capture client rtsp/rtsp-to-the-end.pcap -i eth0
gst_client rtsp://$server:8554/live eos
stop_capture
