#!/bin/bash
# Publishing to nginx-rtmp: ffmpeg, with and without a token in the stream name, on a nonstandard port with server
# chunks of 128 octets; GStreamer's rtmp2sink; and one capture started midstream.
. "$(dirname "$0")/rtmp-common.sh"
two_hosts
rtmp_server

start_capture client rtmp/rtmp-publish.pcap -i eth0
publish_from client 4 rtmp://$server/live/camera
stop_capture

start_capture client rtmp/rtmp-publish-odd-port.pcap -i eth0
publish_from client 3 "rtmp://$server:19350/live/camera?token=test-token"
stop_capture

start_capture client rtmp/rtmp-publish-gst.pcap -i eth0
in_host client timeout --signal INT --kill-after 5 6 gst-launch-1.0 -e \
    videotestsrc is-live=true num-buffers=35 ! video/x-raw,width=160,height=120,framerate=10/1 \
    ! x264enc bitrate=40 speed-preset=veryfast tune=zerolatency key-int-max=10 ! h264parse ! mux. \
    audiotestsrc is-live=true num-buffers=75 samplesperbuffer=1024 ! audio/x-raw,rate=22050,channels=1 \
    ! avenc_aac bitrate=16000 ! aacparse ! mux. \
    flvmux name=mux streamable=true ! rtmp2sink location=rtmp://$server/live/gst >"$work/client.log" 2>&1 || true
stop_capture

background publisher client ffmpeg -nostdin -v warning "${source_options[@]}" -t 5 rtmp://$server/live/late
publisher=$started
sleep 3
start_capture client rtmp/rtmp-midstream.pcap -i eth0
wait "$publisher"
stop_capture
