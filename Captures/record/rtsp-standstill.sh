#!/bin/bash
# Media that stalls unintentionally: a link that is down for some seconds, and a server that is stopped, at the end
# permanently. GStreamer serves; ffmpeg and rtspsrc play.
. "$(dirname "$0")/common.sh"
two_hosts
gst_server

start_capture client rtsp/rtsp-standstill-tcp.pcap -i eth0
background player client timeout 20 ffmpeg -nostdin -v warning -rtsp_transport tcp -i rtsp://$server/live -t 8 -f null -
player=$started
sleep 3
in_host server ip link set eth0 down
sleep 3
in_host server ip link set eth0 up
wait "$player" || true
stop_capture

start_capture client rtsp/rtsp-standstill-udp.pcap -i eth0
gst_client rtsp://$server/live play=11 &
player=$!
sleep 3
kill -STOP "$gst_server_pid"
sleep 3
kill -CONT "$gst_server_pid"
sleep 2
kill -STOP "$gst_server_pid"
wait "$player" || true
stop_capture
kill -CONT "$gst_server_pid"
