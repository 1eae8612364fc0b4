#!/bin/bash
# librtmp, with rtmpdump and GStreamer's rtmpsink: publishing; a handshake with digests, caused by a player hash for
# SWF verification; RTMPE, which nginx-rtmp does not support.
. "$(dirname "$0")/rtmp-common.sh"
two_hosts
rtmp_server
keep_publishing rtmp://$server/live/camera

start_capture client rtmp/rtmp-publish-rtmpsink.pcap -i eth0
in_host client timeout --signal INT --kill-after 5 6 gst-launch-1.0 -e \
    videotestsrc is-live=true num-buffers=35 ! video/x-raw,width=160,height=120,framerate=10/1 \
    ! x264enc bitrate=40 speed-preset=veryfast tune=zerolatency key-int-max=10 ! h264parse ! mux. \
    audiotestsrc is-live=true num-buffers=75 samplesperbuffer=1024 ! audio/x-raw,rate=22050,channels=1 \
    ! avenc_aac bitrate=16000 ! aacparse ! mux. \
    flvmux name=mux streamable=true ! rtmpsink location="rtmp://$server/live/gst live=1" \
    >"$work/client.log" 2>&1 || true
stop_capture

start_capture client rtmp/rtmp-play-digest.pcap -i eth0
in_host client timeout --signal INT 2 rtmpdump -q -r rtmp://$server/live/camera --live -o /dev/null \
    --swfUrl http://$server/player.swf --swfsize 4096 \
    --swfhash 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff || true
stop_capture

start_capture client rtmp/rtmpe-refused.pcap -i eth0
in_host client timeout --signal INT 3 rtmpdump -q -r rtmpe://$server/live/camera --live -o /dev/null || true
stop_capture
