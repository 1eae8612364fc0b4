#!/bin/bash
# The profile SAVP with keys in a=crypto (RFC 4568): ffmpeg plays and sends SRTP, a script is the RTSP server for the sender.
# The files .sent.h264 and .sent.mulaw have the film that it sends.
. "$(dirname "$0")/common.sh"
two_hosts
make_film "$work/film.mp4" 5
sent=$captures/rtsp/rtsp-srtp-sdes.sent
ffmpeg -nostdin -v error -y -i "$work/film.mp4" -an -c:v copy -bsf:v h264_mp4toannexb,dump_extra -f h264 "$sent.h264"
ffmpeg -nostdin -v error -y -i "$work/film.mp4" -vn -c:a pcm_mulaw -ar 8000 -ac 1 -f mulaw "$sent.mulaw"
background server server $python "$record/srtp_server.py" "$work/film.mp4" $server
wait_for_port server 554

start_capture client rtsp/rtsp-srtp-sdes.pcap -i eth0
ffmpeg_client -rtsp_transport udp -i rtsp://$server/live -t 2.5 -f null -
stop_capture
