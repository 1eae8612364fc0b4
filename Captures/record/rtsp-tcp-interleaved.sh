#!/bin/bash
# Media interleaved in the RTSP connection: GStreamer serves H.264 and AAC; ffmpeg plays it, then rtspsrc on a
# nonstandard port.
. "$(dirname "$0")/common.sh"
two_hosts
gst_server --audio aac

start_capture client rtsp/rtsp-tcp-interleaved.pcap -i eth0
ffmpeg_client -rtsp_transport tcp -i rtsp://$server/live -t 5 -f null -
stop_capture

gst_server --port 10554
start_capture client rtsp/rtsp-tcp-odd-port.pcap -i eth0
gst_client rtsp://$server:10554/live play=4 --protocols tcp
stop_capture

# Segmentation and checksum offloading, as on most machines: on the sender's side, frames exceed the MTU and checksums
# are not computed.
in_host server ethtool -K eth0 tx on sg on tso on gso on >/dev/null
in_host client ethtool -K eth0 rx on gro on >/dev/null
gst_server --port 8554 --film "$work/film.mp4"
ffmpeg -nostdin -v error -f lavfi -i testsrc2=size=320x240:rate=10 -f lavfi -i sine=sample_rate=8000 -t 3 \
    -c:v libx264 -bf 0 -g 5 -crf 26 -pix_fmt yuv420p -c:a aac -b:a 16k "$work/film.mp4"
start_capture server rtsp/rtsp-offload.pcap -i eth0
ffmpeg_client -rtsp_transport tcp -i rtsp://$server:8554/live -f null -
stop_capture
