#!/bin/bash
# VP9 and L24 over UDP: GStreamer serves, ffmpeg plays.
. "$(dirname "$0")/common.sh"
two_hosts
picture="videotestsrc is-live=true pattern=ball ! video/x-raw,format=I420,width=160,height=120,framerate=10/1"
sound="audiotestsrc is-live=true wave=ticks ! audio/x-raw,channels=1"

gst_server --port 8555 --launch "$picture ! vp9enc deadline=1 cpu-used=8 target-bitrate=40000 keyframe-max-dist=10 \
    ! rtpvp9pay name=pay0 pt=96 $sound,rate=8000 ! audioconvert ! rtpL24pay name=pay1 pt=97"
start_capture client rtsp/rtsp-vp9-l24.pcap -i eth0
ffmpeg_client -rtsp_transport udp -i rtsp://$server:8555/live -t 3 -f null -
stop_capture
