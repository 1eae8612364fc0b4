#!/bin/bash
# Publishing with ANNOUNCE and RECORD: ffmpeg over UDP and interleaved, rtspclientsink over UDP, all to GStreamer;
# then ffmpeg to ffmpeg, and rtspclientsink to ffmpeg, which closes at SETUP.
. "$(dirname "$0")/common.sh"
two_hosts
gst_server --record

publish_with_ffmpeg() {
    ffmpeg_client -re -f lavfi -i testsrc2=size=160x120:rate=10 -re -f lavfi -i sine=sample_rate=16000 \
        -t 4 -c:v libx264 -preset veryfast -tune zerolatency -g 10 -b:v 40k -pix_fmt yuv420p -c:a aac -b:a 16k \
        -f rtsp -rtsp_transport "$1" "rtsp://$server:${2:-554}/live"
}

publish_with_gst() {
    in_host client timeout --signal INT --kill-after 5 4 gst-launch-1.0 \
        rtspclientsink name=sink location="$1" protocols="$2" latency=100 \
        videotestsrc is-live=true ! video/x-raw,width=160,height=120,framerate=10/1 \
        ! x264enc bitrate=40 speed-preset=veryfast tune=zerolatency key-int-max=10 ! video/x-h264,profile=main ! sink. \
        audiotestsrc is-live=true samplesperbuffer=1024 ! audio/x-raw,rate=16000,channels=1 \
        ! avenc_aac bitrate=16000 ! aacparse ! sink. \
        >"$work/client.log" 2>&1 || true # stopped by the interrupt, or refused
}

start_capture client rtsp/rtsp-record-udp.pcap -i eth0
publish_with_ffmpeg udp
stop_capture

start_capture client rtsp/rtsp-record-tcp.pcap -i eth0
publish_with_ffmpeg tcp
stop_capture

start_capture client rtsp/rtsp-record-gst.pcap -i eth0
publish_with_gst rtsp://$server/live udp
stop_capture

# ffmpeg expects its own control names: it accepts those of ffmpeg and closes the connection on others.
listen() {
    background listener server ffmpeg -nostdin -v warning -rtsp_flags listen -i rtsp://$server:8554/live -f null -
    wait_for_port server 8554
}
listen
start_capture client rtsp/rtsp-record-to-ffmpeg.pcap -i eth0
publish_with_ffmpeg tcp 8554
stop_capture

listen
start_capture client rtsp/rtsp-record-hung-up.pcap -i eth0
publish_with_gst rtsp://$server:8554/live tcp
stop_capture
