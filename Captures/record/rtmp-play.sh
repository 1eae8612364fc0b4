#!/bin/bash
# Playback from nginx-rtmp of a stream published by ffmpeg: with ffmpeg, rtmpdump (librtmp) and GStreamer's rtmp2src;
# and with ffmpeg from a server with chunks of 128 octets.
. "$(dirname "$0")/rtmp-common.sh"
two_hosts
rtmp_server
keep_publishing rtmp://$server/live/camera

start_capture client rtmp/rtmp-play.pcap -i eth0
ffmpeg_client -i rtmp://$server/live/camera -t 3 -f null -
stop_capture

start_capture client rtmp/rtmp-play-rtmpdump.pcap -i eth0
in_host client timeout --signal INT 3 rtmpdump -q -r rtmp://$server/live/camera --live -o /dev/null || true
stop_capture

start_capture client rtmp/rtmp-play-gst.pcap -i eth0
in_host client timeout --signal INT --kill-after 5 4 \
    gst-launch-1.0 rtmp2src location=rtmp://$server/live/camera ! fakesink >"$work/client.log" 2>&1 || true
stop_capture

keep_publishing rtmp://$server:19350/live/camera
start_capture client rtmp/rtmp-play-odd-port.pcap -i eth0
ffmpeg_client -i rtmp://$server:19350/live/camera -t 3 -f null -
stop_capture
