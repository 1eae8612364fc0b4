#!/bin/bash
# Two publishers and two players at the same time, all from one host: four connections interleaved in one capture. ffmpeg
# publishes "left" and GStreamer's rtmp2sink "right"; ffmpeg plays "left" and rtmpdump "right".
. "$(dirname "$0")/rtmp-common.sh"
two_hosts
rtmp_server

start_capture server rtmp/rtmp-several.pcap -i eth0
background left client ffmpeg -nostdin -v warning "${source_options[@]}" -t 4 rtmp://$server/live/left
publishers=("$started")
background right client timeout --signal INT --kill-after 5 4 gst-launch-1.0 -e \
    videotestsrc is-live=true num-buffers=35 ! video/x-raw,width=160,height=120,framerate=10/1 \
    ! x264enc bitrate=40 speed-preset=veryfast tune=zerolatency key-int-max=10 ! h264parse ! mux. \
    audiotestsrc is-live=true num-buffers=75 samplesperbuffer=1024 ! audio/x-raw,rate=22050,channels=1 \
    ! avenc_aac bitrate=16000 ! aacparse ! mux. \
    flvmux name=mux streamable=true ! rtmp2sink location=rtmp://$server/live/right
publishers+=("$started")
sleep 1
background leftplayer client ffmpeg -nostdin -v warning -i rtmp://$server/live/left -t 2 -f null -
background rightplayer client timeout --signal INT 3 rtmpdump -q -r rtmp://$server/live/right --live -o /dev/null
for publisher in "${publishers[@]}"; do wait "$publisher" || true; done
stop_capture
