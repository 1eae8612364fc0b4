#!/bin/bash
# 401, then the request with credentials (user test): Digest with ffmpeg and with rtspsrc, Basic, both
# offered together, and a wrong password.
. "$(dirname "$0")/common.sh"
two_hosts
gst_server --port 8554 --auth digest --audio none
gst_server --port 8555 --auth basic --audio none
gst_server --port 8556 --auth both --audio none

start_capture client rtsp/rtsp-digest.pcap -i eth0
ffmpeg_client -rtsp_transport udp -i rtsp://test:test-secret@$server:8554/live -t 3 -f null -
stop_capture

start_capture client rtsp/rtsp-digest-gst.pcap -i eth0
gst_client rtsp://$server:8554/live play=3 --set user-id=test --set user-pw=test-secret
stop_capture

start_capture client rtsp/rtsp-basic.pcap -i eth0
ffmpeg_client -rtsp_transport tcp -i rtsp://test:test-secret@$server:8555/live -t 3 -f null -
stop_capture

start_capture client rtsp/rtsp-both-challenges.pcap -i eth0
ffmpeg_client -rtsp_transport tcp -i rtsp://test:test-secret@$server:8556/live -t 3 -f null -
stop_capture

start_capture client rtsp/rtsp-wrong-password.pcap -i eth0
ffmpeg_client -rtsp_transport tcp -i rtsp://test:test-wrong@$server:8554/live -t 3 -f null - || true # refused
stop_capture

# Credentials in the query of the URL, as used by cameras and servers with tokens.
gst_server --port 8557 --audio none
start_capture client rtsp/rtsp-url-token.pcap -i eth0
ffmpeg_client -rtsp_transport tcp \
    -i "rtsp://$server:8557/live?token=test-secret-token&channel=1&password=test-secret" -t 3 -f null -
stop_capture
