#!/bin/bash
# The profile SAVP with keys in a=crypto (RFC 4568): ffmpeg plays and sends SRTP, a script is the RTSP server for the sender.
. "$(dirname "$0")/common.sh"
two_hosts
make_film "$work/film.mp4" 5
background server server $python "$record/srtp_server.py" "$work/film.mp4" $server
wait_for_port server 554

start_capture client rtsp/rtsp-srtp-sdes.pcap -i eth0
ffmpeg_client -rtsp_transport udp -i rtsp://$server/live -t 2.5 -f null -
stop_capture
